"""Results by date: latest first, with all words, each page once."""

import pytest

from lycosa.index.index import Index
from lycosa.index.search import search_all
from lycosa.index.search_types import Document, Filters, Question
from lycosa.system.errors import Refused

DAY = 86400.0
TEXTS = ["wolf spiders", "wolf", "spiders hunt wolf", "orb weavers", "a wolf and a spider"]


@pytest.fixture(scope="module")
def indexes(tmp_path_factory):
    place = tmp_path_factory.mktemp("newest")
    for name, shift in (("one", 0), ("two", 100)):
        with Index.write(place / name) as index:
            for nth, text in enumerate(TEXTS):
                url = f"http://{'both' if nth == 0 else name}.test/{nth}"
                index.add(Document(url, text=f"\n{text}", at=(shift + nth * 7 % 5 + 1) * DAY, relevance=nth / 5))
            index.commit(1, 1)
    with Index.open(place / "one") as one, Index.open(place / "two") as two:
        yield one, two


def found(index, text, **options):
    return [hit.url for hit in index.search(Question(text, sort="time", **options)).hits]


def test_the_latest_page_is_first_and_has_all_words(indexes):
    assert found(indexes[0], "wolf spider") == ["http://one.test/2", "http://one.test/4", "http://both.test/0"]
    assert found(indexes[0], "wolf spider", limit=1, start=1) == ["http://one.test/4"]
    assert indexes[0].search(Question("wolf spider", sort="time", limit=1)).total == 3


def test_operators_filters_and_empty_answers_work_as_ever(indexes):
    assert found(indexes[0], "wolf OR orb", limit=2) == ["http://one.test/2", "http://one.test/4"]
    assert found(indexes[0], "wolf -spider") == ["http://one.test/1"]
    assert found(indexes[0], "wolf", filters=Filters(relevance=0.3)) == ["http://one.test/2", "http://one.test/4"]
    assert found(indexes[0], "nothing") == []
    with pytest.raises(Refused, match="cannot sort"):
        indexes[0].search(Question("wolf", sort="size"))


def test_a_page_of_several_indexes_is_there_once_as_it_was_fetched_last(indexes):
    joint = search_all(indexes, Question("wolf spider", sort="time", limit=4))
    assert [hit.url for hit in joint.answer.hits] == [
        "http://two.test/2",
        "http://two.test/4",
        "http://both.test/0",
        "http://one.test/2",
    ]
    assert joint.answer.hits[2].at == 101 * DAY and joint.more
    assert joint.homes["http://both.test/0"] == (1, 0)
    assert all(hit.snippet and hit.marks for hit in joint.answer.hits)


def test_a_page_of_several_indexes_counts_once_on_every_page_of_results(indexes):
    for start in (0, 2, 4):
        joint = search_all(indexes, Question("wolf spider", sort="time", limit=2, start=start, facets=True))
        assert (joint.answer.total, joint.exact) == (5, True)
        assert joint.answer.facets["host"] == {"one.test": 2, "two.test": 2, "both.test": 1}


def test_no_page_is_on_two_pages_of_results_though_all_were_fetched_at_the_same_time(tmp_path):
    with Index.write(tmp_path / "index") as index:
        for nth in range(40):
            index.add(Document(f"http://{99 - nth * 7 % 40}.test/", text="\nwolf", at=DAY))
            if nth % 9 == 0:
                index.commit(nth + 1, nth + 1)
        index.commit(99, 99)
    with Index.open(tmp_path / "index") as index:
        urls = [url for start in range(0, 40, 7) for url in found(index, "wolf", start=start, limit=7)]
    assert len(urls) == len(set(urls)) == 40
