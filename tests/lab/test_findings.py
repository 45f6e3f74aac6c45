"""The paragraph says what the numbers say, in sentences."""

import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lycosa.lab.comparison import Pace
from lycosa.lab.findings import findings
from lycosa.lab.statistics import pairwise_tests

NAN = float("nan")


def recall(*ends, early=None):
    return {"target_recall": [[early if early is not None else end / 2, end] for end in ends]}


def told(comparison, **options):
    return " ".join(findings(comparison, pairwise_tests.tests(comparison), **options))


@pytest.fixture
def clear(compared):
    """b is better than a by about 0.2 on each of twelve topics."""
    low = [0.30, 0.35, 0.40, 0.45, 0.50, 0.55, 0.30, 0.35, 0.40, 0.45, 0.50, 0.55]
    high = [end + 0.2 + step / 100 for step, end in enumerate(low)]
    return compared({"a": recall(*low), "b": recall(*high)}, oracle=recall(*[0.9] * 12))


def test_what_won_by_how_much_and_how_sure(clear):
    text = told(clear)
    assert "Two ways of hunting were compared on 12 topics of schools (task «examples»), 1,000 pages a crawl." in text
    # means .425 and .68; the lead .255 is 60 % of .425, and .68 is 76 % of .9
    assert re.search(r"On target recall after 1,000 pages b is best with 0\.680 ± 0\.\d+ \(76% of the oracle's", text)
    assert re.search(
        r"Its lead over a is 0\.255 \(60%; 95% interval 0\.2\d+ to 0\.2\d+; p < 0\.001, corrected < 0", text
    )
    assert "ahead on 12 of 12 topics." in text
    assert "Significantly behind it is a (0.425)." in text


def test_a_difference_within_the_noise_is_called_that(compared):
    text = told(compared({"a": recall(0.5, 0.6, 0.3), "b": recall(0.6, 0.5, 0.31)}))
    assert "b has the highest mean, 0.470 ± 0.085, but cannot be told apart from a (0.467)." in text
    assert "With only 3 topics" in text
    assert "best with" not in text


def test_equal_ways_are_equal(compared):
    text = told(compared({way: recall(0.5, 0.6) for way in "abc"}))
    assert "On target recall after 1,000 pages a, b and c did exactly the same: 0.550." in text
    assert "lead" not in text


def test_twins_of_the_best_are_named_as_such(compared):
    text = told(compared({"a": recall(0.5, 0.6, 0.7), "b": recall(0.5, 0.6, 0.7), "c": recall(0.2, 0.31, 0.39)}))
    assert "a has the highest mean" in text or "a is best" in text
    assert "Its figures there are exactly those of b." in text
    assert "Its lead over c is 0.300" in text


def test_ties_that_cancel_out_are_not_the_same(compared):
    text = told(compared({"a": recall(0.500, 0.502), "b": recall(0.502, 0.500)}))
    assert "exactly" not in text


def test_long_lists_are_cut(compared):
    text = told(compared({f"w{n}": recall(0.5 - n / 100, 0.6, 0.4 + n / 90) for n in range(12)}))
    assert "or six others." in text


def test_one_way_is_described_without_a_winner(compared):
    text = told(compared({"alone": recall(0.5, 0.7)}, oracle=recall(1.0, 1.0)))
    assert "One way of hunting, alone, was run on 2 topics" in text
    assert "alone reached 0.600 ± 0.100 (60% of the oracle's 1.000)." in text
    assert not re.search("best|p =|significant", text)


def test_one_topic_allows_no_claim(compared):
    text = told(compared({"a": recall(0.5), "b": recall(0.7)}))
    assert "compared on 1 topic of" in text
    assert "b has the highest figure, 0.700, before a (0.500)." in text
    assert "A single topic allows no test" in text
    assert "significant" not in text


def test_nothing_is_nothing(compared):
    assert findings(compared({}), []) == ["Nothing was compared on 0 topics of schools (task «examples»)."]


def test_crossing_curves_are_told(compared):
    a, b = recall(0.4, 0.42, 0.41, early=0.3), recall(0.6, 0.63, 0.62, early=0.2)
    text = told(compared({"a": a, "b": b}))
    # a leads by .1 after 500 pages, b by .207 after 1000: about 660
    assert "until about 660 pages a is ahead of b in target recall (by 0.100 after 500 pages), from then on b." in text


