"""A12: a collection that an earlier version made is opened, resumed, searched, exported and looked at."""

import json
import tarfile
from pathlib import Path

import pytest
from sites import held, records

from lycosa.app.hunts import export, resume, status, why
from lycosa.app.search import search
from lycosa.engine.collection_check import check
from lycosa.index.index import Index
from lycosa.store.collection import Collection
from lycosa.store.folders import INDEX

DATA = Path(__file__).parent / "data"
"""Collections of earlier versions, each named after the version of its log; 8 pages, hunted by the default strategy.

version-1 was made at commit c205703, which has no checksums in the log, and version-2 at commit afe1422, where the
relevance of a page is the judge's score and the apprentice keeps the page model; with `src` of that commit on
PYTHONPATH:

    lycosa crawl "tax consulting" --seed=http://www.lumen-net-10.test/ --seed=http://www.pinnacle-consulting-7.test/ \\
        --replay=made:pages=300,topics=3,seed=5,page_bytes=1500 --pages=8 --out=version-1
    tar -c --sort=name --owner=0 --group=0 --numeric-owner --exclude=lock version-1 | xz -9e > version-1.tar.xz
"""
MADE, MORE = 8, 12


@pytest.mark.row("A12")
def test_a_collection_of_an_earlier_version_opens_resumes_and_is_searched(figure, tmp_path):
    earlier = sorted(DATA.glob("version-*.tar.xz"))
    found = []
    for packed in earlier:
        with tarfile.open(packed) as archive:
            archive.extractall(tmp_path, filter="data")
        found.append(used(tmp_path / packed.name.removesuffix(".tar.xz"), tmp_path))
    figure(f"{len(found)} of {len(earlier)} earlier versions open, resume from {MADE} to {MORE} pages, are searched")
    assert earlier
    for before, hits, after, exported in found:
        assert (before.pages, before.state) == (MADE, "finished")
        assert hits[0] == MADE and hits[1] == MORE
        assert after.pages == exported == MORE


def used(folder, place):
    """Do everything that people do with a collection; what it said before, the pages found, and what it says after."""
    before = status(folder)
    pages = held(folder).pages
    with Collection.open(folder) as collection:
        scores = [(row.relevance, row.score) for row in collection.log.pages()]
    assert all(relevance == score for relevance, score in scores) and max(scores) > (0.0, 0.0)
    assert check(folder).sound
    hits = [hits_in(folder)]
    with resume(folder, pages=MORE) as running:
        list(running)
    now = held(folder)
    assert check(folder).sound
    assert pages < now.pages and set(now.final.values()) <= {0, 1}
    assert set(records(folder).values()) == {1}
    hits.append(hits_in(folder))
    for url in now.pages:
        assert why(folder, url)[-1].url == url
    exported = export(folder, place / "pages.jsonl").pages
    assert {json.loads(line)["url"] for line in (place / "pages.jsonl").read_text().splitlines()} == now.pages
    return before, hits, status(folder), exported


def hits_in(folder):
    """How many pages its index has, once it was searched."""
    assert search(folder, "tax consulting").results
    with Index.open(folder / INDEX) as index:
        assert set(index.urls()) == held(folder).pages
        return len(index.urls())
