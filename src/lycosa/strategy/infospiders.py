"""InfoSpiders (Pant, Srinivasan & Menczer 2004, section 3.5): a population of agents that learn, multiply and die.

Each agent has a frontier of its own (a lane), a list of keywords, at first those of the query, and a neural net with an
input for each keyword and a single output. A URL may wait in the frontiers of several agents, each with that agent's
estimate. For a link l on a page p the net gets the keywords around l, and

    in(k, l) = sum of 1 / dist over the occurrences of keyword k at a distance of rho or less
    net = tanh(bias + sum of weight(k) * in(k, l))
    sigma = alpha * net + (1 - alpha) * sim(keywords, p)

where sim is equation 1, the cosine over all terms of the page. An agent follows a link of its frontier with probability
exp(beta * sigma) / sum of exp(beta * sigma') (equation 7). On the page that it finds, it gains sim(keywords, page) of
energy and pays a cost, and its net learns by back-propagation to predict that similarity from its inputs on the page
before. An agent that has energy theta has an offspring, which gets half of its energy, every second link of its
frontier, its net, and its keywords together with the page's most frequent other term. An agent without energy dies.

What section 3.5 leaves open is from Menczer, «Complementing search engines with online web mining agents», Decision
Support Systems 35, 2003: in(k, l), tanh and rho = 5 (equations 1 and 2); an agent for each seed with energy theta / 2;
offspring that gets half; death at 0; the random weight of a new keyword; no cost for seeds. In that paper, a page costs
what the whole population could just afford if the entire budget were spent on irrelevant pages; here every page costs
the same, and a page that cannot be fetched costs nothing. (We could not read Menczer, Pant & Srinivasan 2004, on the
redesigned agents.)

The rest is our choice. A keyword in the anchor is at distance 1, in the text next to it at 1.5, in the next anchor at
2, and so on. The net has only its output unit, because no hidden units are mentioned. Each URL gets one random number
from each agent: sigma + G / beta, where G has a Gumbel distribution, so the best score is a sample of equation 7, and
so is every later choice among links that waited together. A page is fetched once: when one agent follows a link, it is
gone from the frontiers of the others. Agents take turns. The links of a dead agent belong to no agent: they are
followed when no agent has a link that may be followed, and a new agent starts there, as from a seed. The same happens
to the links of an agent that had nothing to follow while the others made twenty steps each. Similarities to a few
keywords are small (below .05 for most pages that have any), and so are theta and cost: an agent that finds nothing
lives for 25 pages. These values, those of alpha, beta and rate, and the limits are our choice, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from math import log, tanh
from operator import mul
from typing import ClassVar

from lycosa.core.brief import Brief
from lycosa.core.keys import key64
from lycosa.core.link_windows import marked
from lycosa.core.nouns import Move, Page, Plain, Ticket, Topic, Visit
from lycosa.core.query import no_topic
from lycosa.core.strategy import Strategy, best_of_each, register
from lycosa.core.words import norm
from lycosa.strategy.family import NO_ENERGY, NOTHING_TO_FOLLOW, Family

_SEEDS, _ORPHANS = "seeds", "orphans"
_PATIENCE = 20
"""How many steps each of the others makes before an agent without links dies."""


@register("infospiders")
@dataclass
class InfoSpiders(Strategy):
    """Let a population of agents learn which words lead to relevant pages; those that find some multiply."""

    context: ClassVar[bool] = True
    own_lanes: ClassVar[bool] = True
    alpha: float = 0.5
    """The weight of the neural net in the estimate of a link; the similarity of its page has the rest."""
    beta: float = 200.0
    """How greedy the choice of a link is."""
    rho: int = 5
    """The largest distance from a link, counted in links, at which a keyword counts."""
    rate: float = 0.05
    """The learning rate of the neural net."""
    theta: float = 0.5
    """The energy at which an agent has offspring."""
    cost: float = 0.01
    """The energy that a page costs."""
    population: int = 16
    """Most agents that live at the same time."""
    mutations: int = 8
    """Most keywords that agents can have beyond those of the query."""
    buffer: int = 16_384
    """Most links in all agents' frontiers together."""

    def __post_init__(self) -> None:
        if not 0 <= self.alpha <= 1:
            raise self.bad_option("alpha", fix="give a number from 0 to 1")
        for name in ("beta", "theta", "rate", "cost"):
            if not 0 < getattr(self, name) < float("inf"):
                raise self.bad_option(name, fix="give a number above 0")
        for name, least in (("rho", 1), ("population", 1), ("buffer", 1), ("mutations", 0)):
            if getattr(self, name) < least:
                raise self.bad_option(name, fix=f"give at least {least}")
        self.capacity = self.buffer

    def begin(self, brief: Brief) -> Iterable[Ticket]:
        """The seeds, before anything else."""
        self._rng = brief.rng
        self._salt = brief.rng.getrandbits(64)
        self._query = dict(brief.topic.analysis.terms(brief.topic.keywords))
        if not self._query:
            raise no_topic(brief.topic.keywords)
        self._agents: dict[str, _Agent] = {}
        self._family = Family()
        self._born = 0
        self._steps = 0
        return [Ticket(url, 1.0, _SEEDS) for url in brief.seeds]

    def sense(self, page: Page, topic: Topic) -> Plain:
        """The norm of the page's terms, and the places of each among the links, the most frequent term first."""
        sequence, anchors = marked(page, topic.analysis.sequence)
        bag = Counter(sequence)
        # Any term may be a keyword of some agent by now, which scouts cannot know.
        places: dict[str, list[int]] = {term: [] for term, _ in bag.most_common()}
        at = 0
        # Link n is place 2n, and the text between it and the link before is place 2n - 1.
        for place, (start, end) in enumerate([*anchors, (len(sequence), len(sequence))]):
            for term in sequence[at:start]:
                places[term].append(2 * place - 1)
            for term in sequence[start:end]:
                places[term].append(2 * place)
            at = end
        return [norm(bag), places]

    def learn(self, visit: Visit) -> Iterable[Ticket | Move]:
        """One step of the agent that followed the link to this page."""
        length, places = visit.sense
        agent = self._agents.get(visit.ticket.lane)
        if agent is None:
            agent = self._settle(visit.url)
            similarity = agent.similarity(places, length)
        else:
            similarity = agent.similarity(places, length)
            agent.train(visit.ticket.memo[2], similarity, self.rate)
            self._spend(agent, similarity - self.cost)
        tickets = best_of_each(self._tickets(agent, visit, similarity, places))
        return [*tickets, *self._deaths(visit.url), *self._births(agent, visit.url, places)]

    def choose(self, lanes: Mapping[str, Ticket]) -> str:
        """The seeds first, then the agent that made the fewest steps; if there is none, the links of dead agents."""
        if _SEEDS in lanes:
            return _SEEDS
        agents = [self._agents[lane] for lane in lanes if lane in self._agents]
        return min(agents, key=lambda agent: (agent.turn, agent.number)).lane if agents else super().choose(lanes)

    def explain(self, ticket: Ticket) -> Mapping[str, float]:
        """The agent's estimates of the page and of the link, and what chance added."""
        if not ticket.memo:
            return {}
        similarity, net, _ = ticket.memo
        page, words = (1 - self.alpha) * similarity, self.alpha * net
        return {"the agent's keywords on the page": page, "the neural net": words, "luck": ticket.score - page - words}

    def save(self) -> Plain:
        """All agents, and how many there have been."""
        agents = [asdict(agent) for agent in self._agents.values()]
        state = {"salt": self._salt, "born": self._born, "steps": self._steps, "agents": agents}
        return state | {"family": self._family.save()}

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self._salt, self._born, self._steps = state["salt"], state["born"], state["steps"]
        self._agents = {agent.lane: agent for agent in (_Agent(**each) for each in state["agents"])}
        # A checkpoint from before families were recorded has only the living agents.
        unknown = [{"number": agent.number, "parent": None, "born": ""} for agent in self._agents.values()]
        self._family = Family(state.get("family", unknown))

    def portrait(self) -> Plain:
        """The family of agents, the living and the dead."""
        living = {agent.number: (agent.energy, agent.opinion) for agent in self._agents.values()}
        return {"born": self._born, "theta": self.theta, "spiders": self._family.portrait(living)}

    def _settle(self, url: str) -> _Agent:
        """An agent for a page to which no agent followed a link: a new one, if the population is not full."""
        agent = self._idlest() if len(self._agents) >= self.population else self._newcomer(url)
        self._family.gift(agent.number, url)
        return agent

    def _idlest(self) -> _Agent:
        return min(self._agents.values(), key=lambda agent: (agent.turn, agent.number))

    def _newcomer(self, url: str) -> _Agent:
        turn = min([agent.turn for agent in self._agents.values()], default=0)
        weights = [self._random_weight() for _ in self._query]
        return self._add(_Agent(dict(self._query), weights, self._random_weight(), self.theta / 2, turn), None, url)

    def _add(self, agent: _Agent, parent: int | None, url: str) -> _Agent:
        self._born += 1
        self._family.birth(self._born, parent, url)
        agent.number, agent.step = self._born, self._steps
        self._agents[agent.lane] = agent
        return agent

    def _random_weight(self) -> float:
        # Small, as similarities are, and at first in favour of the keywords.
        return self._rng.uniform(0.0, 0.1)

    def _spend(self, agent: _Agent, energy: float) -> None:
        self._steps += 1
        agent.energy += energy
        agent.turn += 1
        agent.step = self._steps

    def _deaths(self, url: str) -> Iterable[Move]:
        patience = _PATIENCE * len(self._agents)
        for agent in list(self._agents.values()):
            if agent.energy <= 0 or self._steps - agent.step > patience:
                del self._agents[agent.lane]
                why = NO_ENERGY if agent.energy <= 0 else NOTHING_TO_FOLLOW
                self._family.death(agent.number, url, why, agent.energy, agent.opinion)
                yield Move(agent.lane, _ORPHANS)

    def _births(self, agent: _Agent, url: str, places: Mapping[str, list[int]]) -> Iterable[Move]:
        if agent.energy < self.theta or len(self._agents) >= self.population:
            return
        agent.energy /= 2
        keywords, weights = dict(agent.keywords), list(agent.weights)
        new = next((term for term in places if term not in keywords), None)
        if new is not None and len(keywords) < len(self._query) + self.mutations:
            keywords[new] = 1
            weights.append(self._random_weight())
        child = self._add(_Agent(keywords, weights, agent.bias, agent.energy, agent.turn), agent.number, url)
        yield Move(agent.lane, child.lane, 2)

    def _tickets(
        self, agent: _Agent, visit: Visit, similarity: float, places: Mapping[str, list[int]]
    ) -> Iterable[Ticket]:
        by_page, share = (1 - self.alpha) * similarity, self.alpha
        inputs = agent.inputs(places, len(visit.links), self.rho)
        unknown = agent.output([])
        for at, url in enumerate(visit.links):
            around = inputs.get(at)
            net = agent.output(around) if around else unknown
            score = by_page + share * net + self._luck(agent.lane, url)
            yield Ticket(url, score, agent.lane, visit.url, [similarity, net, around or []])

    def _luck(self, lane: str, url: str) -> float:
        """Gumbel noise, the same for a URL wherever an agent finds it."""
        even = ((key64(f"{self._salt} {lane} {url}") >> 12) + 0.5) / 2**52
        return -log(-log(even)) / self.beta