def test_measures_that_disagree_are_told(clear):
    for way, base in {"a": 0.6, "b": 0.4}.items():
        clear.arms[way].curves["precision"] = base + np.outer(np.arange(12) % 5 + (way == "a"), [0.01, 0.01])
    text = told(clear)
    assert "The measures differ: b is first on target recall, a on precision." in text
    assert (
        "They ask different questions: target recall is the share of the known targets that are among the first N "
        "pages; precision is the mean similarity of the first N pages to the description" in text
    )
    swapped = told(clear_with(clear, better="b"))
    assert "Both measures put b first." in swapped


def clear_with(comparison, better):
    comparison.arms[better].curves["precision"] = comparison.arms[better].curves["precision"] + 0.5
    return comparison


def test_where_low_is_good_the_lowest_wins(compared):
    ways = {"a": {"search_length": [300, 320, 310, 330]}, "b": {"search_length": [100, 110, 120, 105]}}
    comparison = compared(ways)
    text = " ".join(findings(comparison, pairwise_tests.tests(comparison, ["search_length"])))
    assert "On search length b is best with 109 ±" in text
    assert "Its lead over a is 206 (65%;" in text


def test_an_outlier_that_makes_the_difference_is_doubted(compared):
    calm = {"target_recall_auc": [0.5] * 12}
    test = pairwise_tests.Test(
        *("target_recall_auc", None, "b", "a", 0.1, 0.001, 0.01, True, (0.01, 0.2), 0.9, 3, 4, 5, 12, 0.2)
    )
    text = " ".join(findings(compared({"a": calm, "b": {"target_recall_auc": [0.6] * 12}}), [test]))
    assert "A signed-rank test does not confirm it (p = 0.2)" in text


def test_with_a_reference_the_others_are_told_beside_it(compared):
    base = np.array([0.30, 0.35, 0.40, 0.45, 0.50, 0.55, 0.33, 0.38, 0.43, 0.48])
    noise = np.array([1, -1, 1, -1, 1, -1, 1, -1, 1, -1]) / 100
    ways = {"mine": base, "better": base + 0.2 + noise, "worse": base - 0.1 + noise, "level": base + noise}
    comparison = compared({way: {"target_recall_auc": ends.tolist()} for way, ends in ways.items()}, reference="mine")
    text = told(comparison)
    assert "1,000 pages a crawl; the others are tested against mine." in text
    assert "On the area under target recall mine, the reference, has 0.417 ±" in text
    assert "Significantly better is better (0.617). It is behind better by 0.200 (95% interval" in text
    assert "behind on 10 of 10 topics." in text
    assert "Significantly worse is worse (0.317). Its lead over worse is 0.100" in text
    assert "Not significantly different from it is level (0.417)." in text
    assert "corrected for all comparisons with mine on the same measure, in both directions" in text


def test_a_reference_that_is_first_is_called_so_and_its_twins_are_named(compared):
    ways = {"a": recall(0.5, 0.6, 0.72), "b": recall(0.5, 0.6, 0.72), "c": recall(0.2, 0.31, 0.39)}
    text = told(compared(ways, reference="a"))
    assert "a, the reference, has 0.607 ± 0.064, the highest mean." in text
    assert "Its figures are exactly those of b." in text
    low = {"a": {"target_recall_auc": [NAN, NAN]}, "b": recall_area(0.4, 0.5), "c": recall_area(0.3, 0.2)}
    assert "the reference a has no figure; the highest mean is that of b (0.450)." in told(compared(low, reference="a"))


def recall_area(*areas):
    return {"target_recall_auc": list(areas)}


def test_what_a_page_cost_in_requests_is_told(clear):
    for way, requests in {"a": 1030.0, "b": 3000.0}.items():
        clear.arms[way].values |= {"pages": np.full(12, 1000.0), "requests": np.full(12, requests)}
    assert "A page cost 1.03 requests (a) to 3.00 requests (b): dead links, redirects" in told(clear)
    clear.arms["b"].values["requests"] = np.full(12, 1020.0)
    assert "A page cost" not in told(clear)


def test_links_that_nobody_may_follow_are_told(clear):
    assert "nofollow" not in told(clear)
    clear.unfollowed = (9824, 0.072, 425)
    assert (
        "Links marked nofollow are left out: 9,824 links between its pages (7%), on 425 pages, are out of reach for "
        "every way and for the oracle." in told(clear)
    )


def test_subsets_workers_and_pauses_are_told(clear):
    clear.subsets, clear.pace = 3, Pace(16, 1.5)
    text = told(clear)
    assert "averaged over 3 sets of start pages for each topic, with 16 workers and pauses of 1.5 s between" in text
    clear.pace = Pace(4)
    assert "with 4 workers and no pauses." in told(clear)


