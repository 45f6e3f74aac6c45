"""Tools that control hunts: start, continue, pause, show the state and what would be fetched next."""

from __future__ import annotations

import json
import time
from typing import Annotated, Any, NamedTuple

import anyio
from anyio.to_thread import run_sync
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceNotFoundError
from mcp_types import CallToolResult
from msgspec.structs import replace
from pydantic import Field

from lycosa.app.answers.hunt import HuntStatus
from lycosa.app.insight.questions import frontier
from lycosa.app.jobs.catalog import COLLECTION
from lycosa.app.jobs.hunt_state import AT_WORK
from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.option import check_remote
from lycosa.app.requests.scope import ScopeTestRequest
from lycosa.app.scope_check import tested
from lycosa.app.wording import counted, harvest_words
from lycosa.face.mcp.hunt_summary import BEST, advise, facts_of, in_words, page_of, shown
from lycosa.face.mcp.request_arguments import takes_request
from lycosa.face.mcp.tool_context import Limit, Name, ToolContext
from lycosa.face.mcp.tool_results import (
    FrontierResult,
    HuntResult,
    LinkResult,
    LinkWords,
    ProgressResult,
    ScopeResult,
    ScopeVerdictResult,
)
from lycosa.face.mcp.untrusted_text import address, complaint, line, ours
from lycosa.system.errors import Code, Refused
from lycosa.system.locks import is_held

_LOOK = 0.5
"""Seconds between two polls while waiting for a hunt."""
_PATIENCE = 20.0
"""Seconds to wait for a hunt to stop, or for its links to be read."""
_LEFT_BEHIND = 15.0
"""Seconds after which a hunt whose server was killed ends by itself."""

Seconds = Annotated[
    float, Field(ge=0, le=600, description="Wait at most this long for the pages; the hunt goes on after that.")
]


_NEWEST = 1000
"""The newest pages whose mean relevance an agent is told, at most."""


class _Before(NamedTuple):
    """The counts of a hunt when a call came."""

    pages: int = 0
    harvest: float = 0.0
    seq: int = 0


