"""Better seeds, from sources that know which pages link to the given ones."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct, to_builtins

from lycosa.app.requests.hunt_plan import read_seeds
from lycosa.app.requests.seeds import SeedsRequest
from lycosa.app.wording import counted
from lycosa.core.urls import host_of
from lycosa.core.urls import seed as seed_url
from lycosa.core.words import terms
from lycosa.engine.augment import AT_LEAST, DIRECTORIES, LIMIT, UPSTREAM, WIDTH, AddedSeed, hubs, neighbours
from lycosa.engine.inlink_sources import InlinkSource, kind_of, open_inlinks
from lycosa.engine.texts import Texts
from lycosa.system.errors import LARGEST, Code, Refused, check_range
from lycosa.web.http_options import HttpOptions
from lycosa.web.source import BedTopic

FEWEST = 10
"""Different words that a description has at least: with two or three words, almost all pages look alike."""
FURTHEST = 5
"""Links upstream at most."""


class SeedAugmentation(Struct, frozen=True):
    """The given seeds, and the pages found upstream of them."""

    seeds: tuple[str, ...]
    found: list[AddedSeed]
    """Pages found, those that link to most seeds first; each is added, or has a reason why it is left out."""
    levels: int = 0
    """How many links upstream the neighbours are; 0 if hubs were looked for."""

    @property
    def added(self) -> list[AddedSeed]:
        """The pages found that are not left out."""
        return [one for one in self.found if not one.left_out]

    @property
    def urls(self) -> list[str]:
        """The seeds to start from: the given ones and the hubs, or only the neighbours."""
        found = [one.url for one in self.added]
        return found if self.levels else [*self.seeds, *found]

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return {
            "seeds": list(self.seeds),
            "levels": self.levels,
            "found": to_builtins(self.found),
            "added": [one.url for one in self.added],
            "urls": self.urls,
        }

    def write(self, file: Path) -> None:
        """Write a file of seeds for a hunt."""
        verb = "leads" if self.levels else "links"
        lines = [] if self.levels else list(self.seeds)
        lines += [f"{one.url}  # {verb} to {len(one.seeds)} of {len(self.seeds)} seeds" for one in self.added]
        file.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def better_seeds(
    seeds: Sequence[str] = (),
    *,
    inlinks: Sequence[str] = (),
    bed: str | Path | None = None,
    topic: str | None = None,
    description: str = "",
    limit: int = LIMIT,
    at_least: int = AT_LEAST,
    leave_out: Sequence[str] = (),
    directories: bool = False,
    width: int | None = None,
    neighbours_at: int = 0,
    rng: int = 1,
    http: HttpOptions | None = None,
) -> SeedAugmentation:
    """Hubs to add to the seeds, or neighbours `neighbours_at` links upstream of them.

    A bed with a topic provides its examples, links and description unless others are given. With `directories`, known
    directories are not left out. `http` says how to fetch candidates whose text no source of in-links holds.
    """
    for field, value in (("limit", limit), ("at_least", at_least), ("width", width)):
        check_range(field, value, 1, LARGEST)
    check_range("neighbours", neighbours_at, 0, FURTHEST)
    if 0 < len(terms(description)) < FEWEST:
        problem = f"the description has only {counted(len(terms(description)), 'word')}"
        fix = "describe the topic in a few sentences, as a directory would, or leave it out"
        raise Refused(problem, fix, code=Code.OUT_OF_RANGE, field="description")
    if bed is not None:
        found = _topic_of(str(bed), topic)
        seeds, inlinks, description = seeds or found.examples, inlinks or (str(bed),), description or found.description
    elif topic is not None:
        problem = f"the topic {topic} has no meaning without a test bed"
        raise Refused(problem, "name a test bed", code=Code.CONTRADICTION, field="topic")
    known = tuple(dict.fromkeys(seed_url(url) for url in seeds))
    if not known:
        fix = "give at least one URL, or a test bed with a topic"
        raise Refused("no seeds", fix, code=Code.MISSING, field="seeds")
    hosts = [*(() if directories else DIRECTORIES), *map(_host, leave_out)]
    with closing(open_inlinks(inlinks)) as source:
        if neighbours_at:
            random = Random(rng)
            drawn = neighbours(known, source, levels=neighbours_at, limit=limit, width=width or UPSTREAM, rng=random)
            return SeedAugmentation(known, drawn, neighbours_at)
        with Texts(inlinks if description else (), _live(inlinks, http)) as read:
            candidates = hubs(
                known,
                source,
                description=description,
                read=read,
                leave_out=hosts,
                at_least=at_least,
                limit=limit,
                width=width or WIDTH,
            )
    return SeedAugmentation(known, candidates)


def _topic_of(bed: str, topic: str | None) -> BedTopic:
    from lycosa.web.source_names import is_made, open_made
    from lycosa.web.testbed import Bed

    topics = open_made(bed).topics if is_made(bed) else Bed(bed).topics
    some = ", ".join(found.id for found in topics[:6])
    if topic is None:
        raise Refused("a test bed has many topics", f"name one, such as {some}", code=Code.MISSING, field="topic")
    for found in topics:
        if found.id == topic:
            return found
    problem = f"the test bed {bed} has no topic {topic!r}"
    raise Refused(problem, f"choose one of: {some}", code=Code.UNKNOWN_NAME, field="topic")


def _host(text: str) -> str:
    return host_of(seed_url(text)).partition(":")[0].removeprefix("www.")


def _live(inlinks: Sequence[str], http: HttpOptions | None) -> HttpOptions | None:
    """How to fetch candidates, if a source knows pages that it does not hold; None if none does."""
    outside = any(kind_of(text)[0] in (InlinkSource.GRAPH, InlinkSource.SERVICE) for text in inlinks)
    return http or HttpOptions(delay=1.0) if outside else None


def seeds_of(request: SeedsRequest) -> SeedAugmentation:
    """The start pages that a request asks for."""
    return better_seeds(
        [*request.seeds, *(read_seeds(request.seeds_file) if request.seeds_file else ())],
        inlinks=request.inlinks,
        bed=request.bed,
        topic=request.topic,
        description=described(request.description) if request.description else "",
        limit=request.limit,
        at_least=request.at_least,
        leave_out=request.leave_out,
        directories=request.directories,
        width=request.width,
        neighbours_at=request.neighbours,
        rng=request.random_seed,
        http=HttpOptions(
            delay=1.0,
            proxy=request.proxy,
            ca=request.ca,
            allow=tuple(request.allow),
            contact=request.contact,
        ),
    )


def described(text: str) -> str:
    """The description that an option gives: the text of a file, or the text itself."""
    # A long text cannot be the name of a file.
    with suppress(OSError, ValueError):
        if Path(text).is_file():
            return Path(text).read_text("utf-8", "replace")
    return text
