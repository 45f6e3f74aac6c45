"""The formula that orders results."""

import numpy as np
import pytest

from lycosa.index.ranking import SHARP, SHARP_TITLE, WEIGHTS, K, rank


def popularity(**known):
    return known_of("popularity", known)


def known_of(kind, values):
    return {kind: lambda urls: np.array([values.get(url, 0.0) for url in urls])}


def parts(ranking):
    return {url: ranking.parts(url) for url in ranking.urls}


@pytest.mark.parametrize("by", WEIGHTS)
def test_parts_add_up_to_the_score(by):
    evidence = {
        "content": {"a": 3.0, "b": 2.0},
        "title": {"b": 0.5},
        "reference": {"b": 9.0, "c": 1.0},
        "votes": {"b": 0.4, "c": 0.1},
        "anchors": {"c": 0.1},
    }
    ranking = rank(by, evidence, popularity(a=5.0, c=1.0))
    scores = [ranking.score(url) for url in ranking.urls]
    assert scores and scores == sorted(scores, reverse=True)
    assert scores == pytest.approx([sum(ranking.parts(url).values()) for url in ranking.urls])


def test_content_counts_in_proportion_to_the_best_and_others_by_their_places():
    evidence = {"content": {"a": 2.0, "b": 1.0}, "reference": {"b": 7.0, "a": 1.0}}
    weights = WEIGHTS["hybrid"]
    assert parts(rank("hybrid", evidence, popularity(a=7.0))) == {
        "a": {
            "content": pytest.approx(weights["content"]),
            "reference": pytest.approx(weights["reference"] * (K + 1) / (K + 2)),
            "popularity": pytest.approx(weights["popularity"] * 7 / 8),
        },
        "b": {
            "content": pytest.approx(weights["content"] * 0.5**SHARP),
            "reference": pytest.approx(weights["reference"]),
        },
    }


def test_equals_share_a_place():
    ranking = rank("hybrid", {"reference": dict.fromkeys("dbca", 1.0)}, popularity())
    assert ranking.urls == list("abcd")
    assert [ranking.score(url) / WEIGHTS["hybrid"]["reference"] for url in ranking.urls] == pytest.approx(
        [(K + 1) / (K + 2.5)] * 4
    )


def test_what_two_sides_find_good_comes_before_the_best_of_one():
    content = {f"c{n}": 9.0 - n for n in range(5)} | {"both": 8.9}
    reference = {f"r{n}": 9.0 - n for n in range(5)} | {"both": 8.9}
    assert rank("hybrid", {"content": content, "reference": reference}, popularity()).urls[0] == "both"


def test_who_is_far_ahead_by_content_stays_there():
    reference = {f"r{n}": 9.0 - n for n in range(5)}
    content = {"ahead": 9.0} | dict.fromkeys(reference, 5.0)
    assert rank("hybrid", {"content": content, "reference": reference}, popularity(r0=9.0)).urls[0] == "ahead"


def test_a_title_that_is_the_query_comes_before_more_words_in_the_text():
    evidence = {"content": {"full moon": 12.0, "moon": 9.0}, "title": {"full moon": 0.5, "moon": 1.0}}
    for by in ("content", "hybrid"):
        ranking = rank(by, evidence, {})
        assert ranking.urls == ["moon", "full moon"]
        assert ranking.parts("full moon")["title"] == pytest.approx(WEIGHTS[by]["title"] * 0.5**SHARP_TITLE)


def test_votes_count_in_proportion():
    ranking = rank("hybrid", {"content": dict.fromkeys("abc", 1.0), "votes": {"a": 0.2, "b": 0.8}}, {})
    assert ranking.urls == ["b", "a", "c"]
    assert ranking.score("b") - ranking.score("c") == pytest.approx(4 * (ranking.score("a") - ranking.score("c")))


def test_front_pages_and_relevant_pages_are_first_among_equals():
    urls = ["http://a.test/page", "http://a.test/", "http://a.test/x/", "http://b.test/page"]
    ranking = rank("hybrid", {"content": dict.fromkeys(urls, 1.0)}, known_of("relevance", {urls[3]: 0.5}))
    assert ranking.urls[:2] == [urls[1], urls[3]]
    assert ranking.parts(urls[1])["front"] == WEIGHTS["hybrid"]["front"]
    assert ranking.parts(urls[3])["relevance"] == pytest.approx(WEIGHTS["hybrid"]["relevance"] / 2)
    assert ranking.parts(urls[0]).keys() == ranking.parts(urls[2]).keys() == {"content"}


def test_the_well_known_one_of_two_equals_comes_first():
    evidence, known = {"content": {"a": 1.0, "b": 1.0}}, popularity(a=1.0, b=2.0)
    assert rank("hybrid", evidence, known).urls == ["b", "a"]
    assert rank("content", evidence, known).urls == ["a", "b"]


def test_a_single_kind_of_evidence_keeps_its_scores():
    ranking = rank("reference", {"content": {"a": 5.0}, "reference": {"b": 2.5, "c": 4.0}}, popularity(a=9.0))
    assert parts(ranking) == {"c": {"reference": 4.0}, "b": {"reference": 2.5}} and ranking.urls == ["c", "b"]


@pytest.mark.parametrize("by", WEIGHTS)
@pytest.mark.parametrize("evidence", [{}, {"content": {}, "reference": {}}])
def test_no_evidence_gives_no_results(by, evidence):
    assert rank(by, evidence, popularity()).urls == []
