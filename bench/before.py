"""CPU per page of this source tree beside another one: a process of each hunts over the schools bed, in short turns.

    git worktree add ../earlier COMMIT
    python bench/before.py ../earlier [TURNS] [PAGES]

A turn is a hunt of some hundred pages from the recording: parsed, judged, written, with everything but the network.
Load on the machine changes from minute to minute and affects both hunts of a turn alike, so the figure is the median of
the turns' ratios, with the interval in which the median is with 95 % confidence.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from schools import SCHOOLS

_HUNTS = """
import resource, sys, tempfile
import lycosa

def spent():
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime

bed, seeds, pages = sys.argv[1], open(sys.argv[2]).read().split(), int(sys.argv[3])
for _ in sys.stdin:
    with tempfile.TemporaryDirectory() as folder:
        begun = spent()
        how = dict(replay=bed, pages=pages, strategy="best-first", on_topic=False, out=folder + "/c", index=False)
        with lycosa.hunt("history of art", seeds, **how) as hunt:
            count = sum(1 for _ in hunt)
        print((spent() - begun) / count, flush=True)
"""


def hunting(tree: Path, seeds: Path, pages: int) -> subprocess.Popen[str]:
    """A process that hunts once for each line that it is sent, and answers with the CPU-seconds of a page."""
    command = ["env", f"PYTHONPATH={tree.resolve() / 'src'}", sys.executable, "-c", _HUNTS]
    return subprocess.Popen(
        [*command, str(SCHOOLS), str(seeds), str(pages)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def once(process: subprocess.Popen[str]) -> float:
    """What a page of one hunt costs, in milliseconds."""
    assert process.stdin and process.stdout
    print(file=process.stdin, flush=True)
    return 1000 * float(process.stdout.readline())


def median_between(values: list[float]) -> tuple[float, float]:
    """The interval of the median, by the bootstrap."""
    rng = random.Random(1)
    medians = sorted(statistics.median(rng.choices(values, k=len(values))) for _ in range(2000))
    return medians[50], medians[1949]


def main() -> None:
    """Print both costs and their ratio."""
    from lycosa.lab.world import open_world

    if len(sys.argv) < 2 or not (Path(sys.argv[1]) / "src" / "lycosa").is_dir():
        sys.exit(__doc__)
    turns, pages = (int(given) for given in (*sys.argv[2:], *("15", "300")[len(sys.argv) - 2 :]))
    with tempfile.TemporaryDirectory() as place:
        seeds = Path(place) / "seeds"
        seeds.write_text("\n".join(url for topic in open_world(str(SCHOOLS)).topics for url in topic.examples[:2]))
        before, now = hunting(Path(sys.argv[1]), seeds, pages), hunting(Path(__file__).parents[1], seeds, pages)
        once(before), once(now)
        pairs = []
        for turn in range(turns):
            first, second = (before, now) if turn % 2 else (now, before)
            spent = {first: once(first), second: once(second)}
            pairs.append((spent[before], spent[now]))
        for process in (before, now):
            process.communicate()
    earlier, later = (list(costs) for costs in zip(*pairs, strict=True))
    for name, costs in (("before", earlier), ("now", later)):
        print(f"{name:<7}{statistics.median(costs):6.3f} ms a page ({min(costs):.3f}-{max(costs):.3f})")
    ratios = [new / old for old, new in pairs]
    low, high = median_between(ratios)
    print(f"now / before: {statistics.median(ratios):.3f} ({low:.3f}-{high:.3f}), {turns} turns of {pages} pages")


if __name__ == "__main__":
    main()
