"""Pages as a folder of Markdown files, main text only: input for a retrieval system or a training run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from lycosa.core.keys import key64
from lycosa.core.nouns import Raw
from lycosa.core.urls import host_of
from lycosa.store.page_selection import PageSelection, fetched
from lycosa.store.rows import PageRow
from lycosa.system.errors import Code, Refused

_NAME = 80
"""Most characters of a file's name that come from the URL."""
_charset = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)
_line_breaks = re.compile(r"[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def markdown(selection: PageSelection, folder: Path) -> None:
    """One file per page: its metadata as YAML front matter, then its main text."""
    try:
        from trafilatura import extract
    except ImportError:
        raise Refused(
            "Markdown needs trafilatura", "pip install 'lycosa[markdown]'", code=Code.NEEDS_PACKAGE, field="format"
        ) from None
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
        "fetched": fetched(row),
        "language": row.language,
    }
    # A JSON string is also a YAML string, once the line breaks that only YAML knows are removed.
    return "".join(f"{name}: {_line_breaks.sub(' ', json.dumps(v, ensure_ascii=False))}\n" for name, v in known.items())
