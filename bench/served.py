"""The webs that crawlers are compared on: a made one with pages like those of real sites, and the schools test bed.

Both are recorded anew without dead links. How many of those a crawler runs into depends on the order in which it works;
without them all crawlers ask for the same number of pages, and for robots.txt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from random import Random
from typing import NamedTuple
from urllib.parse import urljoin

from msgspec.structs import replace

from lycosa.core.nouns import Raw
from lycosa.store.repository import Writer
from lycosa.web.bed import Bed
from lycosa.web.made import Made

SCHOOLS = Path(__file__).resolve().parents[2] / "shared" / "testbeds" / "schools"
_title = re.compile(rb"<title>(.*?)</title>", re.DOTALL).search
_link = re.compile(rb'(<a\b[^>]*?\b)href="([^"]*)"', re.IGNORECASE)


class Web(NamedTuple):
    """A web to be served: where its recording lies, what to hunt in it, and which of its URLs are pages."""

    name: str
    source: Path
    keywords: str
    seeds: tuple[str, ...]
    pages: frozenset[str]
    about: str


def made(folder: Path, budget: int, seed: int = 1) -> Web:
    """A made web little larger than the budget, so that all crawlers fetch much the same pages.

    A made page has a dozen links; a real one has a sidebar, too: 50 links to other pages, half of them on its own site.
    """
    web = Made(max(600, budget * 6 // 5), 6, seed, site_pages=24, page_bytes=22_000, traps=False, mirrors=False)
    pages = _pages(web.urls(), web.response)
    sites: dict[str, list[str]] = {}
    for url in pages:
        sites.setdefault(_site(url), []).append(url)
    items = {url: _item(url, raw.body) for url, raw in pages.items()}
    everywhere, dice = list(pages), Random(seed)
    for url, raw in pages.items():
        others = dice.choices(sites[_site(url)], k=25) + dice.choices(everywhere, k=25)
        sidebar = b"<aside><ul>\n%s</ul></aside></body>" % b"".join([items[other] for other in others])
        pages[url] = replace(raw, body=raw.body.replace(b"</body>", sidebar))
    topic = web.topics[0]
    return _record("made", folder, pages, web.response, topic.keywords, topic.examples)


def schools(folder: Path) -> Web:
    """The schools test bed, hunted for its first topic."""
    bed = Bed(SCHOOLS)
    topic = bed.topics[0]
    pages = _pages(bed.source.urls(), bed.source.response)
    return _record("schools", folder, pages, bed.source.response, topic.keywords, topic.examples)


def _pages(urls: Iterable[str], response: Callable[[str], Raw | None]) -> dict[str, Raw]:
    answers = ((url, response(url)) for url in urls)
    return {url: raw for url, raw in answers if raw and raw.status == 200 and b"<html" in raw.body[:2000].lower()}


def _record(
    name: str,
    folder: Path,
    pages: Mapping[str, Raw],
    response: Callable[[str], Raw | None],
    keywords: str,
    seeds: Iterable[str],
) -> Web:
    """Write a recording of the pages and of every site's robots.txt."""
    folder.mkdir()
    writer = Writer(folder, name)
    size = links = 0
    for url, raw in pages.items():
        body = _without_dead_links(url, raw.body, pages)
        writer.write(url, replace(raw, body=body), 0.0)
        size += len(body)
        links += len(_link.findall(body))
    sites = {_site(url) for url in pages}
    for site in sites:
        if robots := response(f"{site}robots.txt"):
            writer.write(f"{site}robots.txt", robots, 0.0)
    writer.close()
    mean_size, mean_links = size / len(pages) / 1024, links / len(pages)
    about = f"{len(pages):,} pages of {mean_size:.0f} KB and {mean_links:.0f} links on average, {len(sites)} hosts"
    return Web(name, folder, keywords, tuple(seeds), frozenset(pages), about)


def _without_dead_links(url: str, body: bytes, pages: Mapping[str, Raw]) -> bytes:
    def disarm(link: re.Match[bytes]) -> bytes:
        target = urljoin(url, link[2].decode("latin-1").replace("&amp;", "&")).partition("#")[0]
        return link[0] if target in pages else link[1] + b'name="%s"' % link[2]

    return _link.sub(disarm, body)


def _site(url: str) -> str:
    return url[: url.index("/", 8) + 1]


def _item(url: str, body: bytes) -> bytes:
    title = _title(body)
    return b'<li><a href="%s">%s</a></li>\n' % (url.encode(), title[1] if title else b"more")
