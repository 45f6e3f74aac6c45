"""The function behind `lycosa community refresh`, and the report of a refresh in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from lycosa.app.requests.community import RefreshRequest, settings_given
from lycosa.community.home import Generation, Home
from lycosa.community.refresh import interrupted, preview, refresh
from lycosa.community.refresh_state import Loop, make_loop
from lycosa.system.errors import Code, Refused

Told = Callable[[str, int, int], object]


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
            raise Refused(
                f"a refresh of {folder} was interrupted that was begun with other options",
                "go on with it without any, or throw it away with --fresh",
                code=Code.WRONG_STATE,
            )
        self.loop: Loop = left or make_loop(self.home, given)

    def preview(self) -> dict[str, Any]:
        """What would be done, as plain data."""
        loop, settings = self.loop, self.loop.settings
        return {
            "goes_on": self.goes_on,
            "generation": loop.generation,
            "max_in_index": settings.max_in_index,
            "max_pages": loop.max_pages,
            "max_iter": settings.max_iter,
            "n_hits": settings.n_hits,
            "theta": settings.theta,
            "parallel": settings.parallel,
            "strategy": settings.strategy,
            "judge": settings.judge,
            "left_out": list(loop.left_out),
            "queries": [
                {"query": query, **to_builtins(seeds), "seeds": len(seeds.urls)}
                for query, seeds in zip(loop.queries, preview(self.home, loop), strict=True)
            ],
        }

    def __call__(self, told: Told = lambda what, done, total: None) -> Generation:
        """Run the refresh; returns the generation that is current afterwards."""
        return refresh(self.home, None if self.goes_on else self.loop, told)


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
        f"{report['queries']:,} questions; {report['before']:,} pages before, {report['pages']:,} after: "
        f"{report['kept']:,} kept, {report['new']:,} new, {report['dropped']:,} dropped"
    )
    if report["reasons"]:
        yield "dropped: " + _counts(report["reasons"])
    if report["unknown"]:
        yield f"kept although they could not be had, because that may change: {report['unknown']:,}"
    yield f"{report['fetched']:,} pages fetched; {report['from_cache']:,} times a crawl took what another had fetched"
    if report["misses"]:
        yield "not to be had: " + _counts(report["misses"])
    if report["lost"]:
        yield f"left out because their records are damaged: {len(report['lost']):,}"
    if report["left_out"]:
        yield "questions without a word to look for: " + ", ".join(report["left_out"][:5])
    yield f"{report['seconds']:,.0f} seconds"


def rows(report: Mapping[str, Any]) -> Iterator[str]:
    """A table of what was done for each query: a header, then one line per query."""
    yield "iterations  seeds  overlap  pages  new to the night  misses   kept  question"
    for each in report["answered"]:
        last = each["iterations"][-1] if each["iterations"] else None
        overlap = "-" if last is None or last["overlap"] is None else f"{last['overlap']:.2f}"
        fetched = sum(one["fetched"] for one in each["iterations"])
        misses = sum(sum(one["misses"].values()) for one in each["iterations"])
        remark = f"  ({each['remark']})" if each["remark"] else ""
        yield (
            f"{len(each['iterations']):>10}  {last['seeds'] if last else 0:>5}  {overlap:>7}  "
            f"{last['pages'] if last else 0:>5}  {fetched:>16,}  {misses:>6,}  {each['kept']:>5,}  "
            f"{each['query']}{remark}"
        )


def _counts(counted: Mapping[str, int]) -> str:
    return ", ".join(f"{what} {count:,}" for what, count in list(counted.items())[:8])
