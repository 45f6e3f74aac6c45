"""On a recorded web with labelled topics our crawlers find what independent ones found."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("schools", ROOT / "bench" / "schools.py")
schools = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(schools)

pytestmark = pytest.mark.skipif(not schools.SCHOOLS.exists(), reason="needs the schools test bed beside the project")


@pytest.fixture(scope="module")
def practice():
    return schools.Practice(schools.SCHOOLS)


@pytest.mark.parametrize("strategy", ["breadth-first", "best-first"])
@pytest.mark.parametrize("task", ["examples", "neighbors"])
def test_target_recall_is_that_of_the_reference_crawlers(practice, strategy, task):
    result = practice.run(strategy, task)
    assert (*result.recall, result.auc) == pytest.approx(schools.REFERENCE[task, strategy], abs=0.03)
