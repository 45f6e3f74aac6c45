from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml
from pyarrow import parquet
from warcio.archiveiterator import ArchiveIterator

from lycosa.core.events import Judged
from lycosa.core.nouns import Judgement, Page
from lycosa.store.collection import Collection
from lycosa.store.export import FORMATS, export
from lycosa.store.page_selection import Conditions
from lycosa.store.repository import Writer
from lycosa.system.errors import Refused

STORY = "The spider hunts at night and carries her young on her back, which few other spiders ever do."
HOSTILE = '=HYPERLINK("https://evil.test/")\u2028---\nurl: "forged"'


def parse(url: str, body: bytes, content_type: str) -> Page:
    assert content_type == "text/html; charset=utf-8"
    return Page(url, text=re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", body.decode("utf-8", "replace"))).strip())


def html(n: int) -> bytes:
    article = f"<h1>Spider {n}</h1><p>{STORY} Ä {n}.</p>" + f"<p>{STORY}</p>" * 5
    return f"<html><body><nav><a href='/'>Menu</a></nav><main><article>{article}</article></main>".encode()


def text_of(n: int) -> str:
    return " ".join([f"Menu Spider {n} {STORY} Ä {n}.", *[STORY] * 5])


@pytest.fixture
def collection(tmp_path: Path, make):
    with Collection.create(tmp_path / "collection") as collection:
        writer = Writer(collection.folder, "scout")
        for n in range(10):
            url = f"https://www.a{n % 3}.test/path/page {n}?q=ä" if n == 7 else f"https://www.a{n % 3}.test/path/{n}"
            title = HOSTILE if n == 3 else f"Page {n} – Ä"
            where = writer.write(url, make.raw(html(n)), 1.7e9 + n)
            event = make.visited(
                url, n / 10, where, title=title, language="en", digest=f"{n:032x}", via="https://seed.test/"
            )
            collection.log.append(event, 1.7e9 + n)
        collection.log.append(make.missed("https://gone.test/"), 1.7e9)
        collection.log.commit()
        writer.close()
        yield collection


def warc_records(path: Path) -> list[tuple[str, bytes]]:
    with path.open("rb") as stream:
        records = [
            (r.rec_type, r.rec_headers.get_header("WARC-Target-URI"), r.content_stream().read())
            for r in ArchiveIterator(stream)
        ]
    return [(url, body) for kind, url, body in records if kind == "response"]


def test_jsonl_holds_every_page_best_first_with_its_text(collection: Collection, tmp_path: Path):
    assert export(collection, tmp_path / "out.jsonl", parse) == (10, 0)
    records = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").split("\n")[:-1]]
    assert [record["relevance"] for record in records] == [n / 10 for n in reversed(range(10))]
    assert records[0] == {
        "url": "https://www.a0.test/path/9",
        "title": "Page 9 – Ä",
        "relevance": 0.9,
        "known": None,
        "judge_score": 0.9,
        "fetched": "2023-11-14T22:13:29Z",
        "language": "en",
        "status": 200,
        "mime": "text/html",
        "size": 1000,
        "digest": f"{9:032x}",
        "via": "https://seed.test/",
        "score": 0.9,
        "judged": None,
        "judged_by": None,
        "text": text_of(9),
    }


def test_what_a_person_said_of_a_page_leaves_with_it(collection: Collection, tmp_path: Path):
    first, second, third = (f"https://www.a{n % 3}.test/path/{n}" for n in (0, 1, 2))
    collection.log.append(Judged(first, True, origin="llm:small"), 1.7e9)
    collection.log.append(Judged(second, True), 1.7e9)
    collection.log.commit()
    collection.inbox.add([Judgement(second, False), Judgement(third, True)], 1.7e9)
    export(collection, tmp_path / "out.csv", parse)
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        judged = {row["url"]: (row["judged"], row["judged_by"]) for row in csv.DictReader(file)}
    assert {url: word for url, word in judged.items() if word[0]} == {
        first: ("yes", "llm:small"),
        second: ("no", "person"),
        third: ("yes", "person"),
    }


def test_no_export_contradicts_what_a_person_said(collection: Collection, tmp_path: Path):
    poor, good = "https://www.a0.test/path/0", "https://www.a0.test/path/9"
    collection.inbox.add([Judgement(poor, True), Judgement(good, False)], 1.7e9)
    assert export(collection, tmp_path / "some.jsonl", parse, conditions=Conditions(0.7)) == (3, 0)
    export(collection, tmp_path / "out.jsonl", parse)
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").split("\n")[:-1]]
    assert (rows[0]["url"], rows[0]["relevance"], rows[0]["known"], rows[0]["judge_score"]) == (
        poor,
        1.0,
        "judged",
        0.0,
    )
    assert (rows[-1]["url"], rows[-1]["relevance"], rows[-1]["known"]) == (good, 0.0, "judged")


def test_a_word_that_was_taken_back_does_not_leave(collection: Collection, tmp_path: Path):
    heard, waiting, again = (f"https://www.a{n % 3}.test/path/{n}" for n in (0, 1, 2))
    for event in (Judged(heard, True), Judged(heard, None), Judged(waiting, True), Judged(again, None)):
        collection.log.append(event, 1.7e9)
    collection.log.commit()
    collection.inbox.add([Judgement(waiting, None), Judgement(again, False)], 1.7e9)
    export(collection, tmp_path / "out.csv", parse)
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        judged = {row["url"]: row["judged"] for row in csv.DictReader(file)}
    assert {url: word for url, word in judged.items() if word} == {again: "no"}


def test_only_pages_above_a_relevance_leave_when_asked(collection: Collection, tmp_path: Path):
    for suffix in [*FORMATS, "/"]:
        assert export(collection, f"{tmp_path}/some{suffix}", parse, conditions=Conditions(0.7)) == (3, 0)


def test_csv_cells_cannot_act(collection: Collection, tmp_path: Path, make):
    collection.log.append(make.visited("https://b.test/", 0.0, title="@SUM(A1)", via="-1+1"), 1.7e9)
    collection.log.commit()
    export(collection, tmp_path / "out.csv", parse)
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 11 and "text" not in rows[0]
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]
    titles = {row["url"]: row["title"] for row in rows}
    assert titles["https://www.a0.test/path/3"] == "'" + HOSTILE and titles["https://b.test/"] == "'@SUM(A1)"


