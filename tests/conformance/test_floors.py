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


@pytest.fixture(scope="module")
def reached():
    return floors.measure()


@pytest.mark.parametrize("strategy", OURS)
def test_no_strategy_falls_below_its_floor(reached, strategy):
    assert strategy in PINNED, "a new strategy: pin what it reaches with `make floors`"
    for place, pinned in PINNED[strategy].items():
        for metric, floor in pinned.items():
            found = reached[strategy][place][metric]
            assert found >= floor - ROUNDING, (
                f"{strategy}, {place}: {metric} fell from {floor} to {found}; "
                "mend it, or lower the floor on purpose with `make floors` and say why in the commit"
            )


def test_every_floor_belongs_to_a_strategy():
    assert sorted(PINNED) == sorted(OURS)
