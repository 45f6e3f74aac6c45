"""The studies as they are written down."""

import pytest

from lycosa.core.strategy import make, strategies
from lycosa.lab.metrics import METRICS
from lycosa.lab.studies import studies, study_named
from lycosa.lab.studies.study import Study
from lycosa.lab.studies.tids import LEVELS
from lycosa.lab.studies.topic_tests import falls_more, leads_at_end
from lycosa.system.errors import Refused
from lycosa.web.source_names import open_made

COMPARISONS = [study for study in studies().values() if isinstance(study, Study)]
"""Those that compare crawls."""


def test_studies_are_found_by_being_there():
    assert list(studies()) == ["business-intelligence", "exploration", "symbiosis", "tids"]


def test_an_unknown_study_is_refused_with_those_there_are():
    with pytest.raises(Refused, match="choose one of: business-intelligence, exploration, symbiosis, tids"):
        study_named("alchemy")


@pytest.mark.parametrize("study", COMPARISONS, ids=lambda study: study.name)
def test_claims_speak_of_what_the_study_runs_and_measures(study):
    sides = {(round_.name, way.label) for round_ in study.rounds for way in round_.configurations}
    assert len({claim.says for claim in study.claims}) == len(study.claims)
    for claim in study.claims:
        assert claim.place and claim.says.endswith(".")
        for part in claim.parts:
            assert set(part.sides) <= sides
            assert part.metric in study.metrics
    assert set(study.metrics) - METRICS.keys() <= {"example_recall", "precision_over_one_pool", *LEVELS}


@pytest.mark.parametrize("study", COMPARISONS, ids=lambda study: study.name)
def test_rounds_are_only_compared_by_what_hangs_on_no_pool_of_their_own(study):
    parts = [part for claim in study.claims for part in claim.parts if len({round_ for round_, _ in part.sides}) > 1]
    assert {part.metric for part in parts} <= {"target_recall", "precision_over_one_pool"}


def test_breadth_first_is_said_to_keep_its_precision():
    claim = study_named("business-intelligence").claims[-1]  # type: ignore[attr-defined]
    original = [part.sides[0] for part in claim.parts if part.method is leads_at_end]
    augmented = [part.sides[0] for part in claim.parts if part.method is falls_more]
    assert original == [("original seeds", way) for way in ("hub-seeking", "dom", "best-first")]
    assert augmented == [("augmented seeds", way) for _, way in original]


@pytest.mark.parametrize("study", COMPARISONS, ids=lambda study: study.name)
def test_strategies_that_exist_take_the_settings_of_the_study(study):
    for way in (way for round_ in study.rounds for way in round_.configurations):
        if way.strategy in strategies():
            make(way.strategy, way.settings)


@pytest.mark.parametrize("study", studies().values(), ids=lambda study: study.name)
def test_made_webs_have_as_many_topics_as_is_said(study):
    for scale in (study.default, study.full):
        assert open_made(scale.world).plan.topics == scale.topics


@pytest.mark.parametrize("study", COMPARISONS, ids=lambda study: study.name)
def test_the_full_size_is_the_published_one(study):
    # Of a single topic nothing can be tested.
    assert (study.full.pages, study.full.topics) == (study.published.pages, max(24, study.published.topics))


def test_exploration_keeps_every_frontier_at_256_links():
    study = study_named("exploration")
    assert study.capacity == 256  # type: ignore[attr-defined]
    assert [way.settings["n"] for way in study.rounds[0].configurations] == [1, 16, 64, 128, 256]  # type: ignore[attr-defined]
    assert {way.settings.get("buffer", 256) for round_ in study.rounds for way in round_.configurations} == {256}  # type: ignore[attr-defined]
