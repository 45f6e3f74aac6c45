"""ACHE (Barbosa & Freire 2007): a link classifier that learns during the crawl how far links are from relevant pages.

The words of a link, those of its anchor, around it, and in its URL, say what it leads to. Fetched pages teach which
words: a link to a relevant page is of level 0, a link to a page that links to a relevant page is of level 1, and so on;
what is not of the first `levels` levels is further away. After `every` pages, and then whenever there are a tenth more,
naive Bayes is fitted to the links that were followed, and all links that wait are scored again:

    score = sum over the levels l of (levels - l) * P(l | words)

With several levels, links with a delayed benefit are followed too. Until the classifier is fitted for the first time, a
link's score is the relevance of its page.

Back and forth (Barbosa, Bangalore & Rangarajan Sridhar 2011): pages that link to relevant pages are likely to link to
others. With `hubs`, the pages that link to the examples are looked up before the crawl, from the sources of in-links. A
second classifier learns which of them are good hubs: fetched pages with more than 20 links are ranked by how many of
their links lead, or seem to lead, to relevant pages; the better half teaches what the URLs of hubs look like. The score
of a hub is levels * P(hub | words of its URL) / 2, at best half as good as a link to a relevant page.

We know the papers by their abstracts and by accounts of them, and ACHE's code (github.com/VIDA-NYU/ache). From there
come the fields of words, the choice between one level (its default) and three, the first link to a URL as the one that
counts, at most 5,000 examples of each level, the new scores for all links, and the rule for hubs. These things differ.
ACHE's score is the weight of the most probable level plus that level's probability; here it is the expected weight.
ACHE has no class for links that lead nowhere if it learns levels. Its classifier is now a support vector machine with
selected features; here it is naive Bayes, as in its older versions, over words that occurred twice. It learns every 500
pages. It asks a search engine for the in-links of every relevant page that it finds, and follows only the links of
hubs; a strategy here does no I/O, so only in-links of examples can be known, and the links of all pages are followed.
Its SeedFinder, which finds seeds with a search engine, is not part of a strategy and is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from lycosa.core.brief import Brief
from lycosa.core.nouns import Miss, Page, Plain, Ticket, Topic, Visit
from lycosa.core.priors import LinksTo, Priors, Want
from lycosa.core.strategy import Strategy, register
from lycosa.strategy.link_table import GONE, IRRELEVANT, RELEVANT, WAITING, LinkTable
from lycosa.strategy.link_words import ADDRESS, ANCHOR, AROUND, address_words, link_words, read_words
from lycosa.strategy.relevance_bar import RelevanceBar, check_bar
from lycosa.strategy.word_bayes import WordBayes

_GROWTH = 10
"""The classifier is fitted again when the crawl has grown by one page in this many."""
_MOST = 5000
"""Most examples of a level."""
_HUB = 20
"""A page with more links than this may be a hub."""
_AHEAD = 8
"""Links per page until the next lesson that the frontier is told the new scores of."""
_NOTICED = 1e-3
"""By how much a score must change before the frontier is told."""
_FIELDS = (ANCHOR, AROUND, ADDRESS)


@register("ache")
@dataclass
class Ache(Strategy):
    """Follow links whose words have led to relevant pages before, or to pages that link to such pages."""

    context: ClassVar[bool] = True
    merge: ClassVar[str] = "last"
    every: int = 50
    """Pages before the classifier is fitted for the first time, and at least between two times."""
    levels: int = 1
    """How many levels of distance from relevant pages are told apart; 1 = only links to relevant pages from others."""
    hubs: int = 0
    """In-links of each example that are looked up before the crawl and fetched as hubs; 0 needs no source of them."""
    relevant: float = -1.0
    """The relevance from which a page is relevant; -1 = the mean relevance of the crawl so far."""
    memory: int = 200_000
    """Most URLs that are remembered, to be scored again and to learn from."""

    def __post_init__(self) -> None:
        check_bar(self)
        for name, least in (("every", 1), ("levels", 1), ("hubs", 0), ("memory", 1000)):
            if getattr(self, name) < least:
                raise self.bad_option(name, fix=f"give at least {least}")

    def study(self, topic: Topic, priors: Priors) -> Iterable[Want]:
        """The pages that link to the examples, if hubs are wanted."""
        return [LinksTo(url, self.hubs) for url in topic.examples] if self.hubs else []

    def begin(self, brief: Brief) -> Iterable[Ticket]:
        """The seeds, and the hubs behind them."""
        self._bar = RelevanceBar(brief.topic.examples, self.relevant)
        self._table = LinkTable(self.memory, self.levels)
        self._links: WordBayes | None = None
        self._hubs: WordBayes | None = None
        self._pages = 0
        self._due = self.every
        known = brief.priors.inlinks
        found = dict.fromkeys(hub for url in brief.topic.examples for hub in known.get(url, ())[: self.hubs])
        self._seeds = frozenset(brief.seeds)
        self._waiting_hubs = {url: self._hub_score(url) for url in found if url not in self._seeds}
        return [*(Ticket(url, self.levels + 1.0) for url in brief.seeds), *self._hub_tickets()]

    def sense(self, page: Page, topic: Topic) -> Plain:
        """The words of each link."""
        return link_words(page, topic.analysis)

    def learn(self, visit: Visit) -> Iterable[Ticket]:
        """Note how far the page is from relevant ones, and score its links, or all links if a lesson is due."""
        table, words = self._table, read_words(visit.sense)
        self._waiting_hubs.pop(visit.url, None)
        good = self._bar.passes(visit.url, visit.relevance)
        outcome = RELEVANT if good else IRRELEVANT
        if table.waits(visit.ticket.via):  # the URL that a link led to was redirected here
            table.visited(visit.ticket.via or "", outcome)
        page = table.visited(visit.url, outcome)
        fresh = table.add_links(page, visit.links, words)
        self._pages += 1
        if self._pages >= self._due:
            return self._lesson(fresh, visit.relevance)
        self._score(fresh, visit.relevance)
        return self._tickets(fresh)

    def miss(self, miss: Miss) -> Iterable[Ticket]:
        """Stop waiting for a page that cannot be fetched."""
        self._table.set_state(miss.ticket.url, GONE)
        self._waiting_hubs.pop(miss.ticket.url, None)
        return ()

    def explain(self, ticket: Ticket) -> Mapping[str, float]:
        """What each level contributes to the score."""
        if isinstance(ticket.memo, list):
            return {_level(level): share for level, share in enumerate(ticket.memo)}
        return {ticket.memo: ticket.score} if ticket.memo else {}

    def save(self) -> Plain:
        """The links, the outcomes, and both classifiers."""
        return {
            "bar": self._bar.save(),
            "table": self._table.save(),
            "links": self._links.save() if self._links else None,
            "hubs": self._hubs.save() if self._hubs else None,
            "waiting": self._waiting_hubs,
            "when": [self._pages, self._due],
        }

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self._bar.load(state["bar"])
        self._table.load(state["table"])
        self._links = self._hubs = None
        if state["links"]:
            self._links = self._bayes()
            self._links.load(state["links"])
        if state["hubs"]:
            self._hubs = _hub_bayes()
            self._hubs.load(state["hubs"])
        self._waiting_hubs = state["waiting"]
        self._pages, self._due = state["when"]

    def _bayes(self) -> WordBayes:
        return WordBayes(self.levels + 1, _FIELDS, least=2)

    def _lesson(self, fresh: NDArray[np.int64], relevance: float) -> list[Ticket]:
        """Fit both classifiers, and score all links again."""
        interval = max(self.every, self._pages // _GROWTH)
        self._due = self._pages + interval
        table = self._table
        rows, levels = table.outcomes(_MOST)
        if len(set(levels.tolist())) > 1:
            self._links = self._bayes()
            for row, level in zip(rows.tolist(), levels.tolist(), strict=True):
                self._links.add(table.words[row], level)
        self._score(fresh, relevance)
        waiting = np.flatnonzero(table.state[: len(table.urls)] == WAITING)
        if self._links is not None:
            self._score(waiting, relevance)
        self._learn_hubs()
        return [*self._tickets(waiting, _AHEAD * interval), *self._hub_tickets()]

    def _score(self, rows: NDArray[np.int64], relevance: float) -> None:
        """Score links; those of a page with this relevance, if there is no classifier yet."""
        table = self._table
        if self._links is None:
            table.score[rows] = relevance
            table.parts[rows] = 0.0
            return
        weights = np.arange(self.levels, 0, -1.0)
        for start in range(0, len(rows), 4096):
            some = rows[start : start + 4096]
            # Rounded, so that machines that add in another order agree.
            table.parts[some] = np.round(self._links.posteriors(table.words[some])[:, :-1] * weights, 6)
            table.score[some] = table.parts[some].sum(1)

    def _tickets(self, rows: NDArray[np.int64], most: int = 0) -> Iterator[Ticket]:
        """Tickets for links whose score the frontier does not know; with `most`, only for those that come next."""
        table = self._table
        score, told = table.score[rows], table.told[rows]
        news = ~(np.abs(score - told) <= _NOTICED)
        if len(rows) > most > 0:
            bar = -np.partition(-score, most)[most]
            news &= (score >= bar) | (told >= bar) | np.isnan(told)
        chosen = rows[news]
        table.told[chosen] = table.score[chosen]
        for row in chosen.tolist():
            url = table.urls[row]
            if url not in self._seeds and url not in self._waiting_hubs:
                memo: Plain = table.parts[row].tolist() if self._links else "relevance of the linking page"
                yield Ticket(url, float(table.score[row]), via=table.urls[table.found_on[row]], memo=memo)

    def _learn_hubs(self) -> None:
        """Learn from the pages with many links which URLs are those of good hubs."""
        if not self._waiting_hubs:
            return
        table = self._table
        ranked = sorted(
            ((table.yield_of(page), page) for page in table.pages_with(_HUB)), key=lambda each: (-each[0], each[1])
        )
        half = min(len(ranked) // 2, _MOST)
        if half < 5:
            return
        self._hubs = _hub_bayes()
        for good, some in ((1, ranked[:half]), (0, ranked[-half:])):
            for _, page in some:
                self._hubs.add(_padded(address_words(table.urls[page])), good)

    def _hub_score(self, url: str) -> float:
        probability = 0.5 if self._hubs is None else float(self._hubs.posteriors(_padded(address_words(url)))[0, 1])
        return round(self.levels * probability / 2, 6)

    def _hub_tickets(self) -> Iterator[Ticket]:
        for url in self._waiting_hubs:
            self._waiting_hubs[url] = self._hub_score(url)
            yield Ticket(url, self._waiting_hubs[url], memo="a hub behind the examples")


def _hub_bayes() -> WordBayes:
    return WordBayes(2, (slice(0, ADDRESS.stop - ADDRESS.start),))


def _padded(words: list[int]) -> NDArray[np.uint16]:
    row = np.zeros(ADDRESS.stop - ADDRESS.start, np.uint16)
    row[: len(words)] = words
    return row


def _level(level: int) -> str:
    if level == 0:
        return "leads to a relevant page"
    return f"leads there in {level + 1} steps"