def test_parquet_has_typed_columns(collection: Collection, tmp_path: Path):
    export(collection, tmp_path / "out.parquet", parse)
    table = parquet.read_table(tmp_path / "out.parquet")
    assert table.num_rows == 10
    assert str(table.schema.field("relevance").type) == "double" and str(table.schema.field("size").type) == "int64"
    assert table.column("text").to_pylist()[-1] == text_of(0)


def test_a_warc_holds_the_same_responses(collection: Collection, tmp_path: Path):
    export(collection, tmp_path / "out.warc.gz", parse)
    check = [sys.executable, "-m", "warcio.cli", "check", tmp_path / "out.warc.gz"]
    assert subprocess.run(check, capture_output=True, check=True).stdout == b""
    assert sorted(body for _, body in warc_records(tmp_path / "out.warc.gz")) == sorted(map(html, range(10)))


def test_a_wacz_is_valid(collection: Collection, tmp_path: Path):
    export(collection, tmp_path / "out.wacz", parse)
    validate = [sys.executable, "-m", "wacz", "validate", "-f", str(tmp_path / "out.wacz")]
    done = subprocess.run(validate, capture_output=True, text=True)
    assert done.returncode == 0 and "the passed WACZ is valid" in done.stdout, done.stdout + done.stderr
    with zipfile.ZipFile(tmp_path / "out.wacz") as archive:
        head, *pages = [json.loads(line) for line in archive.read("pages/pages.jsonl").splitlines()]
        assert head["format"] == "json-pages-1.0"
        assert pages[0]["url"] == "https://www.a0.test/path/9" and pages[0]["ts"] == "2023-11-14T22:13:29Z"
        assert len(pages) == 10
        archive.extract("archive/pages.warc.gz", tmp_path)
        assert archive.getinfo("archive/pages.warc.gz").compress_type == zipfile.ZIP_STORED
    assert len(warc_records(tmp_path / "archive" / "pages.warc.gz")) == 10


