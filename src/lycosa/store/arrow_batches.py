"""Pages as Arrow record batches: the table of exports, and of Python callers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from lycosa.store.page_selection import COLUMNS
from lycosa.system.errors import needs_package

_BATCH = 1000


def schema_of(*, text: bool) -> Any:
    """The columns and their types; `text` adds the text."""
    try:
        import pyarrow as arrow
    except ImportError:
        raise needs_package("pyarrow", "an Arrow table", "parquet") from None
    kinds = {str: arrow.string(), float: arrow.float64(), int: arrow.int64()}
    return arrow.schema([(name, kinds[kind]) for name, kind in ({**COLUMNS, "text": str} if text else COLUMNS).items()])


def batches(records: Iterable[dict[str, object]], schema: Any) -> Iterator[Any]:
    """The records as batches of a schema."""
    import pyarrow as arrow

    rest = map(_encodable, records)
    while batch := list(islice(rest, _BATCH)):
        yield arrow.RecordBatch.from_pylist(batch, schema)


def _encodable(record: dict[str, object]) -> dict[str, Any]:
    return {k: v.encode("utf-8", "replace").decode() if isinstance(v, str) else v for k, v in record.items()}
