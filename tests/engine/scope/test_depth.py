"""Depth: a crawl fetches exactly the pages that are at most so many links away from a seed, in whatever order."""

from random import Random
from typing import Any

import msgspec
import pytest

from lycosa.core.nouns import Failure
from lycosa.engine.crawl import Crawl
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.engine.scope.link_depths import LinkDepths
from lycosa.engine.scope.scope_rules import ScopeRules, SiteRules

DEPTH = 3


def tangled(seed, size=60, hosts=6):
    """A web whose pages link at random, with redirects and dead ends, so that short paths are often found late."""
    rng = Random(seed)
    names = [f"h{n % hosts}.test/{n}" for n in range(size)]
    pages: dict[str, Any] = {}
    for at, name in enumerate(names):
        if at > 2 and rng.random() < 0.1:
            pages[name] = rng.choice(names)
        elif at > 2 and rng.random() < 0.05:
            pages[name] = Failure("status 404")
        else:
            near = [names[(at + step) % size] for step in (1, 2)]
            text = " ".join([f"page {at}", *["wolf spider"] * rng.randrange(4)])
            pages[name] = (text, rng.sample([*near, *rng.choices(names, k=2)], k=rng.randrange(1, 4)))
    return names, pages


def reachable(pages, seeds, depth):
    """The pages at most so many links away, by breadth-first search; a redirect is no link."""
    reached: set[str] = set()
    edge, hops = [(0, seed) for seed in seeds], dict[str, int]()
    while edge:
        edge.sort()
        at, name = edge.pop(0)
        if at > depth or hops.get(name, 99) <= at:
            continue
        hops[name] = at
        page = pages.get(name)
        if isinstance(page, str):
            edge.append((at, page))
        elif isinstance(page, tuple):
            reached.add(name)
            edge += [(at + 1, link) for link in page[1]]
    return reached


