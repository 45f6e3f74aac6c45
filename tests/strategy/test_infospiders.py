"""InfoSpiders: what an agent sees, thinks, gains and hands on, worked out by hand."""

from collections import Counter
from math import exp, log, sqrt, tanh
from random import Random
from typing import Any

import msgspec
import pytest

from lycosa.core.brief import Brief
from lycosa.core.nouns import Link, Move, Page, Ticket, Topic, Visit
from lycosa.core.strategy import make
from lycosa.frontier.frontier import Lease
from lycosa.frontier.own_lanes import frontier_for
from lycosa.system.errors import Refused

TOPIC = Topic("wolf spider")
SEED = "http://a.test/"
# Of the page: wolf 2, spider 1, soup 1, bread 1, hunt 1; its norm is sqrt 8, so sim(wolf spider, page) = .75.
TEXT = "[wolf] spider [soup] [bread] wolf hunt"


def page_of(text, url=SEED):
    """Words in brackets are links to themselves."""
    plain, links = "", []
    for part in text.split():
        if part[0] == "[":
            part = part.strip("[]")
            links.append(Link(f"http://{part}.test/", (len(plain), len(plain) + len(part))))
        plain += part + " "
    return Page(url, plain, links)


def begun(seed=1, seeds=(SEED,), **options):
    strategy = make("infospiders", options)
    assert [ticket.url for ticket in strategy.begin(Brief(TOPIC, seeds, Random(seed)))] == list(seeds)
    return strategy


def visit(strategy, text, ticket=None):
    ticket = ticket or Ticket(SEED, lane="seeds")
    page = page_of(text, ticket.url)
    return Visit(ticket, 0.5, [link.url for link in page.links], strategy.sense(page, TOPIC))


def step(strategy, text, ticket=None):
    """What follows from a visit: tickets by name, and moves."""
    learned = list(strategy.learn(visit(strategy, text, ticket)))
    tickets = [each for each in learned if isinstance(each, Ticket)]
    return {ticket.url[7:-6]: ticket for ticket in tickets}, [each for each in learned if isinstance(each, Move)]


def only(strategy):
    (agent,) = strategy._agents.values()
    return agent


def test_keywords_count_by_their_distance_in_links():
    strategy = begun()
    tickets, _ = step(strategy, TEXT)
    # wolf: in the first anchor (distances 1, 2, 3), and after the last (3.5, 2.5, 1.5). spider: between the first two.
    expected = {
        "wolf": [1 + 1 / 3.5, 1 / 1.5],
        "soup": [1 / 2 + 1 / 2.5, 1 / 1.5],
        "bread": [1 / 3 + 1 / 1.5, 1 / 2.5],
    }
    assert {name: ticket.memo[2] for name, ticket in tickets.items()} == {
        name: pytest.approx(values) for name, values in expected.items()
    }


def test_keywords_beyond_rho_do_not_count():
    tickets, _ = step(begun(rho=1), "spider wolf [wolf] [soup]")
    assert tickets["wolf"].memo[2] == [1.0, 0.0]
    assert tickets["soup"].memo[2] == []
    tickets, _ = step(begun(rho=2), "[wolf] [soup] [bread]")
    assert [tickets[name].memo[2] for name in ("wolf", "soup", "bread")] == [[1.0, 0.0], [0.5, 0.0], []]


def test_the_estimate_mixes_net_and_page():
    strategy = begun(alpha=0.25)
    tickets, _ = step(strategy, TEXT)
    agent = only(strategy)
    (wolf, spider), soup = agent.weights, tickets["soup"]
    net = tanh(agent.bias + wolf * 0.9 + spider / 1.5)
    parts = strategy.explain(soup)
    assert parts["the neural net"] == pytest.approx(0.25 * net)
    assert parts["the agent's keywords on the page"] == pytest.approx(0.75 * 0.75)
    assert sum(parts.values()) == pytest.approx(soup.score)
    assert abs(parts["luck"]) < 0.1
    assert (soup.lane, soup.via) == (agent.lane, SEED)
    assert strategy.explain(Ticket(SEED)) == {}


