"""A hunt as Python callers get it: with callbacks, item pipelines, tables, and a view for notebooks."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, aclosing
from html import escape
from typing import Any, TypeVar

from lycosa.app.python_api.fetched_page import FetchedPage
from lycosa.app.python_api.item_pipelines import Extract, ItemPipelines
from lycosa.app.python_api.page_table import PageTable, table_html
from lycosa.core.nouns import Miss, Outcome, Visit
from lycosa.engine.hunt import Hunt

Heard = TypeVar("Heard", bound=Callable[..., Any])


class HuntSession(Hunt):
    """A hunt that tells others of its pages.

    Callbacks and pipelines run between two pages, in the order in which they were added; they may be coroutines. What
    they raise ends the loop, and the hunt can be resumed.
    """

    _on_page: list[Callable[[FetchedPage], Any]]
    _on_miss: list[Callable[[Miss], Any]]
    _pipelines: list[ItemPipelines]

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._on_page, self._on_miss, self._pipelines = [], [], []

    def on_page(self, call: Heard) -> Heard:
        """Call a function with each page; also as a decorator."""
        self._on_page.append(call)
        return call

    def on_miss(self, call: Heard) -> Heard:
        """Call a function with each URL that brought no page; also as a decorator."""
        self._on_miss.append(call)
        return call

    def pipe(self, extract: Extract, *pipelines: Any) -> ItemPipelines:
        """Make items of each page and send them through pipelines; the result counts them."""
        made = ItemPipelines(extract, pipelines)
        self._pipelines.append(made)
        return made

    def run(self) -> None:
        """Run the hunt to its end, for its callbacks and pipelines."""
        for _ in self:
            pass

    def page(self, visit: Visit) -> FetchedPage:
        """The page of a visit, with its text and its HTML."""
        row = self.collection.log.page(visit.url)
        return FetchedPage(visit, row.relevance if row else None, self.collection.repository)

    def pages(self, *, min_relevance: float | None = None, text: bool = False) -> PageTable:
        """The pages so far as a table; one call more makes it a data frame."""
        return PageTable(self.collection.folder, min_relevance=min_relevance, text=text)

    async def outcomes(self) -> AsyncGenerator[Outcome, None]:
        """Run the hunt; every outcome as it comes, after the callbacks have heard of it."""
        async with AsyncExitStack() as stack:
            for pipelines in self._pipelines:
                await pipelines.open(self)
                stack.push_async_callback(pipelines.close, self)
            outcomes = await stack.enter_async_context(aclosing(super().outcomes()))
            async for outcome in outcomes:
                await self._tell(outcome)
                yield outcome

    async def _tell(self, outcome: Outcome) -> None:
        if isinstance(outcome, Visit):
            if outcome.out_of_scope or not (self._on_page or self._pipelines):
                return
            page = self.page(outcome)
            for call in self._on_page:
                await _finished(call(page))
            for pipelines in self._pipelines:
                await pipelines.process(page, self)
        elif isinstance(outcome, Miss):
            for tell in self._on_miss:
                await _finished(tell(outcome))

    def __repr__(self) -> str:
        most = self.plan.budget.pages
        counted = f"{self.crawl.tally.kept}{f' of {most}' if most else ''} pages"
        harvest = self.crawl.harvest()
        found = "" if harvest is None else f", {harvest:.0%} of them on topic"
        return f"<{self._state}: {self.plan.topic.keywords!r}, {counted}{found}, in {self.collection.folder}>"

    @property
    def _state(self) -> str:
        if stopped := self.crawl.stopped:
            return f"{stopped.state} hunt"
        return "running hunt" if self.driver else "hunt that has not begun"

    def _repr_html_(self) -> str:
        rows = [row for row, _ in zip(self.pages(), range(10), strict=False)]
        return f"<p>{escape(repr(self)[1:-1])}</p>{table_html(rows, ('relevance', 'title', 'url')) if rows else ''}"


async def _finished(found: Any) -> None:
    if inspect.isawaitable(found):
        await found
