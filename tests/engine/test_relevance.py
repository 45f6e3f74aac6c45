"""The one relevance of a page: what is known is certain, what is not known is not told, and all is told again."""

import random

import msgspec
import pytest

from lycosa.core.events import Began, Judged, Rejudged, Visited
from lycosa.core.nouns import NOINDEX, Judgement, Page, Ticket, Topic, Visit
from lycosa.core.page_model import FEW, FEW_WITHOUT
from lycosa.core.page_terms import page_terms
from lycosa.core.rejudging import STEPS, UNKNOWN
from lycosa.engine.crawl import Crawl
from lycosa.engine.crawl_state import LEARNING
from lycosa.engine.relevance import Relevance
from lycosa.system.errors import Refused

SPIDERS = "wolf spider hunts at night on eight legs and carries its eggs in a silken sac under the abdomen"
SOUP = "boil the potatoes with leek and onions and stir the soup until the cream is hot and thick enough"
SEED = "http://a.test/0"


def visit(number, text=SOUP, **more):
    page = Page(f"http://a.test/{number}", f"{text} number{number}")
    return Visit(Ticket(page.url), 0.25, terms=page_terms(page), **more)


def seen(count, *examples, **more):
    """The relevance of pages, every fourth of them about spiders, and what was told when each was fetched."""
    relevance = Relevance(Topic("wolf spider", examples=examples))
    return relevance, [relevance.visited(visit(n, SOUP if n % 4 else SPIDERS, **more)) for n in range(count)]


def test_nothing_is_said_before_there_are_enough_pages_to_compare():
    relevance, told = seen(FEW_WITHOUT + 1)
    assert told[: FEW_WITHOUT - 1] == [None] * (FEW_WITHOUT - 1)
    assert None not in told[FEW_WITHOUT - 1 :]
    assert None not in [relevance.of(page) for page in range(FEW_WITHOUT + 1)]


def test_an_example_is_relevant_at_once_and_makes_the_others_known_earlier():
    relevance, told = seen(FEW, SEED)
    assert told[:FEW] == [1.0, *[None] * (FEW - 2), relevance.of(FEW - 1)]
    assert relevance.of(1) is not None


def test_a_page_out_of_the_scope_is_not_relevant_but_what_it_says_still_counts():
    relevance, _ = seen(60, withheld="scope type text/html")
    pages = relevance.pages
    assert [relevance.of(page) for page in range(60)] == [0.0] * 60
    about = [pages.contrast[page] for page in range(0, 60, 4)]
    assert min(about) > max(pages.contrast[page] for page in range(60) if page % 4)


def test_an_example_that_moved_is_still_one():
    relevance, _ = seen(3, "http://old.test/")
    relevance.moved("http://old.test/", "http://a.test/3")
    assert relevance.visited(visit(3)) == 1.0


def test_a_person_is_never_contradicted_and_a_withdrawn_word_counts_no_more():
    relevance, _ = seen(30, SEED)
    relevance.judged("http://a.test/1", True)
    relevance.judged(SEED, False)
    for number in range(30, 60):
        relevance.visited(visit(number))
    assert (relevance.of(1), relevance.of(0)) == (1.0, 0.0)
    relevance.judged("http://a.test/1", None)
    relevance.judged(SEED, None)
    assert relevance.of(0) == 1.0 and 0 < relevance.of(1) < 1
    relevance.judged("http://nowhere.test/", True)


def test_a_placeholder_is_irrelevant_and_a_page_that_hides_from_search_is_not():
    relevance, _ = seen(30)
    assert relevance.visited(visit(30, SPIDERS, withheld="login")) == 0.0
    assert relevance.visited(visit(31, SPIDERS, withheld=NOINDEX)) > 0.3


def test_nothing_is_said_about_pages_whose_words_nobody_kept():
    relevance = Relevance(Topic("wolf spider", examples=(SEED,)))
    for number in range(30):
        before = visit(number, SPIDERS)
        assert relevance.visited(msgspec.structs.replace(before, terms=None)) == (None if number else 1.0)
    relevance.visited(visit(30))
    packed = relevance.news()
    assert list(packed[:30]) == [STEPS, *[UNKNOWN] * 29] and packed[30] != UNKNOWN