def test_links_are_chosen_by_the_paper_s_probabilities():
    beta, throws = 8.0, 4000
    chosen, sigma = Counter(), {}
    strategy = begun(beta=beta)
    strategy._random_weight = lambda: 0.3
    for seed in range(throws):
        strategy.begin(Brief(TOPIC, (SEED,), Random(seed)))
        tickets, _ = step(strategy, TEXT)
        chosen[max(tickets, key=lambda name: tickets[name].score)] += 1
        sigma = {name: t.score - strategy.explain(t)["luck"] for name, t in tickets.items()}
    total = sum(exp(beta * value) for value in sigma.values())
    expected = {name: exp(beta * value) / total for name, value in sigma.items()}
    assert max(expected.values()) > 0.4
    for name, probability in expected.items():
        spread = sqrt(probability * (1 - probability) / throws)
        assert chosen[name] / throws == pytest.approx(probability, abs=4 * spread)


def test_a_url_has_the_same_luck_wherever_an_agent_finds_it_and_another_for_another_agent():
    strategy = begun(seeds=(SEED, "http://b.test/"), theta=10.0)
    first, _ = step(strategy, "[soup] [bread]")
    again, _ = step(strategy, "wolf [soup]", first["bread"])
    other, _ = step(strategy, "wolf [soup]", Ticket("http://b.test/", lane="seeds"))
    luck, same, different = (strategy.explain(each["soup"])["luck"] for each in (first, again, other))
    assert luck == pytest.approx(same)
    assert abs(luck - different) > 1e-6
    assert (first["soup"].lane, again["soup"].lane, other["soup"].lane) == ("agent 1", "agent 1", "agent 2")


def test_each_agent_has_a_frontier_of_its_own_and_a_page_is_fetched_once():
    strategy = begun(seeds=(SEED, "http://b.test/"))
    frontier = frontier_for(strategy, 10)
    for url, text in ((SEED, "wolf wolf [soup] spider [bread]"), ("http://b.test/", "[soup] [night]")):
        frontier.put(step(strategy, text, Ticket(url, lane="seeds"))[0].values())
    lanes = {lane: {t.url[7:-6] for t in frontier.best(9) if t.lane == lane} for lane in ("agent 1", "agent 2")}
    assert lanes == {"agent 1": {"soup", "bread"}, "agent 2": {"soup", "night"}}
    soup = next(ticket for ticket in frontier.best(9) if ticket.lane == "agent 2" and "soup" in ticket.url)
    frontier.take(soup)
    assert sorted(ticket.url[7:-6] for ticket in frontier.best(9)) == ["bread", "night"]
    frontier.put([Ticket(soup.url, 1.0, "agent 1")])
    assert len(frontier) == 2


def test_similarity_is_equation_1_however_many_terms_a_page_has():
    """An agent's own keyword counts although eighty others are more frequent on the page."""
    strategy = begun(theta=10.0, cost=0.25)
    tickets, _ = step(strategy, TEXT)
    agent = only(strategy)
    agent.keywords, agent.weights = {"wolf": 1, "spider": 1, "bread": 1}, [0.1, 0.1, 0.1]
    text = "bread " + " ".join(f"word{n} word{n}" for n in range(80))
    step(strategy, text, tickets["soup"])
    assert agent.energy == pytest.approx(5.0 + 1 / (sqrt(3) * sqrt(1 + 80 * 4)) - 0.25)


def test_an_agent_starts_at_each_seed_with_half_the_energy_of_a_birth():
    strategy = begun(theta=3.0, population=2)
    for name in ("a", "b", "c"):
        step(strategy, TEXT, Ticket(f"http://{name}.test/", lane="seeds"))
    assert [agent.energy for agent in strategy._agents.values()] == [1.5, 1.5]
    assert all(agent.keywords == {"wolf": 1, "spider": 1} for agent in strategy._agents.values())


