"""The verbs behind `lycosa taxonomy`: look through one before it is hunted with, and make one from a directory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, to_builtins

from lycosa.core.bayes import Bag, CategoryBayes
from lycosa.core.taxonomy import Taxonomy, is_within, taxonomy_of
from lycosa.core.urls import canonical
from lycosa.core.urls import seed as seed_url
from lycosa.core.words import terms
from lycosa.engine.inlink_sources import InlinkSource, kind_of
from lycosa.engine.taxonomy_files import read_taxonomy, write_taxonomy
from lycosa.engine.texts import Texts
from lycosa.system.errors import Refused

if TYPE_CHECKING:
    from lycosa.lab.beds.odp import Progress

FOLDS = 20
"""In so many parts are the examples held out, each once: with no more of them, one at a time."""
WORDS = 30
"""Of evidence that a page gives at most: with all its words, every probability would be 0 or 1."""


class Filed(Struct, frozen=True):
    """Where a page belongs, as far as its words tell."""

    url: str
    looks_like: str
    """The category that it most probably belongs to."""
    probability: float
    filed: str = ""
    """The category that it is an example of; empty for any other page."""
    misfiled: bool = False


class Checked(Struct, frozen=True):
    """A taxonomy, and what the words of its examples tell."""

    taxonomy: Taxonomy
    read: list[Filed] = []
    """The examples, each filed by a classifier that has not seen it."""
    unread: list[str] = []
    pages: list[Filed] = []
    """Other pages that were asked about."""

    @property
    def misfiled(self) -> list[Filed]:
        """The examples that look like those of another category, the surest first."""
        return sorted((one for one in self.read if one.misfiled), key=lambda one: -one.probability)

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        told: dict[str, Any] = to_builtins(self)
        return told | {"good": list(self.taxonomy.good), "misfiled": to_builtins(self.misfiled)}


def check(
    file: str,
    *,
    good: Sequence[str] = (),
    refiled: Mapping[str, str] | None = None,
    inspect: Sequence[str] = (),
    pages: Sequence[str] = (),
    out: str | Path | None = None,
) -> Checked:
    """Look through a taxonomy; with pages to `inspect`, say which examples look misfiled; `out` keeps it as corrected.

    `pages` are other pages among those to inspect: where would they be filed?
    """
    taxonomy = read_taxonomy(file, good, refiled or {})
    for name in inspect:
        _check_pages(name)
    if out:
        write_taxonomy(taxonomy, out)
    if not inspect:
        if pages:
            raise Refused("there is nothing to read pages from", "name a collection or test bed with --inspect")
        return Checked(taxonomy)
    urls = [seed_url(url) for url in pages]
    bags: dict[str, Bag] = {}
    with Texts(inspect) as read:
        for url in [*(url for url, _ in taxonomy.filed()), *urls]:
            bags[url] = terms(read(url) or "")
    if missing := [url for url in urls if not bags[url]]:
        raise Refused(f"{missing[0]} is not in {', '.join(inspect)}", "name pages that are there")
    known = [(url, path) for url, path in taxonomy.filed() if bags[url]]
    if not known:
        raise Refused(f"no example of {file} is in {', '.join(inspect)}", "name the pages that hold them")
    everything = CategoryBayes(taxonomy, bags.__getitem__, WORDS)
    return Checked(
        taxonomy,
        _held_out(taxonomy, known, bags),
        [url for url, _ in taxonomy.filed() if not bags[url]],
        [_filed(everything, url, bags[url]) for url in urls],
    )


def _check_pages(name: str) -> None:
    """Whether a text names pages; those who only know in-links hold none."""
    with suppress(Refused):
        if kind_of(name)[0] in (InlinkSource.COLLECTION, InlinkSource.RECORDING):
            return
    raise Refused(f"there are no pages in {name}", "give --inspect a collection, a test bed or a recording")


def _held_out(taxonomy: Taxonomy, known: Sequence[tuple[str, str]], bags: Mapping[str, Bag]) -> list[Filed]:
    folds = min(FOLDS, len(known))
    found: dict[str, Filed] = {}
    for fold in range(folds):
        held = dict(known[fold::folds])
        bayes = CategoryBayes(taxonomy, _without(held, bags), WORDS)
        found |= {url: _filed(bayes, url, bags[url], path) for url, path in held.items()}
    return [found[url] for url, _ in known]


def _without(held: Mapping[str, str], bags: Mapping[str, Bag]) -> Callable[[str], Bag]:
    return lambda url: {} if url in held else bags[url]


def _filed(bayes: CategoryBayes, url: str, bag: Bag, path: str = "") -> Filed:
    posteriors = bayes.posteriors(bag)
    leaf = bayes.leaf(posteriors)
    # A page that is filed high up may well look like what is further down.
    return Filed(url, leaf, posteriors.get(leaf, 0.0), path, bool(path) and not is_within(leaf, path))


def from_odp(
    content: str | Path,
    *,
    under: str = "Top",
    depth: int = 3,
    examples: int = 20,
    progress: Progress | None = None,
) -> tuple[Taxonomy, Counter[str]]:
    """The categories of an Open Directory dump below one of them, and what was left out.

    What is listed deeper than `depth` steps of a path is an example of the category at that depth; each has at most so
    many `examples`, those listed first, and a page belongs where it was listed first.
    """
    from lycosa.lab.beds.odp import Dump, OdpListing

    for name, value in (("depth", depth), ("examples", examples)):
        if value < 1:
            raise Refused(f"--{name} {value} is not possible", f"give --{name} at least 1")
    found: dict[str, list[str]] = {}
    filed: set[str] = set()
    left_out: Counter[str] = Counter()
    for entry in Dump(content, progress):
        if not isinstance(entry, OdpListing) or not is_within(entry.category, under):
            continue
        path = "/".join(entry.category.split("/")[: max(depth, under.count("/") + 1)])
        url = canonical(entry.url)
        if url is None or not all(path.split("/")):
            left_out["no http URL, or no category"] += 1
        elif url in filed:
            left_out["listed before"] += 1
        elif len(pages := found.setdefault(path, [])) >= examples:
            left_out["enough examples"] += 1
        else:
            filed.add(url)
            pages.append(url)
    if not found:
        raise Refused(f"{content} lists nothing below {under}", "name another category with --under")
    return taxonomy_of(found.items()), left_out
