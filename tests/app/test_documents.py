"""A hunt with documents: fetched over HTTP, archived as fetched, found by page number, shown, exported, replayed."""

import os
import shutil
import signal
import subprocess
import sys

import pytest
from tests.web.readers import made_documents as made

from lycosa.app import page_copies
from lycosa.app.hunts import export, hunt, status
from lycosa.app.search import search
from lycosa.core.nouns import Raw
from lycosa.store.collection import Collection
from lycosa.store.repository import Writer
from lycosa.web.readers import media_types
from lycosa.web.serving import spawn

HUB = "http://hub.test/"
SITE = "http://papers.test/"
HTML = (("Content-Type", "text/html; charset=utf-8"),)
BYTES = (("Content-Type", "application/octet-stream"),)
PAGES = [f"Page {number} of a thesis on the wolf spider" for number in range(1, 13)]
PAGES[6] += " and its cannibalism"
GOOD = {
    "thesis.pdf": made.pdf(PAGES),
    "notes.docx": made.docx("Notes on the wolf spider"),
    "talk.pptx": made.pptx(["Wolf spider", "Wolf spider and its cephalothorax"]),
    "book.epub": made.epub("A book on the wolf spider"),
    "table.csv": b"name,legs\nwolf spider,8\n",
    "download": made.odt("The wolf spider without a suffix"),
}
BAD = {
    "secret.pdf": (made.pdf(encrypted=True), "encrypted pdf"),
    "half.docx": (made.docx()[:600], "damaged docx"),
    "huge.pdf": (made.pdf(["wolf spider"]) + b"%" * 200_000, "too large to read"),
    "program": (b"\x7fELF" + bytes(2000), "type application/octet-stream"),
}
NEVER = ("photo.jpg", "archive.ZIP", "film.mp4?size=1")


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    """A hub that links to documents, to damaged ones, and to files that nobody can read; and what was asked for."""
    folder = tmp_path_factory.mktemp("web")
    writer = Writer(folder, "web")
    names = [*GOOD, *BAD, *NEVER]
    anchors = "".join(f'<p><a href="{SITE}{name}">wolf spider</a></p>' for name in names)
    writer.write(HUB, Raw(200, HTML, f"<title>Wolf spiders</title>The wolf spider {anchors}".encode()), 0.0)
    for name, body in {**GOOD, **{name: body for name, (body, _) in BAD.items()}}.items():
        writer.write(SITE + name, Raw(200, BYTES, body), 0.0)
    for name in NEVER:
        writer.write(SITE + name, Raw(200, HTML, b"<title>It was asked for</title>"), 0.0)
    writer.close()
    log = folder / "log"
    with spawn(folder / "pages", log=str(log)) as served:
        yield served, log, folder / "pages"


OPTIONS = {
    "pages": 40,
    "delay": 0.0,
    "strategy": "best-first",
    "body": 50_000,
    "document_body": 100_000,
    "processes": 1,
}


@pytest.fixture(scope="module")
def collection(tmp_path_factory, web):
    """The hunt, finished."""
    folder = tmp_path_factory.mktemp("hunt") / "c"
    for _ in hunt("wolf spider", [HUB], proxy=web[0].proxy, out=folder, **OPTIONS):
        pass
    return folder


def test_documents_are_pages_and_what_cannot_be_read_is_a_miss_with_its_reason(collection):
    with Collection.open(collection) as held:
        urls = {row.url for row in held.log.pages()}
    assert {url.removeprefix(SITE) for url in urls - {HUB}} == set(GOOD)
    assert status(collection).misses == {
        **{reason: 1 for _, reason in BAD.values()},
        "status 404": 2,  # links in the documents themselves
    }


def test_what_its_url_says_is_unreadable_is_never_asked_for_and_counted_apart(collection, web):
    asked = web[1].read_text()
    assert "thesis.pdf" in asked
    for name in NEVER:
        assert name not in asked
    assert status(collection).left_out == {"not readable": len(NEVER)}


def test_documents_are_archived_as_they_were_fetched(collection):
    with Collection.open(collection) as held:
        row = held.log.page(SITE + "thesis.pdf")
        assert held.repository.read(row.where).body == GOOD["thesis.pdf"]
        assert row.mime == "application/pdf"


@pytest.mark.parametrize(
    ("query", "name", "pages"),
    [("cannibalism", "thesis.pdf", (7,)), ("cephalothorax", "talk.pptx", (2,)), ("suffix", "download", ())],
)
def test_a_result_names_the_page_of_the_document(collection, query, name, pages):
    best = search(collection, query).results[0]
    assert (best.url, best.pages) == (SITE + name, pages)
    assert query in best.snippet


def test_documents_are_found_and_counted_by_their_type(collection):
    everything = search(collection, "spider OR cannibalism OR cephalothorax", facets=True, limit=100)
    assert {"html", "pdf", "pptx"} <= everything.facets["type"].keys()
    found = search(collection, "type:pdf").results
    assert SITE + "thesis.pdf" in {hit.url for hit in found}
    assert HUB not in {hit.url for hit in found}
    filtered = search(collection, "cannibalism", filters=["type=pptx"])
    assert SITE + "thesis.pdf" not in {hit.url for hit in filtered.results}


