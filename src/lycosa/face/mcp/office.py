"""What every tool works with: the desk, the purse, and a way to answer that says what is left and what is not ours."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, TypeVar

from mcp_types import CallToolResult, ContentBlock, TextContent
from pydantic import Field

from lycosa.face.counting import counted
from lycosa.face.desk import Desk
from lycosa.face.desk.shelf import COLLECTION
from lycosa.face.mcp.answers import Answer, BudgetLeft
from lycosa.face.mcp.purse import Left, Purse
from lycosa.face.mcp.strangers import block
from lycosa.face.view import size_of

A = TypeVar("A", bound=Answer)

Name = Annotated[
    str,
    Field(
        min_length=1,
        max_length=80,
        pattern=r"^[a-z0-9][a-z0-9._-]*$",
        description="Name of a collection, as list_collections or start_hunt gave it.",
    ),
]
Url = Annotated[
    str, Field(min_length=4, max_length=2048, description="URL of a page of the collection, exactly as a tool gave it.")
]
Limit = Annotated[int, Field(ge=1, le=50, description="How many to return at most.")]


class Office:
    """The desk with its hunts, and the purse that they are paid from."""

    def __init__(self, desk: Desk, purse: Purse) -> None:
        self.desk = desk
        self.purse = purse

    def folder(self, name: str) -> Path:
        """The folder of a collection or community; for our own verbs, never for an answer."""
        return self.desk.folder(name)

    def collection(self, name: str) -> Path:
        """The folder of a hunt's collection; not of a community."""
        return self.desk.folder(name, COLLECTION)

    def answer(
        self,
        kind: type[A],
        said: str,
        strangers: Iterable[str] = (),
        *,
        more: Iterable[ContentBlock] = (),
        **facts: Any,
    ) -> CallToolResult:
        """An answer as data and as concise text: what we say, a block of what strangers say, and the budget."""
        left = self.purse.left()
        data = kind(budget_left=BudgetLeft(pages=left.pages, bytes=left.bytes), **facts)
        lines = list(strangers)
        text = "\n".join([said, *([block(lines)] if lines else []), self.budget(left)])
        return CallToolResult(
            content=[TextContent(type="text", text=text), *more], structured_content=data.model_dump(mode="json")
        )

    def budget(self, left: Left | None = None) -> str:
        """What is left to spend, in words."""
        left = left or self.purse.left()
        return f"Budget left in this session: {counted(left.pages, 'page')}, {size_of(left.bytes)}."

    def plainly(self, text: str) -> str:
        """What a verb complains of, with names for folders and without commands to type."""
        return self.desk.plainly(text)
