"""The live view of a hunt: a small dashboard in a terminal, plain lines anywhere else."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncGenerator
from heapq import heappush, heappushpop

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from lycosa.app.wording import printable, size_of
from lycosa.core.nouns import Outcome, Visit
from lycosa.engine.hunt import Hunt

_SPARKS = "▁▂▃▄▅▆▇█"
_PLAIN_EVERY = 5.0


class View:
    """The current state of a hunt; it reads the crawl, and itself keeps only the best pages and the recent rate."""

    def __init__(self, hunt: Hunt, best: int = 8) -> None:
        self.hunt = hunt
        self.started = time.monotonic()
        self.before = hunt.crawl.tally.pages
        self._best: list[tuple[float, int, Visit]] = []
        self._keep = best
        self._times: deque[float] = deque(maxlen=200)
        self._harvest: list[float] = []

    def saw(self, outcome: Outcome) -> None:
        """Take an outcome into account."""
        if not isinstance(outcome, Visit):
            return
        self._times.append(time.monotonic())
        entry = (outcome.relevance, -len(self._harvest), outcome)
        # A page without relevance is never among the best, and a revisit judges no pages.
        if outcome.relevance > 0:
            if len(self._best) < self._keep:
                heappush(self._best, entry)
            else:
                heappushpop(self._best, entry)
        self._harvest.append(outcome.relevance)

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
        misses = f", {sum(tally.misses.values()):,} misses" if tally.misses else ""
        return (
            f"{tally.pages:,}{goal} pages, {self.rate:.1f}/s, harvest {_mean(tally.relevance, tally.pages):.3f} "
            f"(last {len(tally.recent)}: {_mean(sum(tally.recent), len(tally.recent)):.3f}), "
            f"frontier {len(crawl.frontier):,}, {len(crawl.politeness):,} hosts, {size_of(tally.bytes)}{misses}"
            + (f"; {self.hunt.waiting}" if self.hunt.waiting else "")
        )

    def best(self) -> Table:
        """The best pages so far."""
        table = Table.grid(padding=(0, 1))
        table.add_column()
        table.add_column(no_wrap=True, overflow="ellipsis", max_width=40)
        table.add_column(no_wrap=True, overflow="ellipsis")
        for relevance, _, visit in sorted(self._best, reverse=True):
            table.add_row(
                Text(f"{relevance:.3f}", style="green"), Text(printable(visit.title)), Text(visit.url, style="dim")
            )
        return table

    def summary(self) -> list[str]:
        """The result of the hunt, in plain lines that can be copied."""
        misses = self.hunt.crawl.tally.misses
        lines = [self.line()]
        if misses:
            lines.append("misses: " + ", ".join(f"{printable(why)} ×{count:,}" for why, count in misses.most_common(8)))
        best = sorted(self._best, reverse=True)
        return lines + [f"{relevance:.3f}  {visit.url}  {printable(visit.title)}" for relevance, _, visit in best]

    def __rich__(self) -> RenderableType:
        crawl = self.hunt.crawl
        tally, budget = crawl.tally, crawl.plan.budget
        head = Text.assemble(
            (" lycosa ", "bold reverse"), f"  {crawl.plan.topic.keywords}", (f"   {crawl.plan.strategy}", "cyan")
        )
        facts = Table.grid(padding=(0, 2))
        facts.add_row("harvest", f"{_mean(tally.relevance, tally.pages):.3f} all", self._trend())
        facts.add_row("", f"{_mean(sum(tally.recent), len(tally.recent)):.3f} last {len(tally.recent)}", "")
        facts.add_row("frontier", f"{len(crawl.frontier):,} links", f"{len(crawl.under_way)} under way")
        facts.add_row("hosts", f"{len(crawl.politeness):,}", f"{size_of(tally.bytes)} kept")
        if tally.misses or tally.redirects:
            common = ", ".join(f"{printable(reason)} ×{count:,}" for reason, count in tally.misses.most_common(4))
            facts.add_row("misses", f"{sum(tally.misses.values()):,}", Text(common, style="yellow"))
        if self.hunt.waiting:
            facts.add_row("", "", Text(self.hunt.waiting, style="red"))
        if self.hunt.reading:
            return Group(head, Text(self._reading()))
        parts: list[RenderableType] = [head, self._progress(tally.pages, budget.pages), facts]
        if self._best:
            parts += [Text("best pages", style="bold"), self.best()]
        if ahead := crawl.frontier.best(3):
            parts.append(Text("next", style="bold"))
            parts += [Text(f"{ticket.score:.3f} {ticket.url}", style="dim", no_wrap=True) for ticket in ahead]
        return Group(*parts)

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
        """Mean relevance over the run, oldest on the left."""
        values = self._harvest
        size = max(1, len(values) // width)
        means = [_mean(sum(values[at : at + size]), size) for at in range(0, len(values) - size + 1, size)][-width:]
        top = max(means, default=0.0) or 1.0
        return Text("".join(_SPARKS[min(7, int(8 * mean / top))] for mean in means), style="green")


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


def _mean(total: float, count: int) -> float:
    return total / count if count else 0.0


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"
