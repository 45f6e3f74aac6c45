"""The context focused crawler: layers by in-links, what tells them apart, and the lowest queue first."""

import shutil
from fractions import Fraction
from itertools import islice
from math import log
from random import Random

import pytest

from lycosa.app.hunts import hunt, resume
from lycosa.core.brief import Brief
from lycosa.core.nouns import Page, Ticket, Topic, Visit
from lycosa.core.priors import Background, LinksTo, PageReading, Priors, ReadPages, Usual
from lycosa.core.strategy import make
from lycosa.core.words import terms
from lycosa.frontier.frontier import Frontier
from lycosa.strategy.context_graph import LayerClassifier, vocabulary_of
from lycosa.system.errors import Refused
from lycosa.web.made import Made

# Two examples, three pages that link to them, two that link to those.
INLINKS = {
    "one": ("A", "B"),
    "two": ("B", "C", "one"),
    "A": ("D",),
    "B": ("D", "C", "two"),
    "C": ("E", "A"),
    "D": ("F", "A"),
    "E": (),
}
TEXTS = {
    "one": "Wolf spider venom",
    "two": "The wolf spider, silk",
    "A": "lab staff spider",
    "B": "lab staff wolf",
    "C": "lab staff",
    "D": "town lab lab lab",
    "E": "town shop",
}
TOPIC = Topic("wolf spider", examples=("one", "two"))
LAYERS = [["one", "two"], ["A", "B", "C"], ["D", "E"]]
BAGS = [[terms(TEXTS[url]) for url in layer] for layer in LAYERS]
# Of seven pages so many hold each term.
HOLDING = {"wolf": 3, "spider": 3, "venom": 1, "silk": 1, "lab": 4, "staff": 3, "town": 2, "shop": 1}
USAGE = Background(7, HOLDING)
RARITY = {term: log(7 / HOLDING[term]) for term in ("wolf", "spider", "venom", "silk", "lab", "staff")}


def priors(texts=TEXTS, inlinks=INLINKS, **rest):
    return Priors({url: PageReading(text) for url, text in texts.items()}, dict(inlinks), **rest)


def prepared(known=None, **options):
    strategy = make("context-graph", {"layers": 2, **options})
    strategy.prepare(TOPIC, known or priors())
    return strategy


def page(text, url="http://p.test/"):
    return Page(url, text)


def lanes(strategy, *texts):
    return [strategy.sense(page(text), TOPIC)[0] for text in texts]


def test_layers_are_made_of_in_links_and_a_page_belongs_to_the_lowest():
    found = make("context-graph", {"layers": 2}).graph(TOPIC, priors())  # type: ignore[attr-defined]
    # Page one links to two, but is an example; A and C also link to pages of layer 1.
    assert [sorted(layer) for layer in found] == [sorted(layer) for layer in LAYERS]


def test_the_graph_ends_where_nobody_links_to_it():
    found = make("context-graph", {"layers": 9}).graph(TOPIC, priors(inlinks=INLINKS | {"F": ()}))  # type: ignore[attr-defined]
    assert [sorted(layer) for layer in found[2:]] == [["D", "E"], ["F"]]


def test_of_the_in_links_of_a_page_the_first_are_taken():
    found = make("context-graph", {"layers": 1, "inlinks": 1}).graph(TOPIC, priors())  # type: ignore[attr-defined]
    assert sorted(found[1]) == ["A", "B"]


def test_a_large_layer_is_sampled_and_those_left_out_are_in_no_other_layer():
    examples, (inner,), (outer,) = make("context-graph", {"layers": 2, "sample": 1}).graph(TOPIC, priors())  # type: ignore[attr-defined]
    assert examples == ["one", "two"], "all examples are kept"
    assert inner in {"A", "B", "C"}
    assert outer in {"D", "E"}, "B and C have others of layer 1 among their in-links"


def test_the_vocabulary_worked_by_hand():
    # In the five inner pages: wolf, spider, lab and staff three times, venom and silk once.
    found = vocabulary_of([*BAGS[0], *BAGS[1]], USAGE, 10)
    assert list(found) == ["wolf", "spider", "staff", "venom", "silk", "lab"]
    assert found == pytest.approx({term: RARITY[term] for term in found})
    assert list(vocabulary_of([*BAGS[0], *BAGS[1]], USAGE, 2)) == ["wolf", "spider"]
    # In the examples alone venom and silk, once each, are worth more than what occurs elsewhere, too.
    assert list(vocabulary_of(BAGS[0], USAGE, 10)) == ["venom", "silk", "wolf", "spider"]


def test_a_term_of_every_page_tells_nothing():
    assert vocabulary_of([terms("wolf spider")], Background(3, {"wolf": 3, "spider": 2}), 10).keys() == {"spider"}