def test_energy_grows_with_similarity_and_shrinks_with_every_page():
    strategy = begun(theta=10.0, cost=0.25)
    tickets, moves = step(strategy, TEXT)
    _, more = step(strategy, TEXT, tickets["soup"])
    assert only(strategy).energy == pytest.approx(5.0 + 0.75 - 0.25)
    step(strategy, "bread and water", tickets["bread"])
    assert only(strategy).energy == pytest.approx(5.0 + 0.75 - 0.25 - 0.25)
    assert moves == more == []


def test_offspring_takes_half_of_energy_and_frontier_and_one_more_keyword():
    strategy = begun(theta=1.0, cost=0.05)
    tickets, _ = step(strategy, TEXT)
    before = list(only(strategy).weights)
    found, moves = step(strategy, "[wolf] spider bread bread bread hunt hunt wolf wolf", tickets["soup"])
    assert moves == [Move("agent 1", "agent 2", 2)]
    assert {ticket.lane for ticket in found.values()} == {"agent 1"}
    parent, child = strategy._agents.values()
    similarity = 4 / (sqrt(2) * sqrt(9 + 1 + 9 + 4))
    assert parent.energy == child.energy == pytest.approx((0.5 + similarity - 0.05) / 2)
    assert parent.keywords == {"wolf": 1, "spider": 1}
    # wolf and bread are equally frequent, and wolf is a keyword already.
    assert child.keywords == {"wolf": 1, "spider": 1, "bread": 1}
    assert child.weights[:2] == parent.weights != before
    assert len(child.weights) == 3


def test_mutation_has_its_limit():
    strategy = begun(theta=0.5, cost=0.01, mutations=1, population=3)
    tickets, _ = step(strategy, TEXT)
    for name in ("soup", "bread"):
        ticket = Ticket(tickets[name].url, lane=list(strategy._agents)[-1], memo=tickets[name].memo)
        step(strategy, "wolf spider bread " + name, ticket)
    assert [len(agent.keywords) for agent in strategy._agents.values()] == [2, 3, 3]


def test_the_dead_leave_their_links_and_a_new_agent_starts_from_them():
    strategy = begun(theta=1.0, cost=0.6)
    tickets, _ = step(strategy, TEXT)
    found, moves = step(strategy, "bread and [water]", tickets["soup"])
    assert moves == [Move("agent 1", "orphans")]
    assert found["water"].lane == "agent 1"
    assert not strategy._agents
    left = Ticket(tickets["bread"].url, tickets["bread"].score, "orphans", SEED, tickets["bread"].memo)
    step(strategy, TEXT, left)
    assert (only(strategy).lane, only(strategy).energy) == ("agent 2", 0.5)


def test_an_agent_with_nothing_to_follow_is_given_up():
    strategy = begun(theta=1000.0)
    step(strategy, "nothing here")
    tickets, _ = step(strategy, TEXT, Ticket("http://b.test/", lane="seeds"))
    moves = []
    for n in range(50):
        moves += step(strategy, TEXT, Ticket(f"http://b.test/{n}", lane="agent 2", memo=tickets["soup"].memo))[1]
    assert moves == [Move("agent 1", "orphans")]
    assert list(strategy._agents) == ["agent 2"]


def test_back_propagation_reduces_the_error():
    strategy = begun(rate=0.05)
    step(strategy, TEXT)
    agent = only(strategy)
    lessons = [([2.0, 0.0], 0.6), ([0.0, 1.5], 0.1), ([], 0.05), ([30.0, 40.0], 0.5)]

    def error():
        return sum((target - agent.output(inputs)) ** 2 for inputs, target in lessons[:3])

    first = error()
    for _ in range(300):
        for inputs, target in lessons[:3]:
            agent.train(inputs, target, 0.05)
    assert error() < first / 20
    # However many keywords stand around a link, a step does not lead beyond the target.
    inputs, target = lessons[3]
    before = target - agent.output(inputs)
    agent.train(inputs, target, 0.05)
    assert abs(target - agent.output(inputs)) <= abs(before)


