"""The crawl without I/O: order, budgets, redirects, retries, the end, and the fold that makes resume possible."""

from random import Random
from typing import Any

import pytest

from lycosa.core.events import Leased, Missed, Redirected, Stopped, Visited
from lycosa.core.nouns import LOST, RESTING, Failure, Miss, Move, Redirect, Ticket, Visit
from lycosa.core.strategy import Strategy
from lycosa.engine.crawl import Crawl
from lycosa.engine.plan import Budget, Plan, load_plan
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.system.errors import Refused

# One that keeps nothing, one with batches, one with dice, one with lanes that change, one that learns; all others are
# interrupted in tests/conformance/test_strategies.py.
OF_EACH_KIND = ["best-first", "best-n-first", "random", "infospiders", "reinforcement"]
SPIDERS = {
    "a.test/": ("wolf spider hunts", ["a.test/far", "b.test/near"]),
    "a.test/far": ("cooking recipes and soup", ["c.test/soup"]),
    "b.test/near": ("wolf spider wolf spider", ["b.test/nest", "c.test/soup"]),
    "b.test/nest": ("the nest of a spider", []),
    "c.test/soup": ("soup and bread", []),
}


def stopped(crawl):
    event = crawl.told[-1][1]
    assert isinstance(event, Stopped)
    assert event.queued == len(crawl.crawl.frontier)
    return event.reason, event.finished


def big_web(rng, hosts=7, pages=300):
    names = [f"h{n % hosts}.test/{n}" for n in range(pages)]
    words = ["wolf", "spider", "soup", "bread", "river", "stone", "hunt", "night"]
    web: dict[str, Any] = {}
    for name in names:
        kind = rng.random()
        if kind < 0.05:
            web[name] = Failure("status 404")
        elif kind < 0.1:
            web[name] = rng.choice(names)
        elif kind < 0.15:
            web[name] = [Failure("timeout", again=True), (name, rng.sample(names, 5))]
        else:
            web[name] = (" ".join([name, *rng.choices(words, k=12)]), rng.sample(names, 6))
    web[names[0]] = ("wolf spider", names[1:9])
    return web


def test_best_first_follows_the_links_of_the_most_relevant_page(run, plan, little_web):
    web = {**SPIDERS, "a.test/far": ("soup", ["c.test/deep"]), "c.test/deep": ("soup soup", [])}
    crawl = run(plan("a.test/"), little_web(web))
    assert crawl.pages == ["a.test/", "a.test/far", "b.test/near", "b.test/nest", "c.test/soup", "c.test/deep"]


def test_breadth_first_follows_the_order_of_discovery(run, plan, little_web):
    crawl = run(plan("a.test/", strategy="breadth-first"), little_web(SPIDERS))
    assert crawl.pages == ["a.test/", "a.test/far", "b.test/near", "c.test/soup", "b.test/nest"]


