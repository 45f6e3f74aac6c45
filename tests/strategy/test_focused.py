"""The focused crawler: R(p) worked out by hand, soft and hard focus, and the links of hubs."""

from random import Random

import pytest

from lycosa.core.brief import Brief
from lycosa.core.nouns import Page, Ticket, Topic, Visit
from lycosa.core.priors import PageReading, Priors, ReadPages
from lycosa.core.strategy import make
from lycosa.core.taxonomy import Category, Taxonomy
from lycosa.frontier.frontier import Frontier, Lease
from lycosa.system.errors import Refused

TOPIC = Topic("spiders")
TEXTS = {
    "http://wolf.test/": "wolf wolf spider",
    "http://web.test/": "web spider",
    "http://oak.test/": "oak leaf",
    "http://car.test/": "car",
}
TAXONOMY = Taxonomy(
    (
        Category("Top"),
        Category("Top/Animals", good=True),
        Category("Top/Animals/Hunters", ("http://wolf.test/",)),
        Category("Top/Animals/Weavers", ("http://web.test/",)),
        Category("Top/Plants", ("http://oak.test/",)),
        Category("Top/Cars", ("http://car.test/",)),
    )
)
LORE = Priors(readings={url: PageReading(text) for url, text in TEXTS.items()}, taxonomy=TAXONOMY)


def focused(priors=LORE, **settings):
    strategy = make("focused", settings)
    strategy.prepare(TOPIC, priors)
    list(strategy.begin(Brief(TOPIC, ("http://seed.test/",), Random(1), priors)))
    return strategy


def visit(strategy, url, text, *links):
    """The tickets that follow from a page, by URL."""
    page = Page(url, text)
    sensed = strategy.sense(page, TOPIC)
    tickets = list(strategy.learn(Visit(Ticket(url), 0.0, links, sensed)))
    for ticket in tickets:
        assert sum(strategy.explain(ticket).values()) == pytest.approx(ticket.score)
    return {ticket.url: ticket for ticket in tickets}


def test_relevance_is_the_sum_of_the_good_categories_posteriors():
    # Vocabulary of the children of Top: wolf, spider, web, oak, leaf, car. Words: Animals 5 (wolf 2, spider 2, web 1),
    # Plants 2, Cars 1; priors 2/4, 1/4, 1/4. For «wolf car»:
    animals = 2 / 4 * (1 + 2) / (6 + 5) * 1 / (6 + 5)
    plants = 1 / 4 * 1 / (6 + 2) * 1 / (6 + 2)
    cars = 1 / 4 * 1 / (6 + 1) * (1 + 1) / (6 + 1)
    relevance, _ = focused().sense(Page("http://x.test/", "wolf car"), TOPIC)
    assert relevance == pytest.approx(animals / (animals + plants + cars))


def test_the_best_leaf_need_not_be_where_the_most_relevance_is():
    # Animals has the largest share, but its leaves divide it: of «wolf», 3/6 for Hunters and 1/5 for Weavers.
    animals = 2 / 4 * (1 + 2) / (6 + 5) * 1 / (6 + 5)
    cars = 1 / 4 * 1 / (6 + 1) * (1 + 1) / (6 + 1)
    assert animals > cars > animals * (3 / 6) / (3 / 6 + 1 / 5)
    _, leaf = focused().sense(Page("http://x.test/", "wolf car"), TOPIC)
    assert leaf == "Top/Cars"


def test_soft_focus_scores_links_by_the_relevance_of_their_page():
    strategy = focused()
    near = visit(strategy, "http://a.test/", "wolf spider web", "http://b.test/", "http://c.test/")
    far = visit(strategy, "http://d.test/", "car car oak", "http://e.test/")
    assert near["http://b.test/"].score == near["http://c.test/"].score > 0.8
    assert 0 < far["http://e.test/"].score < 0.1
    assert near["http://b.test/"].via == "http://a.test/"


def test_hard_focus_follows_only_links_of_pages_whose_best_leaf_is_below_a_good_category():
    strategy = focused(focus="hard")
    assert set(visit(strategy, "http://a.test/", "wolf wolf spider", "http://b.test/")) == {"http://b.test/"}
    assert visit(strategy, "http://d.test/", "car car car", "http://e.test/") == {}


def test_the_links_of_a_top_hub_are_promoted():
    strategy = focused(every=4)
    authorities = [f"http://authority{nth}.test/" for nth in range(3)]
    fresh = ["http://fresh.test/", "http://fresher.test/"]
    first = visit(strategy, "http://hub.test/", "wolf spider oak", *authorities, *fresh)
    tickets = [visit(strategy, url, "wolf wolf spider spider") for url in authorities]
    assert tickets[:2] == [{}, {}]
    promoted = tickets[2]
    assert set(promoted) == set(fresh)
    for url in fresh:
        assert promoted[url].via == "http://hub.test/"
        assert promoted[url].score == pytest.approx(first[url].score + 1.0)
        assert strategy.explain(promoted[url])["linked by a top hub"] == 1.0
    assert strategy.explain(Ticket("http://seed.test/", 1.0)) == {}


