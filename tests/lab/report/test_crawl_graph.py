"""A crawl's path."""

import math
import xml.etree.ElementTree as ET

import numpy as np

from lycosa.core.nouns import Link, Page
from lycosa.lab.comparison import Track
from lycosa.lab.corpus import of_pages
from lycosa.lab.report.crawl_graph import SIDE, Crawled, crawled, spots, svg, telling, told
from lycosa.web.source import BedTopic

SPACE = "{http://www.w3.org/2000/svg}"


def test_a_page_stands_one_ring_further_out_than_the_one_that_led_to_it(crawl):
    found = spots(crawl())
    away = [math.hypot(spot.x - SIDE / 2, spot.y - SIDE / 2) for spot in found]
    assert [spot.depth for spot in found[:6]] == [0, 0, 1, 1, 1, 1]
    assert all(away[number] > away[spot.parent] for number, spot in enumerate(found) if spot.parent >= 0)
    assert len({round(length, 3) for length, spot in zip(away, found, strict=True) if spot.depth == 1}) == 1
    assert max(away) <= SIDE / 2


def test_no_two_pages_stand_in_the_same_place(crawl):
    found = spots(crawl(300))
    assert len({(round(spot.x, 1), round(spot.y, 1)) for spot in found}) == 300


def test_targets_and_relevant_pages_are_marked_and_each_page_says_its_address(crawl):
    tree = ET.fromstring(svg(crawl(), alone=True))
    dots = {dot.find(f"{SPACE}title").text: dot.get("class").split()[-1] for dot in tree.iter(f"{SPACE}circle")}
    assert len(dots) == 40
    assert dots["6. http://host.test/5 (target), judged 0.13"] == "target"
    assert dots["9. http://host.test/8 (relevant), judged 0.21"] == "relevant"
    assert dots["1. http://host.test/0, judged 0.00"] == "other"


def test_the_order_of_fetching_is_the_colour(crawl):
    tree = ET.fromstring(svg(crawl(), alone=True))
    steps = {
        int(dot.find(f"{SPACE}title").text.partition(".")[0]): int(dot.get("class")[1])
        for dot in tree.iter(f"{SPACE}circle")
    }
    assert [steps[order] for order in (1, 5, 6, 20, 40)] == [0, 0, 1, 3, 7]


def test_a_long_crawl_is_cut_and_that_is_said(crawl):
    words, targets = told(crawl(1500))
    assert words == "The first 1,000 of 1,500 pages, up to 6 links from a seed; 3 relevant, among them 2 targets."
    assert [spot.order for spot in targets] == [6, 18]
    assert len(spots(crawl(1500))) == 1000


def test_a_chain_a_star_an_unknown_parent_and_nothing_at_all_can_be_drawn():
    def drawn(pages, via):
        track = Track(np.array(pages, np.int32), np.array(via, np.int32), np.zeros(len(pages)))
        none = np.zeros(0, np.int32)
        return spots(Crawled("w", "t", track, [f"u{n}" for n in range(600)], none, none))

    chain = drawn(range(500), range(-1, 499))
    assert [spot.depth for spot in chain] == list(range(500))
    assert {spot.depth for spot in drawn(range(500), [-1] + [0] * 499)[1:]} == {1}
    assert drawn([1, 2], [-1, 77])[1].depth == 0
    assert drawn([], []) == []
    assert ET.fromstring(svg(Crawled("w", "t", Track(*[np.zeros(0, np.int32)] * 3), [], *[np.zeros(0, np.int32)] * 2)))


def test_names_and_addresses_are_text(crawl):
    drawn = svg(crawl(label="<b>&", topic='"x"', url='http://h/<script>"{}&\x00'), alone=True)
    assert "<script" not in drawn and "<b>" not in drawn
    assert ET.fromstring(drawn).get("aria-label") == 'The path of <b>& on "x"'


def test_a_crawl_knows_its_relevant_pages_from_the_topic():
    urls = [f"http://h/{n}" for n in range(5)]
    corpus = of_pages([Page(url, "words", [Link(urls[0], (0, 1))]) for url in urls])
    topic = BedTopic("t", "k", targets=(urls[1], "http://h/none"), examples=(urls[2],), described=(urls[3],))
    track = Track(np.array([0, 1], np.int32), np.array([-1, 0], np.int32), np.zeros(2))
    made = crawled("way", topic, track, corpus)
    assert (made.label, made.topic, made.targets.tolist()) == ("way", "t", [1])
    assert sorted(made.relevant.tolist()) == [1, 2, 3]


def test_the_telling_paths_are_of_the_topic_on_which_the_ways_are_furthest_apart(measured):
    comparison = measured(("a", "b", "c"), topics=3)
    for label, areas in {"a": [0.1, 0.2, 0.3], "b": [0.2, 0.9, 0.3], "c": [0.15, 0.1, 0.3]}.items():
        comparison.arms[label].values["target_recall_auc"] = np.array(areas)
    assert telling(comparison) == ("topic 1", ["b", "c"])
    alone = measured(("a",), topics=1)
    assert telling(alone) == ("topic 0", ["a"])
