"""FishSearch: how many children a page has, how strong they are, and where the school dies out."""

import pytest

from lycosa.core.strategy import make
from lycosa.system.errors import Refused


def page(links, text="soup"):
    return f"<p>{text}</p>" + "".join(f'<a href="http://{link}">x</a> ' for link in links)


CHILDREN = [f"b.test/{number}" for number in range(8)]
RELEVANT, IRRELEVANT = page(CHILDREN, "wolf"), page(CHILDREN)


def scores(found):
    return [found[child].score for child in CHILDREN]


def test_a_relevant_page_has_half_as_many_children_more_and_they_come_first(look):
    strategy = make("fish-search", {"width": 4})
    assert scores(look(strategy, RELEVANT)) == [1, 1, 1, 1, 1, 1, 0, 0]
    assert scores(look(strategy, IRRELEVANT)) == [0.5, 0.5, 0.5, 0.5, 0, 0, 0, 0]


def test_links_to_other_hosts_are_selected_first(look):
    links = ["a.test/1", "b.test/1", "a.test/2", "c.test/1", "d.test/1"]
    found = look(make("fish-search", {"width": 2}), page(links, "wolf"), url="http://a.test/")
    assert {url: ticket.score for url, ticket in found.items()} == {
        "b.test/1": 1,
        "c.test/1": 1,
        "d.test/1": 1,
        "a.test/1": 0,
        "a.test/2": 0,
    }


def test_a_link_that_stands_twice_is_one_child(look):
    found = look(make("fish-search", {"width": 1}), page(["b.test/1", "b.test/1", "c.test/1"]))
    assert {url: ticket.score for url, ticket in found.items()} == {"b.test/1": 0.5, "c.test/1": 0}


@pytest.mark.parametrize("depth", [0, 1, 3])
def test_a_path_ends_after_so_many_irrelevant_pages_in_a_row(look, depth):
    strategy = make("fish-search", {"depth": depth})
    memo = look(strategy, RELEVANT)["b.test/7"].memo
    for _ in range(depth):
        memo = look(strategy, IRRELEVANT, memo=memo)["b.test/0"].memo
    assert look(strategy, IRRELEVANT, memo=memo) == {}
    # A relevant page at the end of its path begins a new one.
    assert look(strategy, RELEVANT, memo=memo) == look(strategy, RELEVANT)


def test_the_seeds_have_the_full_depth(look):
    assert look(make("fish-search", {"depth": 2}), IRRELEVANT)["b.test/0"].memo == 1
    assert look(make("fish-search", {"depth": 0}), IRRELEVANT) == {}


def test_the_threshold_says_which_pages_are_relevant(look):
    # «wolf» once and «x» not at all, which is no term: the cosine is 1 / sqrt 2.
    assert scores(look(make("fish-search", {"threshold": 0.7}), RELEVANT))[0] == 1
    assert scores(look(make("fish-search", {"threshold": 0.71}), RELEVANT))[0] == 0.5


def test_why_tells_where_the_fish_comes_from(look):
    strategy = make("fish-search", {"width": 4})
    found = look(strategy, RELEVANT)
    assert strategy.explain(found["b.test/0"]) == {"child of a relevant page": 1.0}
    assert strategy.explain(found["b.test/7"]) == {"beyond the width": 0.0}
    assert strategy.explain(look(strategy, IRRELEVANT)["b.test/0"]) == {"child of an irrelevant page": 0.5}


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"depth": "-1"}, "fish-search cannot work with depth=-1 and width=10: give depth at least 0 and width"),
        ({"width": "0"}, "width=0"),
        ({"threshold": "1"}, "fish-search cannot work with threshold=1.0: give a number from 0"),
        ({"threshold": "nan"}, "threshold=nan"),
    ],
)
def test_impossible_options_are_refused(settings, line):
    with pytest.raises(Refused, match=line):
        make("fish-search", settings)
