"""Kill -9 of what is not a crawl: making an index, an export, a refresh. Each tells what came of it."""

import hashlib
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from typing import NamedTuple

from benches import bench
from processes import kill, start
from sites import lycosa

from lycosa.app.community_start import CommunityStart
from lycosa.community.home import Home
from lycosa.engine.archived import archived
from lycosa.engine.indexing import bring_up_to_date as bring
from lycosa.engine.indexing import is_up_to_date
from lycosa.index.index import Index
from lycosa.store.collection import Collection
from lycosa.store.folders import INDEX
from lycosa.web.made import Made

crash = bench("crash")

_MAKE_INDEX = """
import lycosa.engine.indexing as module, pathlib, sys
module.COMMIT = 20  # so that there are commits to be killed in
module.bring_up_to_date(pathlib.Path(sys.argv[1]))
"""


class Told(NamedTuple):
    """What came of some kills."""

    kills: int
    lost: int
    twice: int


def stored(folder):
    """Title and text of each page that a collection holds."""
    with Collection.open(folder) as collection:
        return {
            row.url: (row.title, archived(collection.repository, row.url, row.where).text)
            for row in collection.log.pages()
        }


def indexed(folder):
    """Title and text of each page as its index has them."""
    with Index.open(folder / INDEX) as index:
        urls = index.urls()
        assert len(urls) == len(set(urls))
        titles = index.content.titles(urls)
        return {url: (titles[url], index.text(url)) for url in urls}


def bring_up_to_date(folder):
    """Have everything in the index; a process that was killed may hold it for a moment longer."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        bring(folder)
        with Index.open(folder / INDEX) as index:
            if is_up_to_date(folder, index):
                return
        time.sleep(0.1)


def difference(folder):
    """How many pages the index lacks, and how many it has that the store does not hold like that."""
    in_store, in_index = stored(folder).items(), indexed(folder).items()
    return len(in_store - in_index), len(in_index - in_store)


def replayed(folder, pages, *more):
    """A collection of a made web, without HTTP."""
    topic = Made(pages=700, topics=6, seed=3).topics[0]
    seeds = [f"--seed={url}" for url in topic.examples]
    how = ["--replay=made:pages=700,topics=6,seed=3", f"--pages={pages}", f"--out={folder}", "--json"]
    done = lycosa("crawl", topic.keywords, *seeds, *how, *more)
    assert done.returncode == 0, done.stderr


def index_kills(place, kills, pages, rng):
    """Kill whoever makes an index, again and again, and let the next one go on."""
    folder, done, lost, twice = place / "indexed", 0, 0, 0
    replayed(folder, pages, "--no-index")
    while done < kills:
        process = subprocess.Popen([sys.executable, "-c", _MAKE_INDEX, str(folder)], start_new_session=True)
        crash.while_indexing(process, folder, rng)
        finished = process.poll() is not None
        kill(process)
        done += not finished
        if finished or done == kills:
            bring_up_to_date(folder)
            here = difference(folder)
            lost, twice = lost + here[0], twice + here[1]
            shutil.rmtree(folder / INDEX)
    return Told(done, lost, twice)


def export_kills(place, kills, pages, rng):
    """Kill an export: its target is whole or not there, and the collection is as it was."""
    folder, done, lost = place / "exported", 0, 0
    replayed(folder, pages)
    before = content_of(folder)
    for suffix in (".jsonl", ".csv"):
        assert lycosa("export", folder, place / f"whole{suffix}").returncode == 0
    while done < kills:
        suffix = rng.choice((".jsonl", ".csv"))
        target, partial = place / f"target{suffix}", f".target{suffix}.*.partial"
        target.unlink(missing_ok=True)
        process = start("export", folder, target)
        crash.wait_for(process, lambda partial=partial: any(place.glob(partial)))
        with suppress(subprocess.TimeoutExpired):
            process.wait(rng.uniform(0.0, 0.3))
        done += process.poll() is None
        kill(process)
        lost += target.exists() and target.read_bytes() != (place / f"whole{suffix}").read_bytes()
        for left in place.glob(partial):
            left.unlink()
    return Told(done, lost + (content_of(folder) != before), 0)


def content_of(folder):
    """A digest of the log's events and of every page."""
    with Collection.open(folder) as collection:
        told = repr([(entry.seq, entry.event) for entry in collection.log.read()])
    return hashlib.sha256(repr((told, sorted(stored(folder).items()))).encode()).hexdigest()


def refresh_kills(place, kills, rng):
    """Kill refreshes of a community: each goes on to the very pages of one that nobody killed."""
    done = lost = twice = number = 0
    expected = None
    while done < kills or expected is None:
        home = community(place / f"team-{number}")
        topics = Made(pages=400, topics=4, seed=3, page_bytes=2000, traps=False).topics
        command = ["community", "refresh", home.folder, *(f"--query={topic.keywords}" for topic in topics[:3])]
        # The first one is not killed: the others are compared with it.
        for _ in range(5 if expected is not None else 0):
            process = start(*command, "--json")
            with suppress(subprocess.TimeoutExpired):
                process.wait(rng.uniform(0.8, 4.0))
            finished = process.poll() is not None
            kill(process)
            if finished or done == kills:
                break
            done += 1
            # It may have ended its work when it was killed: another refresh would be the next generation's.
            if home.current() != home.folder_of(1):
                break
        if home.current() == home.folder_of(1):
            ended = lycosa(*command, "--json")
            assert ended.returncode == 0, ended.stderr
        with Collection.open(home.current()) as collection:
            found = [(row.url, row.digest) for row in collection.log.pages(order="time")]
        expected = found if expected is None else expected
        lost += len(set(expected) - set(found))
        twice += len(found) - len(set(found)) + len(set(found) - set(expected))
        number += 1
    return Told(done, lost, twice)


def community(folder):
    """A community over a made web, after its first crawl."""
    web = "made:pages=400,topics=4,seed=3,page_bytes=2000,traps=no"
    topics = Made(pages=400, topics=4, seed=3, page_bytes=2000, traps=False).topics
    bookmarks = folder.with_suffix(".txt")
    bookmarks.write_text("\n".join(url for topic in topics for url in topic.examples[:2]))
    beginning = CommunityStart(folder, [bookmarks], keywords="companies", recorded=web, processes=1, max_in_index=120)
    with beginning as hunt:
        with hunt:
            list(hunt)
        beginning.complete()
    return Home.open(folder)