def test_one_step_of_back_propagation_is_the_gradient():
    strategy = begun()
    step(strategy, TEXT)
    agent = only(strategy)
    agent.bias, agent.weights = 0.1, [0.2, -0.3]
    output = tanh(0.1 + 0.2 * 0.5 - 0.3 * 2)
    change = 0.05 * (0.9 - output) * (1 - output**2)
    agent.train([0.5, 2.0], 0.9, 0.05)
    assert agent.bias == pytest.approx(0.1 + change)
    assert agent.weights == pytest.approx([0.2 + change * 0.5, -0.3 + change * 2.0])


def test_seeds_come_first_then_agents_in_turn_and_the_dead_last():
    strategy = begun()
    tickets, _ = step(strategy, TEXT)
    step(strategy, TEXT, Ticket("http://b.test/", lane="seeds"))
    one, two, lost = (Ticket(SEED, score) for score in (0.2, 0.1, 0.9))
    assert strategy.choose({"orphans": lost, "agent 1": one, "seeds": two}) == "seeds"
    assert strategy.choose({"orphans": lost, "agent 1": one, "agent 2": two}) == "agent 1"
    step(strategy, TEXT, tickets["soup"])
    assert strategy.choose({"orphans": lost, "agent 1": one, "agent 2": two}) == "agent 2"
    assert strategy.choose({"orphans": lost, "agent 9": one}) == "orphans"


WORDS = ["wolf", "spider", "soup", "bread", "hunt", "night", "river"]


def crawl(strategy, frontier, pages, cut=None):
    """Crawl a web made of throws; at `cut`, go on with a copy of strategy and frontier."""
    order = []
    for at in range(pages):
        if at == cut:
            state, queue = strategy.save(), frontier.save()
            dice = strategy._rng.getstate()
            strategy, frontier = begun(theta=0.5, cost=0.05), frontier_for(strategy, 10)
            strategy.load(state)
            frontier.load(queue)
            strategy._rng.setstate(dice)
        lease = frontier.lease(strategy.choose, lambda host: 0.0, 0.0, 1)
        assert isinstance(lease, Lease)
        order.append(lease.ticket.url)
        rng = Random(lease.ticket.url)
        links = " ".join(f"[{rng.choice(WORDS)}{rng.randrange(400)}]" for _ in range(6))
        learned = list(strategy.learn(visit(strategy, " ".join(rng.choices(WORDS, k=9)) + " " + links, lease.ticket)))
        frontier.put([each for each in learned if isinstance(each, Ticket)])
        for move in learned:
            if isinstance(move, Move):
                before = Counter(ticket.lane for ticket in frontier.best(10**6))
                frontier.move(*move)
                after = Counter(ticket.lane for ticket in frontier.best(10**6))
                if move.to != "orphans":
                    assert after[move.to] == before[move.lane] // 2
    return order, strategy


def test_a_crawl_saved_in_the_middle_goes_on_as_if_nothing_had_happened():
    def start() -> tuple[Any, Any]:
        strategy = begun(theta=0.5, cost=0.05)
        frontier = frontier_for(strategy, 10)
        frontier.put(strategy.begin(Brief(TOPIC, (SEED, "http://b.test/"), Random(1))))
        return strategy, frontier

    whole, strategy = crawl(*start(), 120)
    assert strategy._born > 10
    assert len(strategy._agents) > 1
    for cut in (1, 30, 100):
        assert crawl(*start(), 120, cut)[0] == whole


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"alpha": "1.5"}, "alpha=1.5: give a number from 0 to 1"),
        ({"beta": "0"}, "beta=0.0: give a number above 0"),
        ({"theta": "-1"}, "theta=-1.0: give a number above 0"),
        ({"cost": "nan"}, "cost=nan: give a number above 0"),
        ({"rho": "0"}, "rho=0: give at least 1"),
        ({"population": "0"}, "population=0: give at least 1"),
        ({"mutations": "-1"}, "mutations=-1: give at least 0"),
    ],
)
def test_what_makes_no_sense_is_refused(settings, line):
    with pytest.raises(Refused, match=f"infospiders cannot work with {line}"):
        make("infospiders", settings)


def test_a_topic_without_words_is_refused():
    with pytest.raises(Refused, match="contain no topic"):
        make("infospiders").begin(Brief(Topic("the"), (SEED,), Random(1)))


