"""Whatever a document does, reading it ends soon, in a text or in one clear reason, and never in an error."""

import random
import subprocess
import sys
import time
import zlib

import pytest
from tests.web.readers import made_documents as made
from tests.web.readers.made_documents import MADE

from lycosa.web.parse import parse
from lycosa.web.readers import extraction

WHOLE = ("pdf", "docx", "pptx", "xlsx", "odt", "odp", "ods", "epub", "rtf")
STATES = {"damaged", "encrypted", "too", "type", ""}


def read(body, suffix):
    began = time.process_time()
    page = parse(f"http://h.test/document.{suffix}", body, "", indexed=True)
    assert time.process_time() - began < extraction.LONGEST + 2
    assert page.unread.partition(" ")[0] in STATES
    assert len(page.text) <= extraction.MOST_TEXT + 1000
    return page


@pytest.mark.parametrize(
    ("suffix", "body", "reason"),
    [
        ("pdf", made.pdf(encrypted=True), "encrypted pdf"),
        ("docx", made.ENCRYPTED_OFFICE, "encrypted office file"),
        ("docx", made.encrypted_zip(made.docx()), "encrypted docx"),
        ("odt", made.opendocument("text", "", "<manifest:encryption-data/>"), "encrypted odt"),
        ("epub", made.epub(encryption="http://www.w3.org/2001/04/xmlenc#aes128-cbc"), "encrypted epub"),
        ("pdf", b"%PDF-1.7\n", "damaged pdf"),
        ("pdf", made.pdf(pages=()), "damaged pdf"),
        ("docx", made.docx()[:700], "damaged docx"),
        ("pptx", made.pptx()[:900], "damaged pptx"),
        ("odt", made.odt()[:500], "damaged odt"),
        ("epub", made.epub()[:300], "damaged epub"),
        ("docx", made.replaced(made.docx(), "word/document.xml", "<w:document"), "damaged docx"),
        ("odt", made.replaced(made.odt(), "content.xml", made.laughs()), "damaged odt"),
        ("odt", made.replaced(made.odt(), "content.xml", made.stolen("/etc/hostname")), "damaged odt"),
        ("odt", made.replaced(made.odt(), "content.xml", "<a>" * 100_000), "damaged odt"),
        (
            "docx",
            made.zipped({"[Content_Types].xml": "", **{f"word/{n}": "" for n in range(20_001)}}),
            "too large to read",
        ),
    ],
)
def test_an_unreadable_document_ends_in_one_clear_reason(suffix, body, reason):
    page = read(body, suffix)
    assert (page.unread, page.text, list(page.links)) == (reason, "", [])


def test_a_document_that_only_forbids_copying_is_read():
    assert read(made.epub(encryption="http://www.idpf.org/2008/embedding"), "epub").title == made.TITLE


def test_a_zip_bomb_ends_at_the_limit():
    bomb = made.zip_bomb(256 << 20)
    assert len(bomb) < 1 << 20
    assert read(bomb, "docx").text.strip() == made.TITLE
    assert read(made.zip_bomb(256 << 20, head="<w:r></w:r>"), "docx").unread == "too large to read"


def test_a_huge_piece_of_xml_costs_no_more_than_the_time_allowed(monkeypatch):
    monkeypatch.setattr("lycosa.web.readers.package.LONGEST", 0.5)
    began = time.process_time()
    read(made.zip_bomb(256 << 20, head="<!--"), "docx")
    assert time.process_time() - began < 3


def test_what_lies_in_a_package_in_a_package_is_left_alone():
    inner = made.docx("inner words")
    page = read(made.replaced(made.docx(), "word/embeddings/inner.docx", inner), "docx")
    assert made.WORDS in page.text
    assert "inner words" not in page.text


def test_of_endlessly_many_pages_the_first_are_read():
    page = read(made.pdf(pages=["a page"] * 10_000), "pdf")
    assert page.text.count("\f") == extraction.MOST_PAGES - 1
    assert page.unread == ""


def test_of_an_endless_text_the_beginning_is_kept():
    page = read(made.docx("spider " * 700_000), "docx")
    assert len(page.text) == pytest.approx(extraction.MOST_TEXT, abs=100)


def test_a_repeated_row_is_one_row():
    assert len(read(made.ods(), "ods").text) < 200


@pytest.mark.parametrize(
    ("suffix", "body"),
    [
        ("md", b"[" * 500_000),
        ("md", b"# " + b"#" * 500_000),
        ("md", b"[a](" + b"b" * 500_000),
        ("md", (b"[a](b 'c\n" * 50_000)),
        ("md", b"=" * 500_000 + b"\n" + b"-" * 500_000),
        ("json", b"[" * 500_000),
        ("json", b'{"a":' * 100_000 + b"1" + b"}" * 100_000),
        ("rtf", b"{\\rtf1" + b"{" * 1_000_000),
        ("rtf", b"{\\rtf1" + b"{\\b x}" * 300_000),
        ("rtf", b"{\\rtf1" + b"\\u-1?\\'" * 300_000),
        ("xlsx", made.xlsx(rows="<row><c><v>1</v></c></row>" * 100_000)),
        ("xlsx", made.xlsx(text="x" * 30_000_000)),
    ],
)
def test_a_long_and_tangled_document_is_read_in_time(suffix, body):
    read(body, suffix)


def test_a_picture_of_gigabytes_in_a_pdf_is_never_unpacked():
    stream = zlib.compress(bytes(50_000_000), 9)
    hostile = made.pdf().replace(b"%%EOF", b"99 0 obj<</Length %d/Filter/FlateDecode>>stream\n" % len(stream) + stream)
    assert made.WORDS in read(hostile, "pdf").text


@pytest.mark.parametrize("suffix", WHOLE)
def test_damage_anywhere_is_a_text_or_a_reason(suffix):
    rng = random.Random(suffix)
    whole = MADE[suffix]()
    for _ in range(60):
        damaged = bytearray(whole)
        for _ in range(rng.choice((1, 3, 30))):
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        if rng.random() < 0.3:
            damaged = damaged[: rng.randrange(len(damaged))]
        read(bytes(damaged), suffix)


def test_a_document_that_needs_more_memory_than_allowed_is_too_large(tmp_path):
    bomb = tmp_path / "bomb.docx"
    bomb.write_bytes(made.zip_bomb(90 << 20, head=f"<w:r><w:t>{'spider ' * 10}"))
    script = f"""
import resource
from pathlib import Path
from lycosa.web.parse import parse
from lycosa.web.readers.reading import allow_memory

body = Path({str(bomb)!r}).read_bytes()
assert parse("http://h.test/", body, "").unread == ""
allow_memory(1 << 20)
print(parse("http://h.test/", body, "").unread)
print(len(bytes(100 << 20)), resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout.split("\n")[:2] == ["too large to read", "104857600 True"], done.stderr
