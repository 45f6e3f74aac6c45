"""The formats in which pages are exported.

Rows: JSON Lines, CSV and Parquet. Web archives that other tools can replay: one WARC file, or a WACZ with an index and
a page list. Or a folder of Markdown files, main text only: input for a retrieval system or a training run.
"""

from __future__ import annotations

import csv
import json
import re
import time
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lycosa.core.keys import key64
from lycosa.core.nouns import Raw
from lycosa.core.urls import host_of
from lycosa.store import warc
from lycosa.store.page_selection import COLUMNS, PageSelection, fetched
from lycosa.store.rows import PageRow
from lycosa.system.errors import Code, Refused, needs_package

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""First characters that make a spreadsheet treat a cell as a formula; titles are written by strangers."""
_NAME = 80
"""Most characters of a file's name that come from the URL."""
_charset = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)
_line_breaks = re.compile(r"[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def jsonl(selection: PageSelection, path: Path) -> None:
    """One object per line, with the text."""
    with path.open("w", encoding="utf-8", errors="replace") as file:
        for record in selection.texts():
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def as_csv(selection: PageSelection, path: Path) -> None:
    """A table for spreadsheets, without the text; no cell can be a formula."""
    with path.open("w", encoding="utf-8", errors="replace", newline="") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        for record in selection.about():
            table.writerow(map(_defused, record.values()))


def parquet(selection: PageSelection, path: Path) -> None:
    """A column store, with the text."""
    from lycosa.store.arrow_batches import batches, schema_of

    schema = schema_of(text=True)
    from pyarrow.parquet import ParquetWriter

    with ParquetWriter(path, schema, compression="zstd") as writer:
        for batch in batches(selection.texts(), schema):
            writer.write_batch(batch)


def _defused(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def as_warc(selection: PageSelection, path: Path) -> None:
    """One WARC file with the records of the pages, byte for byte."""
    with path.open("wb") as file:
        file.write(warc.warcinfo("pages.warc.gz", time.time()))
        for _, member in selection.members():
            file.write(member)


def wacz(selection: PageSelection, path: Path) -> None:
    """A WACZ 1.1.1 file: the WARC, its index and the list of pages with their titles."""
    try:
        from wacz.main import main as make
    except ImportError:
        raise needs_package("the wacz package", "WACZ", "wacz") from None
    # The parts are assembled beside the target, on the disk that must have room for it anyway.
    with TemporaryDirectory(prefix=".wacz-", dir=path.parent) as folder:
        records, pages = Path(folder, "pages.warc.gz"), Path(folder, "pages.jsonl")
        with records.open("wb") as file, pages.open("w", encoding="ascii") as listing:
            file.write(warc.warcinfo(records.name, time.time()))
            listing.write(json.dumps({"format": "json-pages-1.0", "id": "pages", "title": "Pages"}) + "\n")
            for row, member in selection.members():
                file.write(member)
                listing.write(json.dumps(_listed(row)) + "\n")
        output = StringIO()
        with redirect_stdout(output):
            failed = make(["create", "-o", str(path), "-p", str(pages), "--copy-pages", str(records)])
        if failed:
            problem = f"the wacz package could not make {path} ({output.getvalue().strip()})"
            raise Refused(problem, "export .warc.gz instead", code=Code.UNWRITABLE)


def _listed(row: PageRow) -> dict[str, object]:
    return {
        "id": f"{row.seq}",
        "url": row.url,
        "ts": fetched(row),
        "title": row.title or row.url,
        "relevance": row.relevance,
    }


def markdown(selection: PageSelection, folder: Path) -> None:
    """One file per page: its metadata as YAML front matter, then its main text."""
    try:
        from trafilatura import extract
    except ImportError:
        raise needs_package("trafilatura", "Markdown", "markdown") from None
    folder.mkdir()
    for row, raw in selection.responses():
        text = _main_text(extract, row, raw) or selection.text(row, raw)
        content = f"---\n{_front_matter(row)}---\n\n{text.strip()}\n"
        (folder / file_name(row.url)).write_text(content, encoding="utf-8", errors="replace", newline="\n")


def file_name(url: str) -> str:
    """A readable and unique name for the page's file."""
    _, _, path = url.partition("://")
    words = re.sub(r"[^a-z0-9]+", "-", path.lower().removeprefix("www.")).strip("-")[:_NAME].strip("-")
    return f"{words or host_of(url)}-{key64(url):016x}.md"


def _main_text(extract: Any, row: PageRow, raw: Raw) -> str | None:
    if "html" not in row.mime:
        return None
    html: str | bytes = raw.body
    if found := _charset.search(raw.content_type):
        try:
            html = raw.body.decode(found[1], "replace")
        except LookupError:
            html = raw.body
    text: str | None = extract(html, url=row.url, output_format="markdown", include_comments=False)
    return text


def _front_matter(row: PageRow) -> str:
    known = {
        "url": row.url,
        "title": row.title,
        "relevance": row.relevance,
        "judge_score": row.score,
        "fetched": fetched(row),
        "language": row.language,
    }
    # A JSON string is also a YAML string, once the line breaks that only YAML knows are removed.
    return "".join(f"{name}: {_line_breaks.sub(' ', json.dumps(v, ensure_ascii=False))}\n" for name, v in known.items())
