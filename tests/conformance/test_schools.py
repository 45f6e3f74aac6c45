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


@pytest.fixture(scope="module")
def results():
    return schools.measure(["random", "breadth-first", "best-first", "dom"])


@pytest.mark.parametrize(("task", "crawler"), schools.REFERENCE)
def test_target_recall_is_that_of_the_reference_crawlers(results, task, crawler):
    apart = schools.APART.get(crawler, 0.03)
    assert results[task, crawler].figures == pytest.approx(schools.REFERENCE[task, crawler], abs=apart)