def test_luck_is_gumbel_s():
    strategy = begun(beta=1.0)
    draws = sorted(strategy._luck("agent 1", f"http://a.test/{n}") for n in range(20_000))
    assert draws[10_000] == pytest.approx(-log(log(2)), abs=0.05)
    assert sum(draws) / len(draws) == pytest.approx(0.5772, abs=0.04)


def kin_of(strategy):
    return {kin["number"]: kin for kin in strategy.portrait()["spiders"]}


def test_it_remembers_who_descends_from_whom():
    strategy = begun(theta=1.0, cost=0.05)
    tickets, _ = step(strategy, TEXT)
    step(strategy, "[wolf] spider bread bread bread hunt hunt wolf wolf", tickets["soup"])
    family = kin_of(strategy)
    assert (family[1]["parent"], family[1]["born"], family[1]["given"]) == (None, SEED, [SEED])
    assert (family[2]["parent"], family[2]["born"], family[2]["given"]) == (1, "http://soup.test/", [])
    assert list(family[2]["keywords"]) == ["wolf", "spider", "bread"]
    assert family[2]["energy"] == strategy._agents["agent 2"].energy
    assert [kin["why"] for kin in family.values()] == ["", ""]


def test_it_remembers_the_dead_and_what_they_died_of():
    strategy = begun(theta=1.0, cost=0.6)
    tickets, _ = step(strategy, TEXT)
    step(strategy, "bread and [water]", tickets["soup"])
    step(strategy, TEXT, Ticket(tickets["bread"].url, lane="orphans", memo=tickets["bread"].memo))
    first, second = kin_of(strategy).values()
    assert (first["died"], first["why"]) == ("http://soup.test/", "no energy")
    assert first["energy"] == pytest.approx(0.5 - 0.6)
    assert list(first["keywords"]) == ["wolf", "spider"]
    assert (second["parent"], second["given"], second["why"]) == (None, ["http://bread.test/"], "")


def test_one_with_nothing_to_follow_is_remembered_as_such():
    strategy = begun(theta=1000.0)
    step(strategy, "nothing here")
    tickets, _ = step(strategy, TEXT, Ticket("http://b.test/", lane="seeds"))
    for n in range(50):
        step(strategy, TEXT, Ticket(f"http://b.test/{n}", lane="agent 2", memo=tickets["soup"].memo))
    assert kin_of(strategy)[1]["why"] == "nothing to follow"


def test_where_there_is_no_room_a_page_is_given_to_one_that_lives():
    strategy = begun(population=1)
    step(strategy, TEXT)
    step(strategy, TEXT, Ticket("http://b.test/", lane="seeds"))
    assert kin_of(strategy)[1]["given"] == [SEED, "http://b.test/"]


def test_the_family_survives_a_checkpoint():
    _, strategy = grown()
    other = begun(theta=0.5, cost=0.05)
    other.load(msgspec.msgpack.decode(msgspec.msgpack.encode(strategy.save())))
    assert other.portrait() == strategy.portrait()
    assert {kin["why"] for kin in strategy.portrait()["spiders"]} == {"", "no energy"}
    assert len(strategy.portrait()["spiders"]) == strategy.portrait()["born"] == strategy._born


def test_a_checkpoint_from_before_families_were_remembered_is_still_good():
    _, strategy = grown()
    old = strategy.save()
    del old["family"]
    other = begun(theta=0.5, cost=0.05)
    other.load(old)
    family = kin_of(other)
    assert list(family) == sorted(agent.number for agent in strategy._agents.values())
    assert all(kin["parent"] is None and kin["born"] == "" for kin in family.values())
    assert {number: kin["keywords"] for number, kin in family.items()} == {
        agent.number: agent.opinion for agent in strategy._agents.values()
    }


def grown():
    strategy = begun(theta=0.5, cost=0.4)
    frontier = frontier_for(strategy, 10)
    frontier.put(strategy.begin(Brief(TOPIC, (SEED, "http://b.test/"), Random(1))))
    return crawl(strategy, frontier, 120)
