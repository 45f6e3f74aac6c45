"""Warnings about sizes: frontiers of different capacity, and crawls too short or too long to compare anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from lycosa.engine.plan import Plan
from lycosa.lab.grounds import Ground
from lycosa.lab.traits import Traits
from lycosa.lab.world import World

BATCHES = 5
"""Fewer batches of links than this in a crawl do not show what their size does; the paper's crawls had eight."""


def unequal_frontiers(known: Mapping[str, Traits], capacity: int | None) -> Iterator[str]:
    """Warnings if some frontiers hold more tickets than others."""
    usual = capacity or next(field.default for field in msgspec.structs.fields(Plan) if field.name == "capacity")
    sizes: dict[int, list[str]] = {}
    for label, traits in known.items():
        sizes.setdefault(traits.capacity or usual, []).append(label)
    if len(sizes) < 2:
        return
    (size, first), *others = sorted(sizes.items(), key=lambda item: (len(item[1]), item[0]))
    told = [f"{', '.join(first)} {'keeps' if len(first) == 1 else 'keep'} at most {size:,} links"]
    told += [f"{', '.join(labels)} {size:,}" for size, labels in others]
    if len(others[-1][1]) > 1:
        told[-1] = f"the others {others[-1][0]:,}"
    yield ", ".join(told)


def meaningless_sizes(
    world: World, grounds: Sequence[Ground], known: Mapping[str, Traits], pages: int
) -> Iterator[str]:
    """Warnings if crawls of so many pages cannot tell the configurations apart."""
    held = len(world.corpus)
    if pages > held / 2:
        yield f"{world.name} has only {held:,} pages: crawls of {pages:,} end up with the same ones"
    most = max((len(ground.seeds) for ground in grounds), default=0)
    if pages < 2 * most:
        yield (
            f"crawls of {pages:,} pages are hardly longer than their start pages (up to {most:,}), so all of them are "
            "much alike"
        )
    for label, traits in known.items():
        if traits.batch > 1 and pages < BATCHES * traits.batch:
            yield (
                f"{label} takes {traits.batch:,} links at a time: a crawl of {pages:,} pages is only "
                f"{pages / traits.batch:.1f} such batches, too few to compare it with others"
            )