def share(*likelihoods):
    """The probability of the first of several classes that were equally probable before."""
    return pytest.approx(float(likelihoods[0] / sum(likelihoods)))


def of_layers(inner, middle, outer):
    """Likelihoods of words that were seen so often in each layer: of 6, 8 and 3, in a vocabulary of 6."""
    found = []
    for total, counts in ((6, inner), (8, middle), (3, outer)):
        likelihood = Fraction(1)
        for count in counts:
            likelihood *= Fraction(1 + count, 6 + total)
        found.append(likelihood)
    return found


def test_layers_are_told_apart_by_naive_bayes_worked_by_hand():
    classifier = LayerClassifier(BAGS, RARITY, 40, threshold=0.01)
    # wolf was seen 2, 1 and 0 times in the layers, spider 2, 1 and 0 times.
    assert classifier(terms("wolf spider")) == ("0", share(*of_layers((2, 2), (1, 1), (0, 0))))
    inner, middle, outer = of_layers((0, 0), (3, 3), (3, 0))
    assert classifier(terms("lab staff")) == ("1", share(middle, inner, outer))
    inner, middle, outer = of_layers((0, 0), (3, 3), (3, 3))
    assert classifier(terms("lab lab")) == ("2", share(outer, inner, middle))


def test_the_threshold_of_a_layer_is_the_lowest_probability_of_its_own_pages():
    classifier = LayerClassifier(BAGS, RARITY, 40)
    inner, middle, outer = of_layers((0, 0), (3, 3), (3, 0))
    last = of_layers((0, 0, 0), (3, 3, 3), (3, 3, 3))
    assert classifier.thresholds == {
        "0": share(*of_layers((2, 2, 1), (1, 1, 0), (0, 0, 0))),
        "1": share(middle, inner, outer),  # page C's, «lab staff»; A and B have a word more
        "2": share(*reversed(last)),
    }


def test_a_page_below_the_threshold_of_its_layer_is_another():
    texts = "wolf spider venom", "wolf spider", "lab staff", "lab lab lab"
    assert lanes(prepared(threshold=0), *texts) == ["0", "other", "1", "2"]
    assert lanes(prepared(), *texts) == ["0", "0", "1", "2"], "more likely than not is enough if nothing else is said"
    assert lanes(prepared(threshold=0.65), "wolf spider", "lab staff") == ["0", "other"]
    likelihood = prepared(threshold=0).sense(page("wolf spider"), TOPIC)[1]
    assert likelihood == share(*of_layers((2, 2), (1, 1), (0, 0))), "it is told, and orders the other pages"


def test_a_page_without_any_known_word_is_another_whatever_the_threshold():
    for text in ("", "town", "completely different"):
        assert prepared(threshold=0.001).sense(page(text), TOPIC) == ["other", 0.0]


def test_only_the_terms_of_highest_weight_count():
    classifier = LayerClassifier(BAGS, RARITY, 2)
    # ln 7 for venom, 2 ln(7/3) for wolf, ln(7/4) for lab.
    assert classifier.reduced(terms("lab wolf wolf venom unknown")) == {"wolf": 2, "venom": 1}


def test_the_vocabulary_can_be_that_of_the_examples_alone():
    assert lanes(prepared(master=1, threshold=0.01), "lab staff") == ["other"]
    assert lanes(prepared(master=2, threshold=0.01), "lab staff") == ["1"]


def test_how_usual_terms_are_can_be_asked_of_others():
    strategy = make("context-graph", {"layers": 2, "reference": "yes"})
    assert Usual() in list(strategy.study(TOPIC, Priors()))
    assert Usual() not in list(make("context-graph").study(TOPIC, Priors()))
    # Where every page is about wolves and spiders, they tell nothing.
    usual = Background(10, {"wolf": 10, "spider": 10, "venom": 1})
    assert lanes(prepared(priors(background=usual), reference=True, threshold=0.01), "wolf spider") == ["other"]
    assert lanes(prepared(priors(background=usual), threshold=0.01), "wolf spider") == ["0"]


def test_links_wait_in_the_queue_of_their_page_and_the_lowest_is_next():
    strategy = prepared()
    found = {}
    for text in ("completely different", "lab lab lab", "lab staff", "wolf spider venom"):
        sense = strategy.sense(page(text), TOPIC)
        tickets = list(
            strategy.learn(Visit(Ticket("http://p.test/"), 0.5, ["http://x.test/", "http://y.test/"], sense))
        )
        assert {(ticket.lane, ticket.score, ticket.via) for ticket in tickets} == {
            (sense[0], tickets[0].score, "http://p.test/")
        }
        found[sense[0]] = tickets[0]
    for lane in ("0", "1", "2", "other"):
        assert strategy.choose(found) == lane == max(found, key=lambda each: found[each].score)
        del found[lane]


