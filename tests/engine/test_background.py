"""How usual words are, and what pages look like that nobody asked for."""

import pytest

from lycosa.app.hunts import hunt
from lycosa.core.priors import SAMPLE
from lycosa.core.words import terms
from lycosa.engine.archived import archived
from lycosa.engine.background import count_pages
from lycosa.lab.world import World
from lycosa.store.collection import Collection
from lycosa.system.errors import Refused
from lycosa.web.made import Made

WEB = "made:pages=600,topics=3,seed=5"
TOPIC = Made(pages=600, topics=3, seed=5).topics[0]


@pytest.fixture(scope="module")
def past(tmp_path_factory):
    folder = tmp_path_factory.mktemp("past") / "c"
    with hunt(TOPIC.keywords, TOPIC.examples, replay=WEB, pages=40, out=folder) as running:
        list(running)
    return folder


def test_all_pages_of_a_collection_are_counted_but_only_the_lesser_half_is_drawn_from(past):
    found = count_pages([str(past)])
    with Collection.open(past) as collection:
        rows = list(collection.log.pages())
        bags = {row.url: terms(archived(collection.repository, row.url, row.where).text) for row in rows}
    assert found.pages == 40
    assert found.holding == {
        term: sum(term in bag for bag in bags.values()) for term in set().union(*map(set, bags.values()))
    }
    lesser = [dict(bags[row.url]) for row in rows[20:]]
    assert all(dict(bag) in lesser for bag in found.sample)
    assert 10 <= len(found.sample) <= 20


def test_the_sample_is_the_same_every_time_and_of_bounded_size(past):
    assert count_pages([WEB]) == count_pages([WEB])
    assert len(count_pages([WEB, str(past)]).sample) == SAMPLE


def test_a_laboratory_world_has_a_background_too():
    world = World(WEB)
    found = world.background()
    assert found.pages == len(world.corpus)
    assert len(found.sample) == SAMPLE
    assert all(found.holding[term] > 0 for bag in found.sample for term in bag)
    page = world.corpus.bag(7)
    assert dict(page) == dict(page.items()) and list(page.values()) == [page[term] for term in page]


def test_pages_that_are_not_there_are_refused(tmp_path):
    with pytest.raises(Refused):
        count_pages([str(tmp_path / "nothing")])
