"""What ten refreshes with narrow and wide questions do to a community: its bookmarks, and the questions nobody asked.

    python bench/community_nights.py [--webs 1 2 3] [--bed DIR] [--rules NAME ...] [--nights 10] [--out FILE]

A third of the known questions is never asked. On odd nights three questions about one topic are asked (narrow), on even
nights twelve about any (wide). P is the share of the first ten results of hybrid search that are labelled with the
question's topic. Rules start from copies of the same first community: "published" replaces the whole collection, as the
paper's refresh does and as Lycosa's did; "present" is the default; others are the default but for one setting.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from msgspec import Struct

from lycosa.community.first_generation import complete, first_hunt
from lycosa.community.home import Home
from lycosa.community.pinned import bookmarked
from lycosa.community.refresh import refresh
from lycosa.community.refresh_state import make_loop
from lycosa.community.settings import AS_PUBLISHED, CommunitySettings
from lycosa.index.index import Index
from lycosa.index.search_types import Question
from lycosa.lab.corpus import labelled
from lycosa.lab.symbiosis.measures import precision_at_ten
from lycosa.lab.symbiosis.query_pool import PoolQuery, bookmarks, query_pool
from lycosa.lab.world import World, open_world
from lycosa.store.collection import INDEX, Collection

NARROW, WIDE = 3, 12
RULES: dict[str, dict[str, Any]] = {
    "published": {**AS_PUBLISHED},
    "published by reference": {**AS_PUBLISHED, "by": "reference"},
    "present": {},
    "by reference": {"by": "reference"},
    "by content": {"by": "content"},
    **{f"share {share}": {"keep_share": share} for share in (0.0, 0.25, 0.5, 0.7, 0.8, 0.9)},
    **{f"share {share} only": {"keep_share": share, "fill": False} for share in (0.5, 0.8)},
}


class Night(Struct):
    """The community after a night; night 0 is day one."""

    pages: int
    bookmarks: int
    unasked: list[float]
    """P of each question that is never asked."""
    asked: list[float]
    """P of each question that is asked on some night."""
    seconds: float = 0.0


class Course:
    """The questions of all nights on one web."""

    def __init__(self, world: World, nights: int) -> None:
        self.world = world
        rng = Random(f"nights on {world.text}")
        self.marked = bookmarks(world.topics, lambda url: world.corpus.number(url) >= 0, rng)
        pool = query_pool(world.topics)
        rng.shuffle(pool)
        self.unasked, known = pool[: min(150, len(pool) // 3)], pool[len(pool) // 3 :]
        self.nights: list[list[PoolQuery]] = []
        for night in range(nights):
            topic = rng.choice(sorted({each.topic for each in known}))
            narrow = [each for each in known if each.topic == topic]
            self.nights.append(rng.sample(*((known, WIDE) if night % 2 else (narrow, min(NARROW, len(narrow))))))
        self.asked = list(dict.fromkeys(each for night in self.nights for each in night))
        relevant = {topic.id: frozenset(world.corpus.numbers(labelled(topic)).tolist()) for topic in world.topics}
        self.relevant = relevant

    def look(self, home: Home) -> Night:
        """How the current generation answers."""
        current = home.current()
        with Collection.open(current) as collection:
            held = sum(collection.log.page(url) is not None for url in bookmarked(home))
            pages = collection.log.page_count()
        with Index.open(current / INDEX) as index:
            return Night(pages, held, self._precision(index, self.unasked), self._precision(index, self.asked))

    def _precision(self, index: Index, questions: Sequence[PoolQuery]) -> list[float]:
        return [
            precision_at_ten(
                np.array(
                    [self.world.corpus.number(hit.url) for hit in index.search(Question(each.text, limit=10)).hits]
                ),
                self.relevant[each.topic],
            )
            for each in questions
        ]


def run(world: World, rules: Sequence[str], nights: int, most: int, place: Path) -> dict[str, list[Night]]:
    """All rules on one web."""
    course = Course(world, nights)
    settings = CommunitySettings(max_in_index=most, recorded=world.text, workers=1, processes=1)
    first = Home.create(place / "first", settings)
    with first.changing():
        hunt = first_hunt(first, course.marked)
        assert hunt
        with hunt:
            list(hunt)
        complete(first)
    day_one = course.look(first)
    found = {}
    for rule in rules:
        folder = place / re.sub(r"\W+", "-", rule)
        shutil.copytree(first.folder, folder, symlinks=True)
        home = Home.open(folder)
        lived = [day_one]
        for asked in course.nights:
            began = time.perf_counter()
            for each in asked:
                home.queries.add(each.text, 1)
            refresh(home, make_loop(home, {"query": [each.text for each in asked], **RULES[rule]}))
            lived.append(course.look(home))
            lived[-1].seconds = time.perf_counter() - began
            with home.changing():
                home.forget(keep=1)
        found[rule] = lived
        show(world.text, rule, lived, len(course.marked))
        shutil.rmtree(folder)
    return found


def show(web: str, rule: str, lived: Sequence[Night], marked: int) -> None:
    """A line for a rule on a web."""
    first, last = lived[0], lived[-1]
    means = [float(np.mean(night.unasked)) for night in lived]
    told = (
        web.rpartition("/")[2],
        f"{rule:<22}",
        f"bookmarks {first.bookmarks} of {marked} -> {min(night.bookmarks for night in lived)}",
        f"pages {first.pages:,} -> least {min(night.pages for night in lived):,}, last {last.pages:,}",
        f"unasked {means[0]:.3f} -> least {min(means):.3f}, last {means[-1]:.3f}",
        _interval(last.unasked, first.unasked).strip(),
        f"asked {np.mean(first.asked):.3f} -> {np.mean(last.asked):.3f}{_interval(last.asked, first.asked)}",
        f"{sum(night.seconds for night in lived):.0f} s",
    )
    print("  ".join(told), flush=True)


def _interval(last: Sequence[float], first: Sequence[float]) -> str:
    """The 95 % interval of the mean of paired differences."""
    change = np.array(last) - np.array(first)
    half = 1.96 * change.std(ddof=1) / np.sqrt(len(change))
    return f" ({change.mean():+.3f} ± {half:.3f})"


def main() -> None:
    """Run it and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--webs", type=int, nargs="*", default=[1, 2, 3], help="seeds of made webs")
    parser.add_argument("--bed", type=Path, help="a test bed with topics that have descriptions, too")
    parser.add_argument("--rules", nargs="+", default=["published", "present"], choices=RULES)
    parser.add_argument("--nights", type=int, default=10)
    parser.add_argument("--max-in-index", type=int, default=1000)
    parser.add_argument("--out", type=Path, help="write every night as JSON")
    wanted = parser.parse_args()
    webs = [f"made:pages=6000,topics=12,page_bytes=2000,seed={seed}" for seed in wanted.webs]
    found = {}
    for web in [*webs, *([str(wanted.bed)] if wanted.bed else ())]:
        with tempfile.TemporaryDirectory() as passing:
            lived = run(open_world(web), wanted.rules, wanted.nights, wanted.max_in_index, Path(passing))
        found[web] = {
            rule: [{name: getattr(night, name) for name in night.__struct_fields__} for night in nights]
            for rule, nights in lived.items()
        }
    for rule in wanted.rules:
        for what in ("unasked", "asked"):
            pairs = [(lived[rule][-1][what], lived[rule][0][what]) for lived in found.values()]
            last, first = ([value for pair in pairs for value in pair[place]] for place in (0, 1))
            print(f"all webs: {rule:<22} {what:<8} {np.mean(first):.3f} -> {np.mean(last):.3f}{_interval(last, first)}")
    if wanted.out:
        wanted.out.write_text(json.dumps(found))


if __name__ == "__main__":
    main()
