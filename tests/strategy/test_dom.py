"""The DOM crawler: context and page, weighted as the paper says."""

from math import sqrt

import pytest

from lycosa.core.strategy import make
from lycosa.system.errors import Refused

# Of the page: animal 1, wolf 2, spider 1, soup 1, site 1; so sim(wolf spider, page) = 3 / (sqrt 2 * sqrt 8) = .75.
HTML = """<title>Animals</title>
<ul>
 <li>The <a href="http://b.test/">wolf</a> and the spider</li>
 <li><a href="http://c.test/">soup</a></li>
</ul>
<p>A wolf <b><a href="http://d.test/">site</a></b></p>"""
PAGE = 0.75


def scores(found):
    return {url: ticket.score for url, ticket in found.items()}


def test_the_score_is_that_of_page_and_parent(look):
    # Parents: «The wolf and the spider» is the keywords, «soup» and «site» have nothing of them.
    found = scores(look(make("dom"), HTML))
    assert found == pytest.approx({"b.test/": 0.25 * PAGE + 0.75, "c.test/": 0.25 * PAGE, "d.test/": 0.25 * PAGE})


def test_any_ancestor_can_be_the_aggregation_node(look):
    # The list: wolf, spider, soup. The paragraph: wolf, site.
    found = scores(look(make("dom", {"ancestor": "2", "alpha": "0"}), HTML))
    in_list = 2 / (sqrt(2) * sqrt(3))
    assert found == pytest.approx({"b.test/": in_list, "c.test/": in_list, "d.test/": 0.5})


def test_the_aggregation_node_can_be_the_smallest_with_enough_words(look):
    # «soup» is too short, its list has six words; «site» is too short, its paragraph has three.
    found = scores(look(make("dom", {"words": "3", "alpha": "0"}), HTML))
    assert found == pytest.approx({"b.test/": 1.0, "c.test/": 2 / sqrt(6), "d.test/": 0.5})


def test_words_are_looked_for_from_the_ancestor_outwards(look):
    found = scores(look(make("dom", {"ancestor": "2", "words": "3", "alpha": "0"}), HTML))
    assert found == pytest.approx({"b.test/": 2 / sqrt(6), "c.test/": 2 / sqrt(6), "d.test/": 0.5})


@pytest.mark.parametrize("settings", [{"alpha": 1}, {"ancestor": 99}, {"words": 1000}])
def test_naive_best_first_is_a_special_case(look, settings):
    found = scores(look(make("dom", settings), HTML))
    assert found == pytest.approx({"b.test/": PAGE, "c.test/": PAGE, "d.test/": PAGE})


def test_a_url_that_stands_in_two_places_is_judged_by_the_better(look):
    found = look(
        make("dom", {"alpha": 0}),
        """<p><a href="http://b.test/">soup</a></p> <p>wolf <a href="http://b.test/">site</a></p>
        <p><a href="http://b.test/">more</a></p>""",
    )
    assert scores(found) == pytest.approx({"b.test/": 0.5})


def test_why_tells_page_and_context(look):
    strategy = make("dom")
    ticket = look(strategy, HTML)["b.test/"]
    assert strategy.explain(ticket) == pytest.approx({"page": 0.1875, "context": 0.75})


def test_a_page_without_links_leads_nowhere(look):
    assert look(make("dom"), "<p>wolf spider</p>") == {}


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"alpha": "1.5"}, r"dom cannot work with alpha=1.5: give a number from 0 to 1"),
        ({"alpha": "nan"}, "alpha=nan"),
        ({"ancestor": "0"}, "dom cannot work with ancestor=0 and words=0: give ancestor at least 1"),
        ({"words": "-1"}, "words=-1"),
    ],
)
def test_impossible_options_are_refused(settings, line):
    with pytest.raises(Refused, match=line):
        make("dom", settings)
