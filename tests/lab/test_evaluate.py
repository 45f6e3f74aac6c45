"""From tracks to a comparison: pools, dice, halves, oracle, and what happens where a crawl is missing."""

from typing import NamedTuple

import numpy as np
import pytest

from lycosa.core.nouns import Page
from lycosa.lab.comparison import ORACLE, Configuration, Track
from lycosa.lab.corpus import Corpus, of_pages
from lycosa.lab.evaluate import evaluate, points, top
from lycosa.lab.experiment import TrackKey, Tracks
from lycosa.lab.metrics import METRICS, ORACLE_METRICS
from lycosa.lab.oracle import Oracle
from lycosa.lab.world import open_world
from lycosa.web.source import BedTopic


class Small(NamedTuple):
    """As much of a world as is evaluated."""

    corpus: Corpus
    topics: list[BedTopic]
    name: str = "small"
    complete: bool = True
    unfollowed: tuple[int, float, int] = (0, 0.0, 0)


@pytest.fixture
def world():
    """Six pages: a and b about cats, c and d about dogs, e and f about neither."""
    texts = ["cat", "cat cat", "dog", "dog dog", "owl", "yak"]
    pages = [Page(f"http://x.test/{letter}", text, size=10) for letter, text in zip("abcdef", texts, strict=True)]
    topics = [
        BedTopic(
            "cats", "cat", ("http://x.test/b", "http://x.test/f"), examples=("http://x.test/a",), description="cat"
        ),
        BedTopic("dogs", "dog", ("http://x.test/d",), examples=("http://x.test/c",)),
    ]
    return Small(of_pages(pages), topics)


def track(letters, **facts):
    pages = np.array(["abcdef".index(letter) for letter in letters], np.int32)
    return Track(pages, np.full(len(pages), -1, np.int32), np.zeros(len(pages)), **facts)


def experiment(tracks, pages=4, repeats=1):
    ways = [Configuration(label, label) for label in dict.fromkeys(name.label for name in tracks) if label != ORACLE]
    return Tracks("examples", pages, repeats, ways, ["cats", "dogs"], tracks, [])


def test_every_way_has_every_metric_a_row_a_topic(world):
    made = experiment({TrackKey(way, topic): track("abcd") for way in ("one", "two") for topic in ("cats", "dogs")})
    found = evaluate(world, made)
    assert (found.bed, found.task, found.pages, found.repeats) == ("small", "examples", 4, 1)
    assert found.topics == ["cats", "dogs"]
    assert list(found.arms) == ["one", "two"]
    for arm in found.arms.values():
        assert arm.curves.keys() | arm.values.keys() == METRICS.keys() - {"target_recall_hours"}, "nothing has a clock"
        for key, metric in METRICS.items():
            if metric.kind == "time":
                continue
            if metric.kind == "value":
                assert arm.values[key].shape == (2,)
            else:
                assert arm.curves[key].shape == (2, len(found.top if metric.kind == "coverage" else found.points))


def test_recall_of_each_topic_is_in_its_row(world):
    found = evaluate(world, experiment({TrackKey("one", "cats"): track("abcd"), TrackKey("one", "dogs"): track("cde")}))
    assert found.points == [1, 2, 3, 4]
    # cats: b is the second page, f is never found; dogs: d is the second page.
    assert found.arms["one"].curves["target_recall"].tolist() == [[0, 0.5, 0.5, 0.5], [0, 1, 1, 1]]
    assert found.arms["one"].values["target_recall_auc"].tolist() == [3 / 8, 3 / 4]
    # Only the cats have a description.
    assert np.isnan(found.arms["one"].curves["precision"]).tolist() == [[False] * 4, [True] * 4]


def test_a_missing_crawl_is_nan_for_its_way_alone(world):
    tracks = {
        TrackKey("one", "cats"): track("ab"),
        TrackKey("one", "dogs"): track("cd"),
        TrackKey("two", "dogs"): track("ed"),
    }
    found = evaluate(world, experiment(tracks))
    for table in (*found.arms["two"].curves.values(), *found.arms["two"].values.values()):
        assert np.isnan(table[0]).all()
    assert found.arms["two"].values["target_recall_auc"][1] == 3 / 4
    assert not np.isnan(found.arms["one"].values["target_recall_auc"]).any()


