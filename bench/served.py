"""The webs that crawlers are compared on: a made one with pages like those of real sites, and the schools test bed.

Each is recorded anew with exactly as many pages as the crawlers may fetch, all within reach of the seeds, and without
links to anything else. So every crawler fetches the same pages, whatever its order and however many dead links it would
have tried.
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
from lycosa.web.made import Made
from lycosa.web.source import BedTopic
from lycosa.web.testbed import Bed

SCHOOLS = Path(__file__).resolve().parents[2] / "shared" / "testbeds" / "schools"
_title = re.compile(rb"<title>(.*?)</title>", re.DOTALL).search
_link = re.compile(rb'(<a(?:rea)?\b[^>]*?\b)href="([^"]*)"', re.IGNORECASE)

Response = Callable[[str], Raw | None]


class Web(NamedTuple):
    """A web to be served: where its recording lies, what to hunt in it, and which of its URLs are pages."""

    name: str
    source: Path
    keywords: str
    seeds: tuple[str, ...]
    pages: frozenset[str]
    about: str


def made(folder: Path, size: int, seed: int = 1) -> Web:
    """A made web. Its pages have a dozen links; real ones have a sidebar, too: 50 links, half of them on the site."""
    web = Made(max(300, size + size // 50), 6, seed, site_pages=24, page_bytes=22_000, traps=False, mirrors=False)
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
    return _record("made", folder, _within_reach(pages, topic.examples, size), web.response, topic)


def schools(folder: Path, size: int) -> Web:
    """The schools test bed, hunted for its first topic."""
    bed = Bed(SCHOOLS)
    topic, response = bed.topics[0], bed.source.response
    pages = _pages(bed.source.urls(), response)
    return _record("schools", folder, _within_reach(pages, topic.examples, size), response, topic)


def _pages(urls: Iterable[str], response: Response) -> dict[str, Raw]:
    answers = ((url, response(url)) for url in urls)
    return {url: raw for url, raw in answers if raw and raw.status == 200 and b"<html" in raw.body[:2000].lower()}


def _within_reach(pages: Mapping[str, Raw], seeds: Iterable[str], size: int) -> dict[str, Raw]:
    """The pages nearest to the seeds, so many at most."""
    near = dict.fromkeys(seeds)
    queue = list(near)
    for url in queue:
        head, _, body = pages[url].body.partition(b"</head>")
        for link in _link.finditer(b"" if b"nofollow" in head else body):
            target = _target(url, link)
            if len(near) < size and target in pages and target not in near and b"nofollow" not in link[1]:
                near[target] = None
                queue.append(target)
    return {url: pages[url] for url in near}


def _record(name: str, folder: Path, pages: Mapping[str, Raw], response: Response, topic: BedTopic) -> Web:
    """Write a recording of the pages and of every site's robots.txt."""
    folder.mkdir()
    writer = Writer(folder, name)
    size = links = 0
    for url, raw in pages.items():
        body = _link.sub(lambda link, url=url: link[0] if _target(url, link) in pages else _disarmed(link), raw.body)  # type: ignore[misc]
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
    return Web(name, folder, topic.keywords, topic.examples, frozenset(pages), about)


def _target(url: str, link: re.Match[bytes]) -> str:
    return urljoin(url, link[2].decode("latin-1").replace("&amp;", "&")).partition("#")[0]


def _disarmed(link: re.Match[bytes]) -> bytes:
    return link[1] + b'name="%s"' % link[2]


def _site(url: str) -> str:
    return url[: url.index("/", 8) + 1]


def _item(url: str, body: bytes) -> bytes:
    title = _title(body)
    return b'<li><a href="%s">%s</a></li>\n' % (url.encode(), title[1] if title else b"more")
