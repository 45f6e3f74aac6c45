"""The study of symbiosis: days of three systems on a small made web, its statements, its report."""

import json
import re

import numpy as np
import pytest
from msgspec.structs import replace

from lycosa.lab.studies import study_named
from lycosa.lab.studies.day_tests import higher, higher_of_others, higher_on_average, no_lower, smaller_by_a_third
from lycosa.lab.studies.run import run_study
from lycosa.lab.studies.symbiosis import LEAST, SYSTEMS
from lycosa.lab.studies.symbiosis import run as run_symbiosis
from lycosa.lab.symbiosis.days import Simulation
from lycosa.lab.world import open_world
from lycosa.system.errors import Refused

TINY = "made:pages=300,topics=3,page_bytes=1200"
SMALL = Simulation(systems=SYSTEMS, max_in_index=60, max_pages=10, max_iter=1, n_hits=4, queries=4, days=3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("symbiosis")


@pytest.fixture(scope="module")
def result(folder):
    return run_symbiosis(open_world(TINY), folder=folder, pages=60, weeks=1, processes=1, simulation=SMALL)


def test_all_systems_live_through_the_same_days(result):
    assert list(result.measures) == ["as published", "integrated", "hybrid engine"]
    first, second, third = result.measures.values()
    assert np.array_equal(first.alone, second.alone)
    assert not np.array_equal(first.alone, third.alone)
    assert first.size[0, 0] == second.size[0, 0] == third.size[0, 0] == 60


def test_every_statement_is_measured(result):
    assert len(result.claims) == 8
    for judged in result.claims:
        assert judged.claim.says.endswith(".") and judged.claim.place
        assert judged.measured
    assert "unmeasured" not in {judged.verdict for judged in result.claims}


def test_the_report_has_the_papers_figures_and_tables(result, folder):
    page = result.write(folder, "lycosa lab study symbiosis").read_text()
    for part in ("Three days of a community", "P / cost", "S(C, q)", "What the paper says", "alone, reference"):
        assert part in page
    assert {"precision.svg", "collections.png", "again.svg"} <= {file.name for file in (folder / "figures").iterdir()}
    assert {"claims.csv", "claims.tex", "days.csv", "answers.csv"} <= {
        file.name for file in (folder / "tables").iterdir()
    }
    lines = (folder / "tables" / "answers.csv").read_text().splitlines()
    assert len(lines) == 1 + 3 * 3 * 4
    linked = re.findall(r'href="#([^"]+)"', page)
    assert all(f'id="{anchor}"' in page for anchor in linked)


def test_a_result_is_plain_data(result):
    told = json.loads(json.dumps(result.as_dict(), allow_nan=False))
    assert told["study"] == "symbiosis"
    assert [day["day"] for day in told["days"]["integrated"]] == [1, 2, 3]
    assert told["days"]["as published"][0]["cost"] == 1.0
    assert told["settings"]["n_hits"] == 4
    assert sum(told["verdicts"].values()) == 8


def test_a_crawl_is_longer_than_its_seeds():
    assert 2 * (Simulation(systems=(), max_in_index=1, max_pages=1).n_hits * 2) == LEAST
    assert study_named("symbiosis").default.pages // 100 >= LEAST


HIGH, LOW = np.array([[0.5, 0.4, 0.6, 0.7]]), np.array([[0.3, 0.3, 0.4, 0.4]])


def test_pairs_of_questions_decide():
    assert higher("P", ("a", HIGH), ("b", LOW)).verdict == "agrees"
    assert higher("P", ("a", LOW), ("b", HIGH)).verdict == "disagrees"
    assert higher("P", ("a", LOW), ("b", LOW)).verdict == "undecided"
    assert str(higher("P", ("a", HIGH), ("b", LOW))).endswith("4 questions")
    # Of other questions the same figures say less.
    assert higher_of_others("P", ("a", HIGH), ("b", LOW)).p > higher("P", ("a", HIGH), ("b", LOW)).p


def test_to_be_no_lower_takes_more_than_a_lack_of_evidence():
    noise = np.array([[0.4, -0.4, 0.3, -0.3]])
    assert no_lower("P", ("a", np.tile(HIGH, 2)), ("b", np.tile(HIGH, 2))).verdict == "agrees"
    assert no_lower("P", ("a", HIGH + noise), ("b", HIGH)).verdict == "undecided"
    assert no_lower("P", ("a", LOW), ("b", HIGH)).verdict == "disagrees"


def test_sizes_are_compared_week_by_week():
    first = np.array([100.0, 100.0])
    assert smaller_by_a_third("size", ("five", np.array([60.0, 65.0])), ("one", first)).verdict == "agrees"
    assert smaller_by_a_third("size", ("five", np.array([60.0, 75.0])), ("one", first)).verdict == "undecided"
    assert smaller_by_a_third("size", ("five", np.array([70.0, 75.0])), ("one", first)).verdict == "disagrees"
    assert smaller_by_a_third("size", ("five", np.array([60.0])), ("one", first[:1])).verdict == "agrees"


def test_similarities_are_compared_by_their_errors():
    small, large = np.array([0.01]), np.array([0.2])
    high, low = np.array([0.5]), np.array([0.4])
    assert higher_on_average("S", ("a", high, small), ("b", low, small), 9).verdict == "agrees"
    assert higher_on_average("S", ("a", low, small), ("b", high, small), 9).verdict == "disagrees"
    assert higher_on_average("S", ("a", high, large), ("b", low, large), 9).verdict == "undecided"


@pytest.mark.parametrize("option", ["--pages", "--repeats"])
def test_impossible_numbers_are_one_line_and_exit_code_2(run, option, tmp_path):
    code, _, complaint = run("lab", "study", "symbiosis", "--bed", TINY, option, "0", "--out", tmp_path / "out")
    assert code == 2
    assert len(complaint.splitlines()) == 1
    assert f"{option[2:]} cannot be 0: give 1 or more ({option})" in complaint
    assert not (tmp_path / "out").exists()


def test_a_world_without_descriptions_is_refused(tmp_path):
    world = open_world(TINY)
    world.topics = [replace(topic, description="") for topic in world.topics]
    with pytest.raises(Refused, match="hold no questions"):
        run_study("symbiosis", world, folder=tmp_path)
