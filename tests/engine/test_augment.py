"""Hubs and neighbours, on a web small enough to be worked out by hand."""

from collections import Counter
from math import sqrt
from random import Random

import pytest

from lycosa.core.inlinks import Inlinks
from lycosa.core.words import terms
from lycosa.engine.augment import AddedSeed, directory_of, hubs, neighbours, projected_cosine

SEEDS = ["http://s1.test/", "http://s2.test/", "http://s3.test/"]
HUB, GUIDE, FAN, MIRROR, BROKEN = (f"http://{name}.test/" for name in ("hub", "guide", "fan", "mirror", "broken"))
ODP = "http://search.dmoz.org/Business/"

LINKS = {
    SEEDS[0]: [FAN, ODP, MIRROR, GUIDE, HUB, BROKEN],
    SEEDS[1]: [ODP, MIRROR, HUB, GUIDE, SEEDS[2], BROKEN],
    SEEDS[2]: [ODP, MIRROR, HUB],
}
"""Who links to each seed, as a source would tell it."""

DESCRIPTION = "Solar panels. Solar roofs."
"""As terms: solar 2, panel 1, roof 1; its length is √6."""

TEXTS = {
    HUB: "solar panel panel",
    GUIDE: "A guide to gardens.",
    MIRROR: "Solar panels! Solar roofs! " + "Cheap holidays, cheap flights. " * 20,
    FAN: "solar solar solar panel",
}


class Known(Inlinks):
    def __init__(self, links):
        self.links, self.limits = links, []

    def of(self, url, limit):
        self.limits.append(limit)
        return self.links.get(url, [])[:limit]


def found(**options):
    return hubs(SEEDS, Known(LINKS), **options)


def reasons(**options):
    return {one.url: one.left_out for one in found(**options)}


def test_back_links_are_counted_across_seeds_and_the_highest_counts_come_first():
    assert [(one.url, len(one.seeds)) for one in found()] == [
        (ODP, 3),
        (MIRROR, 3),
        (HUB, 3),
        (GUIDE, 2),
        (BROKEN, 2),
        (FAN, 1),
        (SEEDS[2], 1),
    ]
    assert found()[3] == AddedSeed(GUIDE, (SEEDS[0], SEEDS[1]))


def test_every_page_that_is_not_added_says_why():
    assert reasons(description=DESCRIPTION, read=TEXTS.get) == {
        ODP: "is of dmoz.org",
        MIRROR: "is 100% like the description",
        HUB: "",
        GUIDE: "",
        BROKEN: "cannot be read",
        FAN: "links to 1 of the seeds only",
        SEEDS[2]: "is a seed",
    }


def test_the_projection_ignores_text_that_a_site_has_added():
    described = terms(DESCRIPTION)
    assert described == Counter({"solar": 2, "panel": 1, "roof": 1})
    # In the description's terms the mirror is (2, 1, 1), whatever else it says.
    assert projected_cosine(TEXTS[MIRROR], described) == pytest.approx(1)
    # (1, 2, 0) · (2, 1, 1) = 4
    assert projected_cosine(TEXTS[HUB], described) == pytest.approx(4 / (sqrt(5) * sqrt(6)))  # .730
    # (3, 1, 0) · (2, 1, 1) = 7
    assert projected_cosine(TEXTS[FAN], described) == pytest.approx(7 / (sqrt(10) * sqrt(6)))  # .904
    assert projected_cosine(TEXTS[GUIDE], described) == 0


def test_a_page_is_a_mirror_when_it_is_more_than_90_percent_like_the_description():
    told = reasons(description=DESCRIPTION, read=TEXTS.get, at_least=1)
    assert told[FAN] == "is 90% like the description"
    assert told[HUB] == ""


def test_pages_are_read_only_where_there_is_a_description():
    assert reasons(read=lambda url: pytest.fail(url))[MIRROR] == ""


def test_pages_are_read_only_until_there_are_enough_hubs():
    read = []

    def text(url):
        read.append(url)
        return TEXTS.get(url)

    told = reasons(description=DESCRIPTION, read=text, limit=1)
    assert read == [MIRROR, HUB]
    assert (told[HUB], told[GUIDE], told[BROKEN]) == ("", "1 are better", "1 are better")


def test_what_is_left_out_takes_no_place_among_the_best():
    assert [url for url, why in reasons(limit=2).items() if not why] == [MIRROR, HUB]


def test_hosts_to_be_left_out_are_the_users_choice():
    assert reasons(leave_out=())[ODP] == ""
    assert reasons(leave_out=["hub.test"])[HUB] == "is of hub.test"


def test_a_page_can_be_ruled_out():
    assert reasons(without={HUB})[HUB] == "is ruled out"


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://dmoz.org/", "dmoz.org"),
        ("https://www.dmoz.org:8080/x", "dmoz.org"),
        ("http://notdmoz.org/", ""),
        ("http://www.google.com/directory.google.com/", ""),
    ],
)
def test_a_directory_is_a_host_with_all_below_it(url, host):
    assert directory_of(url, ("dmoz.org", "directory.google.com")) == host


def test_only_so_many_back_links_of_a_seed_are_counted():
    source = Known(LINKS)
    assert [one.url for one in hubs(SEEDS, source, width=1)] == [ODP, FAN]
    assert source.limits == [1, 1, 1]


def test_a_seed_named_twice_counts_once():
    assert hubs([SEEDS[0]] * 2, Known(LINKS))[0].seeds == (SEEDS[0],)


CHAIN = {"s": ["a", "b"], "t": ["b", "s"], "a": ["c", "b", "s"], "b": ["c", "d"], "c": ["e"], "d": ["a", "f"]}


def test_neighbours_are_so_many_links_upstream_and_no_fewer():
    one, two, three = (neighbours(["s", "t"], Known(CHAIN), levels=levels) for levels in (1, 2, 3))
    assert {each.url: each.seeds for each in one} == {"a": ("s",), "b": ("s", "t")}
    assert {each.url: each.seeds for each in two} == {"c": ("s", "t"), "d": ("s", "t")}
    assert {each.url for each in three} == {"e", "f"}
    assert neighbours(["s"], Known(CHAIN), levels=5) == []


def test_neighbours_are_drawn_and_always_alike():
    many = {"s": [f"a{n}" for n in range(50)]} | {f"a{n}": [f"b{n}"] for n in range(50)}
    drawn = [each.url for each in neighbours(["s"], Known(many), limit=5)]
    assert drawn == [each.url for each in neighbours(["s"], Known(many), limit=5)]
    assert drawn != [each.url for each in neighbours(["s"], Known(many), limit=5, rng=Random(2))]
    # Of each page the first 20 in-links are followed, as in the paper.
    assert set(drawn) <= {f"b{n}" for n in range(20)}
    assert len(drawn) == 5
