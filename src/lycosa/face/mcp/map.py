"""The tool that shows a site: its structure, and where the relevant pages are."""

from __future__ import annotations

from collections import defaultdict
from typing import Annotated

from mcp_types import CallToolResult
from pydantic import Field

from lycosa.app.maps.layout import choose
from lycosa.app.maps.map_data import Sheet
from lycosa.app.maps.survey import survey
from lycosa.app.wording import probability
from lycosa.face.mcp.tool_context import Name, ToolContext
from lycosa.face.mcp.tool_results import Leaf, SiteMap, Words
from lycosa.face.mcp.untrusted_text import address, line
from lycosa.system.errors import Refused

_TITLE = 80


class MapTools:
    """The MCP tool that maps a site."""

    def __init__(self, tool_context: ToolContext) -> None:
        self.tool_context = tool_context

    def map_site(
        self,
        name: Name,
        host: Annotated[
            str, Field(max_length=255, description="Host of the site; empty for the one with most pages.")
        ] = "",
        limit: Annotated[int, Field(ge=1, le=200, description="How many pages to return at most.")] = 60,
    ) -> Annotated[CallToolResult, SiteMap]:
        """An outline of one site of a collection: its pages as a tree of links, each with its relevance.

        Use it to see how a site is built and in which part of it the relevant pages are. To hunt one site, start_hunt
        with `only_hosts`. Of a large site the most relevant pages are shown, with what is on the way to them.
        """
        try:
            sheet = choose(survey(self.tool_context.folder(name)), kind="site", site=host, limit=limit)
        except Refused as refused:
            # The fix would list host names, which strangers chose.
            raise Refused(
                refused.problem,
                "leave the host out for the site with most pages",
                code=refused.code,
                field="host" if host else "",
            ) from None
        leaves = [
            Leaf(
                depth=int(sheet.depth[at]),
                relevance=round(float(sheet.relevance[at]), 3) if sheet.known[at] else None,
                fetched=bool(sheet.fetched[at]),
                untrusted=Words(url=address(sheet.urls[at]), title=line(sheet.titles[at], _TITLE)),
            )
            for at in _in_order(sheet)
        ]
        counts = sheet.counts
        return self.tool_context.answer(
            SiteMap,
            f"{counts.shown:,} of {counts.pages:,} pages of the site, and {counts.linked_shown:,} of {counts.linked:,} "
            "URLs that were not fetched:",
            map(_shown, leaves),
            pages=counts.pages,
            linked=counts.linked,
            outline=leaves,
        )


def _in_order(sheet: Sheet) -> list[int]:
    """The pages depth-first from the front page: each is followed by those below it, the most relevant first."""
    below: dict[int, list[int]] = defaultdict(list)
    for page, parent in enumerate(sheet.parent.tolist()):
        below[parent].append(page)
    order, waiting = [], sorted(below[-1])
    while waiting:
        page = waiting.pop()
        order.append(page)
        waiting += sorted(below[page], key=lambda each: float(sheet.relevance[each]))
    return order


def _shown(leaf: Leaf) -> str:
    known = probability(leaf.relevance) if leaf.fetched else "not fetched"
    title = f" «{leaf.untrusted.title}»" if leaf.untrusted.title else ""
    return f"{'  ' * leaf.depth}{known} {leaf.untrusted.url}{title}"
