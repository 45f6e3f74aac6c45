"""`lycosa rounds`: consecutive crawls, each from the best hubs of the one before."""

from __future__ import annotations

import asyncio
import json as json_format
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from typer import Argument

from lycosa.app import hunts
from lycosa.face.cli.crawl import EXIT, folder_name, read_seeds, read_setting, run_to_end, show_ending
from lycosa.face.cli.options import (
    Allow,
    BudgetOption,
    Ca,
    NetworkOption,
    OutputOption,
    PolitenessOption,
    Proxy,
    ScopeOption,
    StartOption,
    StrategyOption,
    TopicOption,
    Within,
    Without,
)
from lycosa.face.cli.terminal import Terminal

if TYPE_CHECKING:
    from lycosa.app.rounds import Rounds


def rounds(
    keywords: Annotated[list[str] | None, Argument(help="Topic to hunt for; leave out to continue --out.")] = None,
    judge: Annotated[
        str, TopicOption(help="Judge that scores pages, as NAME[:option=value,...]; `lycosa judges` lists them.")
    ] = "cosine",
    relevant: Annotated[
        float | None,
        TopicOption(
            help="Relevance from which a page counts as relevant.  [default: mean relevance of the first round]"
        ),
    ] = None,
    background: Annotated[
        str, TopicOption(help="Pages that provide word frequencies: a collection, test bed or WARC.")
    ] = "",
    taxonomy: Annotated[str, TopicOption(help="File of categories with example pages.")] = "",
    good: Annotated[list[str] | None, TopicOption(help="Category of the taxonomy to hunt; repeatable.")] = None,
    seed: Annotated[list[str] | None, StartOption(help="URL to start from; repeatable.")] = None,
    seeds: Annotated[Path | None, StartOption(help="File with one URL per line; # starts a comment.")] = None,
    on_topic: Annotated[
        bool,
        StartOption("--on-topic/--off-topic", help="Whether the seeds are examples of the topic or only start points."),
    ] = True,
    hubs: Annotated[int, StartOption(help="Number of hubs of a round from which the next round starts.")] = 200,
    bed: Annotated[Path | None, StartOption(help="Replay this test bed in virtual time instead of using HTTP.")] = None,
    topic: Annotated[str | None, StartOption(help="Topic of the test bed to hunt.")] = None,
    task: Annotated[str, StartOption(help="Seeds of the test bed to start from: examples or neighbors.")] = "examples",
    replay: Annotated[
        str | None, StartOption(help="Replay this WARC, collection or made web instead of using HTTP.")
    ] = None,
    rounds: Annotated[int, BudgetOption(help="Number of rounds.")] = 4,
    pages: Annotated[int | None, BudgetOption(help="Maximum pages to keep per round; 0 = no limit.")] = 1000,
    seconds: Annotated[float | None, BudgetOption(help="Maximum seconds to crawl per round.")] = None,
    within: Within = None,
    without: Without = None,
    per_host: Annotated[int | None, ScopeOption(help="Maximum pages per host and round.")] = None,
    new: Annotated[bool, ScopeOption("--new", help="Do not fetch pages again that an earlier round has.")] = False,
    delay: Annotated[
        float | None, PolitenessOption(help="Seconds between two requests to the same host.  [default: 1]")
    ] = None,
    contact: Annotated[
        str, PolitenessOption(help="URL or e-mail address for webmasters; sent as part of the user agent.")
    ] = "",
    workers: Annotated[int | None, NetworkOption(help="Maximum concurrent requests.  [default: 16]")] = None,
    processes: Annotated[int, NetworkOption(help="Scout processes; 0 = CPU cores - 1.")] = 0,
    proxy: Proxy = None,
    ca: Ca = None,
    allow: Allow = None,
    strategy: Annotated[
        str, StrategyOption(help="Strategy that scores links; `lycosa strategies` lists them.")
    ] = "tids",
    set: Annotated[list[str] | None, StrategyOption(help="Strategy option, as option=value; repeatable.")] = None,
    inlinks: Annotated[list[str] | None, StrategyOption(help="Source of in-links; repeatable.")] = None,
    reach: Annotated[
        int, StrategyOption(help="How far down the queue to look for a host that is ready; 1 = strict best-first.")
    ] = 16,
    dice: Annotated[int, StrategyOption(help="Random seed.")] = 1,
    out: Annotated[Path | None, OutputOption(help="Folder of the rounds.  [default: named after the keywords]")] = None,
    json: Annotated[bool, OutputOption("--json", help="Print only one JSON object, at the end.")] = False,
) -> None:
    """Hunt in several rounds, each starting from the best hubs of the round before."""
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
    for each in found.results():
        console.print(
            f"{each.number:>5}  {each.pages:>7,}  {each.precision:>9.3f}  {each.harvest:>7.3f}  {each.new:>7,}  "
            f"{each.new_relevant:>16,}"
        )
