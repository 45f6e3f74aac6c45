"""Studies from end to end, on a made web of a few hundred pages."""

import json
from itertools import pairwise

import numpy as np
import pytest
from msgspec.structs import replace

from lycosa.core import strategy
from lycosa.lab.comparison import ORACLE, Configuration, Track
from lycosa.lab.evaluate import evaluate
from lycosa.lab.experiment import TrackKey, Tracks
from lycosa.lab.inquiry import Inquiry
from lycosa.lab.studies.augmented import AugmentedWorld
from lycosa.lab.studies.exploration import add_example_recall
from lycosa.lab.studies.run import run_study
from lycosa.lab.world import open_world

TINY = "made:pages=700,topics=4,page_bytes=1200"
SMALL = {"pages": 60, "processes": 1, "augment": None}

TOY = """
from dataclasses import dataclass

from lycosa.core.nouns import Ticket
from lycosa.core.strategy import Strategy, register

@register("dom")
@dataclass
class Dom(Strategy):
    alpha: float = 0.5

    def learn(self, visit):
        return [Ticket(url, self.alpha * visit.relevance, via=visit.url) for url in visit.links]
"""


def two_topics():
    return [topic.id for topic in open_world(TINY).topics[:2]]


@pytest.fixture(scope="module", autouse=True)
def few_strategies():
    """The naive strategies and no others, whatever was written since."""
    naive = ("best-first", "best-n-first", "breadth-first")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strategy._registry, "_kinds", {name: strategy.strategies()[name] for name in naive})
        yield


@pytest.fixture(scope="module")
def crawls(tmp_path_factory):
    """The folder of the first study's crawls: no two tests make the same ones."""
    return tmp_path_factory.mktemp("crawls")


@pytest.fixture(scope="module")
def business(crawls):
    return run_study("business-intelligence", TINY, folder=crawls, **SMALL)


@pytest.fixture(scope="module")
def augmented(crawls):
    """The same with hubs for every topic but the first."""

    def augment(world, topic):
        return [] if topic is world.topics[0] else list(topic.neighbors[:2])

    return run_study("business-intelligence", TINY, folder=crawls, **SMALL | {"augment": augment})


@pytest.fixture(scope="module")
def explored(tmp_path_factory):
    """Both tasks of the other study, and the folder of its crawls."""
    folder = tmp_path_factory.mktemp("explored")
    return run_study("exploration", TINY, folder=folder, repeats=1, topics=two_topics(), **SMALL), folder


@pytest.fixture
def toy_dom(tmp_path, monkeypatch):
    """Another package with a strategy dom, as somebody might install it."""
    package = tmp_path / "site"
    info = package / "toy-1.0.dist-info"
    info.mkdir(parents=True)
    (package / "toy_dom.py").write_text(TOY)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[lycosa.strategies]\ndom = toy_dom:Dom\n")
    monkeypatch.syspath_prepend(str(package))
    monkeypatch.setattr(strategy._registry, "_kinds", dict(strategy._registry._kinds))


def test_a_study_runs_with_what_there_is_and_names_what_is_missing(business):
    assert list(business.comparisons) == ["original seeds"]
    assert list(business.comparisons["original seeds"].arms) == ["breadth-first", "best-first"]
    assert business.missing == [
        "the strategy dom does not exist yet",
        "the strategy hub-seeking does not exist yet",
        "augmented seeds: nothing finds the hubs that link to a topic's seeds yet",
    ]
    verdicts = {judged.claim.place: judged.verdict for judged in business.claims}
    assert verdicts["section 6, figure 4 d"] == "unmeasured"
    assert verdicts["Crawling the Web, figure 6"] != "unmeasured"


def test_a_result_says_how_large_the_papers_experiment_was(business):
    assert business.scale.startswith(
        "The paper crawled 10,000 pages on 159 topics of the Web of 2003; here 60 pages on 4 topics of a made web "
    )


def test_a_result_is_plain_data(business):
    told = json.loads(json.dumps(business.as_dict(), allow_nan=False))
    assert told["study"] == "business-intelligence"
    assert sum(told["verdicts"].values()) == len(told["claims"]) == 10
    assert told["comparisons"]["original seeds"]["strategies"]["best-first"]["target_recall"]["60"] > 0
    assert told["claims"][0].keys() == {
        *("says", "place", "published", "verdict", "told", "why", "missing", "measured")
    }


def test_a_result_is_written_as_a_report_with_its_claims(augmented, few_plots, tmp_path):
    drawn = {
        name: replace(found, comparison=without(found.comparison, few_plots))
        for name, found in augmented.inquiries.items()
    }
    page = (
        replace(augmented, inquiries=drawn)
        .write(tmp_path / "report", "lycosa lab study business-intelligence")
        .read_text()
    )
    assert 'href="tables/claims.csv"' in page
    for metric in augmented.study.metrics:
        assert f'<dt id="metric-{metric}">' in page, "what the claims are about is defined"
    assert all(f"<li>{line}</li>" in page for row in augmented.claims for line in row.why if "’" not in line)
    assert "<h3>Starting from augmented seeds</h3>" in page
    assert "does not say whether they were paired" in (tmp_path / "report" / "tables" / "claims.tex").read_text()
    assert "hub-seeking" in (tmp_path / "report" / "tables" / "claims.csv").read_text()


def without(comparison, metrics):
    """A comparison in which some metrics have no number, so that nothing is drawn of them."""

    def emptied(rows):
        return {metric: np.full_like(row, np.nan) if metric in metrics else row for metric, row in rows.items()}

    arms = {
        label: replace(arm, curves=emptied(arm.curves), values=emptied(arm.values))
        for label, arm in comparison.arms.items()
    }
    return replace(comparison, arms=arms)


