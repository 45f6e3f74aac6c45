"""The Hub-Seeking crawler: pages that point to several seed hosts are worth more than their words."""

from random import Random

import pytest

from lycosa.core.brief import Brief
from lycosa.core.nouns import Topic
from lycosa.core.strategy import make
from lycosa.strategy.hub_seeking import hub_score
from lycosa.system.errors import Refused

SEEDS = ("http://one.test/", "http://two.test/x", "http://two.test/y", "https://www.three.test/", "http://four.test/")


@pytest.fixture
def seeking():
    def seeking(**settings):
        strategy = make("hub-seeking", settings)
        begun = list(strategy.begin(Brief(Topic("wolf spider"), SEEDS, Random(1))))
        assert [ticket.url for ticket in begun] == list(SEEDS)
        return strategy

    return seeking


def page(*hosts):
    """Links to hosts, and one that sounds right."""
    links = "".join(f'<p><a href="{host}">firm</a></p>' for host in hosts)
    return links + '<p>wolf spider <a href="http://wolf.test/">site</a></p>'


def test_the_hub_score_is_that_of_figure_3():
    assert [hub_score(n) for n in range(6)] == pytest.approx([0, 0, 2 / 5, 6 / 10, 12 / 17, 20 / 26])
    assert hub_score(10**6) < 1


def test_a_page_that_points_to_one_seed_host_is_no_hub(look, seeking):
    html = page("http://two.test/z", "http://two.test/x")
    assert look(seeking(), html) == look(make("dom"), html)


def test_every_link_of_a_hub_has_at_least_its_hub_score(look, seeking):
    # Any page of a host counts, its name in full, and each host once: two.test and www.three.test.
    html = page("http://two.test/z", "http://two.test/a", "https://www.three.test/b", "http://three.test/")
    found = look(seeking(), html)
    # Around the one that sounds right stand wolf, spider and site; the page says «firm» four times besides.
    dom = 0.25 * 2 / (2**0.5 * 19**0.5) + 0.75 * 2 / (2**0.5 * 3**0.5)
    assert found["wolf.test/"].score == pytest.approx(dom)
    assert [found[url].score for url in ("two.test/z", "three.test/")] == [0.4, 0.4]


def test_more_seed_hosts_make_a_better_hub(look, seeking):
    html = page("http://one.test/", "http://two.test/", "https://www.three.test/", "http://four.test/")
    assert {ticket.score for ticket in look(seeking(), html).values()} == {12 / 17}


def test_a_page_does_not_point_to_its_own_host(look, seeking):
    html = page("http://one.test/about", "http://two.test/")
    assert look(seeking(), html, url="http://one.test/") == look(make("dom"), html, url="http://one.test/")
    assert look(seeking(), html)["one.test/about"].score == 0.4


def test_why_tells_which_of_the_two_scores_counted(look, seeking):
    strategy = seeking()
    found = look(strategy, page("http://one.test/", "http://two.test/"))
    assert strategy.explain(found["one.test/"]) == {"hub": 0.4}
    assert set(strategy.explain(found["wolf.test/"])) == {"page", "context"}


def test_a_resumed_crawl_still_knows_its_seed_hosts(look, seeking):
    html = page("http://one.test/", "http://two.test/")
    first, resumed = seeking(), seeking()
    resumed.load(first.save())
    assert look(resumed, html) == look(first, html)


def test_it_has_the_options_of_the_dom_crawler_and_refuses_the_same():
    assert make("hub-seeking", {"alpha": "0.5", "words": "10"}).alpha == 0.5  # type: ignore[attr-defined]
    with pytest.raises(Refused, match=r"hub-seeking cannot work with alpha=2\.0"):
        make("hub-seeking", {"alpha": 2})
