"""The webs that crawlers are compared on: a made one with pages like those of real sites, and the schools test bed."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec

from lycosa.core.nouns import Raw
from lycosa.store.repository import Writer
from lycosa.web.bed import Bed
from lycosa.web.made import Made
from lycosa.web.replay import WarcSource
from lycosa.web.source import Source

SCHOOLS = Path(__file__).resolve().parents[2] / "shared" / "testbeds" / "schools"
_title = re.compile(rb"<title>(.*?)</title>", re.DOTALL).search


class Web(NamedTuple):
    """A web to be served: where it lies, what to hunt in it, and which of its URLs are pages."""

    name: str
    source: str
    keywords: str
    seeds: tuple[str, ...]
    pages: frozenset[str]
    about: str


def made(folder: Path, budget: int, seed: int = 1) -> Web:
    """A recording of a made web, little larger than the budget, so that all crawlers fetch much the same pages.

    A made page has a dozen links; a real one has a sidebar, too: 50 links to other pages, half of them on its own site.
    """
    web = Made(max(600, budget * 6 // 5), 6, seed, site_pages=24, page_bytes=22_000, traps=False, mirrors=False)
    answers = {url: web.response(url) for url in web.urls()}
    bodies = {url: raw.body for url, raw in answers.items() if raw and _is_page(raw)}
    items = {url: _item(url, body) for url, body in bodies.items()}
    sites: dict[str, list[str]] = {}
    for url in bodies:
        sites.setdefault(_site(url), []).append(url)
    everywhere, dice = list(bodies), Random(seed)
    writer = Writer(folder, "made")
    folder.mkdir(parents=True)
    for url, raw in answers.items():
        if raw and url in bodies:
            near = dice.choices(sites[_site(url)], k=25)
            sidebar = b"".join(items[other] for other in [*near, *dice.choices(everywhere, k=25)])
            raw = msgspec.structs.replace(
                raw, body=raw.body.replace(b"</body>", b"<aside><ul>\n%s</ul></aside></body>" % sidebar)
            )
        if raw:
            writer.write(url, raw, 0.0)
    # What is no page: robots.txt, and the redirects of folders whose slash was left out.
    for url in [*(f"{site}robots.txt" for site in sites), *(url[:-1] for url in bodies if url[-1] == "/")]:
        raw = web.response(url)
        if raw and url not in answers:
            writer.write(url, raw, 0.0)
    writer.close()
    topic = web.topics[0]
    return _web("made", folder, WarcSource(folder), topic.keywords, topic.examples)


def schools() -> Web:
    """The schools test bed, hunted for its first topic."""
    bed = Bed(SCHOOLS)
    topic = bed.topics[0]
    return _web("schools", SCHOOLS, bed.source, topic.keywords, topic.examples)


def _web(name: str, folder: Path, source: Source, keywords: str, seeds: tuple[str, ...]) -> Web:
    answers = {url: raw for url in source.urls() if (raw := source.response(url)) and _is_page(raw)}
    size = sum(len(raw.body) for raw in answers.values()) / len(answers)
    links = sum(raw.body.count(b"<a ") for raw in answers.values()) / len(answers)
    hosts = len({_site(url) for url in answers})
    about = f"{len(answers):,} pages of {size / 1024:.0f} KB and {links:.0f} links on average, {hosts} hosts"
    return Web(name, str(folder), keywords, tuple(seeds), frozenset(answers), about)


def _is_page(raw: Raw) -> bool:
    return raw.status == 200 and any(
        name.lower() == "content-type" and "html" in value.lower() for name, value in raw.headers
    )


def _site(url: str) -> str:
    return url[: url.index("/", 8) + 1]


def _item(url: str, body: bytes) -> bytes:
    title = _title(body)
    return b'<li><a href="%s">%s</a></li>\n' % (url.encode(), title[1] if title else b"more")
