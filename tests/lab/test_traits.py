"""What is known of a strategy is found out without its code ever running in this process."""

from __future__ import annotations

import os
import sys

import pytest

from lycosa.lab.comparison import ORACLE, Configuration
from lycosa.lab.traits import Traits, kind_of, module_of, traits_of
from lycosa.strategy.best_first import BestFirst
from lycosa.system.errors import Refused

STRATEGIES = """
import os, sys
from dataclasses import dataclass, field
from lycosa import Strategy

class Speed:
    def __repr__(self):
        return "slow"

@dataclass
class Plain(Strategy):
    n: int = 3
    name_of_it: str = "x"
    speed: Speed = field(default_factory=Speed)
    big: int = 2 ** 80
    capacity = 7

class Leaving(Strategy):
    def __init__(self):
        os._exit(3)

class Looking(Strategy):
    @property
    def capacity(self):
        try:
            os.environ["NOTE"] = "1"
        except BaseException:
            return None
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "entering.py").write_text(STRATEGIES)
    return tmp_path


def way(strategy, **settings):
    return Configuration(strategy, strategy, settings)


def test_settings_left_alone_have_their_defaults():
    (known,) = traits_of([way("best-n-first", n=16)])
    assert (known.settings, known.capacity) == ({"n": 16, "buffer": 256}, 256)


def test_the_oracle_has_nothing_to_tell():
    assert traits_of([way(ORACLE)]) == [Traits({})]


def test_how_many_links_it_takes_at_a_time_is_known():
    assert [found.batch for found in traits_of([way("best-first"), way("best-n-first", n=8)])] == [1, 8]


def test_a_strategy_of_others_is_known_without_being_here():
    first, house, second = traits_of([way("entering:Plain"), way("best-first"), way("entering:Plain", n="5")])
    assert first.settings == {"n": 3, "name_of_it": "x", "speed": "slow", "big": repr(2**80)}
    assert second.settings["n"] == 5
    assert (first.capacity, house.capacity) == (7, None)
    assert first.code == second.code != house.code
    assert "entering" not in sys.modules


@pytest.mark.parametrize(
    ("strategy", "problem"),
    [
        ("entering:Leaving", "the process of strategy entering:Leaving ended with code 3"),
        ("entering:Looking", r"strategy entering:Looking tried to use the operating system \(os.putenv\)"),
        ("entering:Nobody", "cannot be imported"),
        ("smuggling:Mule", r"strategy smuggling:Mule tried to use files \(.*topics.jsonl\)"),
    ],
)
def test_what_cannot_enter_is_refused(folder, strategy, problem):
    (folder / "smuggling.py").write_text(
        "import os\nfrom lycosa import Strategy\nos.environ['HINT'] = open('topics.jsonl').read()\n"
        "class Mule(Strategy): ...\n"
    )
    with pytest.raises(Refused, match=problem):
        traits_of([way(strategy)])
    assert not {"HINT", "NOTE"} & os.environ.keys()


def test_classes_and_modules_are_found_by_name():
    assert kind_of("best-first") is kind_of("lycosa.strategy.best_first:BestFirst") is BestFirst
    assert [module_of(name) for name in ("best-first", "a.b:C")] == ["lycosa.strategy", "a.b"]


def test_a_strategy_of_an_entry_point_is_asked_elsewhere(folder):
    distribution = folder / "entering-1.0.dist-info"
    distribution.mkdir()
    (distribution / "METADATA").write_text("Metadata-Version: 2.1\nName: entering\nVersion: 1.0\n")
    (distribution / "entry_points.txt").write_text("[lycosa.strategies]\nplain = entering:Plain\n")
    assert module_of("plain") == "entering"
    plain, house = traits_of([way("plain", n=4), way("best-first")])
    assert plain.settings["n"] == 4
    assert house.settings == {}
    assert "entering" not in sys.modules
