"""The formula that orders results."""

import numpy as np
import pytest

from lycosa.index.ranking import WEIGHTS, K, rank


def popularity(**known):
    return lambda urls: np.array([known.get(url, 0.0) for url in urls])


def parts(ranking):
    return {url: ranking.parts(url) for url in ranking.urls}


@pytest.mark.parametrize("by", WEIGHTS)
def test_parts_add_up_to_the_score(by):
    evidence = {"content": {"a": 3.0, "b": 2.0}, "reference": {"b": 9.0, "c": 1.0}, "anchors": {"c": 0.1}}
    ranking = rank(by, evidence, popularity(a=5.0, c=1.0))
    scores = [ranking.score(url) for url in ranking.urls]
    assert scores and scores == sorted(scores, reverse=True)
    assert scores == pytest.approx([sum(ranking.parts(url).values()) for url in ranking.urls])


def test_the_first_by_a_kind_of_evidence_has_its_whole_weight():
    ranking = rank("hybrid", {"content": {"a": 2.0, "b": 1.0}}, popularity(a=7.0))
    assert parts(ranking) == {
        "a": {kind: pytest.approx(WEIGHTS["hybrid"][kind]) for kind in ("content", "popularity")},
        "b": {"content": pytest.approx((K + 1) / (K + 2))},
    }


def test_equals_share_a_place():
    ranking = rank("hybrid", {"content": dict.fromkeys("dbca", 1.0)}, popularity())
    assert ranking.urls == list("abcd")
    assert [ranking.score(url) for url in "abcd"] == pytest.approx([(K + 1) / (K + 2.5)] * 4)


def test_what_two_sides_find_good_comes_before_the_best_of_one():
    content = {f"c{n}": 9.0 - n for n in range(5)} | {"both": 8.5}
    reference = {f"r{n}": 9.0 - n for n in range(5)} | {"both": 8.5}
    assert rank("hybrid", {"content": content, "reference": reference}, popularity()).urls[0] == "both"


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
