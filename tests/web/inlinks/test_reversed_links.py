"""Who links to whom in a recording: links the other way round."""

import pytest

from lycosa.core.nouns import Raw
from lycosa.web.inlinks.reversed_links import reversed_links
from lycosa.web.parsed_cache import open_parsed
from lycosa.web.source import BedTopic
from lycosa.web.testbed import PAGES, make_bed

A, B, C, OLD, OLDER = (f"http://{name}.test/" for name in ("a", "b", "c", "old", "older"))


class Little:
    """A web of three pages and two redirects."""

    topics = [BedTopic("t", "words", (A,))]

    def __init__(self):
        self.answers = {
            A: page(B, OLDER),
            B: page(A, B, C, C),
            C: page(A, "http://gone.test/"),
            OLD: moved(C),
            OLDER: moved(OLD),
            "http://loop.test/": moved("http://loop.test/"),
        }

    def urls(self):
        return iter(self.answers)

    def response(self, url):
        return self.answers.get(url)


def page(*links):
    body = "<html><body>" + " ".join(f'<a href="{url}">link</a>' for url in links)
    return Raw(200, (("Content-Type", "text/html"),), body.encode(), reason="OK")


def moved(to):
    return Raw(302, (("Location", to),), b"", reason="Found")


@pytest.fixture(scope="module")
def inlinks(tmp_path_factory):
    bed = tmp_path_factory.mktemp("little") / "bed"
    make_bed(Little(), bed)
    return reversed_links(open_parsed(str(bed / PAGES)))


def test_each_page_that_links_is_told_once_and_never_the_page_itself(inlinks):
    assert inlinks.of(A, 10) == [B, C]
    assert inlinks.of(B, 10) == [A]


def test_no_more_are_told_than_asked_for(inlinks):
    assert inlinks.of(A, 1) == [B]
    assert inlinks.of(A, 0) == []


def test_a_link_to_a_redirect_is_a_link_to_where_it_leads(inlinks):
    assert inlinks.of(C, 10) == [A, B]
    assert inlinks.of(OLD, 10) == [A, B]


def test_nothing_is_known_of_what_is_not_there(inlinks):
    assert inlinks.of("http://gone.test/", 10) == []
    assert inlinks.of("http://loop.test/", 10) == []
