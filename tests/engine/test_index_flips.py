"""A changed bit in any file of an index or a spool is told, repaired or harmless, and never answers a question."""

import os
import resource
import shutil
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

import msgspec
import pytest

from lycosa.app import search as searching
from lycosa.app.hunts import hunt
from lycosa.app.index_pool import OpenIndexes
from lycosa.app.requests.search import SearchRequest
from lycosa.engine.archived import archived
from lycosa.engine.index_check import compare_with_store, spool_damage
from lycosa.engine.indexing import Indexer, bring_up_to_date
from lycosa.engine.spool import SpoolReader, SpoolWriter, spooled
from lycosa.index.index import Index
from lycosa.index.index_errors import Unreadable
from lycosa.index.page_ranks import keys_of
from lycosa.index.search_types import BY, Question
from lycosa.index.verify import index_damage
from lycosa.store.collection import Collection
from lycosa.store.folders import INDEX, SPOOL
from lycosa.system.errors import Refused
from lycosa.web.made import Made

WEB = "made:pages=300,topics=3,seed=5"
TOPIC = Made(pages=300, topics=3, seed=5).topics[0]
MANY = [100, pytest.param(1000, marks=pytest.mark.slow)]


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    """A collection whose index has several segments, pages that were replaced, and everything else there can be."""
    folder = tmp_path_factory.mktemp("flips") / "c"
    with hunt(TOPIC.keywords, TOPIC.examples, out=folder, replay=WEB, pages=40) as running:
        list(running)
    with Indexer(folder) as indexer:
        found = [(seq, document) for seq, _, document in indexer.documents.after(0) if document]
        for _, document in found[:5]:
            indexer.index.add(document)
        indexer._commit(found[-1][0])
        indexer.settle()
    return folder


def files(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.stat().st_size)


