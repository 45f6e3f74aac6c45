"""Comparisons with plausible numbers of every metric, and the chapters of a report made of them."""

import numpy as np
import pytest

from lycosa.lab.comparison import ORACLE, Arm, Comparison, Configuration, Pace, Track
from lycosa.lab.evaluate import points, top
from lycosa.lab.findings import findings
from lycosa.lab.metrics import METRICS, ORACLE_METRICS
from lycosa.lab.report.chapter import Chapter
from lycosa.lab.report.crawl_graph import Crawled
from lycosa.lab.report.write import write_report
from lycosa.lab.statistics.pairwise_tests import tests as all_tests

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "a & b ' \" </svg></title></style>",
    "\u202eturned\x00round\x1b[31m",
    "{{ 7 * 7 }}{% raw %}${x}",
)


@pytest.fixture(scope="session")
def measured():
    """Make a Comparison of so many ways, topics and pages, measured by every metric; `without` has no number at all."""

    def make(labels=("breadth-first", "best-first"), topics=4, pages=20, task="examples", without=(), bed="schools"):
        rng = np.random.default_rng(7)
        names = [f"topic {n}" for n in range(topics)] if isinstance(topics, int) else list(topics)
        moments = [360 * n for n in range(1, 31)]
        across = {"curve": np.array(points(pages)), "coverage": np.array(top(pages)), "value": np.zeros(0)}
        across["time"] = np.array(moments) * pages / moments[-1]

        def arm(label, skill, metrics):
            curves, values = {}, {}
            for metric in metrics:
                strength = skill * rng.uniform(0.5, 1.5, (len(names), 1))
                scale = {"rank": 100.0, "hosts": 20.0, "bytes": 1e6, "pages": 90.0}.get(metric.unit, 1.0)
                rows = scale * (1 - np.exp(-strength * (1 + across[metric.kind]) / pages))
                if metric.kind == "value":
                    values[metric.key] = scale * strength[:, 0] / 2
                else:
                    curves[metric.key] = rows
                for kept in (curves, values):
                    if metric.key in without and metric.key in kept:
                        kept[metric.key] = np.full(kept[metric.key].shape, np.nan)
            said = rng.random((len(names), 10, 1)) * 4 + 10 * np.arange(1, 11)[:, None] / 2
            bins = np.concatenate([np.full(said.shape, 60.0), said, said * skill / 1.6], axis=2)
            probabilities = None if label == ORACLE or "calibration_error" in without else bins
            return Arm(Configuration(label, label), curves, values, 1000, 25, probabilities)

        skills = np.linspace(0.3, 1.5, len(labels))
        return Comparison(
            bed=bed,
            task=task,
            pages=pages,
            repeats=1,
            topics=names,
            points=points(pages),
            top=top(pages),
            arms={label: arm(label, skill, METRICS.values()) for label, skill in zip(labels, skills, strict=True)},
            oracle=arm(ORACLE, 5.0, ORACLE_METRICS),
            pace=Pace(16, 1.0),
            moments=moments,
        )

    return make


@pytest.fixture(scope="session")
def crawl():
    """Make a crawl to be drawn: of a tree in which every page leads to three others."""

    def make(pages=40, label="best-first", topic="topic 0", url="http://host.test/{}"):
        via = [-1, -1, *((n - 2) // 3 for n in range(2, pages))][:pages]
        track = Track(np.arange(pages, dtype=np.int32), np.array(via, np.int32), np.linspace(0, 1, pages))
        targets, relevant = np.array([5, 17], np.int32), np.array([5, 8, 17], np.int32)
        return Crawled(label, topic, track, [url.format(n) for n in range(pages)], targets, relevant)

    return make


@pytest.fixture(scope="session")
def chapter(measured, crawl):
    """Make a chapter as the laboratory does, with a path."""

    def make(comparison=None, paths=None, **facts):
        comparison = comparison or measured(**facts)
        made = all_tests(comparison)
        drawn = [crawl(label=next(iter(comparison.arms)), topic=comparison.topics[0])] if paths is None else paths
        return Chapter(comparison, made, findings(comparison, made), drawn)

    return make


@pytest.fixture(scope="session")
def hostile(chapter, crawl, few_plots):
    """A chapter in which everything that can have a name has a hostile one."""
    path = crawl(label=HOSTILE[0], topic=HOSTILE[1], url='javascript:alert("{}")</a><script>alert(3)</script>')
    bed, without = "<b onclick='x'>bed</b>", few_plots - {"relevance_query"}  # every figure has a plot
    return chapter(labels=HOSTILE, topics=HOSTILE, bed=bed, paths=[path], without=without)


@pytest.fixture(scope="session")
def report(chapter, tmp_path_factory):
    """The page of a report with two tasks, written into a folder."""
    two = [chapter(task="examples"), chapter(task="neighbors")]
    folder = tmp_path_factory.mktemp("reports") / "new" / "report"
    return write_report(folder, two, warnings=["look out"], command="lycosa lab run schools")


@pytest.fixture(scope="session")
def hostile_report(hostile, tmp_path_factory):
    """The page of a report full of hostile names, written into a folder."""
    command = "x</code></pre><script>alert(2)</script>"
    return write_report(tmp_path_factory.mktemp("hostile"), [hostile], warnings=["<img src=x>"], command=command)
