"""Claims judged on comparisons made by hand."""

import json
import math
from collections import Counter

import numpy as np
import pytest
from msgspec.structs import replace

from lycosa.lab.studies.claim import Claim, ClaimPart, Lines
from lycosa.lab.studies.table import statements_of, write_claims
from lycosa.lab.studies.topic_tests import (
    falls_more,
    leads_at_end,
    leads_early,
    leads_more_on_few,
    leads_mostly,
    leads_on_few,
    leads_on_many,
    leads_slightly,
    lies_between,
    recovers,
)

HIGH = [0.62, 0.58, 0.71, 0.66, 0.60, 0.69]
LOW = [0.41, 0.40, 0.48, 0.47, 0.42, 0.44]
MIXED = [0.40, 0.80, 0.50, 0.88, 0.35, 0.92]
"""About as high as HIGH, but now above, now below."""


def claim(*parts):
    return Claim("One beats the other.", "section 1, figure 1", parts, "p = 0.01")


def beats(first, second, method=leads_at_end, metric="target_recall", rounds=("seeds", "seeds"), more=()):
    return ClaimPart(metric, ((rounds[0], first), (rounds[1], second), *(("seeds", way) for way in more)), method)


@pytest.fixture
def judged(compared):
    """Judge parts on one round, given by way the curve of each topic."""

    def judge(ways, *parts, metric="target_recall", **facts):
        rows = {way: {metric: [np.atleast_1d(row).tolist() for row in rows]} for way, rows in ways.items()}
        width = len(next(iter(rows.values()))[metric][0])
        facts = {"points": [100, 200, 500, 1000][-width:], "top": list(range(10, 10 * width + 1, 10))} | facts
        return claim(*parts).judge({"seeds": compared(rows, **facts)})

    return judge


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [(HIGH, LOW, "agrees"), (LOW, HIGH, "disagrees"), (HIGH, MIXED, "undecided"), (HIGH, HIGH, "undecided")],
)
def test_a_claim_is_judged_by_a_paired_test_in_its_direction(judged, first, second, verdict):
    found = judged({"a": first, "b": second}, beats("a", "b"))
    assert found.verdict == verdict
    measured = found.measured[0]
    assert measured.first_mean == pytest.approx(np.mean(first))
    assert measured.difference == pytest.approx(np.mean(first) - np.mean(second))
    assert measured.n == 6


def test_the_figures_are_of_one_tailed_paired_tests(judged):
    from scipy import stats

    measured = judged({"a": HIGH, "b": MIXED}, beats("a", "b")).measured[0]
    assert measured.p == pytest.approx(stats.ttest_rel(HIGH, MIXED, alternative="greater").pvalue)


def test_low_ranks_are_better(judged):
    found = judged(
        {"a": [10, 11, 12.5], "b": [20, 22, 25]}, beats("a", "b", metric="rank_lexical"), metric="rank_lexical"
    )
    assert found.verdict == "agrees"
    assert found.measured[0].difference > 0


def test_one_topic_decides_nothing(judged):
    found = judged({"a": [0.9], "b": [0.1]}, beats("a", "b"))
    assert found.verdict == "undecided"
    assert math.isnan(found.measured[0].p)
    assert found.plain()["measured"][0]["p"] is None


def test_all_parts_must_agree_and_one_is_enough_to_disagree(judged):
    ways = {"a": HIGH, "b": LOW, "c": MIXED}
    assert judged(ways, beats("a", "b"), beats("a", "b")).verdict == "agrees"
    assert judged(ways, beats("a", "b"), beats("a", "c")).verdict == "undecided"
    assert judged(ways, beats("a", "b"), beats("b", "a")).verdict == "disagrees"
    assert judged(ways, beats("a", "b"), beats("a", "c")).told == "agrees in part (1 agrees, 1 not distinguishable)"
    assert judged(ways, beats("a", "c"), beats("a", "c")).told == "not distinguishable (2 not distinguishable)"


def test_many_parts_do_not_make_it_easier_to_disagree(judged):
    slightly = [0.60, 0.55, 0.69, 0.67, 0.60, 0.67]
    ways = {"a": slightly, "b": HIGH}
    assert judged(ways, beats("a", "b")).verdict == "disagrees"
    many = judged(ways, *[beats("a", "b")] * 12)
    assert many.verdict == "undecided"
    # Each part by itself contradicts the paper, and is not passed off as undecided.
    assert many.told == "not confirmed (12 disagree)"
    assert many.measured[0].p > 0.95 and many.measured[0].p_against < 0.05


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        (HIGH, MIXED, "not distinguishable, leaning as published"),
        (MIXED, HIGH, "not distinguishable, leaning the other way"),
        (HIGH, HIGH, "not distinguishable"),
        (HIGH, LOW, "agrees"),
        (LOW, HIGH, "disagrees"),
    ],
)
def test_a_verdict_says_which_way_a_difference_leans(judged, first, second, told):
    lift = 0.03 if told.endswith("published") else 0.0
    found = judged({"a": [value + lift for value in first], "b": second}, beats("a", "b"))
    assert found.told == found.measured[0].told == told
    assert found.measured[0].p_against == pytest.approx(1 - found.measured[0].p) or first is second


