"""Tools that teach a hunt: which pages are in doubt, and judging them."""

from __future__ import annotations

from typing import Annotated

from mcp_types import CallToolResult
from pydantic import BaseModel, ConfigDict, Field

from lycosa.app import judging
from lycosa.app.jobs.hunt_state import AT_WORK
from lycosa.app.wording import counted, probability
from lycosa.core.nouns import Judgement as Said
from lycosa.face.mcp.tool_context import Name, ToolContext, Url
from lycosa.face.mcp.tool_results import Doubt, DoubtsResult, DoubtWords, JudgedResult
from lycosa.face.mcp.untrusted_text import address, line

_SENTENCE = 240


class JudgementArgument(BaseModel):
    """What is said of a page."""

    model_config = ConfigDict(extra="forbid")

    url: Url
    relevant: Annotated[
        bool | None, Field(description="Whether the page is what the hunt is for; null takes back what was said of it.")
    ]


class JudgingTools:
    """MCP tools for judging pages."""

    def __init__(self, tool_context: ToolContext) -> None:
        self.tool_context = tool_context

    def pages_in_doubt(
        self, name: Name, limit: Annotated[int, Field(ge=1, le=20, description="How many to return at most.")] = 5
    ) -> Annotated[CallToolResult, DoubtsResult]:
        """The pages whose judgement would teach a hunt most, each with excerpts to judge it by. Fetches nothing.

        Use it when the harvest is low or falls: read the excerpts, then say with judge_pages which pages are what the
        user wants. A handful of judgements is often enough.
        """
        found = judging.doubts(self.tool_context.collection(name), limit)
        pages = [
            Doubt(
                relevance=row["relevance"],
                untrusted=DoubtWords(
                    url=address(row["url"]),
                    title=line(row["title"]),
                    via=address(row["path"][-2]) if len(row["path"]) > 1 else "",
                    anchor=line(row["anchor"]),
                    excerpt=[line(sentence, _SENTENCE) for sentence in row["excerpt"]],
                ),
            )
            for row in found["doubts"]
        ]
        said = f"{counted(len(pages), 'page')} to judge with judge_pages." if pages else "No page is in doubt."
        return self.tool_context.answer(
            DoubtsResult, said + _learning(found["learns"]), map(_shown, pages), learns=found["learns"], pages=pages
        )

    def judge_pages(
        self,
        name: Name,
        judgements: Annotated[
            list[JudgementArgument], Field(min_length=1, max_length=100, description="Pages of the collection, judged.")
        ],
    ) -> Annotated[CallToolResult, JudgedResult]:
        """Say of pages whether they are relevant; the hunt learns from it, at once if it runs, else when it goes on.

        Judge by what the user wants, not by what a page says of itself. All judgements count, or none where one of
        the URLs is no page of the collection. Judging a page again replaces what was said before, and null takes it
        back: the hunt unlearns it.
        """
        folder = self.tool_context.collection(name)
        done = judging.judge(folder, [Said(one.url, one.relevant) for one in judgements])
        learns = judging.learns(folder)
        at_work = self.tool_context.jobs.status(name).state in AT_WORK
        when = "at once" if at_work else "when crawl_more goes on with it"
        withdrawn = sum(said["relevant"] is None for said in done["judged"])
        count = len(done["judged"]) - withdrawn
        noted = [f"{counted(count, 'judgement')} taken"] if count else []
        noted += [f"{counted(withdrawn, 'judgement')} withdrawn"] if withdrawn else []
        return self.tool_context.answer(
            JudgedResult,
            f"{', '.join(noted)}; the hunt hears of it {when}.{_learning(learns)}",
            judged=count,
            withdrawn=withdrawn,
            learns=learns,
            when=when,
        )


def _learning(learns: bool) -> str:
    return "" if learns else " This hunt's strategy does not learn from judgements; they count for the estimate only."


def _shown(page: Doubt) -> str:
    words = page.untrusted
    return "\n".join(
        [f"{probability(page.relevance)}: {words.url} «{words.title}»", *(f"   {each}" for each in words.excerpt)]
    )
