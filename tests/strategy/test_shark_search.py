"""SharkSearch: equations 2 to 5, and how far it goes through irrelevant pages."""

from math import sqrt

import pytest

from lycosa.core.strategy import make
from lycosa.system.errors import Refused

# Of the page: wolf 2, spider 1, soup 1, recip 1, today 1, site 1; sim = 3 / (sqrt 2 * 3).
HTML = """<p><a href="http://b.test/">the wolf</a> today</p>
<p><a href="http://c.test/">soup</a> recipe</p>
<p>spider wolf <a href="http://d.test/">site</a></p>"""
PAGE = 1 / sqrt(2)
ONE_OF_TWO = 1 / sqrt(2)
IRRELEVANT = '<p><a href="http://b.test/">soup</a> <a href="http://c.test/">recipe</a></p>'


def parts(strategy, ticket):
    return list(strategy.explain(ticket).values())


def test_the_score_is_that_of_equations_2_to_5(look):
    strategy = make("shark-search", {"words": "1"})
    found = look(strategy, HTML)
    inherited = 0.8 * 0.5 * PAGE
    # The anchor «the wolf» is one of the two keywords, which makes its context count in full.
    assert parts(strategy, found["b.test/"]) == pytest.approx([inherited, 0.2 * 0.8 * ONE_OF_TWO, 0.2 * 0.2])
    # A word on either side of «soup»: today, recipe. Of «site»: wolf.
    assert parts(strategy, found["c.test/"]) == pytest.approx([inherited, 0, 0])
    assert parts(strategy, found["d.test/"]) == pytest.approx([inherited, 0, 0.2 * 0.2 * 0.5])


def test_the_window_decides_what_is_context(look):
    def context(words):
        strategy = make("shark-search", {"words": words})
        return strategy.explain(look(strategy, HTML)["c.test/"])["context"]

    assert context(0) == context(1) == 0
    # Two words on either side of «soup»: wolf today, recipe spider.
    assert context(2) == pytest.approx(0.04 * 2 / (sqrt(2) * sqrt(5)))


def test_gamma_delta_and_beta_are_options(look):
    strategy = make("shark-search", {"gamma": "0.5", "delta": "0.9", "beta": "0.6"})
    found = parts(strategy, look(strategy, HTML)["b.test/"])
    assert found == pytest.approx([0.5 * 0.9 * PAGE, 0.5 * 0.6 * ONE_OF_TWO, 0.5 * 0.4])


def test_behind_irrelevant_pages_the_inheritance_fades(look):
    strategy = make("shark-search")
    ticket = look(strategy, HTML)["c.test/"]
    inherited = [strategy.explain(ticket)["inherited"]]
    for _ in range(2):
        ticket = look(strategy, IRRELEVANT, memo=ticket.memo)["b.test/"]
        inherited.append(strategy.explain(ticket)["inherited"])
    assert inherited == pytest.approx([0.8 * PAGE * fade for fade in (0.5, 0.25, 0.125)])


def test_a_relevant_page_counts_for_itself_whatever_its_ancestors_were(look):
    strategy = make("shark-search")
    low, high = ([None, inherited, 0] for inherited in (0.0, 1.0))
    assert look(strategy, HTML, memo=low) == look(strategy, HTML, memo=high) == look(strategy, HTML)


def test_a_seed_inherits_nothing(look):
    assert {ticket.score for ticket in look(make("shark-search"), IRRELEVANT).values()} == {0.0}


@pytest.mark.parametrize("d", [0, 1, 3])
def test_a_path_ends_after_d_irrelevant_pages_in_a_row(look, d):
    strategy = make("shark-search", {"d": d})
    memo = look(strategy, HTML)["c.test/"].memo
    for _ in range(d):
        memo = look(strategy, IRRELEVANT, memo=memo)["b.test/"].memo
    assert look(strategy, IRRELEVANT, memo=memo) == {}
    # A relevant page at the end of its path begins a new one.
    assert look(strategy, HTML, memo=memo) == look(strategy, HTML)


def test_a_url_that_stands_in_two_places_is_judged_by_the_better(look):
    strategy = make("shark-search")
    found = look(strategy, '<a href="http://b.test/">wolf</a> <a href="http://b.test/">soup</a>')
    assert strategy.explain(found["b.test/"])["anchor"] > 0


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"gamma": "-0.1"}, "shark-search cannot work with gamma=-0.1: give a number from 0 to 1"),
        ({"delta": "2"}, "delta=2.0"),
        ({"beta": "nan"}, "beta=nan"),
        ({"d": "-1"}, "shark-search cannot work with d=-1 and words=10: give both at least 0"),
        ({"words": "-5"}, "words=-5"),
        ({"d": "deep"}, "option d of shark-search takes int"),
    ],
)
def test_impossible_options_are_refused(settings, line):
    with pytest.raises(Refused, match=line):
        make("shark-search", settings)
