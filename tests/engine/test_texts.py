"""The texts of pages, from where they are kept or from the Web."""

import pytest

import lycosa
from lycosa.engine.texts import Texts
from lycosa.web.http_options import HttpOptions
from lycosa.web.made import Made
from lycosa.web.serving import spawn

WEB = "made:pages=200,topics=3,seed=5,page_bytes=500"
TOPIC = Made(pages=200, topics=3, seed=5, page_bytes=500).topics[0]
SEED = TOPIC.examples[0]


@pytest.fixture(scope="module")
def made():
    with Texts([WEB]) as texts:
        yield texts(SEED)


def test_a_made_web_has_its_pages(made):
    assert TOPIC.keywords.split()[0] in made.lower()


def test_a_collection_has_the_pages_it_visited(made, tmp_path):
    with lycosa.hunt(TOPIC.keywords, [SEED], replay=WEB, pages=3, out=tmp_path / "c") as hunt:
        list(hunt)
    with Texts([str(tmp_path / "c")]) as texts:
        assert texts(SEED) == made
        assert texts("http://nowhere.test/") is None


def test_what_nobody_has_is_fetched(made, tmp_path):
    with spawn(WEB) as served, Texts(http=HttpOptions(proxy=served.proxy)) as texts:
        assert texts(SEED) == made
        assert texts(SEED + "not-there.html") is None


def test_sources_that_hold_no_pages_are_passed_over():
    with Texts(["http://127.0.0.1:1/?url={url}"]) as texts:
        assert texts(SEED) is None


def test_a_refused_address_is_never_asked():
    with Texts(http=HttpOptions()) as texts:
        assert texts("http://127.0.0.1/") is None
