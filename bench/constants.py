"""The constants of the default strategy: what other values would be worth, and what a bed says that had no say in them.

    python bench/constants.py                        every variant below, on every bed
    python bench/constants.py SHARE=0.05             one more variant
    python bench/constants.py --table                the tables again, without a crawl

Each variant changes one constant. Its figure is the share of the oracle's area, the mean over the crawls of a bed and
task. A bed's own figure is what the variant that is best on the mean of all beds reaches there; the figure left out is
that of the variant that is best on the other beds. Finished variants are kept in a folder, under the code they ran.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

import lycosa
from calibration import beds
from judgements import Bed
from lycosa.lab.grounds import grounds_of
from lycosa.lab.world import open_world
from lycosa.web.testbed import TASKS

ROOT = Path(__file__).resolve().parents[1]
MODELS = ("lycosa.core.page_model", "lycosa.core.page_kinds", "lycosa.strategy.apprentice")
PAGES = 1000
FEW = 6
"""All topics of a bed count that has so few."""
PRESENT = "as it is"
VARIANTS = (
    "SHARE=0.15",
    "MOST=60,MOST_BESIDE_KNOWN=25",
    "KEYNESS=1.4",
    "KIND=6",
    "HEDGED=0",
    "STIFFNESS=3",
)

Shares = dict[str, list[float]]
"""By bed and task, the share of each crawl."""


class Order(NamedTuple):
    """One crawl of one variant."""

    bed: str
    world: str
    task: str
    topic: str
    half: int
    variant: str


def orders(variants: Sequence[str], chosen: Sequence[str], every: int) -> Iterator[Order]:
    """All crawls; on the bed of R packages also from halves of the start pages, on which they hang there."""
    for bed, world in beds():
        if not _among(bed, chosen):
            continue
        for task in TASKS:
            grounds, _ = grounds_of(open_world(world), task)
            for ground in grounds[:: every if len(grounds) > FEW else 1]:
                for half in (0, 1, 2) if bed == "rweb" else (0,):
                    for variant in variants:
                        yield Order(bed, world, task, ground.topic.id, half, variant)


def _among(bed: str, chosen: Sequence[str]) -> bool:
    return not chosen or bed in chosen


_beds: dict[str, Bed] = {}
"""Made once, before any process is forked."""


def crawled(order: Order) -> tuple[Order, float]:
    """The share of the oracle's area of one crawl."""
    threadpool_limits(1)
    bed = _beds[order.world]
    (ground,) = grounds_of(bed.world, order.task, [order.topic])[0]
    before = list(_changed(order.variant))
    try:
        return order, bed.share(ground, order.task, order.half, 0, 0.0)[0]
    finally:
        for module, name, value in before:
            setattr(module, name, value)


def _changed(variant: str) -> Iterator[tuple[object, str, object]]:
    """Set constants in all modules that know them; yields what they were."""
    for change in () if variant == PRESENT else variant.split(","):
        name, _, value = change.partition("=")
        holders = [module for key, module in sys.modules.items() if key.startswith(MODELS) and hasattr(module, name)]
        if not holders:
            raise SystemExit(f"no module has a constant {name}")
        for module in holders:
            old = getattr(module, name)
            yield module, name, old
            setattr(module, name, type(old)(float(value)))


def table(found: dict[str, Shares]) -> Iterator[str]:
    """A row for each variant, a column for each bed and task."""
    places = [*next(iter(found.values()))]
    yield "| variant | " + " | ".join(places) + " | mean of the beds |"
    yield "|---|" + "---|" * (len(places) + 1)
    for variant, shares in found.items():
        means = [float(np.mean(shares[place])) for place in places]
        yield f"| {variant} | " + " | ".join(f"{mean:.3f}" for mean in means) + f" | {_mean(shares):.3f} |"


def _mean(shares: Shares, without: str = "") -> float:
    """The mean over beds of the mean over tasks."""
    names = {place.split()[0] for place in shares} - {without}
    return float(np.mean([_on(shares, bed) for bed in names]))


def _on(shares: Shares, bed: str) -> float:
    return float(np.mean([np.mean(share) for place, share in shares.items() if place.split()[0] == bed]))


def left_out(found: dict[str, Shares]) -> Iterator[str]:
    """What the best variant of the other beds reaches on the bed left out."""
    best = max(found, key=lambda variant: _mean(found[variant]))
    yield "| bed left out | best on the others | its share here | best on all beds | its share here | lost |"
    yield "|---|---|---|---|---|---|"
    for bed in dict.fromkeys(place.split()[0] for place in found[best]):
        other = max(found, key=lambda variant: _mean(found[variant], bed))
        there, tuned = _on(found[other], bed), _on(found[best], bed)
        yield f"| {bed} | {other} | {there:.3f} | {best} | {tuned:.3f} | {tuned - there:+.3f} |"


def code() -> str:
    """A digest of the code that decides what a crawl does."""
    house = Path(lycosa.__file__).parent
    digest = blake2b(digest_size=8)
    for room in ("core", "engine", "frontier", "judge", "strategy", "web"):
        for file in sorted((house / room).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def main() -> None:
    """Crawl, and print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variants", nargs="*", help="CONSTANT=VALUE, several separated by commas; default: all below")
    parser.add_argument("--beds", nargs="+", default=(), help="only these beds")
    parser.add_argument("--every", type=int, default=1, help="only every N-th topic of a bed with many")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=ROOT / "lab-constants")
    parser.add_argument("--table", action="store_true", help="crawl nothing")
    options = parser.parse_args()
    folder = options.folder / f"{code()}-{options.every}-{'-'.join(options.beds) or 'all'}"
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [] if options.table else options.variants or [PRESENT, *VARIANTS]
    missing = [variant for variant in wanted if not (folder / f"{variant}.json").exists()]
    _beds.update(
        {world: Bed(world, "apprentice", PAGES) for name, world in beds() if missing and _among(name, options.beds)}
    )
    for variant in missing:
        shares: Shares = {}
        with get_context("fork").Pool(options.processes) as pool:
            for order, share in pool.imap(crawled, orders([variant], options.beds, options.every), chunksize=4):
                shares.setdefault(f"{order.bed} {order.task}", []).append(share)
        (folder / f"{variant}.json").write_bytes(msgspec.json.encode(shares))
        print(f"{variant}: {_mean(shares):.3f}", flush=True)
    files = sorted(folder.glob("*.json"), key=lambda file: file.stat().st_mtime)
    found = {file.stem: msgspec.json.decode(file.read_bytes(), type=Shares) for file in files}
    print("\n".join([*table(found), "", *left_out(found)]))


if __name__ == "__main__":
    main()
