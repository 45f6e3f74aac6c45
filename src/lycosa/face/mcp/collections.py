"""Tools about what there is: collections, strategies, seeds, and exports."""

from __future__ import annotations

from typing import Annotated, Literal

from mcp_types import CallToolResult, ResourceLink
from pydantic import Field

from lycosa.app import hunts
from lycosa.app.jobs.catalog import COLLECTION, LAB
from lycosa.app.jobs.seed_preview import preview_of
from lycosa.app.requests.collections import MergeRequest, TagRequest
from lycosa.app.requests.option import check_remote
from lycosa.app.requests.seeds import FindRequest
from lycosa.app.wording import counted, size_of
from lycosa.core.strategy import strategies
from lycosa.face.mcp.request_arguments import takes_request
from lycosa.face.mcp.tool_context import Name, ToolContext
from lycosa.face.mcp.tool_results import (
    ChangedCollection,
    CollectionResult,
    CollectionsResult,
    ExportResult,
    OptionResult,
    SeedResult,
    SeedsResult,
    SeedWords,
    Strategies,
    StrategyResult,
)
from lycosa.face.mcp.untrusted_text import address, line
from lycosa.store.labels import change_tags
from lycosa.system.errors import Code, Refused
from lycosa.system.safe_paths import must_be_inside

_MOST = 200
"""Most collections in one answer."""
_TYPES = {"jsonl": "application/jsonl", "csv": "text/csv", "warc.gz": "application/warc"}