def test_random_order_depends_only_on_the_seed(run, plan, little_web):
    web = big_web(Random(1))
    first, again, other = (
        run(plan("h0.test/0", strategy="random", seed=seed), little_web(dict(web))).pages for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_it_ends_when_nothing_is_left_and_says_so(run, plan, little_web):
    crawl = run(plan("a.test/"), little_web(SPIDERS))
    assert stopped(crawl) == ("nothing left to fetch", True)
    assert len(crawl.pages) == 5


DEAD = {"a.test/": Failure("no such host"), "b.test/": Failure("connection refused", again=True), "c.test/": "d.test/"}


def test_a_crawl_none_of_whose_seeds_brought_a_page_has_failed(run, plan, little_web):
    crawl = run(plan(*DEAD), little_web(DEAD))
    assert stopped(crawl) == ("nothing left to fetch", True)
    assert crawl.crawl.stopped.state == "failed"
    assert run(plan("a.test/"), little_web(SPIDERS)).crawl.stopped.state == "finished"
    one = {**DEAD, "d.test/": ("wolf spider", [])}
    assert run(plan(*DEAD), little_web(one)).crawl.stopped.state == "finished"


def test_a_crawl_that_was_interrupted_before_its_first_page_has_not_failed(run, plan, little_web):
    crawl = run(plan(*DEAD), little_web(DEAD), steps=1).crawl
    crawl.stop("interrupted", False, 1.0)
    assert crawl.stopped.state == "stopped"


@pytest.mark.parametrize("strategy", OF_EACH_KIND)
def test_a_failed_crawl_tries_all_its_seeds_again_when_it_is_resumed(run, plan, little_web, strategy):
    wanted = plan("a.test/", "a.test/far", "x.test/", strategy=strategy, rules=PolitenessRules(delay=0.0, patience=2))
    dead = dict.fromkeys(("a.test/", "a.test/far", "x.test/"), Failure("connection refused", again=True))
    first = run(wanted, little_web(dead))
    assert first.crawl.stopped.failed
    for known in ({"events": first.told}, {"state": first.crawl.save()}):
        again = run(wanted, little_web(SPIDERS), **known)
        assert set(again.pages) == SPIDERS.keys()
        assert again.crawl.stopped.state == "finished"
        whole = run(wanted, little_web(SPIDERS), events=[*first.told, *again.told]).crawl
        assert whole.tally.pages == 5 and not len(whole.frontier)


def test_a_failed_crawl_that_is_resumed_asks_no_host_that_wants_to_be_left_alone(run, plan, little_web):
    dead = {"a.test/": Failure("status 429", again=True, rest=100_000.0), "b.test/": Failure("no such host")}
    first = run(plan("a.test/", "b.test/"), little_web(dead))
    web = little_web(SPIDERS | {"b.test/": ("wolf", [])})
    again = run(plan("a.test/", "b.test/"), web, events=first.told)
    assert web.asked == again.pages == ["b.test/"]


@pytest.mark.parametrize("workers", [1, 3, 64])
def test_the_page_budget_is_exact(run, plan, little_web, workers):
    web = little_web(big_web(Random(5)))
    crawl = run(plan("h0.test/0", pages=50, workers=workers), web)
    assert len(crawl.pages) == 50
    assert stopped(crawl) == ("budget spent: pages", True)


@pytest.mark.parametrize("workers", [1, 5])
def test_the_byte_budget_is_never_overrun(run, plan, little_web, workers):
    web = {f"a.test/{n}": ("wolf " * 20 + str(n), [f"a.test/{n + 1}", f"b.test/{n + 1}"]) for n in range(99)}
    web |= {f"b.test/{n}": ("spider " * 20 + str(n), [f"a.test/{n + 1}"]) for n in range(99)}
    crawl = run(plan("a.test/0", budget=Budget(None, 1000), workers=workers, body=300), little_web(web))
    assert sum(o.size for o in crawl.outcomes if isinstance(o, Visit)) == 1000
    assert stopped(crawl) == ("budget spent: bytes", True)


def test_the_time_budget_counts_seconds_of_crawling(run, plan, little_web):
    web = little_web({f"a.test/{n}": (f"wolf {n}", [f"a.test/{n + 1}"]) for n in range(99)})
    crawl = run(plan("a.test/0", budget=Budget(None, None, 10.0), delay=1.0), web)
    assert stopped(crawl) == ("budget spent: time", True)
    assert 9 <= len(crawl.pages) <= 10


def test_misses_cost_no_page_of_the_budget(run, plan, little_web):
    web = little_web({"a.test/": ("wolf", [f"gone.test/{n}" for n in range(9)] + ["b.test/"]), "b.test/": ("soup", [])})
    crawl = run(plan("a.test/", pages=2), web)
    assert crawl.pages == ["a.test/", "b.test/"]
    assert crawl.crawl.tally.misses == {"status 404": 9}


def test_a_redirect_is_a_hop_of_its_own_and_its_target_takes_its_place(run, plan, little_web):
    web = {"a.test/": ("wolf", ["b.test/old", "c.test/"]), "b.test/old": "b.test/new", "b.test/new": ("x", [])}
    crawl = run(plan("a.test/", strategy="breadth-first"), little_web({**web, "c.test/": ("y", [])}))
    assert crawl.pages == ["a.test/", "b.test/new", "c.test/"]
    redirected = next(event.redirect for _, event in crawl.told if isinstance(event, Redirected))
    assert (redirected.ticket.url, redirected.to) == ("http://b.test/old", "http://b.test/new")
    visit = next(o for o in crawl.outcomes if isinstance(o, Visit) and o.url == "http://b.test/new")
    assert visit.ticket.via == "http://b.test/old"


def test_a_redirect_loop_ends(run, plan, little_web):
    web = little_web({"a.test/": ("wolf", ["b.test/1"]), "b.test/1": "b.test/2", "b.test/2": "b.test/1"})
    crawl = run(plan("a.test/"), web)
    assert crawl.pages == ["a.test/"]
    assert web.asked == ["a.test/", "b.test/1", "b.test/2"]


def test_ten_redirects_in_a_row_are_the_most(run, plan, little_web):
    web = little_web({f"a.test/{n}": f"a.test/{n + 1}" for n in range(50)})
    crawl = run(plan("a.test/0"), web)
    assert len(web.asked) == 11
    assert crawl.crawl.tally.misses == {"too many redirects": 1}


def test_what_is_worth_retrying_is_retried_after_a_rest(run, plan, little_web):
    flaky = [Failure("timeout", again=True), Failure("status 503", again=True, rest=30.0), ("spider", [])]
    web = little_web({"a.test/": ("wolf", ["b.test/"]), "b.test/": flaky})
    crawl = run(plan("a.test/"), web)
    assert crawl.pages == ["a.test/", "b.test/"]
    assert web.asked.count("b.test/") == 3
    finals = [event.final for _, event in crawl.told if isinstance(event, Missed)]
    assert finals == [False, False]
    assert crawl.driver.now > 31.0


def test_what_keeps_failing_is_missed_once(run, plan, little_web):
    web = little_web({"a.test/": ("wolf", ["b.test/"]), "b.test/": Failure("timeout", again=True)})
    crawl = run(plan("a.test/", retries=2), web)
    assert web.asked.count("b.test/") == 3
    assert crawl.crawl.tally.misses == {"timeout": 1}


def test_a_host_that_only_fails_is_given_up(run, plan, little_web):
    web = {f"b.test/{n}": Failure("timeout", again=True) for n in range(50)}
    web = little_web({**web, "a.test/": ("wolf", list(web))})
    crawl = run(plan("a.test/", rules=PolitenessRules(delay=0.0, patience=4)), web)
    assert len(web.asked) == 1 + 4
    assert crawl.crawl.frontier.dropped["host given up"] > 40
    assert crawl.told[-1][1].finished


def test_one_host_that_wants_to_rest_does_not_stop_the_others(run, plan, little_web):
    busy = {f"b.test/{n}": Failure("status 503", again=True, rest=600.0) for n in range(40)}
    free = {f"f{n}.test/": (f"soup {n}", []) for n in range(20)}
    web = {**busy, **free, "a.test/": ("wolf", [*busy, "soup.test/"]), "soup.test/": ("soup", list(free))}
    crawl = run(plan("a.test/", pages=22), little_web(web))
    assert len(crawl.pages) == 22
    assert crawl.driver.now < 60.0


def test_what_waited_for_another_try_when_its_host_was_given_up_has_a_final_state(run, plan, little_web):
    web = {f"b.test/{n}": Failure("timeout", again=True) for n in range(50)}
    crawl = run(plan("a.test/"), little_web({**web, "a.test/": ("wolf", list(web))}))
    last = {event.miss.ticket.url: event.final for _, event in crawl.told if isinstance(event, Missed)}
    assert last
    assert all(last.values())


def test_a_host_that_says_not_yet_is_asked_again_after_its_rest(run, plan, little_web):
    later = [Failure(RESTING, again=True, rest=20.0)] * 4 + [("spider", [])]
    web = {"a.test/": ("wolf", ["b.test/", "c.test/"]), "b.test/": later, "c.test/": ("soup", [])}
    crawl = run(plan("a.test/", retries=0), little_web(web))
    assert crawl.pages == ["a.test/", "c.test/", "b.test/"]
    assert 80.0 < crawl.driver.now < 82.0
    assert crawl.crawl.tally.misses == {}


def test_what_robots_forbids_costs_no_pause(run, plan, little_web):
    web: dict[str, Any] = {f"b.test/{n}": Failure("robots", asked=False) for n in range(9)}
    web = {"a.test/": ("wolf", [*web, "b.test/ok"]), **web, "b.test/ok": ("spider", [])}
    crawl = run(plan("a.test/", delay=10.0), little_web(web))
    assert crawl.pages == ["a.test/", "b.test/ok"]
    assert crawl.driver.now < 15.0


def test_a_lost_scout_is_not_its_hosts_fault(run, plan, little_web):
    lost = [Failure(LOST, again=True), Failure(LOST, again=True), ("spider", [])]
    crawl = run(plan("a.test/", retries=0), little_web({"a.test/": ("wolf", ["b.test/"]), "b.test/": lost}))
    assert crawl.pages == ["a.test/", "b.test/"]
    assert crawl.driver.now < 2.0


def test_a_failure_of_our_own_side_costs_no_try_and_is_nobodys_fault(run, plan, little_web):
    short = [Failure("short of memory", again=True, asked=False, ours=True)] * 20
    web = {"a.test/": ("wolf", ["b.test/"]), "b.test/": [*short, Failure("timeout", again=True), ("spider", [])]}
    crawl = run(plan("a.test/", retries=1), little_web(web))
    assert crawl.pages == ["a.test/", "b.test/"]
    assert crawl.crawl.tally.misses == {}
    assert [event.final for _, event in crawl.told if isinstance(event, Missed)] == [False] * 21


def test_waiting_for_our_own_side_is_refolded_like_everything_else(run, plan, little_web):
    short = Failure("name server failure", again=True, ours=True)
    pages = {"a.test/": ("wolf", ["b.test/", "c.test/"]), "b.test/": [short, short, ("spider", [])]}
    pages["c.test/"] = [Failure("timeout", again=True), short, ("soup", [])]
    whole = run(plan("a.test/", retries=1), little_web(pages))
    assert sorted(whole.pages) == ["a.test/", "b.test/", "c.test/"]
    for steps in range(1, len(whole.outcomes)):
        part = run(plan("a.test/", retries=1), little_web(pages), steps=steps)
        again = Crawl(plan("a.test/", retries=1), lambda event, at: None)
        again.refold(part.told)
        assert again.save() == part.crawl.save()


def test_our_own_side_is_not_the_reason_where_the_host_was_given_up_meanwhile(run, plan, little_web):
    pages: dict[str, Any] = {f"b.test/{n}": Failure("timeout", again=True) for n in range(2)}
    pages["b.test/9"] = [Failure("short of memory", again=True, ours=True)] * 50
    web = little_web({"a.test/": ("wolf", list(pages)), **pages})
    crawl = run(plan("a.test/", workers=4, retries=0, rules=PolitenessRules(delay=0.0, connections=4, patience=2)), web)
    assert not any("short of" in reason for reason in crawl.crawl.tally.misses)
    assert crawl.crawl.tally.misses["host given up"] == 1


def test_any_d_picks_hold_although_the_best_links_are_all_of_one_host(run, plan, little_web):
    web = {f"h{h}.test/{n}": (f"wolf {h} {n}", []) for h in range(5) for n in range(30)}
    web = little_web({**web, "a.test/": ("wolf", sorted(web))})
    picked = run(plan("a.test/", pages=40, rules=PolitenessRules(delay=0.0, spread=4), reach=1), web).pages[1:]
    hosts = [page.split("/")[0] for page in picked]
    assert all(len(set(hosts[n : n + 4])) == 4 for n in range(30))


def test_a_host_gives_no_more_pages_than_its_cap(run, plan, little_web):
    web = {f"{host}.test/{n}": (f"wolf {host}{n}", []) for host in "bc" for n in range(9)}
    web = little_web({**web, "a.test/": ("wolf", list(web))})
    crawl = run(plan("a.test/", rules=PolitenessRules(delay=0.0, per_host=3), workers=4), web)
    assert sorted(page[0] for page in crawl.pages) == ["a", "b", "b", "b", "c", "c", "c"]


def test_the_same_body_from_the_same_host_leads_nowhere_new(run, plan, little_web):
    web = {f"t.test/{n}": ("a spider trap", [f"t.test/{n + 1}"]) for n in range(99)}
    crawl = run(plan("t.test/0"), little_web(web))
    assert crawl.pages == ["t.test/0", "t.test/1"]


def test_any_d_picks_in_a_row_come_from_d_hosts_while_there_are_enough(run, plan, little_web):
    web = {f"h{h}.test/{n}": (f"wolf {h} {n}", []) for h in range(5) for n in range(6)}
    web = little_web({**web, "a.test/": ("wolf", sorted(web))})
    picked = run(plan("a.test/", rules=PolitenessRules(delay=0.0, spread=4), reach=1000), web).pages[1:]
    assert len(picked) == 30
    hosts = [page.split("/")[0] for page in picked]
    assert all(len(set(hosts[n : n + 4])) == 4 for n in range(20))


def test_why_is_in_the_log_score_rank_and_parts(run, plan, little_web):
    crawl = run(plan("a.test/"), little_web(SPIDERS))
    leases = {event.ticket.url: event for _, event in crawl.told if isinstance(event, Leased)}
    nest = leases["http://b.test/nest"]
    assert nest.ticket.via == "http://b.test/near"
    assert nest.parts == {"relevance of the linking page": nest.ticket.score}
    assert (nest.rank, nest.queued) == (1, 2)


class Heirs(Strategy):
    """The seed's page hands every second of its links to an heir, whose turn comes first."""

    def learn(self, visit):
        if visit.links:
            yield Move("parent", "heir", 2)
        yield from (Ticket(url, 0.5, "parent") for url in visit.links)

    def choose(self, lanes):
        return min(lanes)


def test_a_strategy_may_move_queued_links_to_another_lane(run, plan, little_web, monkeypatch):
    monkeypatch.setattr(Plan, "make_strategy", lambda plan: Heirs())
    web = {"a.test/": ("wolf", [f"b.test/{n}" for n in range(5)]), **{f"b.test/{n}": (f"{n}", []) for n in range(5)}}
    crawl = run(plan("a.test/"), little_web(web))
    assert [page[-1] for page in crawl.pages] == list("/13024")
    first = run(plan("a.test/"), little_web(web), steps=2)
    rest = run(plan("a.test/"), little_web(web), events=first.told)
    assert first.pages + rest.pages == crawl.pages


def test_a_strategy_that_no_longer_moves_links_is_caught(run, plan, little_web, monkeypatch):
    monkeypatch.setattr(Plan, "make_strategy", lambda plan: Heirs())
    first = run(plan("a.test/"), little_web(SPIDERS), steps=2)
    monkeypatch.setattr(Heirs, "learn", lambda self, visit: [Ticket(url, 0.5, "parent") for url in visit.links])
    with pytest.raises(Refused, match="no longer does what it did"):
        run(plan("a.test/"), little_web(SPIDERS), events=first.told)


@pytest.mark.parametrize("strategy", OF_EACH_KIND)
def test_a_crawl_cut_anywhere_and_refolded_makes_the_same_sequence(run, plan, little_web, strategy):
    wanted = plan("h0.test/0", strategy=strategy, settings={"n": 8, "buffer": 40} if "n-" in strategy else {})
    whole = run(wanted, little_web(big_web(Random(2))))
    for cut in (1, 7, 40, 80, 110):
        web = little_web(big_web(Random(2)))
        first = run(wanted, web, steps=cut)
        rest = run(wanted, web, events=first.told)
        assert first.pages + rest.pages == whole.pages


def test_with_many_workers_a_cut_loses_nothing_and_doubles_nothing(run, plan, little_web):
    wanted = plan("h0.test/0", workers=6, pages=1000)
    whole = run(wanted, little_web(big_web(Random(2))))
    for cut in (1, 7, 40, 120, 200):
        web = little_web(big_web(Random(2)))
        first = run(wanted, web, steps=cut)
        rest = run(wanted, web, events=first.told)
        assert sorted(first.pages + rest.pages) == sorted(whole.pages)


def best_n_first(plan, n, **more):
    return plan("h0.test/0", strategy="best-n-first", settings={"n": n}, **more)


@pytest.mark.parametrize("n", [1, 8])
def test_best_n_first_fetches_with_many_workers_what_it_fetches_with_one(run, plan, little_web, n):
    web, rules = big_web(Random(2)), PolitenessRules(delay=0.0, connections=16)
    if n > 1:  # redirects and retries end a batch in another order
        web = {name: page if isinstance(page, tuple) else (name, []) for name, page in web.items()}
    one, many = (run(best_n_first(plan, n, workers=workers, rules=rules), little_web(web)).pages for workers in (1, 16))
    assert many == one and len(one) == 100


def test_best_first_takes_the_next_best_link_where_n_1_waits_for_a_better_one(run, plan, little_web):
    web = {"h0.test/0": ("wolf", ["b.test/", "c.test/"]), "b.test/": ("spider wolf", ["d.test/"]), "c.test/": ("x", [])}
    web["d.test/"] = ("y", [])
    assert run(plan("h0.test/0", workers=16), little_web(web)).pages[1:] == ["b.test/", "c.test/", "d.test/"]
    assert run(best_n_first(plan, 1, workers=16), little_web(web)).pages[1:] == ["b.test/", "d.test/", "c.test/"]


def test_the_order_within_a_batch_depends_on_the_random_seed_and_the_batch_does_not(run, plan, little_web):
    web = {"h0.test/0": ("wolf spider", [f"h{n}.test/{n}" for n in range(1, 9)])}
    web |= {f"h{n}.test/{n}": (f"wolf {n}", []) for n in range(1, 9)}
    orders = [run(best_n_first(plan, 8, seed=seed), little_web(web)).pages for seed in (1, 1, 2, 3)]
    assert orders[0] == orders[1]
    assert len({tuple(order) for order in orders}) == 3
    assert len({frozenset(order) for order in orders}) == 1


def test_the_target_of_a_redirect_is_fetched_in_the_batch_of_the_link_to_it(run, plan, little_web):
    web = {"h0.test/0": ("wolf", ["b.test/old", "c.test/", "d.test/"]), "b.test/old": "b.test/new"}
    web |= {
        "b.test/new": ("x", []),
        "c.test/": ("wolf spider", ["e.test/"]),
        "d.test/": ("y", []),
        "e.test/": ("z", []),
    }
    for seed in range(6):
        pages = run(best_n_first(plan, 3, seed=seed), little_web(web)).pages
        assert set(pages[1:4]) == {"b.test/new", "c.test/", "d.test/"}
        assert pages[4:] == ["e.test/"]


def test_a_batch_that_was_cut_is_finished_before_the_next_is_chosen(run, plan, little_web):
    wanted = best_n_first(plan, 16, workers=4, pages=60)
    web = {name: page if isinstance(page, tuple) else (name, []) for name, page in big_web(Random(2)).items()}
    for cut in (2, 4, 7):
        first = run(wanted, little_web(web), steps=cut)
        assert first.crawl.under_way
        for known in ({"events": first.told}, {"state": first.crawl.save()}):
            pages = first.pages + run(wanted, little_web(web), **known).pages
            assert pages[0] == "h0.test/0" and set(pages[1:9]) == set(web["h0.test/0"][1])


def test_a_crawl_can_be_cut_again_and_again(run, plan, little_web):
    whole = run(plan("h0.test/0"), little_web(big_web(Random(2))))
    web, told, pages = little_web(big_web(Random(2))), [], []
    for _ in range(40):
        part = run(plan("h0.test/0"), web, events=told, steps=8)
        told += part.told
        pages += part.pages
    assert pages == whole.pages


@pytest.mark.parametrize("strategy", OF_EACH_KIND)
def test_a_checkpoint_and_the_events_after_it_are_as_good_as_all_events(run, plan, little_web, strategy):
    wanted = plan("h0.test/0", strategy=strategy, workers=3)
    web = little_web(big_web(Random(2)))
    first = run(wanted, web, steps=60)
    told, state = list(first.told), first.crawl.save()
    second = run(wanted, web, events=told, steps=30)
    from_log = run(wanted, little_web(dict(web.pages)), events=told + second.told)
    from_checkpoint = run(wanted, little_web(dict(web.pages)), events=second.told, state=state)
    assert from_checkpoint.pages == from_log.pages


def test_a_strategy_that_changed_its_mind_is_caught(run, plan, little_web, monkeypatch):
    first = run(plan("a.test/"), little_web(SPIDERS), steps=3)
    from lycosa.strategy.best_first import BestFirst

    monkeypatch.setattr(BestFirst, "learn", lambda self, visit: [])
    with pytest.raises(Refused, match="no longer does what it did"):
        run(plan("a.test/"), little_web(SPIDERS), events=first.told)


def test_every_outcome_is_one_event_and_every_lease_has_one(run, plan, little_web):
    crawl = run(plan("h0.test/0", workers=8), little_web(big_web(Random(9))))
    leases = sum(isinstance(event, Leased) for _, event in crawl.told)
    ends = sum(isinstance(event, Visited | Missed | Redirected) for _, event in crawl.told)
    assert leases == ends == len(crawl.outcomes)
    assert {type(o) for o in crawl.outcomes} == {Visit, Miss, Redirect}


class Lost(Strategy):
    """Divides nothing by nothing."""

    def learn(self, visit):
        return [Ticket(url, float("nan")) for url in visit.links]


def test_a_score_that_is_no_number_is_refused_by_name(plan, run, little_web):
    web = little_web({"a.test/": ("wolf", ["b.test/"])})
    with pytest.raises(Refused, match=r"Lost gave http://b\.test/ a score that is not a number"):
        run(plan("a.test/", strategy=f"{__name__}:Lost"), web)


def test_a_crawl_with_a_scope_never_leaves_it(run, plan, little_web):
    web = little_web({**SPIDERS, "b.test/nest": "c.test/soup", "b.test/near": ("spider", ["b.test/nest", "x.b.test/"])})
    crawl = run(plan("a.test/", rules=PolitenessRules(delay=0.0, within=("a.test", "b.test"))), web)
    assert crawl.pages == ["a.test/", "a.test/far", "b.test/near"]
    assert web.asked == ["a.test/", "a.test/far", "b.test/near", "b.test/nest"]
    assert crawl.crawl.frontier.dropped == {"outside": 3}
    assert stopped(crawl) == ("nothing left to fetch", True)


def test_a_seed_of_a_strategy_outside_the_scope_is_not_asked_for(run, plan, little_web):
    web = little_web(SPIDERS)
    assert run(plan("c.test/soup", "a.test/far", rules=PolitenessRules(delay=0.0, within=(".a.test",))), web).pages == [
        "a.test/far"
    ]
    assert web.asked == ["a.test/far"]


def test_a_host_that_is_left_alone_is_met_by_no_link_and_no_redirect(run, plan, little_web):
    there = dict.fromkeys(("c.test/", "www.c.test/", "x.b.test/"), ("wolf spider", []))
    links = {"a.test/": ("wolf", ["b.test/", "x.b.test/"]), "b.test/": ("spider", ["c.test/", "d.test/"])}
    web = little_web({**there, **links, "d.test/": "www.c.test/"})
    crawl = run(plan("a.test/", rules=PolitenessRules(delay=0.0, without=(".c.test", "x.b.test"))), web)
    assert crawl.pages == ["a.test/", "b.test/"]
    assert web.asked == ["a.test/", "b.test/", "d.test/"]
    assert crawl.crawl.frontier.dropped == {"outside": 3}


def test_what_is_outside_the_scope_is_not_counted_as_still_to_be_found(run, plan, little_web):
    alone = {f"a.test/{n}": (f"wolf spider {n}", [f"a.test/{n + 1}"]) for n in range(60)}
    linked = {name: (text, [*links, f"b.test/{text[-2:]}"]) for name, (text, links) in alone.items()}
    planned = plan("a.test/0", relevant=0.5, rules=PolitenessRules(delay=0.0, within=("a.test",)))
    one, other = (run(planned, little_web(web)).crawl.census.estimate() for web in (alone, linked))
    assert one == other


def test_a_crawl_with_a_scope_is_refolded_as_it_was(run, plan, little_web):
    planned = plan("h0.test/0", rules=PolitenessRules(delay=0.0, within=("h0.test", "h3.test")))
    web = big_web(Random(3))
    whole = run(planned, little_web(dict(web)))
    part = run(planned, little_web(dict(web)), steps=9)
    assert load_plan(planned.dump()) == planned
    rest = run(load_plan(planned.dump()), little_web(dict(web)), events=part.told)
    assert sorted(part.pages + rest.pages) == sorted(whole.pages)


def test_links_to_files_that_cannot_be_read_cost_no_request_outside_a_recording(run, plan, little_web):
    pages = {"a.test/": ("wolf", ["a.test/photo.jpg", "a.test/thesis.docx"]), "a.test/thesis.docx": ("spider", [])}
    live = run(plan("a.test/"), little_web(pages))
    assert live.web.asked == ["a.test/", "a.test/thesis.docx"]
    assert live.crawl.stopped.left_out == {"not readable": 1}
    recorded = run(plan("a.test/", recorded="made:pages=10"), little_web(pages))
    assert set(recorded.web.asked) == {"a.test/", "a.test/thesis.docx", "a.test/photo.jpg"}


def test_a_seed_is_fetched_whatever_its_name_is(run, plan, little_web):
    assert run(plan("a.test/page.jpg"), little_web({"a.test/page.jpg": ("wolf", [])})).pages == ["a.test/page.jpg"]


def test_with_a_budget_of_bytes_only_a_named_document_may_be_long(plan):
    def limit(seed, budget):
        crawl = Crawl(plan(seed, body=1000, document_body=5000, budget=budget))
        crawl.begin(0.0)
        return crawl.want(0.0).limit

    assert [limit(seed, Budget()) for seed in ("a.test/x", "a.test/x.pdf")] == [5000, 5000]
    assert [limit(seed, Budget(None, 3000)) for seed in ("a.test/x", "a.test/x.pdf")] == [1000, 3000]
