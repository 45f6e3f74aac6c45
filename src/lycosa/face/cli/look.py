"""`lycosa status`, `why`, `strategies` and `export`: show and export what there is."""

from __future__ import annotations

import json as json_format
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from msgspec import to_builtins
from rich.progress import Progress
from rich.table import Table
from rich.text import Text
from typer import Argument, Option

from lycosa.app import hunts
from lycosa.app.answers.hunt import Hop, HuntStatus, JudgedCount, ReaderAnswer, Why
from lycosa.app.estimates import worded
from lycosa.app.miss_reasons import withheld_words
from lycosa.app.rendering_costs import rendering_words
from lycosa.app.requests.search import ExportRequest
from lycosa.app.scope_words import outside_words
from lycosa.app.wording import harvest_words, on_topic, percent, printable, probability, size_of
from lycosa.core.nouns import PERSON
from lycosa.core.registry import Named
from lycosa.core.strategy import strategies as all_strategies
from lycosa.face.cli.remedies import remedy_lines
from lycosa.face.cli.request_options import from_request
from lycosa.face.cli.terminal import Terminal
from lycosa.system.errors import Code, Refused
from lycosa.web.tls_reasons import ADVICE

Json = Annotated[bool, Option("--json", help="Print only one JSON object.")]
Folder = Annotated[Path, Argument(help="Collection.")]


def status(folder: Folder, json: Json = False) -> None:
    """Show the state of a hunt, running or not."""
    report = hunts.status(folder)
    if json:
        print(json_format.dumps(to_builtins(report)))
        return
    limits = [f"{value:,} {name}" for name in ("pages", "bytes", "seconds") if (value := getattr(report.budget, name))]
    until = report.budget.until
    budget = ", ".join([*limits, *([f"until {percent(until)} of the relevant are found"] if until else [])])
    estimate = report.estimate
    # The line about the scope counts each of its links once.
    ignored = {reason: count for reason, count in report.left_out.items() if not reason.startswith("scope ")}
    rows = {
        "topic": report.keywords,
        **({"intent": report.intent} if report.intent else {}),
        "strategy": " ".join([report.strategy, *(f"{key}={value}" for key, value in report.settings.items())]),
        "state": f"{report.state}{': ' if report.reason else ''}{report.reason}",
        **({"": report.early} if report.early else {}),
        "pages": f"{report.pages:,} of {budget or 'no limit'}",
        "relevant pages": worded(estimate) if estimate else f"too early to tell: {report.too_early}",
        "judged": _judged(report.judged),
        **({"reader": _reader(report.reader)} if report.reader else {}),
        **({"browser": rendered} if (rendered := rendering_words(report.rendering)) else {}),
        "harvest": harvest_words(report.harvest),
        "bytes": size_of(report.bytes),
        "hosts": f"{report.hosts:,}",
        "frontier": f"{report.queued:,} links when last looked at",
        **({"scope": said} if (said := _scope(report)) else {}),
        "redirects": f"{report.redirects:,}",
        "misses": _counts(report.misses) or "none",
        **({"not followed": _counts(ignored)} if ignored else {}),
        **({"withheld": withheld_words(report.withheld)} if report.withheld else {}),
    }
    console = Terminal()
    table = Table.grid(padding=(0, 2))
    for name, value in rows.items():
        failed = name == "state" and report.failures
        table.add_row(Text(name, style="bold"), Text(printable(value), style="bold red" if failed else ""))
    console.print(table)
    for line in remedy_lines(report):
        console.print(Text(line), soft_wrap=True)
    for failure in report.failures:
        console.print(Text(printable(f"{failure.url}  {failure.line}"), style="red"), soft_wrap=True)
    for reason in report.misses:
        if advice := ADVICE.get(reason):
            console.print(Text(f"{reason}: {advice}"), soft_wrap=True)
    for page in report.best:
        shown = probability(page.relevance, page.known)
        console.print(Text(f"{shown:>6}  {printable(page.title)[:60]}  {page.url}"), soft_wrap=True)


def _scope(report: HuntStatus) -> str:
    counts = ((report.links_outside, "link"), (report.pages_outside, "page"))
    return "; ".join(outside_words(count, noun) for count, noun in counts if count)


def _counts(reasons: dict[str, int]) -> str:
    return ", ".join(f"{reason} ×{count:,}" for reason, count in reasons.items())


