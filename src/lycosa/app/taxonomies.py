"""Check a taxonomy before a hunt uses it, and make one from a directory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins

from lycosa.core.bayes import Bag, CategoryBayes
from lycosa.core.taxonomy import Taxonomy, is_within, taxonomy_of
from lycosa.core.urls import canonical
from lycosa.core.urls import seed as seed_url
from lycosa.core.words import terms
from lycosa.engine.inlink_sources import InlinkSource, kind_of
from lycosa.engine.taxonomy_files import read_taxonomy, write_taxonomy
from lycosa.engine.texts import Texts
from lycosa.system.errors import LARGEST, Code, Refused, check_range
from lycosa.system.progress import StageProgress, no_progress

FOLDS = 20
"""Folds of the cross-validation over the examples; with no more examples than that, leave-one-out."""
WORDS = 30
"""Words of a page that count as evidence at most: with all of them, every probability would be 0 or 1."""


class Filed(Struct, frozen=True):
    """The category of a page according to its words."""

    url: str
    looks_like: str
    """The most probable category."""
    probability: float
    filed: str = ""
    """The category that it is an example of; empty if it is not an example."""
    misfiled: bool = False


class Checked(Struct, frozen=True):
    """A taxonomy, and how a classifier files its examples."""

    taxonomy: Taxonomy
    read: list[Filed] = []
    """The examples, each filed by a classifier that has not seen it."""
    unread: list[str] = []
    pages: list[Filed] = []
    """The other pages that were to be filed."""

    @property
    def misfiled(self) -> list[Filed]:
        """The examples that look like those of another category, the most probable first."""
        return sorted((one for one in self.read if one.misfiled), key=lambda one: -one.probability)

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        plain: dict[str, Any] = to_builtins(self)
        return plain | {"good": list(self.taxonomy.good), "misfiled": to_builtins(self.misfiled)}


def check(
    file: str,
    *,
    good: Sequence[str] = (),
    refiled: Mapping[str, str] | None = None,
    inspect: Sequence[str] = (),
    pages: Sequence[str] = (),
    out: str | Path | None = None,
) -> Checked:
    """Check a taxonomy; with sources of pages to `inspect`, find examples that look misfiled; `out` saves corrections.

    `pages` are other pages of these sources that are filed too.
    """
    taxonomy = read_taxonomy(file, good, refiled or {})
    for name in inspect:
        _check_pages(name)
    if out:
        write_taxonomy(taxonomy, out)
    if not inspect:
        if pages:
            fix = "name a collection or test bed that has them"
            raise Refused("there is nothing to read pages from", fix, code=Code.MISSING, field="inspect")
        return Checked(taxonomy)
    urls = [seed_url(url) for url in pages]
    bags: dict[str, Bag] = {}
    with Texts(inspect) as read:
        for url in [*(url for url, _ in taxonomy.filed()), *urls]:
            bags[url] = terms(read(url) or "")
    if missing := [url for url in urls if not bags[url]]:
        problem = f"{missing[0]} is not in {', '.join(inspect)}"
        raise Refused(problem, "name pages that are there", code=Code.NOT_FOUND, field="page")
    known = [(url, path) for url, path in taxonomy.filed() if bags[url]]
    if not known:
        problem = f"no example of {file} is in {', '.join(inspect)}"
        raise Refused(problem, "name the pages that hold them", code=Code.EMPTY, field="inspect")
    everything = CategoryBayes(taxonomy, bags.__getitem__, WORDS)
    return Checked(
        taxonomy,
        _held_out(taxonomy, known, bags),
        [url for url, _ in taxonomy.filed() if not bags[url]],
        [_filed(everything, url, bags[url]) for url in urls],
    )


def _check_pages(name: str) -> None:
    """Refuse a source without pages, such as one that only knows in-links."""
    with suppress(Refused):
        if kind_of(name)[0] in (InlinkSource.COLLECTION, InlinkSource.RECORDING):
            return
    fix = "name a collection, a test bed or a recording"
    raise Refused(f"there are no pages in {name}", fix, code=Code.NOT_A_COLLECTION, field="inspect")


def _held_out(taxonomy: Taxonomy, known: Sequence[tuple[str, str]], bags: Mapping[str, Bag]) -> list[Filed]:
    folds = min(FOLDS, len(known))
    found: dict[str, Filed] = {}
    for fold in range(folds):
        held = dict(known[fold::folds])
        others = {url: {} if url in held else bag for url, bag in bags.items()}
        bayes = CategoryBayes(taxonomy, others.__getitem__, WORDS)
        found |= {url: _filed(bayes, url, bags[url], path) for url, path in held.items()}
    return [found[url] for url, _ in known]


def _filed(bayes: CategoryBayes, url: str, bag: Bag, path: str = "") -> Filed:
    posteriors = bayes.posteriors(bag)
    leaf = bayes.leaf(posteriors)
    # An example of a category may well look like one of its subcategories.
    return Filed(url, leaf, posteriors.get(leaf, 0.0), path, bool(path) and not is_within(leaf, path))


def from_odp(
    content: str | Path,
    *,
    under: str = "Top",
    depth: int = 3,
    examples: int = 20,
    progress: StageProgress = no_progress,
) -> tuple[Taxonomy, Counter[str]]:
    """The categories of an Open Directory dump below one of them, and counts of what was left out.

    A page listed deeper than `depth` steps of a path is an example of the category at that depth. A category has at
    most so many `examples`, those listed first, and a page belongs where it was listed first.
    """
    from lycosa.lab.beds.odp import Dump, OdpListing

    check_range("depth", depth, 1, LARGEST)
    check_range("examples", examples, 1, LARGEST)
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
        problem = f"{content} lists nothing below {under}"
        raise Refused(problem, "name another category", code=Code.EMPTY, field="under")
    return taxonomy_of(found.items()), left_out