def test_the_distiller_can_be_left_out():
    strategy = focused(every=1, distiller="no")
    visit(strategy, "http://hub.test/", "wolf spider", "http://one.test/", "http://fresh.test/")
    assert visit(strategy, "http://one.test/", "wolf spider") == {}


def test_a_hub_of_another_category_opens_what_hard_focus_has_pruned():
    strategy = focused(focus="hard", every=3, rho=0.5)
    text = "spider wolf car car"
    assert visit(strategy, "http://list.test/", text, "http://one.test/", "http://fresh.test/") == {}
    visit(strategy, "http://one.test/", "wolf wolf spider")
    assert set(visit(strategy, "http://two.test/", "wolf wolf spider")) == {"http://fresh.test/"}


def test_a_resumed_crawl_promotes_the_same_links():
    first, resumed = focused(every=3), focused(every=3)
    visit(first, "http://hub.test/", "wolf spider", "http://one.test/", "http://fresh.test/")
    visit(first, "http://one.test/", "wolf spider")
    resumed.load(first.save())
    last = [visit(strategy, "http://two.test/", "wolf") for strategy in (first, resumed)]
    assert last[0] == last[1] != {}
    assert first.save() == resumed.save()


def test_few_words_of_evidence_leave_an_order_among_pages():
    texts = ["wolf spider " * 400, "wolf spider web " * 400 + "oak " * 100]
    extreme = [focused(words=0).sense(Page("http://x.test/", text), TOPIC)[0] for text in texts]
    tempered = [focused(words=10).sense(Page("http://x.test/", text), TOPIC)[0] for text in texts]
    assert extreme == [1.0, 1.0]
    assert 1 > tempered[0] > tempered[1] > 0


def test_the_examples_are_wanted_and_not_more_of_a_category_than_told():
    assert list(make("focused").study(TOPIC, Priors(taxonomy=TAXONOMY))) == [ReadPages(url) for url in TEXTS]
    many = Taxonomy(
        (Category("A", tuple(f"http://a{nth}.test/" for nth in range(9)), good=True), Category("B", ("b",)))
    )
    assert len(list(make("focused", {"examples": "3"}).study(TOPIC, Priors(taxonomy=many)))) == 4


@pytest.mark.parametrize(("kind", "gone"), [("good", ["wolf", "web"]), ("other", ["oak", "car"])])
def test_it_does_not_begin_when_the_examples_cannot_be_read(kind, gone):
    texts = LORE.readings | {f"http://{name}.test/": None for name in gone}
    with pytest.raises(Refused, match=f"no example page of the {kind} categories could be read"):
        make("focused").study(TOPIC, Priors(readings=texts, taxonomy=TAXONOMY))
    one_left = texts | {f"http://{gone[0]}.test/": PageReading("there")}
    make("focused").study(TOPIC, Priors(readings=one_left, taxonomy=TAXONOMY))


@pytest.mark.parametrize(
    "setting", ["focus=sharp", "apart=page", "every=0", "hubs=0", "words=-1", "examples=0", "boost=-1", "rho=1"]
)
def test_options_that_cannot_be_are_refused(setting):
    name, _, value = setting.partition("=")
    with pytest.raises(Refused, match=f"focused cannot work with {name}="):
        make("focused", {name: value})


def hunt(strategy, web):
    """The pages of a little web in the order of their visits: name -> text and the names it links to."""
    frontier, visited = Frontier(), []
    frontier.put([Ticket("http://seed.test/", 1.0)])
    while isinstance(lease := frontier.lease(strategy.choose, lambda host: 0.0, 0.0, 1), Lease):
        name = lease.ticket.url[7:-6]
        visited.append(name)
        text, links = web[name]
        frontier.put(visit(strategy, lease.ticket.url, text, *[f"http://{link}.test/" for link in links]).values())
    return visited


def test_hard_focus_stagnates_where_soft_focus_tunnels():
    web = {
        "seed": ("wolf spider", ["garage", "forest"]),
        "garage": ("car car car", ["den"]),
        "forest": ("oak leaf spider", []),
        "den": ("wolf wolf spider", ["prey"]),
        "prey": ("wolf spider", []),
    }
    assert set(hunt(focused(focus="hard"), web)) == {"seed", "garage", "forest"}
    assert set(hunt(focused(focus="soft"), web)) == set(web)


def test_with_a_distiller_the_hubs_other_links_come_first():
    relevant, other = "wolf wolf spider", "spider wolf oak leaf"
    web = {
        "seed": (relevant, ["hub", "good0"]),
        "hub": (other, ["good0", "good1", "good2", "fresh"]),
        "good0": (relevant, ["plain0", "plain1", "plain2"]),
        "fresh": (relevant, []),
    }
    web |= {f"good{nth}": (relevant, []) for nth in (1, 2)} | {f"plain{nth}": (relevant, []) for nth in range(3)}
    without = hunt(focused(distiller="no"), web)
    promoted = hunt(focused(every=3, apart="host"), web)
    assert set(without) == set(promoted) == set(web)
    assert without.index("fresh") > without.index("plain2")
    assert promoted.index("fresh") < promoted.index("plain2")