def _judged(judged: JudgedCount) -> str:
    if not judged.pages:
        return "none"
    by = ", ".join(f"{count:,} by {'people' if origin == PERSON else origin}" for origin, count in judged.by.items())
    return f"{judged.pages:,} pages, {judged.relevant:,} of them relevant ({by})"


def _reader(reader: ReaderAnswer) -> str:
    unusable = f", {reader.unusable:,} answers unusable" if reader.unusable else ""
    problem = f"; {reader.problem}" if reader.problem else ""
    return f"{reader.model}, {reader.calls:,} of {reader.budget:,} questions asked{unusable}{problem}"


def why(
    folder: Folder, url: Annotated[str, Argument(help="URL of a page in the collection.")], json: Json = False
) -> None:
    """Show why a page was fetched: the path from a seed, with score, rank and reasons at each hop."""
    path = hunts.why(folder, url)
    if json:
        print(json_format.dumps(to_builtins(Why(url=path[-1].url, collection=folder.name, path=path))))
        return
    console = Terminal()
    for line in explain(path):
        console.print(Text(line), soft_wrap=True)


def explain(path: list[Hop]) -> list[str]:
    """A path in words, each hop indented further."""
    return ["  " * depth + line for depth, hop in enumerate(path) for line in _explain(hop)]


def _explain(hop: Hop) -> list[str]:
    lines = [hop.url]
    if hop.via is None:
        lines.append("  a seed")
    elif hop.anchor:
        lines.append(f"  by the link «{printable(hop.anchor)[:80]}»")
    parts = ", ".join(f"{name} {value:.3f}" for name, value in hop.parts.items())
    lines.append(f"  score {hop.score:.3f}{f' ({parts})' if parts else ''}, rank {hop.rank} of {hop.queued:,} queued")
    lines += [f"  {reason}" for reason in hop.reasons]
    if hop.outcome == "page":
        title = f": {printable(hop.title)[:80]}" if hop.title else ""
        lines.append(f"  {on_topic(hop.relevance, hop.known)}{title}")
        if hop.withheld:
            lines.append(f"  withheld from searches and exports: {hop.withheld}")
        if hop.judge:
            lines.append(f"  score by the judge {hop.judge}: {hop.judge_score:.3f}")
    elif hop.outcome:
        lines.append(f"  {printable(hop.outcome)}")
        if advice := ADVICE.get(hop.outcome.removeprefix("missed: ")):
            lines.append(f"  {advice}")
    else:
        lines.append("  under way")
    return lines


def strategies(
    name: Annotated[str | None, Argument(help="Strategy to describe in full.")] = None, json: Json = False
) -> None:
    """List the strategies and their options."""
    show_components("strategy", all_strategies(), name, json)


def show_components(noun: str, registered: Mapping[str, type[Named]], name: str | None, json: bool) -> None:
    """Show all entries of a registry, one line each, or one of them in full."""
    if name is not None and name not in registered:
        raise Refused(
            f"unknown {noun} {name!r}", f"choose one of: {', '.join(registered)}", code=Code.UNKNOWN_NAME, field="name"
        )
    chosen = registered if name is None else {name: registered[name]}
    if json:
        print(json_format.dumps({key: hunts.describe(kind) for key, kind in chosen.items()}))
        return
    console = Terminal()
    for key, kind in chosen.items():
        about = hunts.describe(kind)
        settings = "  ".join(f"{option['name']}={option['default']}" for option in about["options"])
        console.print(
            Text.assemble((f"{key:<16}", "bold cyan"), about["summary"], (f"   {settings}", "dim")), soft_wrap=True
        )
        if name is not None:
            console.print(Text("\n" + about["about"]))


@from_request(ExportRequest, before=["folder", "target"])
def export(
    request: ExportRequest,
    folder: Folder,
    target: Annotated[
        Path, Argument(help="File ending in .jsonl, .csv, .parquet, .warc.gz or .wacz, or a folder for Markdown files.")
    ],
) -> None:
    """Export the pages to a file or folder for other tools."""
    console = Terminal(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        job = bar.add_task("exporting", total=None)
        written = hunts.export_request(
            folder, target, request, progress=lambda done, total: bar.update(job, completed=done, total=total)
        )
    damaged = f", {written.skipped:,} damaged and left out" if written.skipped else ""
    print(f"{written.pages:,} pages in {target}{damaged}")