@pytest.mark.parametrize("name", ["corpus", "corpus/", "corpus.jsonl/"])
def test_markdown_has_front_matter_and_the_main_text(collection: Collection, tmp_path: Path, name: str):
    assert export(collection, f"{tmp_path}/{name}", parse) == (10, 0)
    files = sorted((tmp_path / name).iterdir())
    assert len(files) == 10 and all(
        re.fullmatch(r"a\d-test-path-[a-z0-9-]+-[0-9a-f]{16}\.md", file.name) for file in files
    )
    found = {}
    for file in files:
        _, front, text = file.read_text(encoding="utf-8").split("---\n", 2)
        found[yaml.safe_load(front)["url"]] = yaml.safe_load(front), text
    front, text = found["https://www.a0.test/path/9"]
    assert front["title"] == "Page 9 – Ä" and front["relevance"] == 0.9 and front["language"] == "en"
    assert front["fetched"] == "2023-11-14T22:13:29Z"
    assert STORY in text and "Spider 9" in text and "Menu" not in text
    assert found["https://www.a0.test/path/3"][0]["title"].startswith("=HYPERLINK")
    assert front["judge_score"] == 0.9 and all(len(front) == 6 for front, _ in found.values())


def test_an_existing_empty_folder_may_be_filled_and_a_full_one_not(collection: Collection, tmp_path: Path):
    (tmp_path / "v1.2").mkdir()
    export(collection, tmp_path / "v1.2", parse)
    before = sorted((tmp_path / "v1.2").iterdir())
    with pytest.raises(Refused, match="is not empty: choose another folder"):
        export(collection, tmp_path / "v1.2", parse)
    assert sorted((tmp_path / "v1.2").iterdir()) == before


def test_an_existing_file_is_replaced(collection: Collection, tmp_path: Path):
    (tmp_path / "out.jsonl").write_text("old")
    export(collection, tmp_path / "out.jsonl", parse)
    assert "old" not in (tmp_path / "out.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["out.xlsx", "out.gz", "out.json", "out.warc"])
def test_an_unknown_suffix_is_refused_with_the_known_ones(collection: Collection, tmp_path: Path, name: str):
    with pytest.raises(Refused, match=r"unknown format .*\.jsonl, \.csv, \.parquet, \.warc\.gz, \.wacz, or a folder"):
        export(collection, tmp_path / name, parse)


@pytest.mark.parametrize("suffix", [*FORMATS, "/"])
def test_nothing_half_written_stays_behind(collection: Collection, tmp_path: Path, suffix: str):
    before = sorted(tmp_path.iterdir())

    def interrupted(done: int, total: int) -> None:
        assert total == 10
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export(collection, f"{tmp_path}/out{suffix}", parse, progress=interrupted)
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("suffix", [*FORMATS, "/"])
def test_a_place_that_cannot_be_written_is_refused(collection: Collection, tmp_path: Path, suffix: str):
    with pytest.raises(Refused, match="cannot write"):
        export(collection, f"{tmp_path}/nowhere/out{suffix}", parse)


@pytest.mark.parametrize("suffix", [*FORMATS, "/"])
def test_nothing_to_export_is_an_empty_export(tmp_path: Path, suffix: str):
    with Collection.create(tmp_path / "empty") as collection:
        assert export(collection, f"{tmp_path}/out{suffix}", parse) == (0, 0)
    assert (tmp_path / f"out{suffix}").exists()


@pytest.mark.parametrize(("suffix", "needs"), [(".parquet", "parquet"), (".wacz", "wacz"), ("/", "markdown")])
def test_a_missing_extra_is_named(collection: Collection, tmp_path: Path, monkeypatch, suffix: str, needs: str):
    for module in ("pyarrow", "wacz.main", "trafilatura"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(Refused, match=re.escape(f"pip install 'lycosa[{needs}]'")):
        export(collection, f"{tmp_path}/out{suffix}", parse)


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet", ".warc.gz", ".wacz", "/"])
def test_a_damaged_record_costs_one_page_and_is_counted(collection: Collection, tmp_path: Path, suffix: str):
    where = collection.log.page("https://www.a2.test/path/5").where
    with (collection.repository.folder / where.file).open("r+b") as file:
        file.seek(where.offset + 30)
        file.write(b"XXXX")
    assert export(collection, f"{tmp_path}/out{suffix}", parse) == (9, 1)


def test_a_page_that_was_never_archived_has_no_text(collection: Collection, tmp_path: Path, make):
    collection.log.append(make.visited("https://b.test/", 1.0), 1.7e9)
    collection.log.commit()
    assert export(collection, tmp_path / "out.jsonl", parse) == (11, 0)
    assert json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8").split("\n")[0])["text"] == ""
    assert export(collection, tmp_path / "out.warc.gz", parse) == (10, 1)


def test_a_collection_can_be_exported_while_it_is_written(collection: Collection, tmp_path: Path):
    with Collection.open(collection.folder) as reader:
        assert export(reader, tmp_path / "out.jsonl", parse) == (10, 0)
