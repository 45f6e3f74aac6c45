"""The live view of a hunt: a small dashboard in a terminal, plain lines anywhere else."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncGenerator
from typing import NamedTuple

import numpy as np
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from lycosa.app.rendering_costs import rendering_answer, rendering_words
from lycosa.app.wording import percent, printable, probability, size_of
from lycosa.core.nouns import Outcome, Visit
from lycosa.engine.hunt import Hunt

_SPARKS = "▁▂▃▄▅▆▇█"
_PLAIN_EVERY = 5.0
_RECENT = 100
"""The last pages whose harvest is shown beside that of all."""


class BestPage(NamedTuple):
    """A page of this run, and how likely it is on topic by what is known now."""

    relevance: float
    url: str
    title: str


class View:
    """The current state of a hunt; it reads the crawl, and itself keeps only titles and the recent rate."""

    def __init__(self, hunt: Hunt, best: int = 8) -> None:
        self.hunt = hunt
        self.started = time.monotonic()
        self.before = hunt.crawl.tally.pages
        self._titles: dict[str, str] = {}
        """Titles of the pages of this run by URL, as many as the crawl remembers pages."""
        self._keep = best
        self._times: deque[float] = deque(maxlen=200)

    def saw(self, outcome: Outcome) -> None:
        """Take an outcome into account."""
        if not isinstance(outcome, Visit):
            return
        self._times.append(time.monotonic())
        known = self.hunt.crawl.relevance
        if known and not outcome.withheld:  # a revisit judges no pages
            self._titles.pop(outcome.url, None)
            self._titles[outcome.url] = outcome.title
            if len(self._titles) > known.pages.memory:
                del self._titles[next(iter(self._titles))]

    @property
    def rate(self) -> float:
        """Pages per second, recently."""
        times = self._times
        return (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 and times[-1] > times[0] else 0.0

    def line(self) -> str:
        """The whole view in one line."""
        if self.hunt.reading:
            return self._reading()
        crawl = self.hunt.crawl
        tally, budget = crawl.tally, crawl.plan.budget
        goal = f"/{budget.pages:,}" if budget.pages else ""
        apart = [
            f"{count:,} {what}"
            for count, what in ((tally.withheld, "withheld"), (tally.outside, "outside the scope"))
            if count
        ]
        besides = f" ({', '.join(apart)})" if apart else ""
        misses = f", {sum(tally.misses.values()):,} misses" if tally.misses else ""
        return (
            f"{tally.pages:,}{goal} pages{besides}, {self.rate:.1f}/s, on topic {probability(crawl.harvest())} "
            f"(last {min(_RECENT, tally.kept)}: {probability(crawl.harvest(_RECENT))}), "
            f"frontier {len(crawl.frontier):,}, {len(crawl.politeness):,} hosts, {size_of(tally.bytes)}{misses}"
            + (f"; {rendered}" if (rendered := self._rendered()) else "")
            + (f"; {self.hunt.waiting}" if self.hunt.waiting else "")
            + (f"; {reader}" if (reader := self._reader()) else "")
        )

    def best_pages(self) -> list[BestPage]:
        """The pages of this run that are most likely on topic, by what is known now."""
        known = self.hunt.crawl.relevance
        if known is None or not self._titles:
            return []
        rows, relevance = known.pages.in_order(), np.nan_to_num(known.all(), nan=-1.0)
        found: list[BestPage] = []
        for place in np.argsort(-relevance, kind="stable").tolist():
            url = known.pages.urls[rows[place]]
            if len(found) >= self._keep or relevance[place] < 0:
                break
            if url in self._titles:
                found.append(BestPage(float(relevance[place]), url, self._titles[url]))
        return found

    def best(self) -> Table:
        """The best pages so far."""
        table = Table.grid(padding=(0, 1))
        table.add_column()
        table.add_column(no_wrap=True, overflow="ellipsis", max_width=40)
        table.add_column(no_wrap=True, overflow="ellipsis")
        for page in self.best_pages():
            shown = Text(f"{percent(page.relevance):>6}", style="green")
            table.add_row(shown, Text(printable(page.title)), Text(page.url, style="dim"))
        return table

    def summary(self) -> list[str]:
        """The result of the hunt, in plain lines that can be copied."""
        misses = self.hunt.crawl.tally.misses
        lines = [self.line()]
        if misses:
            lines.append("misses: " + ", ".join(f"{printable(why)} ×{count:,}" for why, count in misses.most_common(8)))
        best = [f"{percent(page.relevance):>6}  {page.url}  {printable(page.title)}" for page in self.best_pages()]
        return lines + ["likely on topic:", *best] if best else lines

    def __rich__(self) -> RenderableType:
        crawl = self.hunt.crawl
        tally, budget = crawl.tally, crawl.plan.budget
        head = Text.assemble(
            (" lycosa ", "bold reverse"), f"  {crawl.plan.topic.keywords}", (f"   {crawl.plan.strategy}", "cyan")
        )
        facts = Table.grid(padding=(0, 2))
        facts.add_row("on topic", f"{probability(crawl.harvest())} of all pages", self._trend())
        facts.add_row("", f"{probability(crawl.harvest(_RECENT))} of the last {min(_RECENT, tally.kept)}", "")
        facts.add_row("frontier", f"{len(crawl.frontier):,} links", f"{len(crawl.under_way)} under way")
        facts.add_row("hosts", f"{len(crawl.politeness):,}", f"{size_of(tally.bytes)} kept")
        if tally.misses or tally.redirects:
            common = ", ".join(f"{printable(reason)} ×{count:,}" for reason, count in tally.misses.most_common(4))
            facts.add_row("misses", f"{sum(tally.misses.values()):,}", Text(common, style="yellow"))
        if tally.withheld:
            facts.add_row("withheld", f"{tally.withheld:,} pages", "")
        if rendered := self._rendered():
            facts.add_row("browser", Text(rendered), "")
        if self.hunt.reader:
            facts.add_row("reader", Text(printable(self._reader())), "")
        if self.hunt.waiting:
            facts.add_row("", "", Text(self.hunt.waiting, style="red"))
        if self.hunt.reading:
            return Group(head, Text(self._reading()))
        parts: list[RenderableType] = [head, self._progress(tally.pages, budget.pages), facts]
        if self._titles:
            parts += [Text("most likely on topic", style="bold"), self.best()]
        if ahead := crawl.frontier.best(3):
            parts.append(Text("next", style="bold"))
            parts += [Text(f"{ticket.score:.3f} {ticket.url}", style="dim", no_wrap=True) for ticket in ahead]
        return Group(*parts)

    def _rendered(self) -> str:
        """What reading pages from a browser has cost, if that is worth a word."""
        tally = self.hunt.crawl.tally
        return rendering_words(rendering_answer(tally.rendering, tally.pages)) if tally.rendering else ""

    def _reader(self) -> str:
        """What the judge who reads does, if there is one."""
        if not (reader := self.hunt.reader):
            return ""
        gave_up = ", gave up" if reader.problem else ""
        return f"{reader.calls.asked:,} of {reader.judge.calls:,} questions to {reader.judge.model}{gave_up}"

    def _reading(self) -> str:
        tried, wanted = self.hunt.reading or (0, 0)
        return f"{tried:,} of {wanted:,} pages read that must be known before the crawl begins"

    def _progress(self, pages: int, goal: int | None) -> RenderableType:
        row = Table.grid(padding=(0, 2))
        spent = time.monotonic() - self.started
        left = f"{_clock((goal - pages) / self.rate)} left" if goal and self.rate and pages < goal else ""
        counted = f"{pages:,}/{goal:,} pages" if goal else f"{pages:,} pages"
        row.add_row(
            ProgressBar(goal or None, pages, width=32, pulse=not goal),
            counted,
            f"{self.rate:.1f}/s",
            _clock(spent),
            left,
        )
        return row

    def _trend(self, width: int = 24) -> Text:
        """The share of pages expected to be on topic over the crawl, oldest on the left; a full bar is all of them."""
        known = self.hunt.crawl.relevance
        values = np.nan_to_num(known.kept()) if known else np.zeros(0)
        means = [float(some.mean()) for some in np.array_split(values, min(width, len(values)) or 1) if len(some)]
        return Text("".join(_SPARKS[min(7, int(8 * mean))] for mean in means), style="green")


async def watch(hunt: Hunt, console: Console, *, quiet: bool = False) -> AsyncGenerator[Outcome, None]:
    """Pass on the outcomes of a hunt, and show them on the console."""
    view = View(hunt)
    live = Live(view, console=console, auto_refresh=False, transient=True)
    refresh: asyncio.Task[None] | None = None
    try:
        with contextlib.ExitStack() as screen:
            if not quiet and console.is_terminal:
                screen.enter_context(live)
                refresh = asyncio.create_task(_repaint(live))
            elif not quiet:
                refresh = asyncio.create_task(_report(view, console))
            breath = time.monotonic()
            async with contextlib.aclosing(hunt.outcomes()) as outcomes:
                async for outcome in outcomes:
                    view.saw(outcome)
                    yield outcome
                    # A replay never waits for anything, so give signals and the view a turn.
                    if time.monotonic() - breath > 0.1:
                        await asyncio.sleep(0)
                        breath = time.monotonic()
    finally:
        if refresh:
            refresh.cancel()
            await asyncio.gather(refresh, return_exceptions=True)
    if not quiet:
        for line in view.summary():
            console.print(Text(line), soft_wrap=True)


async def _repaint(live: Live) -> None:
    while True:
        live.refresh()
        await asyncio.sleep(0.25)


async def _report(view: View, console: Console) -> None:
    while True:
        await asyncio.sleep(_PLAIN_EVERY)
        console.print(view.line(), highlight=False, soft_wrap=True)


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"
