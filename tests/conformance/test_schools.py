"""On a recorded web with labelled topics our crawlers find what independent ones found."""

import importlib.util
from pathlib import Path

import pytest

from lycosa.lab.comparison import ORACLE
from lycosa.web.testbed import TASKS

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("schools", ROOT / "bench" / "schools.py")
schools = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(schools)

pytestmark = [
    pytest.mark.skipif(not schools.SCHOOLS.exists(), reason="needs the schools test bed beside the project"),
    pytest.mark.timeout(600),  # half a minute of crawls on two cores, more beside other tests
]


PAGES, POINTS = 500, 3
"""Crawled by every test run, from the examples, and how many of the reference figures that reaches; the rest by
`make slow`."""


@pytest.fixture(scope="module")
def results():
    return schools.measure(["breadth-first", "best-first"], tasks=["examples"], pages=PAGES)


@pytest.fixture(scope="module")
def ceiling():
    return schools.measure([ORACLE])


@pytest.fixture(scope="module")
def slow_results():
    return schools.measure(["breadth-first", "best-first", "random", "dom"])


def is_the_reference(results, task, crawler, figures=None):
    apart = schools.APART.get(crawler, 0.03)
    known = schools.REFERENCE[task, crawler][:figures]
    assert results[task, crawler].figures[:figures] == pytest.approx(known, abs=apart)


@pytest.mark.parametrize("crawler", ["breadth-first", "best-first"])
def test_target_recall_is_that_of_the_reference_crawlers(results, crawler):
    assert schools.POINTS[:POINTS][-1] == PAGES
    is_the_reference(results, "examples", crawler, POINTS)


@pytest.mark.parametrize("task", TASKS)
def test_the_ceiling_is_that_of_the_reference_oracle(ceiling, task):
    is_the_reference(ceiling, task, ORACLE)


@pytest.mark.slow
@pytest.mark.parametrize(("task", "crawler"), [key for key in schools.REFERENCE if key[1] != ORACLE])
def test_so_it_is_to_the_end_and_that_of_the_others(slow_results, task, crawler):
    is_the_reference(slow_results, task, crawler)
