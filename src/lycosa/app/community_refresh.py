"""Refresh a community, and tell in words what that changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from lycosa.app.requests.community import RefreshRequest, settings_given
from lycosa.app.wording import counted
from lycosa.community.home import Generation, Home
from lycosa.community.refresh import interrupted, leaving, preview, refresh
from lycosa.community.refresh_state import Loop, make_loop
from lycosa.system.errors import Code, Refused
from lycosa.system.progress import StageProgress, no_progress

NAMED = 10
"""Pages that a preview names of those that may leave."""


class CommunityRefresh:
    """A refresh of a community, new or continued; call it to run it."""

    def __init__(
        self,
        folder: str | Path,
        *,
        fresh: bool = False,
        proxy: str | None = None,
        ca: str | None = None,
        **given: Any,
    ) -> None:
        """`given` holds the options that a person set: CommunitySettings, query, keep, by, referrers and hubs.

        An interrupted refresh is continued; `fresh` discards it. `proxy` and `ca` replace the community's own.
        """
        self.home = Home.open(folder, proxy=proxy, ca=ca)
        left = None if fresh else interrupted(self.home)
        self.goes_on = left is not None
        if left and given and given != left.given:
            problem = f"a refresh of {folder} that was begun with other options was interrupted"
            fix = "resume it without options, or discard it"
            raise Refused(problem, fix, code=Code.WRONG_STATE, field="fresh")
        self.loop: Loop = left or make_loop(self.home, given)

    def preview(self) -> dict[str, Any]:
        """What would be done, as plain data."""
        loop = self.loop
        pages, leave = leaving(self.home, loop)
        return {
            "goes_on": self.goes_on,
            "generation": loop.generation,
            **loop.parameters(),
            "left_out": list(loop.left_out),
            "queries": [
                {"query": query, **to_builtins(seeds), "seeds": len(seeds.urls)}
                for query, seeds in zip(loop.queries, preview(self.home, loop), strict=True)
            ],
            "before": pages,
            # At most so many pages leave, besides those that the Web has no more; the most valuable of them.
            "may_leave": len(leave),
            "leaving": [{"url": row.url, "title": row.title} for row in leave[:NAMED]],
        }

    def __call__(self, progress: StageProgress = no_progress) -> Generation:
        """Run the refresh; returns the generation that is current afterwards."""
        return refresh(self.home, None if self.goes_on else self.loop, progress)


def refresh_of(request: RefreshRequest) -> CommunityRefresh:
    """The refresh that a request begins or continues."""
    given = settings_given(request)
    if queries := [*request.query, *(_lines(request.queries_file) if request.queries_file else ())]:
        given["query"] = queries
    for name in ("referrers", "hubs", "by", "keep"):
        if (value := getattr(request, name)) is not None:
            given[name] = value
    return CommunityRefresh(request.folder, fresh=request.fresh, proxy=request.proxy, ca=request.ca, **given)


def _lines(file: Path) -> list[str]:
    try:
        return [line.strip() for line in file.read_text("utf-8-sig").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(
            f"{file} cannot be read ({error})",
            "give a text file with one query per line",
            code=Code.UNREADABLE if isinstance(error, OSError) else Code.BAD_FILE,
            field="queries_file",
        ) from None


def sentences(report: Mapping[str, Any]) -> Iterator[str]:
    """The report of a refresh in sentences."""
    yield (
        f"{counted(report['queries'], 'query', 'queries')}; {report['before']:,} pages before, "
        f"{report['pages']:,} after: {report['kept']:,} kept, {report['new']:,} new, {report['dropped']:,} dropped"
    )
    if report.get("held"):
        yield (
            f"{report['dropped']:,} of {report['before']:,} pages would leave: this generation is kept, but the one "
            "before answers until a person accepts it"
        )
    if report["reasons"]:
        yield "dropped: " + _counts(report["reasons"])
    if left := report.get("left"):
        yield "the best of them: " + "; ".join(f"{each['title'] or each['url']} ({each['why']})" for each in left[:5])
    if report.get("filled"):
        yield f"kept as they were, although no query reached them: {report['filled']:,}"
    if report.get("bookmarks"):
        yield f"{counted(report['bookmarks'], 'bookmark')} kept"
    for name, what in (("bookmarks_gone", "gone from the Web, kept as archived"), ("bookmarks_waiting", "not fetched")):
        if urls := report.get(name):
            shown = ", ".join(f"{url} ({why})" for url, why in list(urls.items())[:5])
            yield f"{counted(len(urls), 'bookmark')} {what}: {shown}"
    if report["unknown"]:
        yield f"kept as they were, because they could not be fetched this time: {report['unknown']:,}"
    yield f"{report['fetched']:,} pages fetched; {report['from_cache']:,} times a crawl took what another had fetched"
    if report["misses"]:
        yield "not fetched: " + _counts(report["misses"])
    if report["lost"]:
        yield f"left out because their records are damaged: {len(report['lost']):,}"
    if report["left_out"]:
        yield "queries without a word to search for: " + ", ".join(report["left_out"][:5])
    yield f"{report['seconds']:,.0f} seconds"


def rows(report: Mapping[str, Any]) -> Iterator[str]:
    """A table of what was done for each query: a header, then one line per query."""
    yield "iterations  seeds  overlap  pages  first fetched  misses   kept  query"
    for each in report["answered"]:
        last = each["iterations"][-1] if each["iterations"] else None
        overlap = "-" if last is None or last["overlap"] is None else f"{last['overlap']:.2f}"
        fetched = sum(one["fetched"] for one in each["iterations"])
        misses = sum(sum(one["misses"].values()) for one in each["iterations"])
        remark = f"  ({each['remark']})" if each["remark"] else ""
        yield (
            f"{len(each['iterations']):>10}  {last['seeds'] if last else 0:>5}  {overlap:>7}  "
            f"{last['pages'] if last else 0:>5}  {fetched:>13,}  {misses:>6,}  {each['kept']:>5,}  "
            f"{each['query']}{remark}"
        )


def _counts(counted: Mapping[str, int]) -> str:
    return ", ".join(f"{what} {count:,}" for what, count in list(counted.items())[:8])