def test_the_pool_is_what_all_ways_and_dice_fetched(world):
    tracks = {
        TrackKey("one", "cats"): track("ab"),
        TrackKey("two", "cats", 1): track("ac"),
        TrackKey("two", "cats", 2): track("ad"),
        TrackKey("two", "cats", 1, 1): track("ae"),
        TrackKey(ORACLE, "cats"): track("af"),
    }
    found = evaluate(world, experiment(tracks, repeats=2))
    # Four pages: a, b, c and d. Both «one» and each die of «two» hold two of them; e (from half of the seeds) and f
    # (the oracle's) do not count.
    assert found.top == [4]
    assert found.arms["one"].curves["coverage_lexical"][0].tolist() == [2 / 4]
    assert found.arms["two"].curves["coverage_lexical"][0].tolist() == [2 / 4]


def test_dice_are_averaged_before_anything_else(world):
    tracks = {TrackKey("one", "cats", 1): track("ab"), TrackKey("one", "cats", 2): track("acdb")}
    found = evaluate(world, experiment(tracks, repeats=2))
    # b at step 2 of one crawl and at step 4 of the other, of two targets.
    assert found.arms["one"].curves["target_recall"][0].tolist() == [0, 0.25, 0.25, 0.5]
    assert found.arms["one"].values["pages"][0] == 3
    assert found.arms["one"].values["search_length"][0] == 3


def test_subsets_of_the_start_pages_are_averaged_each_beside_its_own_oracle(world):
    tracks = {
        TrackKey("one", "cats"): track("ab"),
        TrackKey("one", "cats", 1, 1): track("acdb"),
        TrackKey("one", "cats", 1, 2): track("e"),
        TrackKey(ORACLE, "cats"): track("b"),
        TrackKey(ORACLE, "cats", 1, 1): track("ab"),
    }
    made = experiment(tracks)
    made.subsets = 2
    found = evaluate(world, made)
    # All start pages: b at step 2 of 4, and at 1 for the oracle; the first half: at 4, and at 2. The second half is
    # only there for robustness, if that was asked for.
    assert found.arms["one"].curves["target_recall"][0].tolist() == [0, 0.25, 0.25, 0.5]
    assert found.arms["one"].values["oracle_share"][0] == pytest.approx((3 / 4 + 1 / 3) / 2)
    assert found.oracle.values["target_recall_auc"][0] == pytest.approx((4 / 8 + 3 / 8) / 2)
    assert found.subsets == 2
    # The pool holds a, b, c and d: the crawl from the second half does not add e.
    assert found.arms["one"].curves["coverage_lexical"][0].tolist() == [(2 / 4 + 4 / 4) / 2]


def test_curves_over_time_end_with_the_longest_crawl(world):
    def timed(letters, *seconds):
        return track(letters, seconds=np.array(seconds), ended="budget spent: pages")

    tracks = {TrackKey("one", "cats"): timed("ab", 10.0, 20.0), TrackKey("two", "cats"): timed("cb", 50.0, 100.0)}
    found = evaluate(world, experiment(tracks))
    assert (found.moments[0], found.moments[-1], len(found.moments)) == (2, 100, 50)
    one, two = (found.arms[way].curves["target_recall_hours"][0] for way in ("one", "two"))
    at = found.moments.index
    assert (one[at(18)], one[at(20)], one[-1]) == (0, 0.5, 0.5)
    assert (two[at(98)], two[-1]) == (0, 0.5)
    assert found.arms["two"].values["hours"][0] == pytest.approx(100 / 3600)


def test_probabilities_are_binned_by_topic(world):
    tracks = {
        TrackKey("one", "cats", 1): track("acb", chance=np.array([1.0, 0.15, 0.95])),
        TrackKey("one", "cats", 2): track("db", chance=np.array([0.05, 0.55])),
        TrackKey("one", "dogs"): track("cd"),
    }
    found = evaluate(world, experiment(tracks, repeats=2)).arms["one"]
    # The example a was told to be relevant and does not count.
    bins = {0: [1, 0.05, 0], 1: [1, 0.15, 0], 5: [1, 0.55, 1], 9: [1, 0.95, 1]}
    expected = np.array([bins.get(nth, [0, 0, 0]) for nth in range(10)])
    np.testing.assert_allclose(found.reliability, [expected, np.zeros((10, 3))])
    assert found.values["calibration_error"][0] == pytest.approx(((0.15 + 0.05) / 2 + (0.05 + 0.45) / 2) / 2)
    assert np.isnan(found.values["calibration_error"][1])


