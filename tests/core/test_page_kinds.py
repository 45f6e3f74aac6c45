"""Kinds of pages: known pages teach which addresses are wanted, and nothing is believed without them."""

from __future__ import annotations

import numpy as np
import pytest

from lycosa.core.page_kinds import FRONT, PageKinds, asks_for_sites, kinds_of, packed

ARTICLES = [f"https://{host}.test/articles/{name}.html" for host in "abcd" for name in ("intro", "usage", "theory")]
MANUAL = [f"https://{host}.test/reference/{name}.html" for host in "abcd" for name in ("plot", "fit", "predict", "sum")]
FRONTS = [f"https://{host}.test/" for host in "abcdefgh"]


def taught(urls: list[str], good: list[str], bad: tuple[str, ...] = (), *, sites: bool = False) -> PageKinds:
    kinds = PageKinds(sites)
    sure = np.array([1 if url in good else -1 if url in bad else 0 for url in urls], np.int8)
    kinds.fit(packed(urls), sure)
    return kinds


def test_examples_teach_that_articles_are_wanted_and_manual_pages_are_not():
    kinds = taught(ARTICLES + MANUAL, ARTICLES[:6])
    other_article, other_manual = "https://z.test/articles/new.html", "https://z.test/reference/new.html"
    article, manual = kinds.scores(packed([other_article, other_manual]))
    assert article > 0 > manual


def test_without_known_pages_kinds_count_nothing():
    kinds = taught(ARTICLES + MANUAL, [])
    assert not kinds.scores(packed(ARTICLES + MANUAL)).any()


def test_where_kinds_do_not_separate_the_known_pages_they_count_almost_nothing():
    mixed = ARTICLES[::2] + MANUAL[::2]
    kinds = taught(ARTICLES + MANUAL, mixed)
    assert np.abs(kinds.scores(packed(ARTICLES + MANUAL))).max() < 0.1


def test_front_pages_as_examples_do_not_speak_against_the_pages_inside():
    kinds = taught(FRONTS + ARTICLES, FRONTS[:5])
    assert not kinds.scores(packed(FRONTS + ARTICLES)).any()


def test_front_pages_are_wanted_if_the_topic_asks_for_sites():
    kinds = taught(FRONTS + ARTICLES, [], sites=True)
    front, inside = kinds.scores(packed([FRONTS[0], ARTICLES[0]]))
    assert front > 0 > inside


def test_front_pages_are_wanted_if_people_say_that_pages_inside_are_not():
    kinds = taught(FRONTS + ARTICLES, FRONTS[:5], tuple(ARTICLES[:3]))
    front, inside = kinds.scores(packed([FRONTS[0], ARTICLES[5]]))
    assert front > 0 > inside


def test_pages_judged_irrelevant_speak_against_their_kind():
    without = taught(ARTICLES + MANUAL, ARTICLES[:4])
    against = taught(ARTICLES + MANUAL, ARTICLES[:4], tuple(MANUAL[:4]))
    manual = packed(["https://z.test/reference/new.html"])
    assert against.scores(manual)[0] < without.scores(manual)[0]


def test_pages_judged_irrelevant_alone_say_nothing_about_kinds():
    """Where no page is known to be relevant, those may be off topic for their subject only."""
    judged, asked = (
        taught(FRONTS + ARTICLES, [], tuple(FRONTS[:3]), sites=True),
        taught(FRONTS + ARTICLES, [], sites=True),
    )
    fresh = packed([FRONTS[7], ARTICLES[7]])
    assert judged.scores(fresh).tolist() == asked.scores(fresh).tolist()
    assert asked.scores(fresh)[0] > 0


def test_words_for_organisations_ask_for_sites():
    assert asks_for_sites("heat pump Companies")
    assert asks_for_sites("art museums")
    assert asks_for_sites("brewery, Berlin")


@pytest.mark.parametrize(
    "keywords",
    [
        *("wolf spiders", "organic chemistry", "expansion of the universe", "pipe organ music", "company law"),
        *("semiconductor manufacturing", "academic publishing", "associative memory", "busy beaver", "rubber bands"),
        *("data store", "institution of marriage", "studio monitors", "high society", "decision maker"),
    ],
)
def test_words_that_only_look_like_organisations_do_not(keywords):
    assert not asks_for_sites(keywords)


def test_the_kinds_of_an_address():
    assert kinds_of("https://a.test/") == kinds_of("https://b.test/index.html") == [FRONT]
    assert set(kinds_of("https://a.test/articles/x.html")) & set(kinds_of("https://b.test/articles/y.html"))
    assert kinds_of("https://a.test/wiki/a/Ant.htm") == kinds_of("https://b.test/wiki/b/Bee.htm")
    assert len(kinds_of("https://a.test/a1/b2/c3/d4/e5/f6/g7/h8/i9?x=1&y=2")) <= 8


def test_what_was_learned_survives_a_checkpoint():
    kinds, again = taught(ARTICLES + MANUAL, ARTICLES[:6]), PageKinds()
    again.load(kinds.save())
    assert np.array_equal(again.scores(packed(ARTICLES + MANUAL)), kinds.scores(packed(ARTICLES + MANUAL)))
