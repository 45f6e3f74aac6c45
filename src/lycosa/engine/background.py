"""Word frequencies, counted in the pages of collections, test beds and recordings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from lycosa.core.keys import key64
from lycosa.core.priors import SAMPLE, Background
from lycosa.core.words import terms
from lycosa.engine.archived import archived
from lycosa.store.collection import Collection
from lycosa.system.errors import Code, Refused


def count_pages(names: Sequence[str]) -> Background:
    """In how many of all these pages each term occurs, and some of the pages.

    A name is that of a collection, of a test bed or of a recording.
    """
    pages, holding = 0, Counter[str]()
    # The pages with the smallest keys are as good as a random sample, and the same every time.
    sample: dict[int, Mapping[str, int]] = {}
    for name in names:
        for text, any_page in _texts(name):
            pages += 1
            bag = terms(text)
            holding.update(bag.keys())
            if bag and any_page:
                sample[key64(text)] = bag
                if len(sample) > SAMPLE:
                    del sample[max(sample)]
    if not pages:
        problem = f"there is no page in {', '.join(names)}"
        raise Refused(problem, "name other pages for the background", code=Code.EMPTY, field="background")
    return Background(pages, dict(holding), tuple(dict(sample[key]) for key in sorted(sample)))


def _texts(name: str) -> Iterator[tuple[str, bool]]:
    """The texts of pages, and whether each may be used as a sample of pages on no particular topic."""
    if (Path(name) / "log.sqlite").is_file():
        yield from _collected(Path(name))
    else:
        from lycosa.web.parsed_cache import open_parsed

        parsed = open_parsed(name)
        yield from ((parsed.text(row), True) for row in range(parsed.pages))


def _collected(folder: Path) -> Iterator[tuple[str, bool]]:
    with Collection.open(folder) as collection:
        # These pages were hunted, perhaps for the same topic, so the more relevant half is not used as a sample.
        half = collection.log.page_count() // 2
        for rank, row in enumerate(collection.log.pages(order="relevance")):
            if row.where:
                yield archived(collection.repository, row.url, row.where).text, rank >= half
