"""Hubs that a world's own links tell."""

from msgspec.structs import replace

from lycosa.core.urls import host_of
from lycosa.engine.augment import AT_LEAST, LIMIT
from lycosa.engine.inlink_sources import open_inlinks
from lycosa.lab.studies.augmented import hubs_in_world, hubs_of
from lycosa.lab.studies.run import run_study
from lycosa.lab.world import open_world

TINY = "made:pages=700,topics=4,page_bytes=1200"


def test_a_worlds_in_links_are_those_of_its_pages():
    world = open_world(TINY)
    theirs, ours = open_inlinks([TINY]), world.inlinks
    for url in (*world.topics[0].examples, *world.topics[1].neighbors):
        assert ours.of(url, 1000) == theirs.of(url, 1000)


def test_hubs_link_to_several_examples_and_are_neither_seeds_nor_targets():
    world = open_world(TINY)
    topic = world.topics[0]
    found = hubs_in_world(world, topic)
    assert 0 < len(found) <= LIMIT
    assert not {*found} & {*topic.examples, *topic.targets}
    pages = world.corpus.numbers(topic.examples).tolist()
    for url in found:
        (row,) = world.corpus.numbers([url])
        assert len({*pages} & {*world.corpus.links[[row]].indices.tolist()}) >= AT_LEAST


def test_a_page_that_says_what_the_description_says_is_no_hub():
    world = open_world(TINY)
    topic = world.topics[0]
    first = hubs_in_world(world, topic)[0]
    copied = replace(topic, description=world.parsed.text(world.parsed.row(first)))
    assert first not in hubs_in_world(world, copied)


def test_topics_without_hubs_are_left_out():
    world = open_world(TINY)
    lonely = replace(world.topics[0], examples=world.topics[0].examples[:1])
    world.topics[0] = lonely
    assert list(hubs_of(world, None, hubs_in_world)) == [topic.id for topic in world.topics[1:]]


def test_the_business_study_starts_from_augmented_seeds(tmp_path):
    topics = [topic.id for topic in open_world(TINY).topics[:2]]
    result = run_study("business-intelligence", TINY, folder=tmp_path, pages=25, topics=topics, processes=1)
    assert list(result.comparisons) == ["original seeds", "augmented seeds"]  # type: ignore[attr-defined]
    assert not any("augmented" in lack for lack in result.missing)
    tracks = result.inquiries["augmented seeds"].tracks.tracks  # type: ignore[attr-defined]
    track = next(found for name, found in tracks.items() if name.label == "breadth-first")
    started = [result.world.corpus.urls[page] for page, via in zip(track.pages, track.via, strict=True) if via < 0]
    assert len({host_of(url) for url in started}) > len(result.world.topics[0].examples)
