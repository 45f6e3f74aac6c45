"""Labels: a CSV or JSONL file that says which pages belong to which topic.

One row for each page and topic, with `url` and `topic`; `keywords` and `description` may be in any row of a topic, or
in a second file with one row for each topic.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from lycosa.core.urls import canonical
from lycosa.system.errors import Code, Refused
from lycosa.system.os_errors import unreadable

TEXTS = ("keywords", "description")
_FIX = "write a row for each page, with the columns url and topic"


class Labelled(Struct):
    """A topic as the labels describe it."""

    name: str
    urls: list[str] = []
    keywords: str = ""
    description: str = ""


def read_labels(labels: str | Path, topics: str | Path | None = None) -> list[Labelled]:
    """The topics of a labels file, in its order, with what a topics file adds; refusals name file and line."""
    found: dict[str, Labelled] = {}
    for place, row in _rows(Path(labels), ("url", "topic")):
        url = canonical(row["url"], limit=1 << 16)
        if url is None:
            raise Refused(
                f"{place}: {row['url']!r} is not an http URL",
                "write it like https://example.org/page",
                code=Code.BAD_FILE,
                field="labels",
            )
        topic = found.setdefault(row["topic"], Labelled(row["topic"]))
        topic.urls.append(url)
        _add_texts(topic, row, place)
    if topics is not None:
        for place, row in _rows(Path(topics), ("topic",)):
            if row["topic"] not in found:
                raise Refused(
                    f"{place}: no page is labelled {row['topic']!r}",
                    f"correct the name, or label in {labels}",
                    code=Code.BAD_FILE,
                    field="topics",
                )
            _add_texts(found[row["topic"]], row, place)
    for topic in found.values():
        topic.urls = list(dict.fromkeys(topic.urls))
    return list(found.values())


def _add_texts(topic: Labelled, row: dict[str, str], place: str) -> None:
    for name in TEXTS:
        text, known = row.get(name, ""), getattr(topic, name)
        if text and known and text != known:
            problem = f"{place}: other {name} for {topic.name!r} than before ({text[:40]!r}, {known[:40]!r})"
            raise Refused(problem, f"give a topic its {name} once", code=Code.BAD_FILE)
        if text:
            setattr(topic, name, text)


def _rows(path: Path, needed: tuple[str, ...]) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows of a file with file name and line; raises Refused if a needed field is missing or empty."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            start = file.read(1 << 12).lstrip()
            file.seek(0)
            empty = True
            for line, row in _json_rows(path, file) if start.startswith("{") else _csv_rows(path, file, needed):
                place = f"{path}, line {line}"
                for name in needed:
                    if not row.get(name):
                        raise Refused(f"{place}: there is no {name}", _FIX, code=Code.BAD_FILE)
                empty = False
                yield place, row
            if empty:
                raise Refused(f"{path} holds no rows", _FIX, code=Code.EMPTY)
    except OSError as problem:
        raise unreadable(path, problem) from None
    except UnicodeDecodeError as problem:
        raise Refused(f"{path} is not UTF-8 (byte {problem.start})", "save it as UTF-8", code=Code.BAD_FILE) from None


def _json_rows(path: Path, file: Iterator[str]) -> Iterator[tuple[int, dict[str, str]]]:
    decoder = msgspec.json.Decoder(dict[str, Any])
    for number, line in enumerate(file, 1):
        if line.strip():
            try:
                row = decoder.decode(line)
            except msgspec.DecodeError as problem:
                raise Refused(
                    f"{path}, line {number}: {problem}", "write one JSON object per line", code=Code.BAD_FILE
                ) from None
            yield number, {name.lower(): _text(value) for name, value in row.items()}


def _text(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(_text, value))
    return "" if value is None else str(value).strip()


def _csv_rows(path: Path, file: Iterator[str], needed: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str]]]:
    header = next(file, "")
    # Spreadsheets write semicolons in locales with decimal commas.
    delimiter = max(",;\t", key=header.count)
    reader = csv.reader(chain([header], file), delimiter=delimiter, strict=True)
    try:
        names = [name.strip().lower() for name in next(reader, [])]
        for name in needed:
            if name not in names:
                raise Refused(f"{path}, line 1: there is no column {name}", _FIX, code=Code.BAD_FILE)
        for cells in reader:
            if not any(cells):
                continue
            if len(cells) > len(names):
                fix = "put texts with a comma into quotes"
                raise Refused(
                    f"{path}, line {reader.line_num}: {len(cells)} cells in {len(names)} columns",
                    fix,
                    code=Code.BAD_FILE,
                )
            yield reader.line_num, dict(zip(names, map(str.strip, cells), strict=False))
    except csv.Error as problem:
        raise Refused(
            f"{path}, line {reader.line_num}: {problem}", "correct the quotes in this row", code=Code.BAD_FILE
        ) from None