def flip(path, rng):
    """Change one bit in place; how it was before."""
    held = path.read_bytes()
    at = rng.randrange(8 * len(held))
    changed = bytearray(held)
    changed[at // 8] ^= 1 << at % 8
    put(path, changed)
    return held


def put(path, content):
    """Write a file of the same length in place: a truncated one would end whoever still has it mapped."""
    with path.open("r+b") as file:
        file.write(content)


def answers(folder):
    """Everything that an index can be asked."""
    with Index.open(folder / INDEX) as index:
        urls = sorted(index.urls())
        said = [index.search(Question(TOPIC.keywords, by=by, limit=20, facets=True)) for by in BY]
        said += [index.similar(url) for url in urls[:3]]
        said += [index.hubs(), index.hubs(TOPIC.keywords), index.background()]
        texts = {url: (index.text(url), index.votes(url), index.inlinks(url), index.voters(url)) for url in urls}
        ranks = index.page_ranks.of(keys_of(urls)).tolist()
        return msgspec.to_builtins([said, texts, ranks, index.progress, index.settled])


@pytest.mark.parametrize("flips", MANY)
def test_no_bit_of_an_index_changes_an_answer_in_silence(collection, flips):
    right, rng, seen = answers(collection), Random(5), Counter()
    every = files(collection / INDEX)
    for number in range(flips):
        path = every[number % len(every)]
        held = flip(path, rng)
        try:
            outcome = "harmless" if answers(collection) == right else "SILENT"
        except Refused as error:
            outcome = "told"
            assert str(collection / INDEX) in error.problem and "\n" not in str(error)
        finally:
            put(path, held)
        seen[outcome] += 1
        assert outcome != "SILENT", path.name
    print(f"{flips} flips over {len(every)} files: {dict(seen)}")
    assert seen["told"] > flips // 2
    assert answers(collection) == right


@pytest.mark.parametrize("flips", MANY)
def test_no_bit_of_a_spool_gives_another_page_to_the_index(collection, tmp_path, flips):
    with Collection.open(collection) as opened:
        kept = {row.url: (row.where, archived(opened.repository, row.url, row.where)) for row in opened.log.pages()}
    (tmp_path / SPOOL).mkdir()
    writer = SpoolWriter(tmp_path, "0")
    for where, page in kept.values():
        writer.keep(where, page)
    writer.close()
    (path,), rng, seen = files(tmp_path / SPOOL), Random(5), Counter()
    assert list(spool_damage(tmp_path)) == []
    for _ in range(flips):
        held = flip(path, rng)
        reader = SpoolReader(tmp_path)
        taken = {url: reader.take(where, url) for url, (where, _) in kept.items()}
        reader.close()
        put(path, held)
        # What is None is parsed again from the archive.
        assert all(found is None or found == spooled(kept[url][1]) for url, found in taken.items())
        seen["parsed again" if None in taken.values() else "harmless"] += 1
    print(f"{flips} flips over a spool of {len(kept)} pages: {dict(seen)}")


def test_a_check_names_the_file_that_is_damaged_and_what_makes_it_anew(collection):
    assert list(index_damage(collection / INDEX)) == []
    rng = Random(7)
    for path in files(collection / INDEX):
        if path.name in (".managed.json", "coming"):
            continue  # tantivy's list of what it may delete; what was about to happen
        held = flip(path, rng)
        found = list(index_damage(collection / INDEX))
        put(path, held)
        assert all(each.place.startswith(str(collection / INDEX)) and each.repair for each in found)
        named = any(path.name in each.place for each in found)
        # A bit of meta.json may tell of another segment, whose files are named then; others say nothing of any page.
        assert named or path.name in ("meta.json", "pages.0") or found, path.name


def test_a_damaged_index_is_made_anew_by_the_next_question(collection, tmp_path):
    # All results: pages that were replaced count in the rarity of words until the index is made anew, which moves some.
    right = {hit.url for hit in searching.search(collection, TOPIC.keywords, limit=100, duplicates=True).results}
    rng, repaired = Random(9), 0
    rest = ("references/*.seg", "references/list.json", "popularity", "templates")
    for kind in ("content/*.idx", "content/pages.0", *rest):
        folder = tmp_path / Path(kind).name.strip("*.")
        shutil.copytree(collection, folder)
        for path in (folder / INDEX).glob(kind):
            # Of every page, so that it is in the way of any question.
            for _ in range(200 if path.name == "pages.0" else 1):
                flip(path, rng)
        try:
            found = searching.search(folder, TOPIC.keywords, limit=100, duplicates=True)
        except Refused as error:
            assert "pages.0 is damaged" in error.problem and "search again" in error.fix
            repaired += 1
            found = searching.search(folder, TOPIC.keywords, limit=100, duplicates=True)
        assert {hit.url for hit in found.results} == right
        assert list(index_damage(folder / INDEX)) == []
        assert list(compare_with_store(folder)) == []
    assert repaired == 1


def test_of_several_collections_the_one_that_is_damaged_is_left_out_and_made_anew(collection, tmp_path):
    folders = {name: tmp_path / name for name in ("sound", "damaged")}
    for folder in folders.values():
        shutil.copytree(collection, folder)
    indexes, rng = OpenIndexes(), Random(9)

    def ask():
        return searching.search_many(folders, SearchRequest(TOPIC.keywords, limit=40), opening=indexes.open)

    right = ask()
    indexes.close()
    for _ in range(200):
        flip(folders["damaged"] / INDEX / "content" / "pages.0", rng)
    found = ask()
    assert found.asked.keys() == {"sound"} and "damaged" in found.left_out
    again = ask()
    assert again.asked == right.asked and {hit.url for hit in again.results} == {hit.url for hit in right.results}
    indexes.close()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files cannot be listed here")
def test_a_lack_of_descriptors_is_not_taken_for_damage(collection):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(int(path.name) for path in Path("/proc/self/fd").iterdir()), hard))
    held, refused = [], 0
    try:
        with suppress(OSError):
            while True:
                held.append(os.dup(0))
        for _ in range(min(20, len(held))):
            try:
                Index.open(collection / INDEX).close()
            except Refused as error:
                refused += 1
                assert not isinstance(error, Unreadable), error
            os.close(held.pop())
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for each in held:
            os.close(each)
    assert refused


def test_an_index_that_differs_from_the_store_is_found_out(collection, tmp_path):
    assert list(compare_with_store(collection)) == []
    folder = tmp_path / "c"
    shutil.copytree(collection, folder)
    with Indexer(folder) as indexer:
        first, second = sorted(indexer.index.urls())[:2]
        (document,) = [each for _, url, each in indexer.documents.after(0) if url == first]
        indexer.index.add(msgspec.structs.replace(document, text="something else"))
        indexer.index.remove(second)
        indexer.index.add(msgspec.structs.replace(document, url="http://nowhere.test/"))
        indexer.index.commit(*indexer.index.progress)
    problems = {each.place.rpartition(", ")[2]: each.problem for each in compare_with_store(folder)}
    assert problems.keys() == {first, second, "http://nowhere.test/"}
    assert "another one" in problems[first] and "not in the index" in problems[second]
    bring_up_to_date(folder)
