"""Days of a community on a made web of a few hundred pages, by the community's own code."""

import shutil

import numpy as np
import pytest

from lycosa.community.home import Home
from lycosa.lab.symbiosis import days as simulation
from lycosa.lab.symbiosis.days import Simulation, System, simulate
from lycosa.lab.symbiosis.measures import measure
from lycosa.lab.world import open_world

TINY = "made:pages=300,topics=3,page_bytes=1200"
SMALL = Simulation(
    systems=(System("as published", {"by": "reference"}),),
    max_in_index=60,
    max_pages=12,
    max_iter=2,
    n_hits=4,
    queries=4,
    days=3,
    parallel=2,
)


def live(folder):
    world = open_world(TINY)
    return simulate(world, SMALL, folder=folder, topics=world.topics, processes=1)


def told(simulated):
    return [
        [day.collection.tolist(), *([each.tolist() for each in found] for found in (day.answers, day.alone))]
        for day in simulated.weeks[0].systems["as published"]
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("week")


@pytest.fixture(scope="module")
def week(folder):
    return live(folder)


@pytest.fixture
def sleepless(monkeypatch):
    """Nights are counted, and none may be made."""
    nights = []
    monkeypatch.setattr(simulation, "refresh", lambda home, loop, told: nights.append(home))
    return nights


def test_every_night_makes_another_collection(week):
    first, second, third = week.weeks[0].systems["as published"]
    assert len(first.collection) == 60
    assert not np.array_equal(first.collection, second.collection)
    assert not np.array_equal(second.collection, third.collection)
    assert 0 < max(len(second.collection), len(third.collection)) <= 60
    assert [day.fetched > 0 for day in (first, second, third)] == [False, True, True]


def test_day_one_answers_as_what_is_left_alone(week):
    first = told(week)[0]
    assert first[1] == first[2]
    assert any(answer for answer in first[1])


def test_the_communities_are_ordinary_ones(week, folder):
    (place,) = (folder / "communities").iterdir()
    homes = {path.name.partition("-")[0]: Home.open(path) for path in place.iterdir() if path.is_dir()}
    assert homes["day"].current().name == "0001"
    assert homes["as"].current().name == "0003"
    assert [each.record.how for each in homes["as"].generations()] == ["init", "refresh", "refresh"]


def test_the_same_days_come_again_elsewhere(week, tmp_path):
    again = live(tmp_path)
    assert told(again) == told(week)
    assert again.weeks[0].asked == week.weeks[0].asked


def test_nights_that_are_over_are_not_made_again(week, folder, sleepless):
    assert told(live(folder)) == told(week)
    assert not sleepless


def test_a_week_that_was_interrupted_goes_on(week, folder, tmp_path):
    shutil.copytree(folder, tmp_path / "half", symlinks=True)
    for lost in (tmp_path / "half").rglob("*.3.json"):
        lost.unlink()
    for damaged in (tmp_path / "half").rglob("*.2.json"):
        damaged.write_text("{")
    assert told(live(tmp_path / "half")) == told(week)


def test_measures_have_a_row_a_week_and_a_column_a_day(week):
    found = measure(open_world(TINY), week)["as published"]
    assert found.precision.shape == found.alone.shape == (1, 3, 4)
    assert found.size.shape == found.similarity.shape == (1, 3)
    assert found.cost[0, 0] == 1.0
    assert found.similarity[0, 0] == found.similarity_alone[0, 0]
    assert (found.per_cost >= found.precision).all()
