"""The current relevance beside an index: filters, the order without words and results follow it; damage is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from lycosa.core.keys import key64
from lycosa.index.index import Index
from lycosa.index.index_copy import copy_index
from lycosa.index.index_errors import Unreadable
from lycosa.index.relevances import FILE
from lycosa.index.search_types import Document, Filters, Question
from lycosa.index.verify import index_damage

MANY = 40


def url_of(number: int) -> str:
    return f"http://a{number % 3}.test/{number}"


@pytest.fixture
def index(tmp_path: Path):
    with Index.write(tmp_path / "index") as index:
        for number in range(MANY):
            text = f"harp music, part {number} of many {'harp ' * number}"
            relevance = None if number % 4 == 3 else number / 100
            index.add(Document(url_of(number), f"Harp {number}", text, language="en", relevance=relevance))
        index.commit(1, 1)
        index.settle()
        yield index


def found(index: Index, text: str, least: float | None = None, **more) -> list[int]:
    question = Question(text, "content", limit=100, filters=Filters(relevance=least, **more), twins=True)
    answer = index.search(question)
    assert answer.total == len(answer.hits)
    return [int(hit.url.rpartition("/")[2]) for hit in answer.hits]


def test_before_anything_is_told_pages_have_the_relevance_with_which_they_were_indexed(index):
    assert set(found(index, "harp", 0.30)) == {30, 32, 33, 34, 36, 37, 38}
    assert found(index, "", 0.30) == [38, 37, 36, 34, 33, 32, 30]


def test_filters_orders_and_results_follow_what_is_told(index):
    index.relevances.write([(url_of(0), 0.9), (url_of(3), 0.8), (url_of(38), 0.1), (url_of(37), None)], 5, 55)
    assert found(index, "", 0.36) == [0, 3, 36]
    assert set(found(index, "harp", 0.36)) == {0, 3, 36}
    assert found(index, "-silence", 0.36, hosts=("a0.test",)) == [0, 3, 36]
    shown = {hit.url: hit.relevance for hit in index.search(Question("harp", limit=100, twins=True)).hits}
    assert shown[url_of(0)] == 0.9 and shown[url_of(36)] == 0.36
    assert shown[url_of(37)] is shown[url_of(7)] is None
    assert index.content.relevance(url_of(3)) == 0.8
    assert index.content.relevance("http://nowhere.test/") is None


def test_what_is_not_known_comes_last_and_passes_no_bound(index):
    every = found(index, "", 0.0, hosts=("test",))
    assert every[:2] == [38, 37] and set(every[-11:]) == {0, *range(3, MANY, 4)}
    assert not {3, 7, 11} & set(found(index, "harp", 0.001))
    assert len(found(index, "harp", 0.0)) == MANY


def test_similar_pages_and_facets_follow_it_too(index):
    index.relevances.write([(url_of(0), 0.9), (url_of(4), 0.9), (url_of(5), 0.9)], 5, 55)
    similar = index.similar(url_of(1), 50, Filters(relevance=0.5))
    assert {hit.url for hit in similar.hits} == {url_of(0), url_of(4), url_of(5)} and similar.total == 3
    answer = index.search(Question("harp", "content", filters=Filters(relevance=0.5), facets=True))
    assert answer.facets["host"] == {"a0.test": 1, "a1.test": 1, "a2.test": 1}
    assert answer.facets["lang"] == {"en": 3}
    nothing = index.search(Question("harp", "content", filters=Filters(relevance=0.99), facets=True))
    assert nothing.facets == {"host": {}, "category": {}, "lang": {}, "type": {}, "year": {}}


def test_a_reader_sees_it_once_it_reloads(index):
    with Index.open(index.folder) as reader:
        index.relevances.write([(url_of(0), 0.9)], 5, 55)
        assert reader.relevances.progress == (0, 0)
        assert reader.reload()
        assert reader.relevances.progress == (5, 55) and not reader.reload()
        assert found(reader, "", 0.5) == [0]


def test_an_index_that_is_cleared_forgets_it_and_a_copy_never_knew_it(index, tmp_path):
    index.relevances.write([(url_of(0), 0.9)], 5, 2**64 - 1)
    assert index.relevances.progress == (5, 2**64 - 1)
    copy_index(index.folder, tmp_path / "copy")
    with Index.open(tmp_path / "copy") as copy:
        assert copy.relevances.progress == (0, 0)
    index.clear()
    assert not (index.folder / FILE).exists() and index.relevances.progress == (0, 0)


def test_a_damaged_file_is_noticed_and_the_index_made_anew(index):
    index.relevances.write([(url_of(number), 0.5) for number in range(MANY)], 5, 55)
    folder = index.folder
    index.close()
    whole, unnoticed = (folder / FILE).read_bytes(), []
    for at in range(0, 8 * len(whole), 97):
        broken = bytearray(whole)
        broken[at // 8] ^= 1 << at % 8
        (folder / FILE).write_bytes(broken)
        if not (places := [damage.place for damage in index_damage(folder)]):
            unnoticed.append(at // 8)
            continue
        assert places == [str(folder / FILE)]
    # The few bytes that fill the space between its head and its arrays say nothing.
    assert len({*unnoticed}) < 8 and not any(whole[at] for at in unnoticed)
    (folder / FILE).write_bytes(whole[:-1])
    with pytest.raises(Unreadable):
        Index.open(folder)
    with Index.write(folder) as again:
        assert len(again) == 0 and again.relevances.progress == (0, 0)


def test_a_page_that_is_named_twice_counts_once(index):
    index.relevances.write([(url_of(0), 0.2), (url_of(0), 0.9)], 5, 55)
    assert index.content.relevance(url_of(0)) == 0.9
    assert key64(url_of(0)) in index.relevances._keys