def test_a_strategy_is_picked_up_when_it_appears(toy_dom, crawls):
    result = run_study("business-intelligence", TINY, folder=crawls, topics=two_topics(), **SMALL)
    comparison = result.comparisons["original seeds"]  # type: ignore[attr-defined]
    assert list(comparison.arms) == ["breadth-first", "best-first", "dom"]
    assert comparison.arms["dom"].configuration.settings == {"alpha": 0.25}
    assert not any("dom" in lack for lack in result.missing)
    order = [each for each in result.claims[0].measured if (each.first, each.second) == ("dom", "best-first")]
    # This dom only scales the scores of best-first, so it does exactly the same.
    assert [(each.verdict, each.difference) for each in order] == [("undecided", 0.0)] * 2


def test_seeds_are_augmented_when_something_finds_hubs(augmented):
    original, other = augmented.comparisons["original seeds"], augmented.comparisons["augmented seeds"]
    assert other.topics == original.topics[1:]
    assert not any("augmented" in lack for lack in augmented.missing)
    improved = next(judged for judged in augmented.claims if judged.claim.published == "p < 0.015 for all")
    made = [each for each in improved.measured if each.verdict != "unmeasured"]
    assert [(each.first, each.n) for each in made] == [
        ("best-first (augmented seeds)", 3),
        ("breadth-first (augmented seeds)", 3),
    ]
    assert "augmented seeds" in augmented.inquiries["augmented seeds"].findings[0]


def test_rounds_are_compared_by_weights_from_the_pages_of_both(augmented):
    rounds = list(augmented.inquiries.values())
    both = replace(rounds[0].tracks, configurations=[], tracks={})
    for found, seeds in zip(rounds, ("original", "augmented"), strict=True):
        both.configurations += [replace(way, label=f"{way.label} {seeds}") for way in found.tracks.configurations]
        named = {name: f"{name.label} {seeds}" for name in found.tracks.tracks if name.label != ORACLE}
        both.tracks |= {name._replace(label=label): found.tracks.tracks[name] for name, label in named.items()}
    pooled = evaluate(augmented.world, both)
    for found, seeds in zip(rounds, ("original", "augmented"), strict=True):
        curves = found.comparison.arms["best-first"].curves
        # The first topic has only one round.
        expected = pooled.arms[f"best-first {seeds}"].curves["precision"][1:]
        assert np.allclose(curves["precision_over_one_pool"][-3:], expected)
        assert not np.allclose(curves["precision"][-3:], expected)


def test_hubs_are_start_pages_and_nothing_else():
    world = open_world(TINY)
    topic, other = world.topics[:2]
    augmented = AugmentedWorld(world, {topic.id: ["http://hub.test/", topic.examples[0]]})
    assert augmented.seeds(topic, "examples") == (*topic.examples, "http://hub.test/")
    assert augmented.seeds(other, "examples") == other.examples
    assert augmented.topics == world.topics


def test_exploration_runs_both_tasks_with_all_schemes(explored):
    result, _ = explored
    examples, neighbors = result.comparisons.values()
    assert list(examples.arms) == [f"best-n-first:n={n}" for n in (1, 16, 64, 128, 256)]
    assert list(neighbors.arms) == [*examples.arms, "breadth-first"]
    assert not result.missing
    assert "unmeasured" not in {judged.verdict for judged in result.claims}
    recall = neighbors.arms["best-n-first:n=1"].curves["example_recall"]
    assert recall.shape == (2, len(neighbors.points))
    assert all((later >= earlier).all() for earlier, later in pairwise(recall.T))
    assert "example_recall" not in examples.arms["best-n-first:n=1"].curves


def test_examples_are_the_targets_of_figure_4(compared):
    world = open_world(TINY)
    topic = world.topics[0]
    first, second, *_ = world.corpus.numbers(topic.examples)
    others = world.corpus.numbers(topic.targets)[:4]
    pages = np.array([others[0], first, others[1], second, *others[2:]], np.int32)
    track = Track(pages, np.full(6, -1, np.int32), np.zeros(6))
    comparison = compared({"a": {"target_recall": [[0, 0, 0]]}}, topics=[topic.id], points=[1, 3, 6], task="neighbors")
    tracks = Tracks("neighbors", 6, 1, [Configuration("a", "a")], [topic.id], {TrackKey("a", topic.id): track}, [])
    inquiries = {"neighbors": Inquiry(comparison, [], [], [], tracks)}
    add_example_recall(world, inquiries)
    share = 1 / len(topic.examples)
    assert comparison.arms["a"].curves["example_recall"][0] == pytest.approx([0, share, 2 * share])
    # Those that the world lacks were not found either.
    world.topics = [replace(topic, examples=(*topic.examples, "http://gone.test/", "http://lost.test/"))]
    add_example_recall(world, inquiries)
    share = 1 / (len(topic.examples) + 2)
    assert comparison.arms["a"].curves["example_recall"][0] == pytest.approx([0, share, 2 * share])


def test_a_bed_without_neighbours_has_the_other_task_at_least(explored):
    _, folder = explored  # with all crawls that are wanted
    world = open_world(TINY)
    world.topics = [replace(topic, neighbors=()) for topic in world.topics]
    result = run_study("exploration", world, folder=folder, repeats=1, topics=two_topics(), **SMALL)
    assert list(result.comparisons) == ["examples"]  # type: ignore[attr-defined]
    assert result.missing == [f"neighbors: no topic of {TINY} has any"]
    assert result.claims[-1].missing == ["neighbors"]


def test_a_world_that_crawls_exhaust_is_warned_about(tmp_path):
    tiny = "made:pages=150,topics=2,page_bytes=1200"
    result = run_study("business-intelligence", tiny, folder=tmp_path, **SMALL | {"pages": 100})
    assert any("has only" in warning for warning in result.warnings)