class HuntTools:
    """MCP tools that control hunts."""

    def __init__(self, tool_context: ToolContext) -> None:
        self.tool_context = tool_context

    @takes_request(HuntRequest)
    async def start_hunt(
        self, request: HuntRequest, ctx: Context[Any, Any], wait_seconds: Seconds = 20
    ) -> Annotated[CallToolResult, ProgressResult]:
        """Start a focused crawl of the Web for a topic, and return what it has found after `wait_seconds`.

        Use it to collect pages about something. Give at least one seed, or `seeds_from` or `find` (find_seeds
        shows what these would be); with keywords alone, all search sources of the server are asked.
        Start small (20 to 100 pages), look at what was found, then go on with crawl_more: nothing is lost, and the
        hunt can be continued by its name at any time, even after a restart of this server.
        Politeness is built in (robots.txt, about one request a second to a host), so pages of one host take time.
        Returns the hunt's name, best pages, harvest (the share of its pages expected to be on
        topic) and advice. Costs pages of the session's
        budget; what a hunt does not use comes back when it ends or is paused.
        """

        def begin() -> str:
            jobs = self.tool_context.jobs
            # Asking where it could begin takes time, in which the budget must be free for other agents.
            plan = jobs.plan_for(request)

            def granted(bytes: int) -> str:
                return jobs.start(request, replace(plan, budget=replace(plan.budget, bytes=bytes)))

            return self.tool_context.agent_budget.start(request.pages, request.bytes, granted)

        started = await run_sync(begin)
        return await self._progress(ctx, started, _Before(), wait_seconds)

    @takes_request(ScopeTestRequest)
    def check_scope(
        self,
        request: ScopeTestRequest,
        name: Annotated[
            str, Field(max_length=80, description="The hunt whose scope is tested; the other arguments change it.")
        ] = "",
    ) -> Annotated[CallToolResult, ScopeResult]:
        """Which rule of a scope lets each URL in, or keeps it out: by host and by pattern; nothing is fetched.

        Use it before start_hunt to try `include`, `exclude`, `within` and `without`, or with `name` to see why a
        hunt leaves a URL out. Depth, and what is only known from a page itself, are not tested.
        """
        check_remote(request)
        folder = self.tool_context.jobs.folder(name, COLLECTION) if name else None
        answer = tested(replace(request, collection=folder))
        urls = [
            ScopeVerdictResult(
                url=address(each.url), inside=each.inside, rule=ours(each.rule), because=ours(each.because)
            )
            for each in answer.urls
        ]
        return self.tool_context.answer(
            ScopeResult,
            f"{counted(len(urls), 'URL')}, {answer.outside:,} of them outside the scope.",
            [f"{'in ' if each.inside else 'out'} {each.url} ({each.because})" for each in urls],
            urls=urls,
            outside=answer.outside,
        )

    async def crawl_more(
        self,
        ctx: Context[Any, Any],
        name: Name,
        pages: Annotated[
            int, Field(ge=0, le=100_000, description="Pages to add to its budget; 0 to go on with what is left of it.")
        ] = 50,
        bytes: Annotated[
            int | None, Field(ge=1, le=1 << 40, description="Bytes to add; by default 1 MiB for each page.")
        ] = None,
        wait_seconds: Seconds = 30,
    ) -> Annotated[CallToolResult, ProgressResult]:
        """Continue a hunt for `pages` more pages, wait for them, and return what was found.

        Use it after start_hunt, after judging pages, after pause_hunt, or after a restart. With pages=0 it only goes
        on with what the hunt has not used, or waits for a hunt that runs. Sends progress notifications. If
        `wait_seconds` pass first, the hunt goes on in the background: call again with pages=0 to wait for the rest.
        Returns the best new pages, their harvest against that of all pages, an estimate of how many relevant pages
        there are, what is left of the budget, and whether going on is likely to be worth it.
        """
        before = await run_sync(self._standing, name)

        await run_sync(self._go_on, name, pages, bytes)
        return await self._progress(ctx, name, before, wait_seconds)

    def _go_on(self, name: str, pages: int, bytes: int | None) -> None:
        jobs = self.tool_context.jobs
        status, end = jobs.status(name), time.monotonic() + _LEFT_BEHIND
        while status.state == "elsewhere" and time.monotonic() < end:
            time.sleep(0.1)
            status = jobs.status(name)
        if status.state in AT_WORK and not pages and bytes is None:
            return

        def act(granted: int) -> None:
            # A hunt without a byte limit is bounded by its page limit.
            more = 0 if status.budget.bytes is None else granted
            if pages or more:
                jobs.extend(name, pages=pages, bytes=more)
            # A paused hunt that only gets a larger budget stays paused.
            jobs.resume(name)

        self.tool_context.agent_budget.grant(name, pages, bytes, act)

    def pause_hunt(self, name: Name) -> Annotated[CallToolResult, HuntResult]:
        """Pause a running hunt; what it has not used of its budget comes back to the session.

        Use it when enough was found, or to spend the budget on something else. crawl_more goes on with it.
        """
        self.tool_context.jobs.pause(name)
        end = time.monotonic() + _PATIENCE
        # Fetches in progress still complete, and count.
        while is_held(self.tool_context.collection(name) / "lock") and time.monotonic() < end:
            time.sleep(0.05)
        return self._told(name, "Paused; crawl_more goes on with it.")

    def hunt_status(self, name: Name) -> Annotated[CallToolResult, HuntResult]:
        """How a hunt stands: state, pages, harvest, best pages, misses, estimate, budget. Costs nothing.

        Use it to look at a hunt without waiting for it, or to read about a collection that was made earlier.
        """
        return self._told(name)

    def peek_frontier(self, name: Name, limit: Limit = 20) -> Annotated[CallToolResult, FrontierResult]:
        """The best links that wait to be followed: what the hunt would fetch next. Fetches nothing.

        Use it to see whether a hunt is on a good way before paying for more pages. If the best links are off topic,
        judge pages (pages_in_doubt, judge_pages), or start another hunt with better keywords or seeds.
        """
        found = frontier(self.tool_context.collection(name), limit, patience=_PATIENCE)
        if not found.ready:
            raise Refused(f"the links of {name} are still being read", "ask again in a minute", code=Code.WRONG_STATE)
        links = [
            LinkResult(
                score=each.score,
                untrusted=LinkWords(url=address(each.url), via=address(each.via or ""), anchor=line(each.anchor)),
            )
            for each in found.links
        ]
        said = f"{counted(found.queued, 'link')} to be followed; the best, with their scores:"
        return self.tool_context.answer(
            FrontierResult,
            said if links else "No link waits to be followed.",
            [_waiting(link) for link in links],
            waiting=found.queued,
            links=links,
        )

    def _standing(self, name: str) -> _Before:
        status = self.tool_context.jobs.status(name)
        return _Before(status.pages, status.harvest or 0.0, status.seq)

    async def _progress(self, ctx: Context[Any, Any], name: str, before: _Before, seconds: float) -> CallToolResult:
        """Wait for a hunt while reporting its progress, and answer with what it found."""
        end = time.monotonic() + seconds
        while True:
            status = await run_sync(self.tool_context.jobs.status, name)
            done, goal = status.pages - before.pages, status.budget.pages
            await ctx.report_progress(
                done,
                goal - before.pages if goal else None,
                f"{status.state}: {counted(status.pages, 'page')}, harvest: {harvest_words(status.harvest)}",
            )
            # Wait for the index too: an agent searches next, and expects to find what was fetched.
            over = status.state not in AT_WORK and self.tool_context.jobs.at_rest(name)
            if over or time.monotonic() >= end:
                break
            await anyio.sleep(min(_LOOK, max(0.05, end - time.monotonic())))
        return await run_sync(self._brought, name, status, before)

    def as_json(self, name: str) -> str:
        """The state of a hunt as JSON, for the MCP resource."""
        try:
            return json.dumps(self._told(name).structured_content, ensure_ascii=False)
        except Refused as refused:
            raise ResourceNotFoundError(complaint(str(refused))) from None

    def _brought(self, name: str, status: HuntStatus, before: _Before) -> CallToolResult:
        listed = self.tool_context.jobs.pages(name, before.seq, limit=BEST)
        count = min(listed.total, status.pages - before.pages)
        # Pages are judged again during a hunt, so the mean of the new ones cannot be told from two means of all.
        newest = self.tool_context.jobs.pages(name, before.seq, order="time", limit=_NEWEST).pages
        known = [row.relevance for row in newest if row.relevance is not None]
        harvest = sum(known) / len(known) if known else None
        pages = [page_of(row.relevance, row.url, row.title, row.known) for row in listed.pages]
        go_on, advice = advise(status, harvest, before.harvest)
        mean = f", {harvest_words(harvest)}" if harvest is not None else ""
        said = f"{count:,} new pages{mean}. {in_words(status)} {advice}"
        return self.tool_context.answer(
            ProgressResult,
            said + (" The best new pages:" if pages else ""),
            map(shown, pages),
            **facts_of(name, status),
            fetched=count,
            new_harvest=harvest,
            new_best=pages,
            go_on=go_on,
            advice=advice,
        )

    def _told(self, name: str, said: str = "") -> CallToolResult:
        status = self.tool_context.jobs.status(name)
        facts = facts_of(name, status)
        best = facts["best"]
        text = " ".join(filter(None, (said, in_words(status), "The best pages:" if best else "")))
        return self.tool_context.answer(HuntResult, text, map(shown, best), **facts)


def _waiting(link: LinkResult) -> str:
    words = link.untrusted
    return f"{link.score:.3f} {words.url}" + (f" «{words.anchor}»" if words.anchor else "")
