"""Questions and bookmarks cut from a bed's topics."""

from random import Random

import pytest

from lycosa.lab.corpus import labelled
from lycosa.lab.symbiosis.query_pool import PoolQuery, bookmarks, daily, phrases, query_pool
from lycosa.system.errors import Refused
from lycosa.web.source import BedTopic


def topic(name, description, **pages):
    return BedTopic(name, name, **({"targets": ()} | pages), description=description)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The wolf spider hunts at night", ["wolf spider hunts"]),
        ("Wolf spiders, garden spiders and a web", ["wolf spiders", "garden spiders"]),
        ("one long-handled garden spade", ["long handled garden spade"]),
        ("very large hairy brown wolf spiders", []),
        ("spiders", []),
        ("born 1904 near cold lakes; 2 x 4 beams", ["cold lakes"]),
        ("", []),
    ],
    ids=["stop words split", "signs split", "hyphens join", "five words", "one word", "figures split", "nothing"],
)
def test_a_description_is_split_into_questions_of_two_to_four_words(text, found):
    assert [*phrases(text)] == found


def test_a_question_knows_its_topic():
    pool = query_pool([topic("spiders", "wolf spiders."), topic("boats", "sailing boats.")])
    assert pool == [PoolQuery("wolf spiders", "spiders"), PoolQuery("sailing boats", "boats")]


def test_what_several_topics_say_is_no_question():
    pool = query_pool([topic("spiders", "garden web. wolf spiders."), topic("sites", "garden web. home pages.")])
    assert [each.text for each in pool] == ["wolf spiders", "home pages"]


def test_a_word_of_many_descriptions_splits_like_a_stop_word():
    said = ("wolf spiders customers", "sailing boats customers", "garden spades customers", "cold lakes")
    pool = query_pool([topic(str(number), text) for number, text in enumerate(said)])
    assert [each.text for each in pool] == ["wolf spiders", "sailing boats", "garden spades", "cold lakes"]


def test_bookmarks_are_at_most_five_labelled_pages_of_each_topic():
    many = topic("many", "", targets=tuple("abcdef"), examples=("g",), described=("h", "gone"))
    few = topic("few", "", targets=("x", "y"))
    found = bookmarks([many, few], lambda url: url != "gone", Random(1))
    chosen = {each.url for each in found if each.folder == "many"}
    assert len(chosen) == 5
    assert chosen <= {*labelled(many)} - {"gone"}
    assert {each.url for each in found if each.folder == "few"} == {"x", "y"}
    assert found == bookmarks([many, few], lambda url: url != "gone", Random(1))


def test_a_question_is_asked_once_a_day_and_may_come_again():
    pool = [PoolQuery(str(number), "t") for number in range(30)]
    days = daily(pool, 5, 10, Random(1))
    assert [len(set(day)) for day in days] == [10] * 5
    assert len({each for day in days for each in day}) < 50
    assert days == daily(pool, 5, 10, Random(1)) != daily(pool, 5, 10, Random(2))


def test_a_small_pool_is_asked_whole():
    pool = [PoolQuery(str(number), "t") for number in range(3)]
    assert [len(day) for day in daily(pool, 2, 100, Random(1))] == [3, 3]


def test_without_questions_there_are_no_days():
    with pytest.raises(Refused, match="descriptions"):
        daily([], 5, 100, Random(1))
