"""On a recorded web with labelled topics our crawlers find what independent ones found."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("schools", ROOT / "bench" / "schools.py")
schools = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(schools)

pytestmark = [
    pytest.mark.skipif(not schools.SCHOOLS.exists(), reason="needs the schools test bed beside the project"),
    pytest.mark.timeout(600),  # a minute of crawls on two cores, more beside other tests
]


QUICK = ("breadth-first", "best-first")
"""Crawled by every test run; the others by `make slow`."""


@pytest.fixture(scope="module")
def results():
    return schools.measure(QUICK)


@pytest.fixture(scope="module")
def slow_results():
    return schools.measure(["random", "dom"])


def is_the_reference(results, task, crawler):
    apart = schools.APART.get(crawler, 0.03)
    assert results[task, crawler].figures == pytest.approx(schools.REFERENCE[task, crawler], abs=apart)


@pytest.mark.parametrize(("task", "crawler"), [key for key in schools.REFERENCE if key[1] not in ("random", "dom")])
def test_target_recall_is_that_of_the_reference_crawlers(results, task, crawler):
    is_the_reference(results, task, crawler)


@pytest.mark.slow
@pytest.mark.parametrize(("task", "crawler"), [key for key in schools.REFERENCE if key[1] in ("random", "dom")])
def test_so_is_that_of_the_others(slow_results, task, crawler):
    is_the_reference(slow_results, task, crawler)