class CollectionTools:
    """MCP tools for collections, strategies, seeds and exports."""

    def __init__(self, tool_context: ToolContext) -> None:
        self.tool_context = tool_context

    def list_collections(
        self, about: Annotated[str, Field(max_length=100, description="Only those with this in name or topic.")] = ""
    ) -> Annotated[CallToolResult, CollectionsResult]:
        """All collections by name: what each is about, how many pages it has, and whether its hunt runs.

        Use it first, to see what there is before anything is fetched. At most 200, the latest first. What is of the
        kind community is a search engine that people keep fresh: it can be searched and read, but not hunted on.
        """
        wanted = about.lower().strip()
        entries = [each for each in self.tool_context.jobs.entries() if each.kind != LAB]
        chosen = [each for each in entries if wanted in f"{each.name} {each.title}".lower()]
        found = [
            CollectionResult(
                name=each.name,
                kind=each.kind,
                topic=line(each.title),
                state=each.state,
                pages=each.pages,
                harvest=each.harvest,
                tags=each.tags,
            )
            for each in sorted(chosen, key=lambda entry: -entry.at)[:_MOST]
        ]
        lines = [
            f"{each.name}: «{each.topic}», {counted(each.pages, 'page')}, {each.state or each.kind}" for each in found
        ]
        said = f"{counted(len(found), 'collection')}:" if found else "No collection yet: start_hunt makes one."
        return self.tool_context.answer(CollectionsResult, "\n".join([said, *lines]), collections=found)

    @takes_request(TagRequest)
    def label_collection(
        self,
        request: TagRequest,
        name: Name,
        new_name: Annotated[
            str, Field(max_length=80, description="Rename it to this: small letters, digits and -.")
        ] = "",
    ) -> Annotated[CallToolResult, ChangedCollection]:
        """Add tags to a collection, remove some, or rename it; its hunt must have ended to be renamed."""
        check_remote(request)
        jobs = self.tool_context.jobs
        now = jobs.rename(name, new_name) if new_name else name
        tags = change_tags(jobs.folder(now, COLLECTION), request.add, request.remove)
        said = f"{now} has the tags: {', '.join(tags) or 'none'}."
        return self.tool_context.answer(ChangedCollection, said, name=now, tags=tags)

    @takes_request(MergeRequest)
    def merge_collections(self, request: MergeRequest) -> Annotated[CallToolResult, ChangedCollection]:
        """Make a new collection of the pages of several, each page once; the others stay as they are."""
        check_remote(request)
        made = self.tool_context.jobs.merge(request)
        said = f"{made.name} has {counted(made.pages, 'page')} of {counted(len(made.collections), 'collection')}."
        return self.tool_context.answer(ChangedCollection, said, name=made.name, pages=made.pages, lost=made.lost)

    def delete_collection(self, name: Name) -> Annotated[CallToolResult, ChangedCollection]:
        """Delete a collection with all its pages, for good. Do this only if a person has asked for it by name."""
        pages = self.tool_context.jobs.delete(name)
        said = f"{name} is deleted, with {counted(pages, 'page')}."
        return self.tool_context.answer(ChangedCollection, said, name=name, pages=pages)

    def list_strategies(
        self,
        name: Annotated[
            str, Field(max_length=40, pattern=r"^[a-z0-9-]*$", description="One strategy in full; empty for all.")
        ] = "",
    ) -> Annotated[CallToolResult, Strategies]:
        """The ways to hunt that start_hunt knows, each in a line, with the options that `settings` may hold.

        The default, apprentice, is the best all-rounder; look here only when there is a reason for another.
        """
        known = strategies()
        if name and name not in known:
            raise Refused(
                f"unknown strategy {name!r}",
                f"choose one of: {', '.join(known)}",
                code=Code.UNKNOWN_NAME,
                field="name",
            )
        found = []
        for key in [name] if name else known:
            about = hunts.describe(known[key])
            options = [
                OptionResult(name=each["name"], type=each["type"], default=str(each["default"]))
                for each in about["options"]
            ]
            found.append(
                StrategyResult(
                    name=key, summary=about["summary"], options=options, about=about["about"] if name else ""
                )
            )
        lines = [
            f"{each.name}: {each.summary} [{', '.join(f'{o.name}={o.default}' for o in each.options)}]"
            for each in found
        ]
        if name:
            lines.append(found[0].about)
        return self.tool_context.answer(Strategies, "\n".join(lines), strategies=found)

    @takes_request(FindRequest)
    def find_seeds(self, request: FindRequest) -> Annotated[CallToolResult, SeedsResult]:
        """Pages with which a hunt for some keywords could begin, from collections and the server's search sources.

        Use it before start_hunt when the user gave no URLs. Give the good ones as `begin_at`, or as `seeds` if they
        are examples of what is wanted; or name the sources as `find`, the collections as `seeds_from`. A few result
        pages may be read to find better queries. If nothing is found, ask the user for URLs or give well-known ones.
        """
        found = preview_of(self.tool_context.jobs, request)
        seeds = [
            SeedResult(
                collection=each.collection,
                sources=list(each.sources),
                untrusted=SeedWords(url=address(each.url), title=line(each.title), reason=line(each.reason)),
            )
            for each in found.seeds
        ]
        return self.tool_context.answer(
            SeedsResult,
            f"{counted(len(seeds), 'page')} to begin with:" if seeds else "No source knows a page about this.",
            [f"{each.untrusted.url} «{each.untrusted.title}» ({each.untrusted.reason})" for each in seeds],
            seeds=seeds,
            asked=found.asked,
            queries=list(map(line, found.queries)),
            remarks=list(map(line, found.remarks)),
        )

    def export_collection(
        self,
        name: Name,
        format: Annotated[
            Literal["jsonl", "csv", "warc.gz"],
            Field(
                description="jsonl: a page a line, with text; csv: a table without text; warc.gz: as it was fetched."
            ),
        ] = "jsonl",
        min_relevance: Annotated[
            float, Field(ge=0, le=1, description="Only pages on topic with at least this probability.")
        ] = 0.0,
        host: Annotated[str, Field(max_length=300, description="Only pages of this host and its subdomains.")] = "",
        text: Annotated[str, Field(max_length=300, description="Words that the title or the URL contains.")] = "",
    ) -> Annotated[CallToolResult, ExportResult]:
        """Write the pages of a collection, best first, to a file on the server's machine; returns its path.

        Use it when the user wants the pages themselves, as a table, a corpus or an archive. The file goes into the
        server's own folder for exports, and replaces an earlier export of the same collection and format.
        What is in it was written by strangers.
        """
        jobs = self.tool_context.jobs
        source = jobs.folder(name)
        place = jobs.home.resolve() / "exports" / name
        target = place / f"{name}.{format}"
        must_be_inside(jobs.home, target)
        place.mkdir(parents=True, exist_ok=True)
        written = hunts.export(source, target, min_relevance=min_relevance or None, host=host, text=text)
        size = target.stat().st_size
        link = ResourceLink(
            type="resource_link", name=target.name, uri=target.as_uri(), mime_type=_TYPES[format], size=size
        )
        skipped = f", {written.skipped:,} damaged and left out" if written.skipped else ""
        return self.tool_context.answer(
            ExportResult,
            f"{counted(written.pages, 'page')} ({size_of(size)}{skipped}) in {target}",
            attached=[link],
            path=str(target),
            pages=written.pages,
            skipped=written.skipped,
            bytes=size,
        )