def test_hypotheses_named_beforehand_leave_others_untested(compared):
    ways = {"a": [0.2, 0.3, 0.25, 0.22], "b": [0.5, 0.62, 0.55, 0.51], "c": [0.4, 0.1, 0.5, 0.2]}
    comparison = compared({way: {"target_recall_auc": values} for way, values in ways.items()})
    tests = pairwise_tests.tests(comparison, ["target_recall_auc"], hypotheses=[("a", "b")])
    text = " ".join(findings(comparison, tests))
    assert "b has the highest mean, 0.545 ± 0.027, before c (0.300) and a (0.242)." in text  # only a over b was tested
    tests = pairwise_tests.tests(comparison, ["target_recall_auc"], hypotheses=[("b", "a")])
    text = " ".join(findings(comparison, tests))
    assert "b has the highest mean, 0.545 ± 0.027. Its lead over a is 0.302" in text
    assert "Significantly behind it is a (0.242). Not tested against it: c (0.300)." in text


def test_means_over_different_topics_do_not_hide_who_is_ahead_where_both_were(compared):
    easy = {"target_recall_auc": [NAN, NAN, 0.80, 0.82, 0.84]}
    both = {"target_recall_auc": [0.10, 0.12, 0.90, 0.93, 0.95]}
    low = {"target_recall_auc": [0.01, 0.02, 0.03, 0.02, 0.01]}
    text = told(compared({"easy": easy, "both": both, "low": low}))
    assert "easy has the highest mean, 0.820" in text
    assert "It is behind both, however, on the topics that both have." in text
    assert "The area under target recall could not be measured for all ways on 2 of 5 topics." in text


def test_hard_topics_and_telling_ones_are_named(compared):
    ways = {"a": {"target_recall_auc": [0.1, 0.5, 0.8, 0.4]}, "b": {"target_recall_auc": [0.1, 0.6, 0.8, 0.9]}}
    text = told(compared(ways, oracle={"target_recall_auc": [0.9, 0.9, 0.9, 0.9]}))
    assert "the hardest topics were t1 (11% of the oracle's area) and t2 (61%); the easiest was t3 (89%)." in text
    assert (
        "The ways differ most on t4, where b is 0.500 ahead of a in area; on 2 of 4 topics they are all level." in text
    )


def test_a_recording_that_lacks_too_much_is_not_ranked(clear):
    clear.complete = False
    clear.arms["a"].wanted, clear.arms["a"].missing = 1000, 350
    text = told(clear)
    assert "No ranking is made: the recording lacks 35% of the pages that a wanted (the limit is 20%)" in text
    assert "What was measured of target recall after 1,000 pages: a (0.425) and b (0.680)." in text
    assert not re.search("best|lead|ahead|behind", text)
    clear.limit = 0.4
    assert "b is best" in told(clear)


def test_a_recording_that_lacks_little_is_ranked_with_a_caveat(clear):
    clear.complete = False
    clear.arms["a"].wanted, clear.arms["a"].missing = 1000, 50
    text = told(clear)
    assert "b is best" in text
    assert "The recording lacks up to 5% of the pages that a way wanted (a)" in text


def test_early_ends_and_gaps_are_told(clear):
    clear.arms["a"].values["pages"] = np.array([1000.0] * 10 + [300, 500])
    clear.arms["b"].values["pages"] = np.full(12, 1000.0)
    clear.arms["b"].curves["target_recall"][2] = NAN
    text = told(clear)
    assert "Crawls that ran out of links before 1,000 pages: a on 2 of 12 topics (after 400 on average);" in text
    assert "Target recall could not be measured for all ways on 1 of 12 topics." in text


def test_repeated_crawls_are_told(clear):
    clear.repeats = 3
    assert "1,000 pages a crawl, repeated with 3 random seeds and averaged where a way draws random numbers." in told(
        clear
    )


figures = st.one_of(st.just(NAN), st.integers(0, 100).map(lambda percent: percent / 100))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(st.integers(1, 4), st.integers(1, 6), st.data())
def test_any_comparison_makes_whole_sentences(compared, ways, topics, data):
    row = st.lists(figures, min_size=topics, max_size=topics)
    comparison = compared(
        {
            f"way{n}": {
                "target_recall": [[value, value] for value in data.draw(row)],
                "target_recall_auc": data.draw(row),
            }
            for n in range(ways)
        },
        oracle={"target_recall_auc": data.draw(row)},
    )
    comparison.reference = data.draw(st.sampled_from(["", "way0"]))
    for sentence in findings(comparison, pairwise_tests.tests(comparison)):
        assert re.fullmatch(r"[A-Z].*\.", sentence)
        assert not re.search(r"nan|inf\b|None|–|  |\(\)|\b1 (topics|pages|ties)", sentence)