def test_what_does_not_agree_is_explained(judged):
    why = "Crawls are short here."
    ways = {"a": [0.41, 0.40, 0.68, 0.47, 0.42, 0.44], "b": [0.62, 0.58, 0.67, 0.66, 0.60, 0.69]}
    found = judged(ways, beats("a", "b"))
    found = replace(found, claim=replace(found.claim, reason=why))
    assert found.verdict == "disagrees"
    assert found.why == [
        "target recall after 1,000 pages, a against b: as published on 1 of 6 topics, least on t6 (−0.250)",
        f"Possible reason: {why}",
    ]
    assert statements_of([found])[0].why == found.why == found.plain()["why"]
    agreeing = judged({"a": HIGH, "b": LOW}, beats("a", "b"))
    assert replace(agreeing, claim=replace(agreeing.claim, reason=why)).why == []


def test_of_many_parts_only_those_that_contradict_are_explained(judged):
    ways = {"a": HIGH, "b": LOW, "c": MIXED}
    found = judged(ways, beats("a", "b"), beats("a", "c"), *[beats("b", "a")] * 5)
    assert len(found.why) == 4
    assert all("b against a: as published on 0 of 6 topics" in line for line in found.why[:3])
    assert found.why[-1] == "and 2 more"


def test_what_is_missing_is_named_and_the_rest_is_measured(judged):
    ways = {"best-first": HIGH, "b": LOW}
    elsewhere = beats("best-first", "b", rounds=("hubs", "seeds"))
    found = judged(ways, beats("best-first", "b"), beats("dom", "b"), elsewhere)
    assert found.verdict == "unmeasured"
    assert found.missing == ["the strategy dom", "hubs"]
    assert [each.verdict for each in found.measured] == ["agrees", "unmeasured", "unmeasured"]
    assert found.told.endswith("needs the strategy dom and hubs")


def test_a_part_that_disagrees_settles_a_claim_of_which_another_part_is_missing(judged):
    assert judged({"a": LOW, "b": HIGH}, beats("a", "b"), beats("dom", "b")).verdict == "disagrees"


def test_rounds_are_compared_on_the_topics_they_share(compared):
    first = compared({"a": {"target_recall": [[0.9], [0.2], [0.3]]}}, topics=["x", "y", "z"], points=[1000])
    second = compared({"a": {"target_recall": [[0.1], [0.25]]}}, topics=["y", "z"], points=[1000])
    part = beats("a", "a", rounds=("hubs", "seeds"))
    measured = claim(part).judge({"hubs": first, "seeds": second}).measured[0]
    assert measured.n == 2
    assert measured.difference == pytest.approx((0.2 - 0.1 + 0.3 - 0.25) / 2)
    assert (measured.first, measured.second) == ("a (hubs)", "a (seeds)")


def test_topics_without_a_figure_are_left_out(judged):
    found = judged({"a": [0.5, math.nan, 0.6], "b": [0.1, 0.3, 0.15]}, beats("a", "b"))
    assert (found.measured[0].n, found.measured[0].left_out) == (2, 1)
    assert "2 topics (1 left out)" in str(found.measured[0])
    nothing = judged({"a": [math.nan], "b": [math.nan]}, beats("a", "b", metric="precision"), metric="precision")
    assert nothing.missing == ["topics with precision"]


def test_a_recording_that_lacks_too_much_decides_nothing(judged):
    found = judged({"a": HIGH, "b": LOW}, beats("a", "b"), missing={"b": 0.3}, complete=False, limit=0.25)
    assert found.verdict == "unmeasured"
    assert found.missing == ["a recording that lacks at most 25% of the wanted pages"]


