"""Reinforcement learning (Rennie & McCallum 1999; McCallum et al. 2000; described by Pant et al. 2004, section 5.2).

A link is worth what it leads to, sooner or later: the discounted reward along the best path that begins with it,

    value = reward of its page + gamma * value of the best link that was followed from there

where a page's reward is its relevance. Naive Bayes estimates the value of a link from its words: those of its anchor,
those around it, and those of its URL. The links with known values are divided into bins of equal size by value. The
words of a link give it a probability for each bin, and its expected value is the mean of the bins' mean values,
weighted by these probabilities. (We know the originals by their abstracts and by accounts of them, not by their full
text.)

The original was trained on known paths before it crawled, with rewards of 0 and 1. Here the paths are those of the
crawl itself, and of an earlier crawl if the brief has its visits. So three things are our own. First, a page that turns
out to be relevant raises the values of the links on the path to it, and the model is fitted again whenever there is a
quarter more to learn from. Second, as long as little has been learned, a guess like best-first's counts more: the
relevance of the page, and the similarity of the anchor as a share of the highest relevance found so far,

    score = (1 - trust) * guess + trust * (1 - gamma) * expected value,    guess = (page + anchor * highest) / 2

with trust = n / (n + prior) for n known links. The factor 1 - gamma makes a value comparable with a relevance, because
a path on which every page has relevance r has value r / (1 - gamma). Third, bins have equal sizes, because relevance
has no natural steps. gamma = .5, three bins, five words on either side and prior = 100 are our choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from math import exp, log
from typing import ClassVar

from lycosa.core.brief import Brief
from lycosa.core.link_windows import marked
from lycosa.core.nouns import Page, Plain, Ticket, Topic, Visit
from lycosa.core.query import query
from lycosa.core.strategy import Strategy, best_of_each, register
from lycosa.core.words import Analysis, norm

_LONGEST = 32
"""Most words of a page that belong to one link: some anchors contain whole paragraphs."""
_FIRST = 20
"""Pages before the model is fitted for the first time."""

Path = list[Plain]
"""A page: the number of the page that linked to it, the link's words, the page's reward, the link's value."""
_PARENT, _WORDS, _REWARD, _VALUE = range(4)