def test_layers_beyond_the_ninth_come_in_the_order_of_their_numbers():
    assert (
        make("context-graph", {"layers": 12}).choose({"10": Ticket("x"), "9": Ticket("y"), "other": Ticket("z")}) == "9"
    )


def test_in_a_queue_the_links_of_the_likeliest_pages_come_first():
    strategy = prepared(threshold=0.01)
    scores = [learned(strategy, text)[0].score for text in ("wolf spider venom", "wolf spider", "wolf venom")]
    likelihoods = [strategy.sense(page(text), TOPIC)[1] for text in ("wolf spider venom", "wolf spider", "wolf venom")]
    assert sorted(scores) == [score for _, score in sorted(zip(likelihoods, scores, strict=True))]


def learned(strategy, text, *links):
    visit = Visit(Ticket("http://p.test/"), 0.0, list(links) or ["http://x.test/"], strategy.sense(page(text), TOPIC))
    return list(strategy.learn(visit))


def test_a_link_that_is_found_in_several_layers_waits_in_the_lowest():
    for texts in (("lab staff", "wolf spider"), ("wolf spider", "lab staff")):
        strategy, frontier = prepared(threshold=0.01), Frontier(merge="max")
        for text in texts:
            frontier.put(learned(strategy, text))
        assert [ticket.lane for ticket in frontier.best(9)] == ["0"]


def test_why_tells_layer_and_likelihood():
    strategy = prepared(threshold=0.01)
    (ticket,) = learned(strategy, "lab staff")
    likelihood = strategy.sense(page("lab staff"), TOPIC)[1]
    assert strategy.explain(ticket) == pytest.approx({"layer 1": 2 / 4, "likelihood": likelihood / 4})
    assert sum(strategy.explain(ticket).values()) == pytest.approx(ticket.score)
    (ticket,) = learned(strategy, "different")
    assert strategy.explain(ticket) == {"other": 0, "likelihood": 0}
    assert strategy.explain(Ticket("http://seed.test/", 1.0, "0")) == {}


def test_seeds_come_first():
    strategy, frontier = prepared(), Frontier()
    frontier.put(strategy.begin(Brief(TOPIC, ("http://seed.test/", "http://other.test/"), Random(1))))
    frontier.put(learned(strategy, "wolf spider venom"))
    got = [frontier.lease(strategy.choose, lambda host: 0.0, 0.0, 1).ticket.url for _ in range(3)]
    assert got == ["http://seed.test/", "http://other.test/", "http://x.test/"]


def test_sensing_hangs_on_what_was_prepared_and_on_nothing_else():
    brain, scout = prepared(), prepared()
    texts = ("wolf spider venom", "lab staff", "town")
    before = [scout.sense(page(text), TOPIC) for text in texts]
    for text in texts * 2:
        learned(brain, text)
    resumed = prepared()
    resumed.load(brain.save())
    assert [brain.sense(page(text), TOPIC) for text in reversed(texts)] == before[::-1]
    assert [resumed.sense(page(text), TOPIC) for text in texts] == before
    assert [learned(resumed, text) for text in texts] == [learned(brain, text) for text in texts]


def met(strategy, topic, endless):
    """Everything that is wished for, as the engine would meet it; and in how many rounds."""
    known, asked, rounds = Priors(), [], 0
    while lacking := [want for want in dict.fromkeys(strategy.study(topic, known)) if known.lacks(want)]:
        rounds += 1
        assert rounds < 20
        for want in lacking:
            asked.append(want)
            if isinstance(want, ReadPages):
                known.readings[want.url] = PageReading(f"text of {want.url}")
            else:
                known.inlinks[want.url] = endless(want.url, want.limit)
    return asked, rounds


def test_wishes_come_to_an_end_and_are_bounded():
    strategy = make("context-graph", {"layers": 3, "inlinks": 4, "sample": 10})
    asked, rounds = met(strategy, TOPIC, lambda url, limit: tuple(f"{url}/{n}" for n in range(limit)))
    read = [want.url for want in asked if isinstance(want, ReadPages)]
    assert len(read) == len(set(read)) == 2 + 8 + 10 + 10
    assert len([want for want in asked if isinstance(want, LinksTo)]) == 2 + 8 + 10, "nobody asks beyond the last layer"
    assert rounds == 4
    assert met(strategy, TOPIC, lambda url, limit: tuple(f"{url}/{n}" for n in range(limit))) == (asked, rounds)