def test_the_command_line_shows_the_page_of_a_result(collection, run):
    assert "…  p. 7\n" in run("search", collection, "cannibalism").stdout


def test_an_index_made_anew_from_the_archive_finds_the_same(collection, tmp_path):
    folder = tmp_path / "c"
    shutil.copytree(collection, folder)
    shutil.rmtree(folder / "index")
    for query in ("cannibalism", "wolf spider"):
        one, other = (search(each, query).results for each in (collection, folder))
        told = [[(hit.url, hit.snippet, hit.pages) for hit in found] for found in (one, other)]
        assert told[0] == told[1] != []


def test_a_copy_of_a_document_is_its_text_with_the_numbers_of_its_pages(collection):
    copy = page_copies.shown(collection, SITE + "thesis.pdf", "cannibalism")
    assert "<h4>Page 7</h4><pre>Page 7 of a thesis on the wolf spider and its <mark>cannibalism</mark>" in copy
    facts, text = page_copies.text_of(collection, SITE + "notes.docx")
    assert (facts.mime.rpartition(".")[2], facts.readable, facts.cut) == ("document", True, False)
    assert "Notes on the wolf spider" in text


def test_documents_are_exported_as_markdown(collection, tmp_path):
    export(collection, tmp_path / "pages")
    (file,) = (tmp_path / "pages").glob("*thesis*")
    assert PAGES[6] in file.read_text()


def test_a_recording_with_documents_replays_as_it_was_live(collection, web, tmp_path):
    for _ in hunt("wolf spider", [HUB], replay=str(web[2]), out=tmp_path / "c", **OPTIONS):
        pass
    live, replayed = status(collection), status(tmp_path / "c")
    # In a recording everything may be asked for: it costs nothing.
    assert replayed.pages == live.pages + len(NEVER)
    assert replayed.misses == live.misses
    with Collection.open(collection) as one, Collection.open(tmp_path / "c") as other:
        for name in GOOD:
            assert one.log.page(SITE + name).digest == other.log.page(SITE + name).digest


def test_a_budget_of_bytes_is_kept_with_documents(web, tmp_path):
    found = hunt("wolf spider", [HUB], proxy=web[0].proxy, out=tmp_path / "c", bytes=6_000, **OPTIONS)
    sizes = [visit.size for visit in found]
    assert 0 < sum(sizes) <= 6_000


def test_without_the_package_a_pdf_is_not_asked_for_and_the_extra_is_named(web, monkeypatch, tmp_path):
    monkeypatch.setattr(media_types, "_installed", lambda package: False)
    assert media_types.refused_by_name(SITE + "thesis.pdf") == "needs the extra documents"
    before = web[1].read_text().count("thesis.pdf")
    folder = tmp_path / "c"
    for _ in hunt("wolf spider", [HUB], proxy=web[0].proxy, out=folder, **OPTIONS):
        pass
    assert status(folder).left_out["needs the extra documents"] == 3
    assert web[1].read_text().count("thesis.pdf") == before


_LITTLE_MEMORY = """
from lycosa.web.readers import reading
allow = reading.allow_memory
reading.allow_memory = lambda most: allow(64 << 20)
"""
_READS_ALONE = """
import sys
from lycosa.web.parse import parse
from lycosa.web.readers.reading import allow_memory
allow_memory(1 << 30)
parse("http://h.test/bomb.pdf", sys.stdin.buffer.read(), "")
"""


def test_a_document_that_makes_its_parser_abort_is_missed_and_the_hunt_goes_on(tmp_path, monkeypatch):
    # PDFium aborts where it gets no memory: with a scout's 1 GiB at a page with 3 million pieces of text.
    (tmp_path / "sitecustomize.py").write_text(_LITTLE_MEMORY)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    bomb = made.pdf(["a) Tj 1 0 Td (" * 400_000], packed=True)
    alone = subprocess.run([sys.executable, "-c", _READS_ALONE], input=bomb, capture_output=True)
    assert alone.returncode == -signal.SIGABRT
    writer = Writer(tmp_path, "web")
    names = ["bomb.pdf", *GOOD]
    anchors = "".join(f'<p><a href="{SITE}{name}">wolf spider</a></p>' for name in names)
    writer.write(HUB, Raw(200, HTML, f"<title>Wolf spiders</title>The wolf spider {anchors}".encode()), 0.0)
    for name, body in {**GOOD, "bomb.pdf": bomb}.items():
        writer.write(SITE + name, Raw(200, BYTES, body), 0.0)
    writer.close()
    with (
        spawn(tmp_path / "pages") as served,
        hunt("wolf spider", [HUB], proxy=served.proxy, out=tmp_path / "c", **OPTIONS) as running,
    ):
        found = {visit.url for visit in running}
        deaths = running.pool.deaths
    assert found - {HUB} == {SITE + name for name in GOOD}
    assert status(tmp_path / "c").misses == {"parser crashed": 1, "status 404": 2}
    assert deaths == 2
