"""Pages as web archives that other tools can replay: one WARC file, or a WACZ with an index and a page list."""

from __future__ import annotations

import json
import time
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from lycosa.store import warc
from lycosa.store.page_selection import PageSelection, fetched
from lycosa.store.rows import PageRow
from lycosa.system.errors import Code, Refused


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
        raise Refused(
            "WACZ needs the wacz package", "pip install 'lycosa[wacz]'", code=Code.NEEDS_PACKAGE, field="format"
        ) from None
    # The parts are assembled beside the target, on the disk that must have room for it anyway.
    with TemporaryDirectory(prefix=".wacz-", dir=path.parent) as folder:
        records, pages = Path(folder, "pages.warc.gz"), Path(folder, "pages.jsonl")
        with records.open("wb") as file, pages.open("w", encoding="ascii") as listing:
            file.write(warc.warcinfo(records.name, time.time()))
            listing.write(json.dumps({"format": "json-pages-1.0", "id": "pages", "title": "Pages"}) + "\n")
            for row, member in selection.members():
                file.write(member)
                listing.write(json.dumps(_listed(row)) + "\n")
        said = StringIO()
        with redirect_stdout(said):
            failed = make(["create", "-o", str(path), "-p", str(pages), "--copy-pages", str(records)])
        if failed:
            raise Refused(
                f"the wacz package could not make {path} ({said.getvalue().strip()})",
                "export .warc.gz instead",
                code=Code.UNWRITABLE,
            )


def _listed(row: PageRow) -> dict[str, object]:
    return {
        "id": f"{row.seq}",
        "url": row.url,
        "ts": fetched(row),
        "title": row.title or row.url,
        "relevance": row.relevance,
    }
