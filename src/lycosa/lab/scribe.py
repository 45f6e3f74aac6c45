"""Records what a crawl does, by page number: the pages with their order, and what each of them cost."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from lycosa.core.nouns import Miss, Outcome, Redirect, Visit
from lycosa.engine.relevance import Relevance
from lycosa.lab.comparison import Floats, Track
from lycosa.lab.world import World


class Scribe:
    """Is told every outcome of a crawl, in order."""

    def __init__(self, world: World, model: Relevance | None = None) -> None:
        self.odd = 0
        """Answers that are not pages of the corpus, such as a robots.txt to which a page links."""
        self._asked = 0
        self._missing = 0
        self._pages: list[int] = []
        self._via: list[int] = []
        self._relevance: list[float] = []
        self._requests: list[int] = []
        """For each page, all requests up to it."""
        self._seconds: list[float] = []
        self._world = world
        self._model = model
        self._fetched: list[int] = []
        """The numbers of the pages in the page model, if there is one."""
        self._chance_then: list[float | None] = []
        self._origins: set[str] = set()
        self._numbers: dict[str | None, int] = {None: -1}
        """The numbers of fetched pages, the only ones on which links are found."""
        self._found_on: dict[str | None, str | None] = {}
        """By redirecting URL: the page that links to it."""

    def ask(self, outcome: Outcome) -> None:
        """Count the requests behind an outcome: its own, and one for robots.txt if its host was not known yet."""
        url = outcome.ticket.url
        origin = url[: url.find("/", 8)]
        if origin not in self._origins:
            self._origins.add(origin)
            self._asked += 1
        # What robots.txt forbids is not requested.
        self._asked += not isinstance(outcome, Miss) or outcome.asked

    def note(self, outcome: Outcome, now: float) -> None:
        """Record an outcome, and the time at which it came."""
        self.ask(outcome)
        ticket = outcome.ticket
        if isinstance(outcome, Visit):
            page = self._numbers[ticket.url] = self._world.corpus.number(ticket.url)
            if page < 0:
                self.odd += 1
                return
            self._pages.append(page)
            self._via.append(self._numbers.get(self._found_on.get(ticket.via, ticket.via), -1))
            self._relevance.append(outcome.relevance)
            self._requests.append(self._asked)
            self._seconds.append(now)
            if self._model:
                self._fetched.append(self._model.pages.seen - 1)
                self._chance_then.append(self._model.of(self._fetched[-1]))
        elif isinstance(outcome, Redirect):
            self._found_on[ticket.url] = self._found_on.get(ticket.via, ticket.via)
        elif outcome.reason == "status 404":
            self._missing += self._world.parsed.row(ticket.url) < 0

    def chances(self) -> dict[str, Floats]:
        """How likely each page is about the topic by the page model, at the end and when it was fetched."""
        if not self._model:
            return {}
        now = [self._model.of(page) for page in self._fetched]
        return {"chance": np.array(now, np.float64), "chance_then": np.array(self._chance_then, np.float64)}

    def track(self, *, timed: bool) -> Track:
        """What was recorded; `timed` if the crawl had a clock."""
        return Track(
            np.array(self._pages, np.int32),
            np.array(self._via, np.int32),
            np.array(self._relevance, np.float64),
            np.array([now - before for before, now in pairwise([0, *self._requests])], np.int32),
            np.array(self._seconds, np.float64) if timed else None,
            asked=self._asked,
            missing=self._missing,
        )