@register("reinforcement")
@dataclass
class Reinforcement(Strategy):
    """Follow links whose words have led to relevant pages before, directly or later."""

    context: ClassVar[bool] = True
    gamma: float = 0.5
    """The discount of a reward for each link on the path to it."""
    bins: int = 3
    """Number of classes of value."""
    words: int = 5
    """How many words on either side of the anchor belong to a link."""
    prior: float = 100.0
    """Number of pages after which what was learned counts as much as the guess."""
    memory: int = 10_000
    """How many pages are learned from: the latest."""

    def __post_init__(self) -> None:
        if not 0 <= self.gamma < 1:
            raise self.bad_option("gamma", fix="give a number from 0 to less than 1")
        if not 0 <= self.prior < float("inf"):
            raise self.bad_option("prior", fix="give 0 or more")
        for name, least in (("bins", 2), ("words", 0), ("memory", _FIRST)):
            if getattr(self, name) < least:
                raise self.bad_option(name, fix=f"give at least {least}")

    def begin(self, brief: Brief) -> Iterable[Ticket]:
        """The seeds; the model learns at once from the paths of an earlier crawl."""
        self._paths: list[Path] = []
        self._forgotten = 0
        self._highest = 0.0
        self._due = _FIRST
        self._lesson: list[float] = []
        self._model: Model | None = None
        known: dict[str | None, int] = {}
        for visit in brief.priors.past:
            words = _words_of(visit, brief.topic.analysis)
            known[visit.url] = self._remember(known.get(visit.ticket.via, -1), words, visit.relevance)
        if brief.priors.past:
            self._fit()
        return super().begin(brief)

    def sense(self, page: Page, topic: Topic) -> Plain:
        """The similarity of each link's anchor, and the link's words."""
        found = marked(page, topic.analysis.sequence)
        similarity = query(topic.keywords, topic.analysis).of_terms
        sensed = []
        for link, (start, end), nth in zip(page.links, found.anchors, range(len(page.links)), strict=True):
            anchor = Counter(found.terms[start:end])
            words = chain(found.near(nth, self.words)[:_LONGEST], _url_words(link.url, topic.analysis))
            sensed.append([similarity(anchor, norm(anchor)), " ".join(words)])
        return sensed

    def learn(self, visit: Visit) -> Iterable[Ticket]:
        """Reward the path to this page, and estimate where its links lead."""
        parent, words = visit.ticket.memo[:2] if visit.ticket.memo else (-1, "")
        number = self._remember(parent, words, visit.relevance)
        if number + 1 >= self._due:
            self._fit()
        return best_of_each(self._tickets(visit, number))

    def explain(self, ticket: Ticket) -> Mapping[str, float]:
        """The parts of the guess and of what was learned."""
        if not ticket.memo:
            return {}
        guessed, learned = ticket.memo[2:]
        return {"page and anchor": guessed, "discounted reward of the link's words": learned}

    def save(self) -> Plain:
        """The paths, and the values that the model was fitted to: the words are those of the oldest paths."""
        state = {"paths": self._paths, "forgotten": self._forgotten, "highest": self._highest}
        return state | {"due": self._due, "lesson": self._lesson}

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self._paths, self._forgotten, self._highest = state["paths"], state["forgotten"], state["highest"]
        self._due, self._lesson = state["due"], state["lesson"]
        self._learn_lesson()

    def _tickets(self, visit: Visit, number: int) -> Iterable[Ticket]:
        model = self._model
        trust = len(self._lesson) / (len(self._lesson) + self.prior) if model else 0.0
        for url, (anchor, words) in zip(visit.links, visit.sense, strict=True):
            guessed = (1 - trust) * (visit.relevance + anchor * self._highest) / 2
            learned = trust * (1 - self.gamma) * model.expected(words) if model else 0.0
            yield Ticket(url, guessed + learned, via=visit.url, memo=[number, words, guessed, learned])

    def _remember(self, parent: int, words: str, reward: float) -> int:
        """Add a page and return its number; its reward goes back along the path to it while it improves a value."""
        number = self._forgotten + len(self._paths)
        self._highest = max(self._highest, reward)
        self._paths.append([parent, words, reward, reward])
        value = reward
        while parent >= self._forgotten:
            path = self._paths[parent - self._forgotten]
            value = path[_REWARD] + self.gamma * value
            if value <= path[_VALUE]:
                break
            path[_VALUE] = value
            parent = path[_PARENT]
        return number

    def _fit(self) -> None:
        """Fit the model to everything that is remembered."""
        gone = max(0, len(self._paths) - self.memory)
        del self._paths[:gone]
        self._forgotten += gone
        self._due = self._forgotten + len(self._paths) + max(_FIRST, len(self._paths) // 4)
        self._lesson = [path[_VALUE] for path in self._paths]
        self._learn_lesson()

    def _learn_lesson(self) -> None:
        pairs = zip(self._lesson, self._paths, strict=False)
        examples = [(value, path[_WORDS].split()) for value, path in pairs if path[_WORDS]]
        self._model = Model(examples, self.bins) if len(examples) >= self.bins else None


class Model:
    """Naive Bayes over bins of value: estimates the value of a link from its words."""

    def __init__(self, examples: Sequence[tuple[float, Sequence[str]]], bins: int) -> None:
        ranked = sorted(examples, key=lambda example: example[0])
        cuts = [len(ranked) * nth // bins for nth in range(bins + 1)]
        groups = [ranked[start:end] for start, end in pairwise(cuts)]
        self.means = [sum(value for value, _ in group) / len(group) for group in groups]
        self._priors = tuple(log(len(group) / len(ranked)) for group in groups)
        counts = [Counter(chain.from_iterable(words for _, words in group)) for group in groups]
        vocabulary = list(dict.fromkeys(chain.from_iterable(counts)))
        # Laplace smoothing: every word is counted once more than it occurs.
        totals = [log(count.total() + len(vocabulary)) for count in counts]
        self._words = {
            word: tuple(log(count[word] + 1) - total for count, total in zip(counts, totals, strict=True))
            for word in vocabulary
        }

    def posteriors(self, words: str) -> list[float]:
        """How likely each bin is for a link with these words."""
        known = [self._words[word] for word in words.split() if word in self._words]
        logs = [sum(column) for column in zip(self._priors, *known, strict=True)]
        highest = max(logs)
        weights = [exp(each - highest) for each in logs]
        total = sum(weights)
        return [weight / total for weight in weights]

    def expected(self, words: str) -> float:
        """The mean of the bins' mean values, weighted by their probabilities."""
        return sum([mean * share for mean, share in zip(self.means, self.posteriors(words), strict=True)])


def _url_words(url: str, analysis: Analysis) -> list[str]:
    return analysis.sequence(url.partition("//")[2])


def _words_of(visit: Visit, analysis: Analysis) -> str:
    """The words of the link to a page of an earlier crawl; if another strategy made it, only those of its URL."""
    match visit.ticket.memo:
        case [int(), str() as words, float(), float()]:
            return words
    return " ".join(_url_words(visit.url, analysis)) if visit.ticket.via else ""
