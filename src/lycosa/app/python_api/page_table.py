"""The pages of a collection as a table, for pandas, polars, Arrow and notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from lycosa.app.communities import current_collection
from lycosa.store.arrow_batches import batches, schema_of
from lycosa.store.collection import Collection
from lycosa.store.page_selection import COLUMNS, Conditions, PageSelection
from lycosa.system.errors import check_range, needs_package

_SHOWN = 10
"""Pages that a notebook shows."""


class PageTable:
    """The pages of a collection, best first; iterate over it for one dict per page.

    It reads the collection each time it is used, so it follows a hunt that still runs. pyarrow, polars and DuckDB take
    it as it is, because it speaks Arrow's protocol for data frames.
    """

    def __init__(self, folder: str | Path, *, min_relevance: float | None = None, text: bool = False) -> None:
        """With `text`, each page comes with its text, which is read from the archive."""
        check_range("min_relevance", min_relevance, 0, 1)
        self.folder = Path(folder)
        self.min_relevance = min_relevance
        self.text = text
        with current_collection(self.folder) as place, Collection.open(place):
            pass  # a folder that is no collection is refused now

    def __iter__(self) -> Iterator[dict[str, object]]:
        from lycosa.web.parse import parse

        with current_collection(self.folder) as place, Collection.open(place) as collection:
            selection = PageSelection(collection, parse, Conditions(self.min_relevance))
            yield from selection.texts() if self.text else selection.about()

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return [*COLUMNS, *(["text"] if self.text else [])]

    def to_arrow(self) -> Any:
        """A pyarrow Table."""
        schema = schema_of(text=self.text)
        import pyarrow

        return pyarrow.Table.from_batches(batches(iter(self), schema), schema)

    def to_pandas(self) -> Any:
        """A pandas DataFrame; `fetched` is a time."""
        try:
            import pandas
        except ImportError:
            raise needs_package("pandas", "a data frame", "pandas") from None
        frame = pandas.DataFrame.from_records(list(self), columns=self.columns)
        frame["fetched"] = pandas.to_datetime(frame["fetched"], utc=True)
        return frame

    def to_polars(self) -> Any:
        """A polars DataFrame; `fetched` is a time."""
        try:
            import polars
        except ImportError:
            raise needs_package("polars", "a data frame", "polars") from None
        kinds = {str: polars.String, float: polars.Float64, int: polars.Int64}
        schema = {name: kinds[COLUMNS.get(name, str)] for name in self.columns}
        frame = polars.DataFrame(list(self), schema=schema)
        return frame.with_columns(polars.col("fetched").str.to_datetime(time_zone="UTC"))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table in Arrow's own form, for every library that reads it."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        rows = [row for row, _ in zip(self, range(_SHOWN), strict=False)]
        return table_html(rows, ("relevance", "title", "url"))


def table_html(rows: list[dict[str, object]], columns: tuple[str, ...]) -> str:
    """Rows as a table for a notebook; titles and URLs are written by strangers, so they are text and nothing else."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(row.get(name))}</td>' for name in columns)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float) else escape("" if value is None else str(value))
