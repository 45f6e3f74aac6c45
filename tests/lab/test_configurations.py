"""Ways of hunting are read as they are written, and refused before anything runs."""

from __future__ import annotations

import pytest

from lycosa.lab.comparison import ORACLE
from lycosa.lab.configurations import parse_configurations
from lycosa.system.errors import Refused


def test_a_name_alone_is_a_way():
    (way,) = parse_configurations(["best-first"])
    assert (way.label, way.strategy, way.settings) == ("best-first", "best-first", {})


def test_options_are_read_as_their_types():
    (way,) = parse_configurations(["best-n-first:n=16, buffer=300"])
    assert (way.label, way.settings) == ("best-n-first:n=16,buffer=300", {"n": 16, "buffer": 300})


def test_a_grid_is_every_combination():
    ways = parse_configurations(["best-n-first:n=1|16,buffer=64|128", "random"])
    assert [way.label for way in ways] == [
        "best-n-first:n=1,buffer=64",
        "best-n-first:n=1,buffer=128",
        "best-n-first:n=16,buffer=64",
        "best-n-first:n=16,buffer=128",
        "random",
    ]


def test_a_class_of_another_module_is_a_way():
    ways = parse_configurations(
        ["lycosa.strategy.best_n_first:BestNFirst:n=2|3", "lycosa.strategy.best_first:BestFirst"]
    )
    assert [way.strategy for way in ways] == [
        "lycosa.strategy.best_n_first:BestNFirst",
        "lycosa.strategy.best_n_first:BestNFirst",
        "lycosa.strategy.best_first:BestFirst",
    ]
    assert [way.settings for way in ways] == [{"n": 2}, {"n": 3}, {}]


def test_the_oracle_may_be_named():
    assert [way.strategy for way in parse_configurations(["oracle", "random"])] == [ORACLE, "random"]


@pytest.mark.parametrize(
    ("texts", "problem"),
    [
        ([], "no strategy"),
        ([""], "names no strategy"),
        (["n=1"], "names no strategy"),
        (["best-furst"], "unknown strategy 'best-furst'"),
        (["best-first:alpha=1"], "has no option 'alpha'"),
        (["best-n-first:n=many"], "takes int, not 'many'"),
        (["best-n-first:n=0"], "cannot work with n=0"),
        (["best-n-first:n=1,n=2"], "sets no option"),
        (["best-n-first:n=1,,"], "sets no option"),
        (["best-n-first:n=1|1"], "named twice"),
        (["random", "random"], "named twice"),
        (["best-n-first", "best-n-first:n=256"], "the same as best-n-first"),
        (["nowhere.at.all:Class"], "cannot be imported"),
        (["lycosa.core.nouns:Ticket"], "is not a strategy"),
        (["__main__:Mine"], "lives in a script"),
        (["oracle:n=1"], "no options"),
    ],
)
def test_what_cannot_be_made_is_refused(texts, problem):
    with pytest.raises(Refused, match=problem):
        parse_configurations(texts)


def test_a_strategy_that_cannot_be_made_is_refused(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "unmakeable.py").write_text(
        "from lycosa import Strategy\nclass Broken(Strategy):\n    def __init__(self):\n        self.x = 1 / 0\n"
    )
    with pytest.raises(Refused, match="unmakeable:Broken cannot be made"):
        parse_configurations(["unmakeable:Broken"])
