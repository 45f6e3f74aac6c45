"""The share of what was possible."""

from math import isnan

import pytest

from lycosa.lab.metrics.oracle_share import oracle_share


def test_it_is_the_ratio_of_the_areas(evidence, track, blank):
    known = evidence(blank, ["abcd"], targets="bd", oracle="bda", budget=10)
    # The crawl: b at 2 (9 steps), d at 4 (7 steps). The oracle: b at 1 (10 steps), d at 2 (9 steps).
    assert oracle_share(known, track("abcd")) == pytest.approx(16 / 19)


def test_where_nothing_was_possible_there_is_no_share(evidence, track, blank):
    assert isnan(oracle_share(evidence(blank, ["a"], targets="b", oracle="a"), track("a")))
    assert isnan(oracle_share(evidence(blank, ["a"], targets="b"), track("a")))
