"""Kill -9 a crawl at random moments, resume it each time, and check that nothing was lost and nothing came twice.

A web whose pages can all be reached is served on loopback; the crawl (brain and scouts, one process group) runs against
it until it has every page, and is killed again and again on the way: while it starts, crawls, writes, checkpoints.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

from warcio.archiveiterator import ArchiveIterator

from lycosa.core.nouns import Raw
from lycosa.store.collection import Collection
from lycosa.store.repository import Writer
from lycosa.web.serving import Served, spawn

WORKERS = 8
Moment = Callable[[subprocess.Popen[bytes], Path, Random], None]
"""Returns when a run, of a process into a folder, is to be killed."""


def main() -> None:
    """Run the trial and print its report; exit 1 if a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--pages", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        report = trial(Path(place), options.kills, options.pages, options.seed, MOMENTS)
    print(json.dumps(report, indent=2))
    sys.exit(any(report[promise] for promise in ("lost", "twice", "invalid", "refetched beyond what was under way")))


def at_random(process: subprocess.Popen[bytes], folder: Path, rng: Random) -> None:
    """Long enough to get into every phase, short enough not to be finished before the last kill."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(rng.uniform(0.4, 2.4))


def while_resuming(process: subprocess.Popen[bytes], folder: Path, rng: Random) -> None:
    """Soon after it has the collection, while it makes log and archive agree and recalls the crawl."""
    wait_for(process, lambda: _text(folder / "lock").strip() == str(process.pid))
    time.sleep(rng.uniform(0.0, 0.3))


def while_saving(process: subprocess.Popen[bytes], folder: Path, rng: Random) -> None:
    """While a checkpoint is written, or when it has just been."""
    wait_for(process, (folder / "checkpoint.new").exists)
    time.sleep(rng.uniform(0.0, 0.003))


def while_indexing(process: subprocess.Popen[bytes], folder: Path, rng: Random) -> None:
    """While the index commits what came in."""
    before = _changed(folder / "index" / "coming")
    wait_for(process, lambda: _changed(folder / "index" / "coming") != before)
    time.sleep(rng.uniform(0.0, 0.1))


MOMENTS = (at_random, while_resuming, while_saving, while_indexing)


def wait_for(process: subprocess.Popen[bytes], holds: Callable[[], bool]) -> None:
    """Until something holds, or the process has ended."""
    deadline = time.monotonic() + 20.0
    while not holds() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.0005)


def _text(path: Path) -> str:
    with suppress(OSError):
        return path.read_text()
    return ""


def _changed(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_mtime_ns
    return 0


def trial(
    place: Path, kills: int, pages: int, seed: int, moments: Sequence[Moment] = (at_random,)
) -> dict[str, object]:
    """Crawl with kills, at these moments in turn, until every page of the web is there."""
    rng = Random(seed)
    expected = write_web(place / "web", pages, rng)
    begin = ["crawl", "wolf spiders", f"--seed={expected[0]}", "--pages=0", "--delay=0", "--strategy=best-first"]
    begin += [f"--workers={WORKERS}", "--checkpoint=0.3", "--retries=0", "--json"]
    # Slow enough that the crawl is not done before the last kill.
    with spawn(place / "web" / "pages", latency=(0.0, 0.08), log=str(place / "killed.log")) as served:
        begin += [f"--proxy={served.proxy}", f"--out={place / 'killed'}"]
        done, busy, lost = killed(place, begin, kills, rng, moments)
        asked = page_requests(served)
    found = pages_of(place / "killed")
    lost |= set(expected) - found
    records = records_of(place / "killed")
    refetched = sum(count - 1 for count in asked.values())
    return {
        "kills": done,
        "kills while pages were coming in": busy,
        "pages": len(found),
        "lost": sorted(lost),
        "twice": [url for url, count in records.items() if count > 1],
        "invalid": problems(place / "killed", set(records), found),
        "refetched": refetched,
        "refetched beyond what was under way": max(0, refetched - done * WORKERS),
    }


def write_web(folder: Path, pages: int, rng: Random) -> list[str]:
    """A recording of pages that all have words of their own, for what repeats itself is not fetched; their URLs."""
    urls = [f"http://host-{rng.randrange(1 + pages // 20)}.test/page-{number}" for number in range(pages)]
    folder.mkdir()
    writer = Writer(folder, "web")
    for number, url in enumerate(urls):
        # Each page leads on to two others, so that all can be reached from the first.
        onward = [*urls[2 * number + 1 : 2 * number + 3], *rng.choices(urls, k=6)]
        links = "".join(f'<p><a href="{target}">wolf spiders {rng.getrandbits(32):x}</a></p>' for target in onward)
        words = " ".join(f"{rng.getrandbits(40):x}" for _ in range(300))
        body = f"<html><title>Wolf spiders {number}</title><body><p>wolf spiders {words}</p>{links}</body></html>"
        writer.write(url, Raw(200, (("Content-Type", "text/html; charset=utf-8"),), body.encode()), 0.0)
    writer.close()
    return urls


def killed(
    place: Path, begin: list[str], kills: int, rng: Random, moments: Sequence[Moment]
) -> tuple[int, int, set[str]]:
    """Run and kill until that was done often enough, then let it end; tells of kills and of pages that vanished."""
    folder, known, lost = place / "killed", set[str](), set[str]()
    done = busy = 0
    while done < kills:
        resumable = (folder / "log.sqlite").exists() and pages_exist(folder)
        process = start(["resume", str(folder), "--json"] if resumable else begin, place)
        moments[done % len(moments)](process, folder, rng)
        finished = process.poll() is not None
        kill_group(process)
        if (folder / "log.sqlite").exists():
            now = pages_of(folder)
            lost |= known - now
            busy += len(now) > len(known)
            known = now
        if finished:
            break
        done += 1
    run(["resume", str(folder), "--json"])
    return done, busy, lost


def start(arguments: list[str], place: Path) -> subprocess.Popen[bytes]:
    """The command line in a process group of its own."""
    with (place / "output.log").open("ab") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "lycosa", *arguments], stdout=output, stderr=output, start_new_session=True
        )


def run(arguments: list[str]) -> None:
    """The command line to its end."""
    done = subprocess.run([sys.executable, "-m", "lycosa", *arguments], capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise SystemExit(f"lycosa {' '.join(arguments)} failed: {done.stderr or done.stdout}")


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill -9 brain and scouts at once."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    time.sleep(0.05)


def pages_exist(folder: Path) -> bool:
    """Whether the crawl got as far as having a plan in its log."""
    collection = Collection.open(folder)
    try:
        return collection.log.last_seq() > 0
    finally:
        collection.close()


def pages_of(folder: Path) -> set[str]:
    """The URLs of the pages in a collection."""
    collection = Collection.open(folder)
    try:
        return {row.url for row in collection.log.pages()}
    finally:
        collection.close()


def page_requests(served: Served) -> Counter[str]:
    """How often each URL but robots.txt was asked for."""
    return Counter(f"http://{asked.host}{asked.path}" for asked in served.asked() if asked.path != "/robots.txt")


def records_of(folder: Path) -> Counter[str]:
    """How often each URL with a page stands in the WARC files."""
    found: Counter[str] = Counter()
    for file in sorted((folder / "pages").glob("*.warc.gz")):
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream):
                if record.rec_type == "response":
                    found[record.rec_headers.get_header("WARC-Target-URI")] += 1
    return found


def problems(folder: Path, records: set[str], pages: set[str]) -> list[str]:
    """What is wrong with the WARC files: unreadable, or not what the log names."""
    wrong = [f"{url} is in the log but not in the WARC" for url in sorted(pages - records)]
    for file in sorted((folder / "pages").glob("*.warc.gz")):
        checked = subprocess.run(
            [sys.executable, "-m", "warcio.cli", "check", str(file)], capture_output=True, text=True, timeout=300
        )
        if checked.returncode:
            wrong.append(f"{file.name}: {checked.stdout.strip()[:200]}")
    return wrong


if __name__ == "__main__":
    main()
