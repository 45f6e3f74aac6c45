"""Default pages such as /index.html, where sites differ in whether they are the folder's URL."""

from __future__ import annotations

from msgspec.structs import replace

from lycosa.core.interfaces import Web
from lycosa.core.nouns import Failure, Moved, Page
from lycosa.engine.plan import Plan
from lycosa.engine.scope.scope import SiteTable


def index_pages_everywhere(plan: Plan) -> bool:
    """Whether the parser drops the names of default pages; where sites differ, `with_index_pages` does it."""
    return plan.http.index_pages and not _differs(plan)


def with_index_pages(web: Web, plan: Plan) -> Web:
    """A web whose pages link to default pages as each site has it."""
    return _IndexPages(web, plan) if _differs(plan) else web


def _differs(plan: Plan) -> bool:
    return any(site.index_pages is not None for site in plan.sites.values())


class _IndexPages:
    def __init__(self, web: Web, plan: Plan) -> None:
        self._web = web
        self._sites = SiteTable(plan.sites)
        self._everywhere = plan.http.index_pages

    async def get(self, url: str, limit: int) -> Page | Moved | Failure:
        """The answer at a canonical URL."""
        page = await self._web.get(url, limit)
        if not isinstance(page, Page):
            return page
        links = [link._replace(url=self._sites.index_page(link.url, self._everywhere)) for link in page.links]
        return replace(page, links=links)

    async def close(self) -> None:
        """Close the web."""
        await self._web.close()
