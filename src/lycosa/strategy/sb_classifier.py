"""SB-CLASSIFIER (Gauquier, Manolescu & Senellart 2026): a sleeping bandit over links that stand in similar places.

Where a link stands in its page says much about what it leads to: all entries of a list have the same tag path, such as
`body div#main ul.results li a`. Links are grouped by their tag paths, and each group is an arm of a bandit. A tag path
is a vector of its pairs of neighbouring tags; it joins the group with the most similar centroid, if their cosine is at
least `theta`, else it begins a new group. Arms without links that may be followed sleep. Of the others, the one with
the highest

    mean reward + alpha * sqrt(ln t / n)        n times chosen of t; an arm that was never chosen comes first

is chosen (AUER, Kleinberg et al. 2010), and a random link of it is followed. An online classifier of URLs, logistic
regression over pairs of characters, learns to recognise targets before they are fetched. A page's reward is the number
of new targets that it leads to, and targets that are recognised are fetched before anything else.

In the paper, targets are data files of one website, which contain no links, and the classifier learns at first from
HEAD requests. Here targets are relevant pages, on any number of hosts. So a page that is a target itself is a reward of
1 for its arm, besides the recognised targets on it that turn out to be relevant; links of targets are grouped like
others; the classifier learns from fetched pages only, and sees the words of anchors too (`anchors`), because addresses
say little about topics. Links of all hosts are grouped together. At most `arms` groups are made: after that, a tag path
joins the most similar one in any case. Numbers in ids and classes count as equal.

We know the paper by its abstract and by accounts of it. theta = .75, the pairs, batches of 10 and logistic regression
are from memory, and so is its alpha of 2 sqrt 2. Our rewards are smaller than counts of files, and so is our alpha.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf, log, sqrt
from typing import ClassVar

from lycosa.core.brief import Brief
from lycosa.core.keys import key64
from lycosa.core.nouns import Page, Plain, Ticket, Topic, Visit
from lycosa.core.strategy import Strategy, best_of_each, register
from lycosa.strategy.link_words import words_in
from lycosa.strategy.path_groups import PathGroups
from lycosa.strategy.relevance_bar import RelevanceBar, check_bar
from lycosa.strategy.url_classifier import UrlClassifier

_SEEDS, _TARGETS = "seeds", "targets"
_ANCHOR = 6
"""Words of an anchor that count."""


@register("sb-classifier")
@dataclass
class SbClassifier(Strategy):
    """Learn from which places of pages links lead to relevant pages, and follow such links."""

    context: ClassVar[bool] = True
    tag_paths: ClassVar[bool] = True
    alpha: float = 0.5
    """How much arms that were seldom chosen are preferred."""
    theta: float = 0.75
    """The similarity from which a tag path belongs to a group."""
    arms: int = 500
    """Most groups of tag paths."""
    anchors: bool = True
    """Whether the classifier sees the words of anchors; the original sees only URLs."""
    sure: float = 0.5
    """The probability from which a link is a recognised target; 1 = never, which leaves everything to the bandit."""
    relevant: float = -1.0
    """The relevance from which a page is relevant; -1 = the mean relevance of the crawl so far."""

    def __post_init__(self) -> None:
        if not 0 <= self.alpha < inf:
            raise self.bad_option("alpha", fix="give 0 or more")
        for name in ("theta", "sure"):
            if not 0 <= getattr(self, name) <= 1:
                raise self.bad_option(name, fix="give a number from 0 to 1")
        if self.arms < 1:
            raise self.bad_option("arms", fix="give at least 1")
        check_bar(self)

    def begin(self, brief: Brief) -> Iterable[Ticket]:
        """The seeds, before anything else."""
        self._salt = brief.rng.getrandbits(63)
        self._bar = RelevanceBar(brief.topic.examples, self.relevant)
        self._groups = PathGroups(self.theta, self.arms)
        self._classifier = UrlClassifier()
        self._chosen: dict[str, list[float]] = {}
        """By arm: how often it was chosen, and the sum of its rewards."""
        self._rounds = 0
        return [Ticket(url, 1.0, _SEEDS) for url in brief.seeds]

    def sense(self, page: Page, topic: Topic) -> Plain:
        """The tag paths of the page, which of them each link has, and the words of each anchor."""
        paths: dict[str, int] = {}
        places = [paths.setdefault(link.path, len(paths)) for link in page.links]
        anchors = {
            text: words_in(text, topic.analysis)[:_ANCHOR] for text in {page.anchor(link) for link in page.links}
        }
        return [list(paths), places, [anchors[page.anchor(link)] for link in page.links]]

    def learn(self, visit: Visit) -> Iterable[Ticket]:
        """Reward the arm of the link that led here, teach the classifier, and group the page's links."""
        good = self._bar.passes(visit.url, visit.relevance)
        memo = visit.ticket.memo
        if memo:
            arm, credit, anchor = memo[:3]
            self._classifier.learn(visit.url, anchor if self.anchors else [], good)
            if arm != _TARGETS:
                self._rounds += 1
                count = self._chosen.setdefault(arm, [0.0, 0.0])
                count[0] += 1
                count[1] += good
            elif credit and good:
                self._chosen.setdefault(credit, [0.0, 0.0])[1] += 1
        paths, places, anchors = visit.sense
        arms = [self._groups.group(path) for path in paths]
        credit = memo[0] if memo and memo[0] != _TARGETS else ""
        return best_of_each(self._tickets(visit, [arms[place] for place in places], anchors, credit))

    def choose(self, lanes: Mapping[str, Ticket]) -> str:
        """Seeds and recognised targets first; then the arm with the highest bound, among those that do not sleep."""
        for first in (_SEEDS, _TARGETS):
            if first in lanes:
                return first
        return max(lanes, key=lambda lane: (sum(self._bound(lane)), lanes[lane].score))

    def explain(self, ticket: Ticket) -> Mapping[str, float]:
        """For a target what the classifier says, else what the bandit says about its arm, and the luck within it."""
        if not ticket.memo:
            return {}
        if ticket.lane == _TARGETS:
            return {"recognised target": 1.0, "probability": ticket.score - 1.0}
        mean, bonus = self._bound(ticket.lane)
        if bonus == inf:
            return {"such places were never tried": 1.0, "luck": ticket.score}
        return {"reward of such places": mean, "seldom tried": bonus, "luck": ticket.score}

    def save(self) -> Plain:
        """Groups, rewards and classifier."""
        return {
            "salt": self._salt,
            "bar": self._bar.save(),
            "groups": self._groups.save(),
            "classifier": self._classifier.save(),
            "chosen": self._chosen,
            "rounds": self._rounds,
        }

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self._salt, self._rounds = state["salt"], state["rounds"]
        self._bar.load(state["bar"])
        self._groups.load(state["groups"])
        self._classifier.load(state["classifier"])
        self._chosen = state["chosen"]

    def _bound(self, arm: str) -> tuple[float, float]:
        """The mean reward of an arm, and its bonus."""
        count, total = self._chosen.get(arm, (0.0, 0.0))
        if not count:
            return total, inf
        return total / count, self.alpha * sqrt(log(max(2, self._rounds)) / count)

    def _tickets(self, visit: Visit, arms: list[str], anchors: list[list[int]], credit: str) -> Iterable[Ticket]:
        for url, arm, anchor in zip(visit.links, arms, anchors, strict=True):
            words = anchor if self.anchors else []
            likely = self._classifier.probability(url, words) if self.sure < 1 else 0.0
            if likely > self.sure:
                yield Ticket(url, 1.0 + likely, _TARGETS, visit.url, [_TARGETS, credit, anchor])
            else:
                # The same random number wherever the URL is found, so that it stays where it was found first.
                luck = (key64(f"{self._salt} {url}") >> 11) / 2**53
                yield Ticket(url, luck, arm, visit.url, [arm, "", anchor])
