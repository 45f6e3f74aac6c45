"""What holds for every metric of the table."""

import importlib
import pkgutil

import numpy as np
import pytest

from lycosa.lab import metrics
from lycosa.lab.metrics import METRICS, ORACLE_METRICS
from lycosa.lab.metrics.metric import Metric

POINTS = np.array([1, 2, 5])


def measure(metric, known, crawl):
    given = [crawl, crawl] if metric.halves else [crawl]
    where = [] if metric.kind == "value" else [POINTS]
    return np.asarray(metric.measure(known, *given, *where))


def test_every_metric_that_has_a_file_is_in_the_table():
    modules = [
        importlib.import_module(found.name) for found in pkgutil.walk_packages(metrics.__path__, metrics.__name__ + ".")
    ]
    written = {thing.key for module in modules for thing in vars(module).values() if isinstance(thing, Metric)}
    assert written == METRICS.keys()
    recall = {"target_recall", "target_recall_auc", "target_recall_requests", "target_recall_requests_auc"}
    assert {metric.key for metric in ORACLE_METRICS} == {*recall, "harvest_rate", "requests"}


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS.keys())
def test_a_metric_says_in_a_sentence_what_it_means(metric):
    assert metric.title and metric.meaning
    assert metric.meaning[0].isupper() and not metric.meaning.endswith(".")


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS.keys())
@pytest.mark.parametrize(
    ("crawls", "topic"),
    [
        pytest.param(["ab", ""], {"description": "cat", "targets": "b"}, id="one crawl is empty"),
        pytest.param([""], {"description": "cat", "targets": "b"}, id="all crawls are empty"),
        pytest.param(["a"], {"description": "cat", "targets": "b", "examples": "a"}, id="a pool of one page"),
        pytest.param(["abc"], {"targets": "b"}, id="no description"),
        pytest.param(["abc"], {"description": "the and of"}, id="a description of stop words, no targets"),
        pytest.param(["abc"], {"description": "unicorn", "keywords": "unicorn"}, id="words that no page holds"),
        pytest.param(["abc"], {"targets": "xyz", "examples": "z", "neighbors": "z"}, id="nothing is in the world"),
        pytest.param(["f"], {"description": "cat", "examples": "f"}, id="a page without words"),
    ],
)
def test_no_metric_fails_or_warns(metric, crawls, topic, evidence, track):
    texts = {"a": "cat dog", "b": "cat", "c": "owl owl", "d": "", "e": "cat", "f": ""}
    known = evidence(texts, crawls, oracle="", **topic)
    for crawl in crawls:
        found = measure(metric, known, track(crawl))
        assert found.shape == (() if metric.kind == "value" else POINTS.shape)
        assert not np.isinf(found).any()
        if metric.unit in ("share", "score"):
            assert ((found >= 0) & (found <= 1) | np.isnan(found)).all()


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS.keys())
def test_a_world_without_words_can_be_measured(metric, evidence, track):
    known = evidence(dict.fromkeys("abc", ""), ["abc"], targets="b", examples="a", description="cat")
    assert measure(metric, known, track("abc")).shape == (() if metric.kind == "value" else POINTS.shape)
