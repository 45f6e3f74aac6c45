"""No change makes a strategy worse unnoticed: what each reaches on small fixed webs is pinned."""

import importlib.util
import json
from pathlib import Path

import pytest

from lycosa.core.strategy import strategies

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("floors", ROOT / "bench" / "floors.py")
floors = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(floors)

PINNED = json.loads(floors.FLOORS.read_text())
OURS = [name for name, kind in strategies().items() if kind.__module__.startswith("lycosa.")]
ROUNDING = 0.0002
pytestmark = pytest.mark.timeout(600)  # crawls with every strategy there is


QUICK = (floors.SMALL,)
"""Hunted by every test run; the other places by `make slow`."""
SLOW = tuple(set(floors.PLACES) - set(QUICK))


@pytest.fixture(scope="module")
def reached():
    return floors.measure(QUICK)


@pytest.fixture(scope="module")
def reached_slowly():
    return floors.measure(SLOW)


def is_not_below(reached, strategy, places):
    assert strategy in PINNED, "a new strategy: pin what it reaches with `make floors`"
    for place in set(places) & set(PINNED[strategy]):
        for metric, floor in PINNED[strategy][place].items():
            found = reached[strategy][place][metric]
            assert found >= floor - ROUNDING, (
                f"{strategy}, {place}: {metric} fell from {floor} to {found}; "
                "mend it, or lower the floor on purpose with `make floors` and say why in the commit"
            )


@pytest.mark.parametrize("strategy", OURS)
def test_no_strategy_falls_below_its_floor(reached, strategy):
    is_not_below(reached, strategy, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", OURS)
def test_nor_does_it_elsewhere(reached_slowly, strategy):
    is_not_below(reached_slowly, strategy, SLOW)


def test_every_floor_belongs_to_a_strategy():
    assert sorted(PINNED) == sorted(OURS)
