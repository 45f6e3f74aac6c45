"""C13: what is no page does not become one, whatever it is called; what is a page is read, whatever it is called."""

import gzip
import os

import pytest
from sites import Sites, held, html, reply

from lycosa.app.hunts import hunt
from lycosa.app.search import search

PAGE = html("wolf spider page", text="Wolf spiders hunt at night.")
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20
PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj wolf spider endobj\n" + bytes(range(256)) * 20
ZIP = b"PK\x03\x04" + b"wolf spider" + os.urandom(5000)
OCTETS = "application/octet-stream"

PAGES = {
    "html": reply(PAGE),
    "html-without-type": reply(PAGE, Content_Type=None),
    "html-as-plain": reply("Wolf spiders hunt at night.", Content_Type="text/plain"),
    "xhtml": reply(PAGE, Content_Type="application/xhtml+xml"),
    "json": reply('{"wolf": "spider"}', Content_Type="application/json"),
}
NO_PAGES = {
    "png-as-html": reply(PNG),
    "pdf-as-html": reply(PDF),
    "zip-as-html": reply(ZIP),
    "gzip-as-html": reply(gzip.compress(b"wolf spider" * 1000)),
    "png": reply(PNG, Content_Type="image/png"),
    "pdf": reply(PDF, Content_Type="application/pdf"),
    "zip": reply(ZIP, Content_Type="application/zip"),
    "octets": reply(ZIP, Content_Type=OCTETS),
    "binary-without-type": reply(PNG, Content_Type=None),
    "binary-as-plain": reply(PNG, Content_Type="text/plain"),
    "random-as-html": reply(bytes(n * 7 % 32 for n in range(5000))),
    "no-content": reply("", "204 No Content"),
    "reset-content": reply("", "205 Reset Content"),
    "not-modified": reply("", "304 Not Modified", Content_Length=None),
    "css": reply("a { color: red }", Content_Type="text/css"),
    "script": reply("wolf = spider", Content_Type="text/javascript"),
}


@pytest.mark.row("C13")
def test_no_garbage_becomes_a_document(figure, tmp_path):
    answers = {f"k.test/{name}": answer for name, answer in (PAGES | NO_PAGES).items()}
    answers |= {
        "k.test/empty": reply(""),
        "k.test/part": reply("<p>wolf spider", "206 Partial Content", Content_Range="bytes 0-13/99"),
    }
    answers["k.test/"] = html("wolf spiders", *(f"/{place.partition('/')[2]}" for place in answers))
    with Sites(answers) as sites:
        options = {"pages": 500, "strategy": "breadth-first", "delay": 0.0, "retries": 0, "proxy": sites.proxy}
        with hunt("wolf spider", ["http://k.test/"], out=tmp_path / "c", **options) as crawl:
            for _ in crawl:
                pass
    found = held(tmp_path / "c")
    documents = [
        hit.url.rpartition("/")[2]
        for hit in search(tmp_path / "c", "wolf spider", limit=100, duplicates=True).results
        if hit.fetched
    ]
    garbage = sorted(set(documents) & NO_PAGES.keys())
    figure(f"{len(garbage)} garbage of {len(NO_PAGES)}; {len(PAGES.keys() & set(documents))} of {len(PAGES)} pages")
    assert not garbage
    assert PAGES.keys() <= set(documents)
    assert all(f"http://k.test/{name}" in found.misses for name in NO_PAGES)
    assert set(found.final.values()) == {1}
