"""Default pages such as /index.html, where sites differ in whether they are the folder's URL."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from lycosa.core.interfaces import Web
from lycosa.core.nouns import Failure, Moved, Page
from lycosa.engine.plan import Plan
from lycosa.engine.scope.scope import SiteTable


def index_pages_everywhere(plan: Plan) -> bool:
    """Whether the parser drops the names of default pages; where sites differ, `with_index_pages` does it."""
    return plan.http.index_pages and not _differs(plan)


def links_of(plan: Plan) -> Callable[[Page], Page]:
    """A function that lets the links of a parsed page lead to default pages as each site has it."""
    if not _differs(plan):
        return lambda page: page
    sites, everywhere = SiteTable(plan.sites), plan.http.index_pages
    return lambda page: replace(
        page, links=[link._replace(url=sites.index_page(link.url, everywhere)) for link in page.links]
    )


def with_index_pages(web: Web, plan: Plan) -> Web:
    """A web whose pages link to default pages as each site has it."""
    return _IndexPages(web, plan) if _differs(plan) else web


def _differs(plan: Plan) -> bool:
    return any(site.index_pages is not None for site in plan.sites.values())


class _IndexPages:
    def __init__(self, web: Web, plan: Plan) -> None:
        self._web = web
        self._linked = links_of(plan)

    async def get(self, url: str, limit: int) -> Page | Moved | Failure:
        """The answer at a canonical URL."""
        page = await self._web.get(url, limit)
        return self._linked(page) if isinstance(page, Page) else page

    async def close(self) -> None:
        """Close the web."""
        await self._web.close()
