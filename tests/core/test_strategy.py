"""Strategies are found by name, set by option, and refuse what they do not understand."""

from dataclasses import dataclass

import pytest

from lycosa.core import registry
from lycosa.core import strategy as shelf
from lycosa.core.nouns import Ticket
from lycosa.core.strategy import Strategy, best_of_each, make, strategies
from lycosa.system.errors import Refused


def test_every_file_of_the_room_is_on_the_shelf():
    assert {"breadth-first", "best-first", "best-n-first", "random", "dom"} <= set(strategies())


def test_options_are_read_as_their_types():
    strategy = make("best-n-first", {"n": "16"})
    assert strategy.n == strategy.batch == 16  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "settings", "line"),
    [
        ("worst-first", {}, r"unknown strategy 'worst-first': choose one of: .*best-first, .*random"),
        ("best-first", {"alpha": "1"}, r"strategy best-first has no option 'alpha': its options: none"),
        ("best-n-first", {"n": "many"}, r"option n of best-n-first takes int, not 'many': for example n=256"),
        ("best-n-first", {"n": "0"}, r"cannot work with n=0"),
    ],
)
def test_what_cannot_be_understood_is_refused_in_one_line(name, settings, line):
    with pytest.raises(Refused, match=line):
        make(name, settings)


def test_a_strategy_of_another_package_is_found_by_its_entry_point(monkeypatch):
    @dataclass
    class Patient(Strategy):
        """Waits."""

        patience: float = 2.5

        def learn(self, visit):
            return []

    class Entry:
        name = "patient"

        def load(self):
            return Patient

    monkeypatch.setattr(registry, "entry_points", lambda group: [Entry()] if group == "lycosa.strategies" else [])
    monkeypatch.setattr(shelf._registry, "_kinds", dict(shelf._registry._kinds))
    assert make("patient", {"patience": "3"}).patience == 3.0  # type: ignore[attr-defined]


def test_a_broken_package_is_named_only_if_its_strategy_is_asked_for(monkeypatch):
    class Entry:
        name = "broken"

        def load(self):
            raise ModuleNotFoundError("No module named 'gone'")

    monkeypatch.setattr(registry, "entry_points", lambda group: [Entry()] if group == "lycosa.strategies" else [])
    assert make("best-first").name == "best-first"
    with pytest.raises(Refused, match="strategy broken cannot be imported"):
        make("broken")


def test_a_file_that_is_no_python_is_refused_in_one_line(tmp_path, monkeypatch):
    (tmp_path / "half_written.py").write_text("class Half(")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(Refused, match=r"half_written:Half cannot be imported .*line 1"):
        make("half_written:Half")


def test_a_strategy_can_be_named_by_where_it_is():
    strategy = make("lycosa.strategy.breadth_first:BreadthFirst")
    assert type(strategy).__name__ == "BreadthFirst"
    with pytest.raises(Refused, match="cannot be imported"):
        make("no.such.module:Thing")


def test_of_several_tickets_for_a_url_the_best_is_kept_in_the_place_of_the_first():
    tickets = [Ticket("b", 0.2), Ticket("a", 0.1), Ticket("b", 0.5, memo="best"), Ticket("b", 0.5), Ticket("c", 0.0)]
    assert best_of_each(tickets) == [Ticket("b", 0.5, memo="best"), Ticket("a", 0.1), Ticket("c", 0.0)]