def test_most_of_the_crawl_is_more_than_half_of_it(judged):
    # Ahead by a little for a long time, and behind by much for a short one; or the other way round.
    long_lead = [[0.1 + t, 0.2 + t, 0.35 + t, 0.52 + t] for t in (0, 0.01, 0.03)]
    short_lead = [[0.0 + t, 0.1 + t, 0.3 + t, 0.4 + t / 2] for t in (0, 0.01, 0.03)]
    assert judged({"a": long_lead, "b": short_lead}, beats("a", "b", leads_mostly)).verdict == "agrees"
    spike = [[0.9 + t, 0.9, 0.3, 0.30] for t in (0, 0.01, 0.03)]
    flat = [[0.1, 0.1, 0.31, 0.32] for _ in range(3)]
    found = judged({"a": spike, "b": flat}, beats("a", "b", leads_mostly))
    assert found.measured[0].difference > 0
    assert (found.verdict, found.told) == ("undecided", "mixed")
    # Behind on average with a p near 1, but ahead for most of the crawl: that is not «not distinguishable».
    found = judged({"b": spike, "a": flat}, beats("a", "b", leads_mostly))
    assert found.measured[0].p > 0.95
    assert (found.verdict, found.told) == ("undecided", "mixed")
    assert found.measured[0].note.startswith("ahead on ")


def test_a_lead_published_as_not_significant_is_confirmed_by_one_that_is_not_either(judged):
    just_ahead = [value + 0.02 for value in MIXED]
    part = beats("a", "b", leads_slightly)
    ahead, clearly = judged({"a": just_ahead, "b": HIGH}, part), judged({"a": HIGH, "b": LOW}, part)
    assert (ahead.verdict, ahead.measured[0].note) == ("agrees", "ahead, and here too not significantly")
    assert (clearly.verdict, clearly.measured[0].note) == (
        "disagrees",
        "ahead as published, but here the lead is significant",
    )
    behind = judged({"a": HIGH, "b": just_ahead}, part)
    assert (behind.verdict, behind.told) == ("undecided", "not distinguishable, leaning the other way")
    assert judged({"a": LOW, "b": HIGH}, part).verdict == "disagrees"


@pytest.mark.parametrize(
    ("lead", "expected"),
    [(0.004, "agrees"), (0.02, "disagrees"), (-0.02, "disagrees")],
    ids=["slight", "clear", "behind"],
)
def test_a_slight_lead_is_neither_a_clear_one_nor_none(lead, expected):
    dice = np.random.default_rng(1)
    verdicts = Counter()
    for _ in range(100):
        second = dice.random((24, 4))
        first = second + dice.normal(lead, 0.02, (24, 4))
        verdicts[leads_slightly(Lines("precision", ("a", "b"), np.arange(1.0, 5), (first, second))).verdict] += 1
    assert verdicts[expected] >= 50
    assert lead == 0.004 or verdicts[expected] >= 95


def test_a_penalty_early_is_told_from_a_lead_late(judged):
    exploring = [[90 + t, 80, 60, 40 - t] for t in range(4)]
    greedy = [[50, 50 - t / 2, 52, 55 + t] for t in range(4)]
    ways = {"n=256": exploring, "n=1": greedy}
    early, late = beats("n=1", "n=256", leads_early, "rank_linkage"), beats("n=256", "n=1", recovers, "rank_linkage")
    assert judged(ways, early, late, metric="rank_linkage").verdict == "agrees"


def test_who_gains_but_is_still_behind_has_not_recovered(judged):
    exploring = [[90 + t, 80, 75, 70 - t] for t in range(4)]
    greedy = [[50, 50 - t / 2, 52, 55 + t] for t in range(4)]
    found = judged({"a": exploring, "b": greedy}, beats("a", "b", recovers, "rank_linkage"), metric="rank_linkage")
    assert found.verdict == "disagrees"
    assert found.measured[0].note.startswith("that it is behind at the end has p = 0.0")


def test_who_is_behind_but_not_significantly_so_has_not_recovered_either(judged):
    # Gains surely; at the end it is behind on average, on two topics of four.
    exploring = [[90 + t, 80, 70, 57 + 6 * (-1) ** t] for t in range(4)]
    greedy = [[50, 50, 50, 55 + t / 4] for t in range(4)]
    found = judged({"a": exploring, "b": greedy}, beats("a", "b", recovers, "rank_linkage"), metric="rank_linkage")
    assert found.measured[0].p < 0.05
    assert found.measured[0].first_mean < 0
    assert found.verdict == "undecided"
    assert found.measured[0].note.startswith("that it is behind at the end has p = 0.")


def test_a_lead_for_few_and_for_many_best_pages_is_one_throughout(judged):
    def verdicts(*gap):
        """For few, and for many, given by how much the first is ahead at each n."""
        ways = {"a": [np.add(0.5 + t, gap) for t in (0, 0.01, 0.03)], "b": [[0.5 - t] * len(gap) for t in (0, 0.01, 0)]}
        parts = [beats("a", "b", method, "coverage_lexical") for method in (leads_on_few, leads_on_many)]
        facts = {"points": [1000]}
        return [each.verdict for each in judged(ways, *parts, metric="coverage_lexical", **facts).measured]

    assert verdicts(0.3, 0.3, 0.2, 0.2, 0.1, 0.1) == ["agrees", "agrees"]
    assert verdicts(-0.2, -0.2, -0.2, 0.5, 0.5, 0.5) == ["disagrees", "agrees"]
    assert verdicts(-0.2, 0.5, 0.5, 0.5, 0.5, 0.5) == ["undecided", "agrees"]