@dataclass
class _Agent:
    """An agent: its keywords, its neural net and its energy."""

    keywords: dict[str, float]
    weights: list[float]
    bias: float
    energy: float
    turn: int
    """The steps of this agent and its ancestors."""
    number: int = 0
    step: int = 0
    """The population's number of steps at its last step."""

    @property
    def lane(self) -> str:
        return f"agent {self.number}"

    @property
    def opinion(self) -> dict[str, float]:
        """The weight of each keyword in the net."""
        return dict(zip(self.keywords, self.weights, strict=True))

    def similarity(self, places: Mapping[str, list[int]], length: float) -> float:
        """The cosine of the keywords and a page of this norm (equation 1)."""
        dot = sum([weight * len(places[term]) for term, weight in self.keywords.items() if term in places])
        return min(1.0, dot / (norm(self.keywords) * length)) if dot else 0.0

    def inputs(self, places: Mapping[str, list[int]], links: int, rho: int) -> dict[int, list[float]]:
        """The net's inputs for each link with keywords around it."""
        found: dict[int, list[float]] = {}
        for nth, term in enumerate(self.keywords):
            for place in places.get(term, ()):
                # All links at most rho - 1 away, in half links: twice the distance is 2 + |place - 2 * link|.
                for link in range(max(0, (place + 1) // 2 - rho + 1), min(links, place // 2 + rho)):
                    if link not in found:
                        found[link] = [0.0] * len(self.keywords)
                    found[link][nth] += 2 / (2 + abs(place - 2 * link))
        return found

    def output(self, inputs: list[float]) -> float:
        """The net's output for these inputs."""
        return tanh(self.bias + sum(map(mul, self.weights, inputs)))

    def train(self, inputs: list[float], target: float, rate: float) -> None:
        """Back-propagate the error of the estimate for the link that led here."""
        output = self.output(inputs)
        slope = (target - output) * (1 - output * output)
        # With many keywords around a link, a full step would overshoot the target.
        step = slope * min(rate, 1 / (1 + sum(map(mul, inputs, inputs))))
        self.bias += step
        for nth, given in enumerate(inputs):
            self.weights[nth] += step * given
