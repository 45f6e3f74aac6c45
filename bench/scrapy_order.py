"""Target recall of Scrapy's own orders, of Scrapy with Lycosa's strategies, and of Lycosa itself: the same served web,
the same seeds, as many pages for each. The figures of docs/how-to/scrapy.md; all on loopback (loopback.py).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import loopback

ROOT = Path(__file__).resolve().parents[1]
PROJECT = ROOT / "examples" / "scrapy_project"
SCHOOLS = ROOT.parent / "shared" / "testbeds" / "schools"
MADE = "made:pages=10000,topics=12,seed=5,page_bytes=3000,traps=no"
STRATEGIES = ("breadth-first", "best-first", "dom", "shark-search", "infospiders", "apprentice")
PLAIN = {
    "Scrapy, its default order": {},
    "Scrapy, set to breadth-first": {
        "DEPTH_PRIORITY": "1",
        "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
    },
}
CONFINED = "import loopback; loopback.keep_to_loopback(); from scrapy.cmdline import execute; execute()"


class Crawled(NamedTuple):
    """One crawl: which share of the targets it found, and the CPU-seconds of its processes."""

    recall: float
    cpu: float


def run(command: Sequence[str], folder: Path, proxy: str) -> float:
    """CPU-seconds of a command whose every request goes through the proxy."""
    env = os.environ | {"http_proxy": proxy, "https_proxy": proxy, "no_proxy": "", "PYTHONPATH": str(ROOT / "bench")}
    with subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime


def by_scrapy(topic, proxy: str, budget: int, place: Path, settings: dict[str, str]) -> Crawled:
    """A crawl of the example project."""
    from lycosa.core.urls import canonical

    feed = place / "items.jsonl"
    command = [sys.executable, "-c", CONFINED, "crawl", "links", "-a", f"seeds={' '.join(topic.examples)}"]
    command += ["-O", str(feed)]
    common = {"CLOSESPIDER_ITEMCOUNT": budget, "DOWNLOAD_DELAY": 0, "LOG_LEVEL": "ERROR", "REMOTE_CONTROL_ENABLED": 0}
    for name, value in (common | settings).items():
        command += ["-s", f"{name}={value}"]
    cpu = run(command, PROJECT, proxy)
    items = [json.loads(line) for line in feed.read_text().splitlines()][:budget]
    found = {canonical(item["url"]) for item in items}
    return Crawled(len(found & {*topic.targets}) / len(topic.targets), cpu * 1000 / len(items))


def by_lycosa(topic, proxy: str, budget: int, place: Path, strategy: str) -> Crawled:
    """A crawl by the command line."""
    from lycosa.store.collection import Collection

    seeds = [part for url in topic.examples for part in ("--seed", url)]
    with tempfile.TemporaryDirectory(dir=place) as folder:
        command = [sys.executable, "-m", "lycosa", "crawl", topic.keywords, *seeds, "--out", f"{folder}/crawl"]
        command += ["--strategy", strategy, "--pages", str(budget), "--delay", "0", "--proxy", proxy]
        cpu = run([*command, "--no-index", "--json"], place, proxy)
        with Collection.open(Path(folder) / "crawl") as collection:
            found = {row.url for row in collection.log.pages()}
    return Crawled(len(found & {*topic.targets}) / len(topic.targets), cpu * 1000 / budget)


def compare(name: str, source: str, topics: int, budget: int, place: Path) -> None:
    """The table of one web."""
    from lycosa.web.serving import spawn
    from lycosa.web.source_names import is_made, open_made
    from lycosa.web.testbed import Bed

    chosen = (open_made(source).topics if is_made(source) else Bed(source).topics)[:topics]
    rows: dict[str, list[Crawled]] = {}
    with spawn(source, preload=True) as served:
        for topic in chosen:
            print(f"{name}: {topic.keywords}", file=sys.stderr, flush=True)
            arguments = topic, served.proxy, budget, place
            for title, settings in PLAIN.items():
                rows.setdefault(title, []).append(by_scrapy(*arguments, {"ADDONS": "{}"} | settings))
            for strategy in STRATEGIES:
                hunt_request = {"LYCOSA_STRATEGY": strategy, "LYCOSA_KEYWORDS": topic.keywords}
                rows.setdefault(f"Scrapy with {strategy}", []).append(by_scrapy(*arguments, hunt_request))
                rows.setdefault(f"Lycosa with {strategy}", []).append(by_lycosa(*arguments, strategy))
    print(f"\n{name}: {len(chosen)} topics, {budget} pages each\n\n| crawl | target recall | CPU-s / 1,000 pages |")
    print("|---|---|---|")
    for title, crawls in rows.items():
        print(f"| {title} | {mean(each.recall for each in crawls):.3f} | {mean(each.cpu for each in crawls):.2f} |")


def main() -> None:
    """Outside: go where there is nothing but loopback, if the system allows it. Inside: measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=500, help="pages of a crawl")
    parser.add_argument("--topics", type=int, default=4, help="topics of a web")
    wanted = parser.parse_args()
    if loopback.inside():
        loopback.switch_on()
    else:
        loopback.enter([sys.executable, *sys.argv])
        print("no network namespace here: crawlers are held by the proxy and a runtime hook only", file=sys.stderr)
    with tempfile.TemporaryDirectory() as place:
        compare("made", MADE, wanted.topics, wanted.pages, Path(place))
        if SCHOOLS.exists():
            compare("schools", str(SCHOOLS), wanted.topics, wanted.pages, Path(place))


if __name__ == "__main__":
    main()