def test_pages_that_link_to_each_other_are_wished_for_once():
    asked, _ = met(make("context-graph"), TOPIC, lambda url, limit: ("one", "two", "three"))
    assert sorted(want.url for want in asked if isinstance(want, ReadPages)) == ["one", "three", "two"]


def test_pages_that_cannot_be_had_are_done_without():
    known = priors()
    known.readings |= {"two": None, "A": None, "E": None}
    strategy = make("context-graph", {"layers": 2})
    assert not [want for want in strategy.study(TOPIC, known) if known.lacks(want)]
    assert lanes(prepared(known, threshold=0.01), "wolf spider venom", "lab staff") == ["0", "1"]


@pytest.mark.parametrize(
    "known, problem",
    [
        (Priors(inlinks={"one": (), "two": ("one",)}), "no page is known that links to an example"),
        (Priors(readings={"one": None, "two": None}), "none of the examples can be read"),
        (
            Priors({"one": PageReading("wolf"), "two": None, "A": None}, {"one": ("A",), "two": ()}),
            "none of the pages that link to the examples can be read",
        ),
    ],
)
def test_what_leaves_nothing_to_tell_apart_is_refused(known, problem):
    with pytest.raises(Refused, match=problem):
        list(make("context-graph", {"layers": 1}).study(TOPIC, known))


@pytest.mark.parametrize("option", ["layers=0", "inlinks=0", "sample=0", "master=0", "vocabulary=0", "features=-1"])
def test_numbers_that_make_no_sense_are_refused(option):
    with pytest.raises(Refused, match=f"context-graph cannot work with {option}"):
        make("context-graph", dict([option.split("=")]))


@pytest.mark.parametrize("threshold", ["-0.1", "1.5", "nan"])
def test_a_threshold_is_a_probability(threshold):
    with pytest.raises(Refused, match="context-graph cannot work with threshold"):
        make("context-graph", {"threshold": threshold})


WEB = "made:pages=600,topics=3,seed=5"
SCHOOL = Made(pages=600, topics=3, seed=5).topics[0]


def begin(out, pages=60, **options):
    options = {"inlinks": [WEB], "settings": {"layers": 2, "sample": 20}, "replay": WEB, **options}
    return hunt(SCHOOL.keywords, SCHOOL.examples, out=out, pages=pages, strategy="context-graph", **options)


def test_without_examples_it_is_refused_before_there_is_a_folder(tmp_path):
    with pytest.raises(Refused, match="context-graph learns from pages that are about the topic, and there are none"):
        begin(tmp_path / "c", on_topic=False)
    assert not (tmp_path / "c").exists()


def test_without_a_source_of_in_links_it_is_refused_before_there_is_a_folder(tmp_path):
    with pytest.raises(Refused, match="name a source of in-links"):
        begin(tmp_path / "c", inlinks=())
    assert not (tmp_path / "c").exists()


def test_a_crawl_takes_the_lowest_layers_first(tmp_path):
    with begin(tmp_path / "c", pages=150) as running:
        visits = list(running)
        texts = len([reading for reading in running.priors.readings.values() if reading])
    assert len(visits) == 150
    assert len(SCHOOL.examples) + 20 < texts <= len(SCHOOL.examples) + 2 * 20
    assert {visit.sense[0] for visit in visits} >= {"0", "1", "2"}
    # A ticket is only taken from a lane while no page that was fetched before has links left in a lower one.
    assert [visit.ticket.lane for visit in visits[: len(SCHOOL.examples)]] == ["0"] * len(SCHOOL.examples)
    waiting, done = {}, set(SCHOOL.examples)
    for visit in visits:
        lane = {"other": 3}.get(visit.ticket.lane) or int(visit.ticket.lane)
        assert all(low >= lane for url, low in waiting.items() if url not in done), visit.url
        done.add(visit.url)
        low = {"other": 3}.get(visit.sense[0]) or int(visit.sense[0])
        for url in visit.links:
            waiting[url] = min(low, waiting.get(url, low))


def test_a_crawl_resumes_in_the_middle_although_its_source_is_gone(tmp_path):
    with hunt(SCHOOL.keywords, SCHOOL.examples, out=tmp_path / "source", pages=100, replay=WEB) as running:
        list(running)
    inlinks = [str(tmp_path / "source")]
    with begin(tmp_path / "whole", 40, inlinks=inlinks) as running:
        whole = [(visit.url, visit.ticket.score, visit.sense) for visit in running]
    with begin(tmp_path / "c", 40, inlinks=inlinks) as running:
        first = [(visit.url, visit.ticket.score, visit.sense) for visit in islice(running, 17)]
    shutil.rmtree(tmp_path / "source")
    with resume(tmp_path / "c") as running:
        rest = [(visit.url, visit.ticket.score, visit.sense) for visit in running]
    assert first + rest == whole
