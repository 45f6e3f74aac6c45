"""`lycosa map`: a picture of a site or of a collection's links."""

from __future__ import annotations

import asyncio
import json as json_format
import os
import re
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from typer import Argument, Option

from lycosa.face.cli.options import Ca, Proxy, panel
from lycosa.face.cli.terminal import Terminal
from lycosa.system.errors import Code, Refused, SeedsFailed
from lycosa.web.proxies import VARIABLE
from lycosa.web.tls_reasons import VARIABLE as CA_VARIABLE

if TYPE_CHECKING:
    from lycosa.app.maps.map_data import Drawn, Kind, Layout
    from lycosa.engine.hunt import Hunt

SiteOption = panel("Crawl, if TARGET is a URL")


def draw_map(
    target: Annotated[str, Argument(help="Collection or community, or the URL of a site, which is crawled first.")],
    site: Annotated[str, Option(help="Map this host, or with .HOST also its subdomains.")] = "",
    links: Annotated[
        bool, Option("--links", help="Map the hubs and authorities of the collection and their links.")
    ] = False,
    keywords: Annotated[str, Option(help="Words to look for; pages are shaded by how well they match.")] = "",
    layout: Annotated[str | None, Option(help="Layout: tree, radial or graph.  [default: depends on the map]")] = None,
    limit: Annotated[int, Option(help="Maximum pages on the map.")] = 300,
    out: Annotated[Path, Option(help="Image to write, .svg or .png.")] = Path("map.svg"),
    collection: Annotated[
        Path | None, SiteOption(help="Folder of the new collection.  [default: named after the host]")
    ] = None,
    pages: Annotated[int | None, SiteOption(help="Maximum pages to keep.  [default: 200]")] = None,
    delay: Annotated[float | None, SiteOption(help="Seconds between two requests.  [default: 1]")] = None,
    contact: Annotated[
        str, SiteOption(help="URL or e-mail address for webmasters; sent as part of the user agent.")
    ] = "",
    proxy: Proxy = None,
    ca: Ca = None,
    allow: Annotated[
        list[str] | None, SiteOption(help="Private host, address or network that may be fetched from; repeatable.")
    ] = None,
    replay: Annotated[
        str | None, SiteOption(help="Replay this WARC, collection or made web instead of using HTTP.")
    ] = None,
    json: Annotated[bool, Option("--json", help="Print only one JSON object.")] = False,
) -> None:
    """Draw a map of a site's pages, or of a collection's hubs and authorities with their links."""
    from lycosa.app.maps.layout import check, draw
    from lycosa.app.maps.picture import check_target, write

    kind: Kind | None = "links" if links else "site" if site else None
    check(kind, site, layout, limit)
    check_target(out)
    of_url = {
        "--collection": collection, "--pages": pages, "--delay": delay, "--contact": contact,
        "--allow": allow, "--replay": replay, "--proxy": proxy if proxy != os.environ.get(VARIABLE) else None,
        "--ca": ca if ca != os.environ.get(CA_VARIABLE) else None,
    }  # fmt: skip
    folder, finished, about = Path(target), True, keywords
    if re.match(r"https?://", target, re.IGNORECASE):
        from lycosa.app.maps.site_hunt import plan_of_site
        from lycosa.engine.hunt import Hunt

        network: dict[str, Any] = {"contact": contact, "proxy": proxy, "ca": ca, "allow": allow or ()}
        plan = plan_of_site(target, keywords, 200 if pages is None else pages, delay=delay, replay=replay, **network)
        folder = collection or Path(plan.rules.within[0].replace(":", "-"))
        finished, about, kind = _run(Hunt.begin(plan, folder), quiet=json), "", kind or "site"
    elif said := [option for option, value in of_url.items() if value]:
        raise Refused(
            f"{said[0]} says nothing of a collection",
            "leave it out, or give a URL to hunt",
            code=Code.CONTRADICTION,
            field=said[0].removeprefix("--"),
        )
    elif not folder.is_dir():
        raise Refused(
            f"{target} is neither a folder nor a URL",
            "name a collection, or https://HOST/ to hunt first",
            code=Code.NOT_FOUND,
            field="target",
        )
    shape = cast("Layout | None", layout)
    drawn = draw(folder, kind=kind, site=site, keywords=about, layout=shape, limit=limit, links=6 * limit)
    write(drawn, out)
    if json:
        print(json_format.dumps(_plain(drawn, out, folder)))
    else:
        _say(drawn, out)
    if not finished:
        raise typer.Exit(130)


def _run(hunt: Hunt, *, quiet: bool) -> bool:
    """Run a hunt to its end; returns whether it was not interrupted."""
    from lycosa.app.miss_reasons import explained
    from lycosa.face.cli.crawl import run_to_end

    console, folder = Terminal(), hunt.collection.folder
    with hunt:
        asyncio.run(run_to_end(hunt, console, quiet=quiet))
        stopped, tally = hunt.crawl.stopped, hunt.crawl.tally
    if not tally.pages:
        reasons = ", ".join(f"{explained(reason).problem} ×{count}" for reason, count in tally.misses.items())
        problem = f"no page could be fetched ({reasons or 'the site leads elsewhere'})"
        raise (SeedsFailed if hunt.failed else Refused)(
            problem, f"see `lycosa status {folder}`", code=Code.SEEDS_FAILED if hunt.failed else Code.EMPTY
        )
    if not quiet:
        console.print(f"{stopped.reason if stopped else ''}; {tally.pages:,} pages in {folder}", soft_wrap=True)
    return bool(stopped and stopped.finished)


def _say(drawn: Drawn, out: Path) -> None:
    from lycosa.app.maps.labels import description, headline

    console = Terminal()
    for line in (f"{headline(drawn)}, as a {drawn.layout}", description(drawn), f"in {out}"):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _plain(drawn: Drawn, out: Path, folder: Path) -> dict[str, Any]:
    """What was drawn, as data for programs."""
    sheet = drawn.sheet
    return {
        "file": str(out),
        "folder": str(folder),
        "kind": sheet.kind,
        "site": sheet.site,
        "layout": drawn.layout,
        "keywords": sheet.keywords,
        **asdict(sheet.counts),
    }
