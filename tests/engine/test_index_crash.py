"""Kill -9 of a crawl and of its indexing at random moments: the index equals the store when it is opened again."""

import importlib.util
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random

from lycosa.engine.archived import archived
from lycosa.engine.indexing import bring_up_to_date
from lycosa.index.index import Index
from lycosa.store.collection import Collection
from lycosa.store.folders import INDEX, SPOOL
from lycosa.web.made import Made
from lycosa.web.serve import spawn

spec = importlib.util.spec_from_file_location("crash", Path(__file__).parents[2] / "bench" / "crash.py")
crash = importlib.util.module_from_spec(spec)
spec.loader.exec_module(crash)

PAGES, SEED = 700, 3
TOPIC = Made(pages=PAGES, topics=6, seed=SEED).topics[0]


def stored(folder):
    with Collection.open(folder) as collection:
        return {
            row.url: (row.title, archived(collection.repository, row.url, row.where).text)
            for row in collection.log.pages()
        }


def indexed(folder):
    with Index.open(folder / INDEX) as index:
        urls = index.urls()
        titles = index.content.titles(urls)
        return {url: (titles[url], index.text(url)) for url in urls}


def until_it_grows(folder):
    before, deadline = count(folder), time.monotonic() + 60.0
    while count(folder) <= before and time.monotonic() < deadline:
        time.sleep(0.05)


def count(folder):
    if not (folder / "log.sqlite").exists():
        return 0
    with Collection.open(folder) as collection:
        return collection.log.page_count()


def test_kill_minus_nine_while_crawling_leaves_an_index_that_equals_the_store(tmp_path):
    folder, rng, grown = tmp_path / "c", Random(SEED), []
    with spawn(f"made:pages={PAGES},topics=6,seed={SEED}", latency=(0.0, 0.03)) as served:
        begin = ["crawl", TOPIC.keywords, *(f"--seed={url}" for url in TOPIC.examples), "--pages=0", "--delay=0"]
        begin += [f"--proxy={served.proxy}", f"--out={folder}", "--checkpoint=0.3", "--json"]
        for kill in range(4):
            resumable = (folder / "log.sqlite").exists() and crash.pages_exist(folder)
            process = crash.start(["resume", str(folder), "--json"] if resumable else begin, tmp_path)
            until_it_grows(folder)
            # From here on pages are spooled, indexed, committed.
            with suppress(subprocess.TimeoutExpired):
                process.wait(rng.uniform(0.0, 2.0))
            crash.kill_group(process)
            if kill % 2:
                bring_up_to_date(folder)
                assert indexed(folder) == stored(folder)
                grown.append(len(indexed(folder)))
        crash.run(["resume", str(folder), f"--pages={max(grown) + 50}", "--json"])
    assert grown[-1] > 0
    assert indexed(folder) == stored(folder)
    assert not (folder / SPOOL).exists()


def test_kill_minus_nine_while_an_index_is_made_leaves_one_that_goes_on(tmp_path):
    folder, rng = tmp_path / "c", Random(SEED)
    web = f"made:pages={PAGES},topics=6,seed={SEED}"
    seeds = [f"--seed={url}" for url in TOPIC.examples]
    crash.run(["crawl", TOPIC.keywords, *seeds, f"--replay={web}", "--pages=300", "--no-index", f"--out={folder}"])
    # So that there are commits to be killed in.
    work = "import lycosa.engine.indexing as module, pathlib, sys\nmodule.COMMIT = 20\n"
    work += "module.bring_up_to_date(pathlib.Path(sys.argv[1]))\n"
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-c", work, str(folder)], start_new_session=True)
        deadline = time.monotonic() + 60.0
        while not (folder / INDEX / "lock").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        with suppress(subprocess.TimeoutExpired):
            process.wait(rng.uniform(0.3, 0.9))
        crash.kill_group(process)
    bring_up_to_date(folder)
    assert indexed(folder) == stored(folder)
    assert len(indexed(folder)) == 300
