"""The report on a checked test bed for the terminal: what it is, a table of its topics, and what is wrong with it."""

from __future__ import annotations

from statistics import mean

from rich.console import Console
from rich.table import Table
from rich.text import Text

from lycosa.app.wording import printable
from lycosa.lab.beds.inspection import BedReport, Reach, TopicReport

WARNINGS = 20
"""Warnings that are shown; the rest is only counted."""
OTHERS = 54
"""Width in characters of the number columns in the table of topics."""


def show(report: BedReport, console: Console) -> None:
    """Print the whole report."""
    console.print(_facts(report), Text(), _topics(report, console.width - OTHERS))
    for line in report.warnings[:WARNINGS]:
        console.print(Text(f"warning: {printable(line)}", style="yellow"), soft_wrap=True)
    if (more := len(report.warnings) - WARNINGS) > 0:
        console.print(Text(f"and {more:,} more warnings; --json has them all", style="yellow"))


def _facts(report: BedReport) -> Table:
    likeness, outgoing, incoming = report.locality, report.out_links, report.in_links
    inside = report.links_inside / report.links if report.links else 0.0
    others = {"redirects": report.redirects, "failures": report.failures, "robots.txt": report.robots}
    closed = f", {report.closed:,} of them closed by robots.txt" if report.closed else ""
    facts = {
        "bed": report.bed,
        "made from": report.made_from,
        "complete": "" if report.complete else "no: pages that are not there may exist",
        "pages": f"{report.pages:,} on {report.hosts:,} hosts{closed}",
        "same words": f"{report.repeats:,} pages have the words of another one" if report.repeats else "",
        "other answers": ", ".join(f"{count:,} {name}" for name, count in others.items() if count),
        "links": f"{report.links:,}, {inside:.0%} of them lead to an answer in the bed",
        "out-links": f"{outgoing.mean:.1f} to other pages of the bed, median {outgoing.median:.0f}, "
        f"most {outgoing.most:,}",
        "in-links": f"median {incoming.median:.0f}, most {incoming.most:,}",
        "likeness": f"{likeness.linked:.3f} of linked pages ({likeness.linked_abroad:.3f} across hosts), "
        f"{likeness.random:.3f} of any",
    }
    for task in _tasks(report):
        reached = [topic.reach[task] for topic in report.topics if task in topic.reach]
        if reached:
            facts[f"from {task}"] = _near(reached)
    table = Table.grid(padding=(0, 2))
    for name, value in facts.items():
        if value:
            table.add_row(Text(name, style="bold"), Text(printable(value)))
    return table


def _near(reached: list[Reach]) -> str:
    steps = reached[0].within
    shares = ", ".join(f"{mean(reach.within[near] for reach in reached):.0%}" for near in steps)
    share = mean(reach.share for reach in reached)
    return f"{share:.0%} of the targets in reach; {shares} within {', '.join(map(str, steps))} links"


def _topics(report: BedReport, width: int) -> Table:
    table = Table(box=None, padding=(0, 1), caption_justify="left", caption_style="dim")
    table.caption = (
        "reach: targets that links lead to, and how many links away: median/furthest. relevant links: those from a "
        "relevant page that lead to another one, and how often any link does. hub: targets on the best page's list."
    )
    table.add_column("topic", no_wrap=True, overflow="ellipsis", max_width=max(20, width))
    table.add_column("targets", justify="right")
    for task in _tasks(report):
        table.add_column(f"reach from\n{task}", justify="right")
    table.add_column("relevant\nlinks", justify="right")
    table.add_column("hub", justify="right")
    for topic in report.topics:
        reach = [_reach(topic.reach.get(task)) for task in _tasks(report)]
        links = f"{topic.relevant_links:.0%}, {topic.relevant_links_anywhere:.1%}"
        table.add_row(Text(printable(topic.id)), f"{topic.targets:,}", *reach, links, _hub(topic))
    return table


def _tasks(report: BedReport) -> list[str]:
    return [task for task in report.topics[0].seeds if any(topic.seeds[task] for topic in report.topics)]


def _reach(reach: Reach | None) -> str:
    return f"{reach.share:.0%} {reach.median:.0f}/{reach.furthest}" if reach else "-"


def _hub(topic: TopicReport) -> str:
    return f"{topic.hubs[0].targets / topic.targets:.0%}" if topic.hubs else "-"
