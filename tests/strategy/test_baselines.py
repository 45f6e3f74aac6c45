"""Breadth-first, naive best-first, Best-N-First and random order: what the others are compared with."""

from random import Random

import pytest

from lycosa.core.brief import Brief
from lycosa.core.nouns import Topic
from lycosa.core.strategy import make

# Of the page: wolf 2, spider 1, soup 1, recip 1, today 1, site 1; so equation 1 gives 3 / (sqrt 2 * sqrt 9).
HTML = """<p><a href="http://b.test/">the wolf</a> today</p>
<p><a href="http://c.test/">soup</a> recipe</p>
<p>spider wolf <a href="http://d.test/">site</a></p>"""
COSINE = 3 / (2**0.5 * 9**0.5)
LINKS = ["b.test/", "c.test/", "d.test/"]


def begun(name, **settings):
    strategy = make(name, settings)
    list(strategy.begin(Brief(Topic("wolf spider"), ["http://a.test/"], Random(1))))
    return strategy


@pytest.mark.parametrize("name", ["best-first", "best-n-first"])
def test_naive_best_first_gives_every_link_the_cosine_of_its_page(look, name):
    found = look(begun(name), HTML)
    assert {url: ticket.score for url, ticket in found.items()} == pytest.approx(dict.fromkeys(LINKS, COSINE))


def test_breadth_first_gives_no_link_more_than_another_and_leaves_them_in_their_order(look):
    found = look(begun("breadth-first"), HTML)
    assert list(found) == LINKS
    assert len({ticket.score for ticket in found.values()}) == 1


def test_best_n_first_asks_for_the_batches_and_the_buffer_of_figure_1():
    """N links are dequeued together, MAX_BUFFER = 256, and the link with the least score makes room for a new one."""
    published = make("best-n-first")
    assert (published.batch, published.capacity, published.full) == (256, 256, "replace-worst")
    other = make("best-n-first", {"n": "16", "buffer": "64"})
    assert (other.batch, other.capacity) == (16, 64)


def test_random_order_hangs_on_the_dice_of_the_brief_and_on_nothing_else(look):
    first, again = (look(begun("random"), HTML) for _ in range(2))
    dice = Random(1)
    assert [ticket.score for ticket in first.values()] == [dice.random() for _ in LINKS]
    assert first == again


@pytest.mark.parametrize("name", ["breadth-first", "best-first", "best-n-first", "random"])
def test_a_seed_has_no_reasons(name):
    strategy = make(name)
    (seed,) = strategy.begin(Brief(Topic("wolf spider"), ["http://a.test/"], Random(1)))
    assert strategy.explain(seed) == {}
