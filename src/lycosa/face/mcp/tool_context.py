"""What every tool works with: the hunt jobs, the agent budget, and answers that mark what strangers wrote."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, TypeVar

from mcp_types import CallToolResult, ContentBlock, TextContent
from pydantic import Field

from lycosa.app.jobs import HuntJobs
from lycosa.app.jobs.catalog import COLLECTION
from lycosa.app.wording import counted, size_of
from lycosa.face.mcp.agent_budget import AgentBudget, Left
from lycosa.face.mcp.tool_results import BudgetLeft, ToolResult
from lycosa.face.mcp.untrusted_text import block

A = TypeVar("A", bound=ToolResult)

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


class ToolContext:
    """The hunt jobs, and the agent budget that pays for them."""

    def __init__(self, jobs: HuntJobs, agent_budget: AgentBudget) -> None:
        self.jobs = jobs
        self.agent_budget = agent_budget

    def folder(self, name: str) -> Path:
        """The folder of a collection or community; only for calls of our own code, never shown in an answer."""
        return self.jobs.folder(name)

    def collection(self, name: str) -> Path:
        """The folder of a hunt's collection; not of a community."""
        return self.jobs.folder(name, COLLECTION)

    def answer(
        self,
        kind: type[A],
        said: str,
        strangers: Iterable[str] = (),
        *,
        attached: Iterable[ContentBlock] = (),
        **facts: Any,
    ) -> CallToolResult:
        """An answer as data and as concise text: our own words, a block of what strangers wrote, and the budget."""
        left = self.agent_budget.left()
        data = kind(budget_left=BudgetLeft(pages=left.pages, bytes=left.bytes), **facts)
        lines = list(strangers)
        text = "\n".join([said, *([block(lines)] if lines else []), self.budget(left)])
        return CallToolResult(
            content=[TextContent(type="text", text=text), *attached], structured_content=data.model_dump(mode="json")
        )

    def budget(self, left: Left | None = None) -> str:
        """What is left to spend, in words."""
        left = left or self.agent_budget.left()
        return f"Budget left in this session: {counted(left.pages, 'page')}, {size_of(left.bytes)}."
