"""The study of consecutive crawls, on a made web of a few hundred pages."""

import json
from itertools import pairwise

import numpy as np
import pytest

from lycosa.core.hubs import mean_relevance
from lycosa.core.nouns import Page
from lycosa.core.words import terms
from lycosa.engine.hub_rounds import hubs_of
from lycosa.lab.comparison import Configuration
from lycosa.lab.corpus import of_pages
from lycosa.lab.experiment import run
from lycosa.lab.studies.run import run_study
from lycosa.lab.studies.tids import LABELS, LEVELS, similarities
from lycosa.lab.trial import visits_of
from lycosa.strategy.tids import TermTable, weights
from lycosa.system.errors import Refused

TINY = "made:pages=500,topics=2,page_bytes=1200"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tids")


@pytest.fixture(scope="module")
def result(folder):
    return run_study("tids", TINY, folder=folder, pages=30, processes=1)


def test_a_crawl_follows_another_from_its_best_hubs(result):
    tracks, urls = result.inquiries["examples"].tracks, result.world.corpus.urls
    for topic in tracks.topics:
        for before, after in pairwise(LABELS):
            first, then = tracks.of(before, topic), tracks.of(after, topic)
            pages = [(urls[page], relevance) for page, relevance in zip(first.pages, first.relevance, strict=True)]
            visits = visits_of(result.world, pages)
            hubs = {hub.url for hub in hubs_of(visits, mean_relevance(visits))}
            started = {urls[page] for page, via in zip(then.pages, then.via, strict=True) if via < 0}
            assert started and started <= hubs


def test_all_of_the_papers_claims_are_measured_and_drawn(result, folder):
    comparison = result.comparisons["examples"]
    assert list(comparison.arms) == list(LABELS)
    assert all(judged.verdict != "unmeasured" for judged in result.claims)
    for arm in comparison.arms.values():
        low, middle, high = (
            arm.curves[level] for level in ("tids_precision_low", *list(LEVELS)[:1], "tids_precision_high")
        )
        assert (low >= middle).all() and (middle >= high).all()
        assert middle.shape == (2, len(comparison.points))
    page = result.write(folder)
    assert {"examples-rounds.svg", "examples-similarities.png"} <= {
        file.name for file in (folder / "figures").iterdir()
    }
    assert "Precision of consecutive crawls" in page.read_text()
    assert json.loads(json.dumps(result.as_dict(), allow_nan=False))["study"] == "tids"


def test_crawls_that_follow_are_not_made_twice(result, folder):
    again = run_study("tids", TINY, folder=folder, pages=30, processes=1)
    told = [found.inquiries["examples"].tracks for found in (result, again)]
    for name, track in told[0].tracks.items():
        assert np.array_equal(track.pages, told[1].tracks[name].pages)
        assert track.cpu == told[1].tracks[name].cpu


def test_the_similarities_are_those_of_the_crawlers_table():
    texts = ["wolf web", "wolf wolf den", "spider web", "wolf spider soup", "salt", ""]
    corpus = of_pages([Page(f"http://{n}.test/", text) for n, text in enumerate(texts)])
    examples = np.array([0, 1, 2], np.int32)

    def table(*rows):
        found = TermTable(1.0)
        for row in rows:
            found.add(weights(terms(texts[row])))
        return found

    def similarity(found, row):
        return found.similarity(weights(terms(texts[row])))

    found, own = similarities(corpus, examples, np.arange(6, dtype=np.int32))
    assert found == pytest.approx([similarity(table(0, 1, 2), row) for row in range(6)])
    left_out = [similarity(table(1, 2), 0), similarity(table(0, 2), 1), similarity(table(0, 1), 2)]
    assert own == pytest.approx(np.mean(left_out))


def test_who_follows_nobody_is_refused(folder):
    with pytest.raises(Refused, match="second is to follow first, which never crawls"):
        run(TINY, [Configuration("second", "best-first", after="first")], "examples", 10, folder=folder, processes=1)
