"""The tools give the fields of the declared answers, by the same names; what strangers wrote is under `untrusted`."""

import pytest

from lycosa.app.answers import hunt, scope, search
from lycosa.app.seed_search import FoundSeed
from lycosa.face.mcp import tool_results
from lycosa.index.search_types import Ranked

SAME = {
    tool_results.HuntResult: hunt.HuntStatus,
    tool_results.PageResult: hunt.BestPage,
    tool_results.FailedSeed: hunt.FailedSeedAnswer,
    tool_results.EstimateResult: hunt.EstimateAnswer,
    tool_results.JudgedPages: hunt.JudgedCount,
    tool_results.HopResult: hunt.Hop,
    tool_results.Path: hunt.Why,
    tool_results.Hits: search.SearchAnswer,
    tool_results.HitResult: search.SearchResult,
    tool_results.RankedResult: Ranked,
    tool_results.ScopeResult: scope.ScopeAnswer,
    tool_results.ScopeVerdictResult: scope.ScopeVerdict,
    tool_results.SeedResult: FoundSeed,
}
OWN = {"notice", "budget_left", "hunt_budget_left", "untrusted"}
"""What every answer to an agent has besides."""


def names(model):
    """The fields of an answer, those under `untrusted` among them."""
    own = set(model.model_fields) - OWN
    inner = model.model_fields.get("untrusted")
    return own | (set(inner.annotation.model_fields) if inner else set())


@pytest.mark.parametrize("model", SAME, ids=lambda model: model.__name__)
def test_a_tool_has_no_field_that_the_answer_does_not_have(model):
    assert names(model) <= {*SAME[model].__struct_fields__}


def test_a_hop_is_told_whole():
    assert names(tool_results.HopResult) == {*hunt.Hop.__struct_fields__}