def test_robustness_is_measured_where_both_halves_were_crawled(world):
    tracks = {
        TrackKey("one", "cats"): track("abcd"),
        TrackKey("one", "cats", 1, 1): track("abc"),
        TrackKey("one", "cats", 1, 2): track("bcd"),
        TrackKey("one", "dogs"): track("cd"),
        TrackKey("one", "dogs", 1, 1): track("cd"),
    }
    found = evaluate(world, experiment(tracks))
    assert found.arms["one"].values["robustness"][0] == 2 / 4
    assert np.isnan(found.arms["one"].values["robustness"][1])


def test_the_oracle_is_the_ceiling_and_no_arm(world):
    tracks = {
        TrackKey("one", "cats"): track("ab"),
        TrackKey("one", "dogs"): track("cd"),
        TrackKey(ORACLE, "cats"): track("bf"),
    }
    found = evaluate(world, experiment(tracks))
    assert list(found.arms) == ["one"]
    assert found.oracle.curves.keys() | found.oracle.values.keys() == {metric.key for metric in ORACLE_METRICS}
    # Cats: b at 1 and f at 2 are 4 + 3 steps of 2 * 4, against 3; dogs: no oracle, no share.
    assert found.oracle.values["target_recall_auc"][0] == 7 / 8
    assert found.arms["one"].values["oracle_share"][0] == pytest.approx(3 / 7)
    assert np.isnan(found.oracle.values["target_recall_auc"][1])
    assert np.isnan(found.arms["one"].values["oracle_share"][1])


def test_what_the_world_does_not_hold_is_counted(world):
    tracks = {
        TrackKey("one", "cats"): track("ab", misses=3, missing=2),
        TrackKey("one", "dogs"): track("cd", misses=1, missing=1),
        TrackKey(ORACLE, "cats"): track("bf", misses=9, missing=9),
    }
    found = evaluate(world, experiment(tracks))
    assert (found.arms["one"].wanted, found.arms["one"].missing, found.complete) == (8, 3, True)


def test_progress_is_told_topic_by_topic(world):
    told = []
    evaluate(world, experiment({TrackKey("one", "cats"): track("ab")}), progress=lambda *done: told.append(done))
    assert told == [("measuring", 1, 2), ("measuring", 2, 2)]


def test_the_number_of_threads_changes_nothing():
    world = open_world("made:pages=400,topics=4,seed=3")
    rng = np.random.default_rng(5)
    tracks = {}
    for topic in world.topics:
        seeds, targets = world.corpus.numbers(topic.examples), world.corpus.numbers(topic.targets)
        tracks[TrackKey(ORACLE, topic.id)] = Oracle(world.corpus).crawl(seeds, targets, 100)
        for way in ("one", "two"):
            pages = rng.permutation(len(world.corpus))[:100].astype(np.int32)
            tracks[TrackKey(way, topic.id)] = Track(pages, pages, np.zeros(100), cpu=0.1)
    ways, topics = [Configuration("one", "one"), Configuration("two", "two")], [topic.id for topic in world.topics]
    found = [evaluate(world, Tracks("examples", 100, 1, ways, topics, tracks, []), threads) for threads in (1, 3)]
    for way in ("one", "two"):
        here, there = (comparison.arms[way].curves | comparison.arms[way].values for comparison in found)
        assert here.keys() == there.keys()
        for key in here:
            np.testing.assert_array_equal(here[key], there[key])
        assert not np.isnan(here["relevance_classifier"]).any()


@pytest.mark.parametrize("pages", [1, 7, 10, 99, 1000, 10000, 12345])
def test_points_rise_to_the_last_page_and_name_the_round_numbers(pages):
    found = points(pages)
    assert found == sorted(set(found)) and found[0] >= 1 and found[-1] == pages
    assert {mark for mark in (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000) if mark <= pages} <= set(found)
    assert len(found) <= 60
    assert top(pages)[-1] == pages


def test_the_best_n_are_ten_a_decade():
    assert top(100) == [10, 13, 16, 20, 25, 32, 40, 50, 63, 79, 100]
    assert {100, 200, 500, 1000, 2000, 5000, 10000} <= set(top(10000))
