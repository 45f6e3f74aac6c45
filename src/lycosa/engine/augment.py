"""Better seeds from in-links: hubs that link to several seeds, and neighbours a few links upstream.

Hubs are those of Topical Crawling for Business Intelligence, section 6: the back-links of all seeds are counted across
seeds; those that link to fewer than two of them are removed, and so are known directories and every page that is more
than 90 % similar to the topic's description when only the description's own terms are considered: a mirror of the
directory page that lists seeds and targets would make the hunt trivial. The ten with the highest counts are added to
the seeds. The paper does not say whether the ten are taken before or after the removal; here after.

Neighbours are those of Exploration versus Exploitation, section 2.1: a random sample of the in-links of the in-links.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from random import Random

from msgspec import Struct

from lycosa.core.inlinks import Inlinks
from lycosa.core.urls import host_of
from lycosa.core.words import cosine, terms

AT_LEAST = 2
LIMIT = 10
WIDTH = 1000
"""In-links of a seed that are counted. The paper used the ten that a search engine ranked best; the in-links of
a link graph are not ranked, so more of them are used instead."""
MIRROR = 0.9
UPSTREAM = 20
"""In-links of each page that are followed on the way to neighbours, as in the paper."""
DIRECTORIES = (
    "dmoz.org",
    "directory.google.com",
    "directory.mozilla.org",
    "dmoztools.net",
    "dmoz-odp.org",
    "curlie.org",
    "dir.yahoo.com",
    "looksmart.com",
    "zeal.com",
    "botw.org",
    "joeant.com",
    "gimpsy.com",
)
"""Hosts, with all below them, that list pages by category. The first two are the paper's; then come other hosts and
successors of the Open Directory, and other directories."""

Read = Callable[[str], str | None]
"""Returns the text of the page at a URL; None if it cannot be fetched."""


class AddedSeed(Struct, frozen=True):
    """A page upstream of some seeds."""

    url: str
    seeds: tuple[str, ...]
    """The seeds to which it links or leads."""
    left_out: str = ""
    """Why it is not added; empty if it is."""


def hubs(
    seeds: Sequence[str],
    inlinks: Inlinks,
    *,
    description: str = "",
    read: Read | None = None,
    leave_out: Iterable[str] = DIRECTORIES,
    without: Container[str] = (),
    at_least: int = AT_LEAST,
    limit: int = LIMIT,
    width: int = WIDTH,
) -> list[AddedSeed]:
    """Every page that links to a seed, those that link to most first, each added or with a reason why it is not.

    `leave_out` are hosts, `without` pages that are not to be added. Pages are read only if there is a description, and
    only until enough hubs are found. Among equal counts the order of the source decides.
    """
    linked: dict[str, list[str]] = {}
    for seed, pages in inlinks.of_all(dict.fromkeys(seeds), width).items():
        for page in pages:
            linked.setdefault(page, []).append(seed)
    known, shunned = frozenset(seeds), tuple(leave_out)
    described = terms(description) if read else {}
    found: list[AddedSeed] = []
    added = 0

    def reason(page: str, count: int) -> str:
        if page in known:
            return "is a seed"
        if count < at_least:
            return f"links to {count} of the seeds only"
        if page in without:
            return "is ruled out"
        if host := directory_of(page, shunned):
            return f"is of {host}"
        if added >= limit:
            return f"{limit} are better"
        return _mirrors(page, described, read) if described and read else ""

    for page, of_it in sorted(linked.items(), key=lambda entry: -len(entry[1])):
        found.append(AddedSeed(page, tuple(of_it), reason(page, len(of_it))))
        added += not found[-1].left_out
    return found


def projected_cosine(text: str, description: Mapping[str, float]) -> float:
    """The cosine of a text and a description in the space of the description's terms; other terms are ignored."""
    counted = terms(text)
    return cosine({term: counted[term] for term in description if term in counted}, description)


def directory_of(url: str, directories: Iterable[str]) -> str:
    """The directory to whose host, or a host below it, a URL belongs; empty if to none."""
    host = host_of(url).partition(":")[0]
    return next((each for each in directories if host == each or host.endswith(f".{each}")), "")


def neighbours(
    seeds: Sequence[str],
    inlinks: Inlinks,
    *,
    levels: int = 2,
    limit: int = LIMIT,
    width: int = UPSTREAM,
    rng: Random | None = None,
) -> list[AddedSeed]:
    """Pages exactly `levels` links upstream of seeds, as far as is known; a random sample of `limit` of them.

    Without `rng` the sample is always the same.
    """
    layer: dict[str, tuple[str, ...]] = {seed: (seed,) for seed in seeds}
    nearer = set(layer)
    for _ in range(levels):
        above: dict[str, dict[str, None]] = {}
        for page, pages in inlinks.of_all(layer, width).items():
            for one in pages:
                if one not in nearer:
                    above.setdefault(one, {}).update(dict.fromkeys(layer[page]))
        layer = {page: tuple(leads) for page, leads in above.items()}
        nearer |= layer.keys()
    drawn = (rng or Random(1)).sample(sorted(layer), min(limit, len(layer)))
    return [AddedSeed(page, layer[page]) for page in drawn]


def _mirrors(page: str, description: Mapping[str, float], read: Read) -> str:
    text = read(page)
    if text is None:
        return "cannot be read"
    alike = projected_cosine(text, description)
    return f"is {alike:.0%} like the description" if alike > MIRROR else ""