@pytest.mark.parametrize("method", [leads_on_few, leads_on_many, leads_more_on_few])
def test_few_and_many_best_pages_are_not_told_apart_where_there_is_one_n(judged, method):
    part = beats("a", "b", method, "coverage_lexical")
    found = judged({"a": HIGH, "b": LOW}, part, metric="coverage_lexical", top=[5])
    assert (found.verdict, found.missing) == ("unmeasured", ["crawls of more than 5 pages"])


@pytest.mark.parametrize("method", [leads_early, falls_more, recovers])
def test_a_crawl_of_one_page_has_an_early_part(judged, method):
    found = judged({"a": HIGH, "b": LOW}, beats("a", "b", method), points=[1], top=[1])
    assert math.isfinite(found.measured[0].difference)


def test_a_lead_is_larger_for_few_best_pages(judged):
    exploring = [[0.9, 0.8 + t, 0.6, 0.5] for t in (0, 0.01, 0.03)]
    greedy = [[0.5, 0.5, 0.5, 0.45 + t] for t in (0, 0.01, 0.03)]
    part = beats("a", "b", leads_more_on_few, "coverage_lexical")
    assert judged({"a": exploring, "b": greedy}, part, metric="coverage_lexical").verdict == "agrees"
    assert judged({"b": exploring, "a": greedy}, part, metric="coverage_lexical").verdict == "disagrees"


def test_who_is_nowhere_ahead_has_no_larger_lead_for_few(judged):
    behind = [[0.49, 0.49, 0.3, 0.3 + t] for t in (0, 0.01, 0.03)]
    ahead = [[0.5, 0.5, 0.5, 0.5] for _ in range(3)]
    part = beats("a", "b", leads_more_on_few, "coverage_lexical")
    found = judged({"a": behind, "b": ahead}, part, metric="coverage_lexical")
    assert (found.verdict, found.measured[0].note) == ("undecided", "it is not ahead there")


@pytest.mark.parametrize(
    ("middle", "verdict"),
    [
        ([0.5, 0.51, 0.54], "agrees"),
        ([0.9, 0.91, 0.97], "disagrees"),
        ([0.1, 0.12, 0.13], "disagrees"),
        ([0.2, 0.6, 0.7], "undecided"),
    ],
)
def test_to_lie_between_takes_both_sides(judged, middle, verdict):
    ways = {"middle": middle, "n=1": [0.3, 0.31, 0.33], "n=256": [0.8, 0.82, 0.81]}
    assert judged(ways, beats("middle", "n=1", lies_between, more=["n=256"])).verdict == verdict


def test_a_steeper_fall_is_one_from_higher_up(judged):
    steep = [[0.4 + t, 0.38, 0.3, 0.2] for t in (0, 0.01, 0.02)]
    gentle = [[0.3, 0.3, 0.28, 0.25 + t] for t in (0, 0.01, 0.02)]
    found = judged({"a": steep, "b": gentle}, beats("a", "b", falls_more))
    assert found.verdict == "agrees"
    assert found.measured[0].first_mean > found.measured[0].second_mean > 0
    rising = [[0.2, 0.3, 0.35, 0.40 + t] for t in (0, 0.01, 0.02)]
    faster = [[0.1, 0.3, 0.4, 0.5 + 2 * t] for t in (0, 0.01, 0.02)]
    found = judged({"a": rising, "b": faster}, beats("a", "b", falls_more))
    assert (found.verdict, found.measured[0].note) == ("undecided", "it does not fall")


def test_the_table_puts_the_published_beside_the_measured(judged, tmp_path):
    found = judged({"a": HIGH, "b": LOW}, beats("a", "b"), beats("dom", "b"))
    row = statements_of([found])[0]
    assert row.says == "One beats the other. (section 1, figure 1, p = 0.01)"
    assert row.here[0] == (
        "target recall after 1,000 pages: a 0.643, b 0.437; difference 0.207, p < 0.001, 6 topics [agrees]"
    )
    assert row.here[1] == "1 of 2 measurements need the strategy dom"
    table, latex = write_claims([found], tmp_path / "tables", "Tested.")
    assert len(table.read_text().splitlines()) == 3
    assert r"\toprule" in latex.read_text() and "% Tested." in latex.read_text()
    json.dumps(found.plain(), allow_nan=False)
