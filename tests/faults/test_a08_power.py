"""A8: after a power cut a collection is a prefix of itself, with all that the last checkpoint covers."""

import shutil
import time
from random import Random

import pytest
from kills import bring_up_to_date, difference
from power import Instant, missing, watching
from processes import kill, page_count, start, until
from sites import Sites, control, held, lycosa, records

from lycosa.store.collection import Collection
from lycosa.system.errors import Refused

CHECKPOINT = 1.0
"""Seconds between two checkpoints."""


@pytest.mark.row("A8")
@pytest.mark.timeout(1800)
def test_a_power_cut_leaves_a_consistent_prefix_with_all_that_a_checkpoint_covers(figure, size, tmp_path):
    if reason := missing(tmp_path):
        pytest.skip(reason)
    moments, cuts, pages, rng = size(3, 20), size(4, 10), size(100, 1500), Random(8)
    folder, instants, behind, older, resumed = tmp_path / "c", [], [], 0, 0
    with Sites(control(pages)) as sites:
        process = start(
            *("crawl", "wolf spider", "--seed=http://control.test/", f"--proxy={sites.proxy}", f"--out={folder}"),
            *("--pages=0", "--delay=0.03", f"--checkpoint={CHECKPOINT}", "--json"),
            env=watching(tmp_path),
        )
        try:
            for part in range(1, moments + 1):
                until(lambda part=part: page_count(folder) >= part * pages // (moments + 2), process)
                # Not always at the same distance from a checkpoint.
                time.sleep(rng.uniform(0.0, CHECKPOINT / 2))
                if process.poll() is None:
                    instants.append(Instant(process, folder, tmp_path))
        finally:
            kill(process)
        for number, instant in enumerate(instants):
            for cut in range(cuts):
                lost, uncovered = power_cut(instant, tmp_path, rng)
                behind.append(lost)
                older = max(older, lost - uncovered)
                if cut == 0 and number % size(3, 2) == 0:
                    resumed += goes_on(tmp_path / "cut", pages)
    figure(
        f"{len(behind)} power cuts: at most {max(behind)} pages lost, {older} of them older than the last "
        f"checkpoint ({CHECKPOINT:g} s); {resumed} resumed to all {pages:,} pages"
    )
    assert older == 0
    assert resumed
    assert any(instant.safe for instant in instants)


def power_cut(instant, place, rng):
    """Find a disk after a power cut and mend it: pages lost in all, and how many of these no checkpoint covered."""
    seen, cut = place / "seen", place / "cut"
    for folder in (seen, cut):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    instant.write(seen)
    instant.write(cut, rng)
    before, covered = story(seen), checkpoint_of(seen)
    with Collection.open(cut, write=True) as collection:
        collection.recover()
    after = story(cut)
    assert after == before[: len(after)]
    assert len(after) >= covered
    assert set(records(cut)) == {url for _, url in after if url}
    bring_up_to_date(cut)
    assert difference(cut) == (0, 0)
    return pages_in(before) - pages_in(after), pages_in(before[covered:])


def story(folder):
    """Every event in order, and the URL whose record it names."""
    with Collection.open(folder) as collection:
        visited = {row.seq: row.url for row in collection.log.pages()}
        return [(repr(entry.event), visited.get(entry.seq, "")) for entry in collection.log.read()]


def pages_in(events):
    return sum(bool(url) for _, url in events)


def checkpoint_of(folder):
    """The number of the last event that the last checkpoint covers."""
    try:
        with Collection.open(folder) as collection:
            found = collection.load_checkpoint()
    except Refused:
        return 0
    return found[0] if found else 0


def goes_on(folder, pages):
    """Whether a resume gets every page, each once."""
    done = lycosa("resume", folder, "--json")
    found = held(folder)
    assert done.returncode == 0, done.stderr
    assert len(found.pages) == pages and set(found.final.values()) == {1}
    assert set(records(folder).values()) == {1}
    return True