def test_pages_of_an_earlier_apprentice_have_their_words_in_its_sense():
    relevance, again = (Relevance(Topic("wolf spider")) for _ in range(2))
    for number in range(FEW_WITHOUT):
        new = visit(number, SOUP if number % 4 else SPIDERS)
        size = len(new.terms) // 3
        sense = {"terms": new.terms[: 2 * size], "counts": new.terms[2 * size :], "links": b""}
        relevance.visited(new), again.visited(msgspec.structs.replace(new, terms=None, sense=sense))
    assert again.save() == relevance.save() and again.of(0) is not None


def test_the_pages_are_told_again_whenever_the_crawl_has_grown_by_a_tenth():
    relevance = Relevance(Topic("wolf spider", examples=(SEED,)))
    told = {}
    for number in range(300):
        relevance.visited(visit(number, SOUP if number % 4 else SPIDERS))
        if packed := relevance.news():
            told[number + 1] = packed
    assert list(told)[:3] == [FEW, FEW + 5, FEW + 10]
    assert all(later - earlier <= max(5, earlier // 10) for earlier, later in zip(told, [*told][1:], strict=False))
    assert all(len(packed) == pages for pages, packed in told.items())
    last = told[max(told)]
    assert last[0] == STEPS and min(last) > 0 and STEPS not in last[1:]


def test_what_is_told_at_once_is_told_only_if_there_is_something_new():
    relevance, _ = seen(40, SEED)
    assert relevance.news(now=True) and not relevance.news(now=True)
    relevance.judged("http://a.test/2", False)
    assert not relevance.news()
    assert relevance.news(now=True)[2] == 0


def test_the_harvest_is_the_mean_of_what_is_known():
    assert seen(5)[0].harvest() is None
    relevance, _ = seen(40, SEED)
    found = [relevance.of(page) for page in range(40)]
    assert relevance.harvest() == pytest.approx(sum(found) / 40)
    assert relevance.harvest(10) == pytest.approx(sum(found[-10:]) / 10)


def test_pages_that_are_no_longer_remembered_stay_in_the_harvest():
    relevance = Relevance(Topic("wolf spider", examples=(SEED,)))
    relevance.pages.memory = 10
    for number in range(30):
        relevance.visited(visit(number, SOUP if number % 4 else SPIDERS))
    assert 0 < (relevance.harvest() or 0) < 1
    assert len(relevance.news()) == 10
    assert relevance.of(19) is None and relevance.of(20) is not None
    again = Relevance(Topic("wolf spider"))
    again.pages.memory = 10
    again.load(msgspec.msgpack.decode(msgspec.msgpack.encode(relevance.save())))
    assert again.harvest() == relevance.harvest() and again.save() == relevance.save()


def test_pages_that_are_out_of_the_scope_are_no_part_of_the_harvest():
    relevance, _ = seen(40)
    for number in range(40, 60):
        relevance.visited(visit(number, withheld="scope language de"))
    found = [relevance.of(page) for page in range(60)]
    assert found[40:] == [0.0] * 20
    assert relevance.harvest() == pytest.approx(sum(found) / 40)
    assert relevance.harvest(10) == pytest.approx(sum(found[30:40]) / 10)


def test_pages_out_of_the_scope_are_forgotten_in_their_turn():
    relevance, again = (Relevance(Topic("wolf spider", examples=(SEED,))) for _ in range(2))
    relevance.pages.memory = again.pages.memory = 10
    kept = []
    for number in range(60):
        outside = number % 2 == 1
        relevance.visited(visit(number, SPIDERS, withheld="scope type text/plain" if outside else ""))
        kept += [] if outside else [number]
        assert len(relevance.kept()) == sum(page > number - 10 for page in kept)
    again.load(msgspec.msgpack.decode(msgspec.msgpack.encode(relevance.save())))
    # Half of the pages count for nothing, but the others are all about spiders.
    assert again.harvest() == relevance.harvest() and (again.harvest() or 0) > 0.6


def web_of(count):
    rng = random.Random(5)
    names = [f"{number % 7}.test/{number}" for number in range(count)]
    pages = {
        name: (f"{SOUP if number % 3 else SPIDERS} {number}", rng.sample(names, 8)) for number, name in enumerate(names)
    }
    return pages, names[0]


@pytest.mark.parametrize("strategy", ["best-first", "apprentice"])
def test_every_page_of_a_log_has_its_relevance_whatever_the_strategy(run, plan, little_web, strategy):
    pages, seed = web_of(150)
    told = [event for _, event in run(plan(seed, strategy=strategy, pages=120), little_web(pages)).told]
    visits = [event for event in told if isinstance(event, Visited)]
    again = [event.packed for event in told if isinstance(event, Rejudged)]
    assert [visited.relevance is None for visited in visits] == [True] * (FEW_WITHOUT - 1) + [False] * (
        121 - FEW_WITHOUT
    )
    assert len(again[0]) == FEW_WITHOUT and len(again[-1]) == len(visits) == 120
    spiders = [
        byte
        for byte, visited in zip(again[-1], visits, strict=True)
        if int(visited.visit.url.rpartition("/")[2]) % 3 == 0
    ]
    others = [
        byte for byte, visited in zip(again[-1], visits, strict=True) if int(visited.visit.url.rpartition("/")[2]) % 3
    ]
    assert min(spiders) > max(others)


@pytest.mark.parametrize("strategy", ["best-first", "apprentice"])
def test_a_crawl_that_is_cut_says_the_same_of_its_pages(run, plan, little_web, strategy):
    pages, seed = web_of(150)
    planned = plan(seed, strategy=strategy, pages=120)
    whole = run(planned, little_web(pages))
    first = run(planned, little_web(pages), steps=37)
    told, state = list(first.told), first.crawl.save()
    second = run(planned, little_web(pages), events=told, steps=20)
    for more in ({"events": told + second.told}, {"state": state, "events": second.told}):
        again = run(planned, little_web(pages), **more)
        assert again.crawl.relevance.save()["pages"] == whole.crawl.relevance.save()["pages"]


def test_judgements_are_told_once_for_all_of_them(run, plan, little_web):
    pages, seed = web_of(60)
    done = run(plan(seed, pages=40), little_web(pages), steps=40)
    urls = [event.visit.url for _, event in done.told if isinstance(event, Visited)]
    before = len(done.told)
    for url in urls[:3]:
        done.crawl.judged(Judgement(url, False), 1e6)
    done.crawl.rejudge(1e6)
    kinds = [type(event) for _, event in done.told[before:]]
    assert kinds == [Judged] * 3 + [Rejudged]
    assert done.told[-1][1].packed[:3] == b"\0\0\0"


def test_what_another_version_learned_is_not_compared(run, plan, little_web, monkeypatch):
    pages, seed = web_of(60)
    planned = plan(seed, pages=30)
    told = run(planned, little_web(pages)).told
    other = [
        (at, msgspec.structs.replace(event, sum=event.sum + 1) if isinstance(event, Visited) else event)
        for at, event in told
    ]
    with pytest.raises(Refused, match="no longer does what it did"):
        Crawl(planned, lambda event, at: None).refold(other)
    earlier = [(at, Began(event.plan, LEARNING - 1) if isinstance(event, Began) else event) for at, event in other]
    crawl = Crawl(planned, lambda event, at: None)
    crawl.refold(earlier)
    assert crawl.tally.pages == 30


def test_a_checkpoint_of_another_version_is_not_used(run, plan, little_web, monkeypatch):
    pages, seed = web_of(60)
    planned = plan(seed, pages=30)
    state = run(planned, little_web(pages)).crawl.save()
    assert Crawl(planned, lambda event, at: None).load(state)
    monkeypatch.setattr("lycosa.engine.crawl_state.LEARNING", LEARNING + 1)
    crawl = Crawl(planned, lambda event, at: None)
    assert not crawl.load(state) and crawl.tally.pages == 0


def test_without_a_log_only_strategies_that_read_pages_have_a_model(plan):
    assert Crawl(plan("a.test/")).relevance is None
    assert Crawl(plan("a.test/", strategy="apprentice")).relevance is not None
