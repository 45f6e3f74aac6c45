"""Pages as rows: JSON Lines, CSV and Parquet."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from lycosa.store.page_selection import COLUMNS, PageSelection
from lycosa.system.errors import Code, Refused

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""First characters that make a spreadsheet treat a cell as a formula; titles are written by strangers."""
_BATCH = 1000


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
    try:
        import pyarrow as arrow
        from pyarrow.parquet import ParquetWriter
    except ImportError:
        raise Refused(
            "Parquet needs pyarrow", "pip install 'lycosa[parquet]'", code=Code.NEEDS_PACKAGE, field="format"
        ) from None
    kinds = {str: arrow.string(), float: arrow.float64(), int: arrow.int64()}
    schema = arrow.schema([(name, kinds[kind]) for name, kind in {**COLUMNS, "text": str}.items()])
    with ParquetWriter(path, schema, compression="zstd") as writer:
        for records in _batches(selection.texts()):
            writer.write_table(arrow.Table.from_pylist([_encodable(record) for record in records], schema))


def _defused(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _encodable(record: dict[str, object]) -> dict[str, Any]:
    return {k: v.encode("utf-8", "replace").decode() if isinstance(v, str) else v for k, v in record.items()}


def _batches(records: Iterable[dict[str, object]]) -> Iterator[list[dict[str, object]]]:
    rest = iter(records)
    while batch := list(islice(rest, _BATCH)):
        yield batch
