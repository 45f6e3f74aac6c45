"""`lycosa rounds`: consecutive crawls, each from the best hubs of the one before."""

from __future__ import annotations

import asyncio
import json as json_format
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from typer import Argument, Option

from lycosa.app import hunts
from lycosa.face.cli.crawl import EXIT, folder_name, read_seeds, read_setting, run_to_end, show_ending
from lycosa.face.cli.options import Allow, Ca, Proxy, Within, Without
from lycosa.face.cli.terminal import Terminal

if TYPE_CHECKING:
    from lycosa.app.rounds import Rounds


def rounds(
    keywords: Annotated[list[str] | None, Argument(help="What to hunt for; left out to go on with --out.")] = None,
    seed: Annotated[list[str] | None, Option(help="A URL to start from; repeatable.")] = None,
    seeds: Annotated[Path | None, Option(help="A file with one URL a line; # begins a comment.")] = None,
    out: Annotated[Path | None, Option(help="Folder of the rounds, named after the keywords by default.")] = None,
    rounds: Annotated[int, Option(help="How many crawls.")] = 4,
    pages: Annotated[int | None, Option(help="Pages to keep in each round at most; 0 for no limit.")] = 1000,
    seconds: Annotated[float | None, Option(help="Seconds to crawl in each round at most.")] = None,
    hubs: Annotated[int, Option(help="Hubs of a round from which the next one starts.")] = 200,
    relevant: Annotated[
        float | None,
        Option(help="From which relevance on a page is relevant.  [default: the mean of the first round]"),
    ] = None,
    new: Annotated[bool, Option("--new", help="Fetch no page again that an earlier round has.")] = False,
    strategy: Annotated[str, Option(help="How to hunt; `lycosa strategies` lists them.")] = "tids",
    set: Annotated[list[str] | None, Option(help="A strategy option, as option=value; repeatable.")] = None,
    judge: Annotated[str, Option(help="Who says how relevant a page is, as NAME[:option=value,...].")] = "cosine",
    on_topic: Annotated[
        bool, Option("--on-topic/--off-topic", help="Whether the seeds are examples of what is hunted.")
    ] = True,
    inlinks: Annotated[list[str] | None, Option(help="Who knows which pages link to a page.")] = None,
    background: Annotated[str, Option(help="Pages that tell how usual words are: a collection, bed or WARC.")] = "",
    taxonomy: Annotated[str, Option(help="A file of categories with example pages.")] = "",
    good: Annotated[list[str] | None, Option(help="A category of the taxonomy that is hunted.")] = None,
    delay: Annotated[float | None, Option(help="Seconds of rest between two requests to a host.  [default: 1]")] = None,
    workers: Annotated[int | None, Option(help="Requests under way at the same time.  [default: 16]")] = None,
    processes: Annotated[int, Option(help="Scout processes; 0 means one fewer than there are cores.")] = 0,
    reach: Annotated[int, Option(help="How far down the queue to look for a rested host.")] = 16,
    per_host: Annotated[int | None, Option(help="Pages at most from one host in each round.")] = None,
    within: Within = None,
    without: Without = None,
    contact: Annotated[str, Option(help="A URL or address where webmasters reach you; part of the user agent.")] = "",
    proxy: Proxy = None,
    ca: Ca = None,
    allow: Allow = None,
    bed: Annotated[Path | None, Option(help="Replay this test bed in virtual time instead of using HTTP.")] = None,
    topic: Annotated[str | None, Option(help="The bed's topic to hunt.")] = None,
    task: Annotated[str, Option(help="Where the bed's seeds are: examples or neighbors.")] = "examples",
    replay: Annotated[str | None, Option(help="Replay this WARC, collection or made web instead of HTTP.")] = None,
    dice: Annotated[int, Option(help="Seed of the strategy's randomness.")] = 1,
    json: Annotated[bool, Option("--json", help="Print one JSON object at the end and nothing else.")] = False,
) -> None:
    """Hunt several times: each round starts from the best hubs among the relevant pages of the one before."""
    from lycosa.app.rounds import Rounds

    words = " ".join(keywords or [])
    plan = None
    if words or bed or seed or seeds or out is None:
        plan = hunts.make_plan(
            words,
            [*(seed or []), *(read_seeds(seeds) if seeds else [])],
            pages=pages or None,
            seconds=seconds,
            strategy=strategy,
            settings=dict(map(read_setting, set or [])),
            judge=judge,
            on_topic=on_topic,
            sources={
                "inlinks": tuple(inlinks or ()),
                "background": background,
                "taxonomy": taxonomy,
                "good": tuple(good or ()),
            },
            delay=delay,
            workers=workers,
            within=within or (),
            without=without or (),
            rules={"per_host": per_host},
            http={"contact": contact, "proxy": proxy, "ca": ca, "allow": tuple(allow or ())},
            bed=bed,
            topic=topic,
            task=task,
            replay=replay,
            processes=processes,
            reach=reach,
            seed=dice,
        )
    found = Rounds(
        out or Path(folder_name(topic or words)),
        rounds=rounds,
        plan=plan,
        hubs=hubs,
        relevant=relevant,
        new=new,
        proxy=proxy,
        ca=ca,
    )
    console = Terminal()
    for hunt in found:
        name = hunt.collection.folder.name
        if not json:
            console.print(f"{name}: {len(hunt.plan.seeds):,} start pages", soft_wrap=True)
        with hunt:
            asyncio.run(run_to_end(hunt, console, quiet=json))
            stopped = hunt.crawl.stopped
        if not json and stopped:
            console.print(f"{name}: {stopped.reason}; {hunt.crawl.tally.pages:,} pages", soft_wrap=True)
            show_ending(hunts.status(hunt.collection.folder), hunt.plan, console, resume=False)
    told = found.as_dict()
    if json:
        print(json_format.dumps(told))
    else:
        _show(found, console)
        if told["state"] != "finished":
            console.print(f"go on with: lycosa rounds --out {found.folder} --rounds {rounds}", soft_wrap=True)
    if told["state"] != "finished":
        raise typer.Exit(EXIT["failed" if told["state"] == "failed" else "stopped"])


def _show(found: Rounds, console: Console) -> None:
    """The rounds as a table."""
    console.print(f"relevant: {found.threshold:.3f} or more")
    console.print("round    pages  precision  harvest      new  new and relevant")
    for each in found.told():
        console.print(
            f"{each.number:>5}  {each.pages:>7,}  {each.precision:>9.3f}  {each.harvest:>7.3f}  {each.new:>7,}  "
            f"{each.new_relevant:>16,}"
        )