@pytest.mark.parametrize("workers", [1, 5])
@pytest.mark.parametrize("strategy", ["breadth-first", "best-first", "random", "apprentice", "infospiders"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_exactly_what_is_near_enough_is_fetched_in_any_order(run, plan, little_web, seed, strategy, workers):
    names, pages = tangled(seed)
    rules = PolitenessRules(delay=1.0 if workers > 1 else 0.0)
    planned = plan(names[0], strategy=strategy, scope=ScopeRules(depth=DEPTH), workers=workers, rules=rules, hops=99)
    crawl = run(planned, little_web(pages))
    wanted = reachable(pages, names[:1], DEPTH)
    if strategy == "infospiders":  # its agents do not follow every link
        assert set(crawl.pages) <= wanted
    else:
        assert set(crawl.pages) == wanted and len(wanted) < len(names) / 2


@pytest.mark.parametrize("steps", [3, 7, 12])
@pytest.mark.parametrize("by", ["log", "checkpoint"])
def test_a_crawl_that_was_killed_fetches_the_same_pages_as_one_that_was_not(run, plan, little_web, steps, by):
    names, pages = tangled(1)
    planned = plan(names[0], scope=ScopeRules(depth=DEPTH), hops=99)
    whole = run(planned, little_web(pages))
    part = run(planned, little_web(pages), steps=steps)
    if by == "log":
        rest = run(planned, little_web(pages), events=part.told)
    else:
        rest = run(planned, little_web(pages), state=part.crawl.save())
    assert sorted(part.pages + rest.pages) == sorted(whole.pages)
    assert rest.crawl.refuses.scope.kept_out == whole.crawl.refuses.scope.kept_out


def test_a_page_that_comes_nearer_brings_everything_behind_it_nearer(run, plan, little_web):
    pages = {
        "a.test/": ("wolf", ["b.test/long", "a.test/short"]),
        "b.test/long": ("wolf spider 1", ["b.test/longer"]),
        "b.test/longer": ("wolf spider 2", ["b.test/goal"]),
        "b.test/goal": ("wolf spider 3", ["b.test/behind"]),
        "b.test/behind": ("wolf spider 4", ["b.test/far"]),
        "a.test/short": ("", ["b.test/goal"]),
        "b.test/far": ("spider", []),
    }
    # The long path is followed first: «behind» is four links away then, and three as soon as the short one is known.
    crawl = run(plan("a.test/", scope=ScopeRules(depth=3)), little_web(pages))
    assert crawl.pages[:4] == ["a.test/", "b.test/long", "b.test/longer", "b.test/goal"]
    assert crawl.pages[4:] == ["a.test/short", "b.test/behind"]
    assert crawl.crawl.refuses.scope.kept_out == {"depth 3": 1}
    assert crawl.crawl.refuses.scope.depth("http://b.test/far") == 4


def test_what_is_too_deep_costs_no_request(run, plan, little_web):
    web = little_web({"a.test/": ("wolf", ["a.test/1", "b.test/"]), "a.test/1": ("wolf", ["a.test/2"])})
    crawl = run(plan("a.test/", scope=ScopeRules(depth=0)), web)
    assert web.asked == ["a.test/"] and crawl.crawl.refuses.scope.kept_out == {"depth 0": 2}


def test_a_site_may_have_another_depth(run, plan, little_web):
    pages = {f"{host}.test/{n}": (f"wolf {n}", [f"{host}.test/{n + 1}"]) for host in "abc" for n in range(9)}
    pages["a.test/0"] = ("wolf", ["a.test/1", "b.test/1", "x.c.test/1"])
    pages |= {f"x.c.test/{n}": (f"wolf {n}", [f"x.c.test/{n + 1}"]) for n in range(9)}
    sites = {"b.test": SiteRules(depth=4), "c.test": SiteRules(depth=1)}
    crawl = run(plan("a.test/0", scope=ScopeRules(depth=2), sites=sites), little_web(pages))
    deepest = {name.partition("/")[0]: int(name.partition("/")[2]) for name in sorted(crawl.pages)}
    assert deepest == {"a.test": 2, "b.test": 4, "x.c.test": 1}


def test_depths_do_not_depend_on_the_order_of_what_is_learned():
    names, pages = tangled(5)
    urls = {name: f"http://{name}" for name in names}
    facts = [(name, page) for name, page in pages.items() if not isinstance(page, Failure)]
    found = []
    for order in range(6):
        Random(order).shuffle(facts)
        depths = LinkDepths()
        depths.start(urls[names[0]])
        # Only what has a depth is fetched, so facts about other pages wait.
        waiting = list(facts)
        while ready := [fact for fact in waiting if depths.of(urls[fact[0]]) is not None]:
            name, page = ready[0]
            waiting.remove(ready[0])
            if isinstance(page, str):
                depths.moved(urls[name], urls[page])
            else:
                depths.linked(urls[name], [urls[link] for link in page[1]])
            saved, depths = depths.save(), LinkDepths()
            depths.load(msgspec.msgpack.decode(msgspec.msgpack.encode(saved)))
        found.append({name: depths.of(url) for name, url in urls.items()})
    assert all(each == found[0] for each in found)
    near = {name for name, depth in found[0].items() if depth is not None and depth <= DEPTH}
    assert reachable(pages, names[:1], DEPTH) == {name for name in near if isinstance(pages[name], tuple)}


def test_a_checkpoint_of_another_scope_is_not_used(plan, run, little_web):
    names, pages = tangled(1)
    part = run(plan(names[0], scope=ScopeRules(depth=DEPTH)), little_web(pages), steps=5)
    assert Crawl(plan(names[0], scope=ScopeRules(depth=DEPTH))).load(part.crawl.save())
    assert not Crawl(plan(names[0], scope=ScopeRules(depth=9))).load(part.crawl.save())
    assert not Crawl(plan(names[0])).load(part.crawl.save())


@pytest.mark.parametrize("depth", [1, 5])
@pytest.mark.parametrize("strategy", ["best-first", "apprentice", "best-n-first", "infospiders", "anthelion"])
def test_with_another_depth_a_crawl_goes_on_as_if_it_had_begun_with_it(run, plan, little_web, strategy, depth):
    names, pages = tangled(2)
    options = {"strategy": strategy, "hops": 99}
    begun = run(plan(names[0], scope=ScopeRules(depth=2), **options), little_web(pages))
    changed = plan(names[0], scope=ScopeRules(depth=depth), **options)
    resumed = run(changed, little_web(pages), events=begun.told)
    wanted = reachable(pages, names[:1], max(2, depth))
    assert {*begun.pages, *resumed.pages} <= wanted and not {*begun.pages} & {*resumed.pages}
    if strategy != "infospiders":  # its agents do not follow every link
        assert {*begun.pages, *resumed.pages} == wanted
    # What was told after the change is refolded as it was told, too.
    again = run(changed, little_web(pages), events=[*begun.told, *resumed.told])
    assert again.pages == [] and again.crawl.refuses.scope.kept_out == resumed.crawl.refuses.scope.kept_out
