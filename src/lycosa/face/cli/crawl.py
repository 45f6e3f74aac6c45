"""`lycosa crawl` and `lycosa resume`."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text
from typer import Argument

from lycosa.app import hunts
from lycosa.app.hunt_ending import in_a_line, problem_of
from lycosa.app.wording import printable
from lycosa.engine.hunt import Hunt
from lycosa.engine.plan import Plan
from lycosa.face.cli.live_view import watch
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
from lycosa.system.errors import Code, Interrupted, Refused

EXIT = {"finished": 0, "failed": 1, "stopped": 130}
"""The exit code for each state in which a hunt can end."""
_LISTED = 20
"""Failed seeds that are listed one by one."""


def crawl(
    keywords: Annotated[list[str] | None, Argument(help="Topic to hunt for, in a few words.")] = None,
    judge: Annotated[
        str, TopicOption(help="Judge that scores pages, as NAME[:option=value,...]; `lycosa judges` lists them.")
    ] = "cosine",
    relevant: Annotated[float | None, TopicOption(help="Relevance from which a page counts as relevant.")] = None,
    background: Annotated[
        str, TopicOption(help="Pages that provide word frequencies: a collection, test bed or WARC.")
    ] = "",
    taxonomy: Annotated[str, TopicOption(help="File of categories with example pages.")] = "",
    good: Annotated[list[str] | None, TopicOption(help="Category of the taxonomy to hunt; repeatable.")] = None,
    refile: Annotated[
        list[str] | None, TopicOption(help="Move an example to another category, as URL=CATEGORY; repeatable.")
    ] = None,
    seed: Annotated[list[str] | None, StartOption(help="URL to start from; repeatable.")] = None,
    seeds: Annotated[Path | None, StartOption(help="File with one URL per line; # starts a comment.")] = None,
    on_topic: Annotated[
        bool,
        StartOption("--on-topic/--off-topic", help="Whether the seeds are examples of the topic or only start points."),
    ] = True,
    bed: Annotated[Path | None, StartOption(help="Replay this test bed in virtual time instead of using HTTP.")] = None,
    topic: Annotated[str | None, StartOption(help="Topic of the test bed to hunt.")] = None,
    task: Annotated[str, StartOption(help="Seeds of the test bed to start from: examples or neighbors.")] = "examples",
    replay: Annotated[
        str | None, StartOption(help="Replay this WARC, collection or made web instead of using HTTP.")
    ] = None,
    pages: Annotated[int | None, BudgetOption(help="Maximum pages to keep; 0 = no limit.")] = 1000,
    bytes: Annotated[int | None, BudgetOption(help="Maximum bytes of page bodies to keep, in total.")] = None,
    seconds: Annotated[float | None, BudgetOption(help="Maximum seconds to crawl.")] = None,
    until: Annotated[
        float | None, BudgetOption(help="Stop when this share (0 to 1) of the relevant pages is found, by estimate.")
    ] = None,
    body: Annotated[int, BudgetOption(help="Maximum bytes to keep per page, after decompression.")] = 1 << 20,
    within: Within = None,
    without: Without = None,
    per_host: Annotated[int | None, ScopeOption(help="Maximum pages per host.")] = None,
    per_site: Annotated[int | None, ScopeOption(help="Maximum pages per registrable domain.")] = None,
    index_pages: Annotated[bool, ScopeOption(help="Treat /index.html and similar URLs as the folder's URL.")] = False,
    delay: Annotated[
        float | None, PolitenessOption(help="Seconds between two requests to the same host.  [default: 1]")
    ] = None,
    spread: Annotated[
        int, PolitenessOption(help="Number of consecutive pages that must come from different hosts.")
    ] = 1,
    robots: Annotated[bool, PolitenessOption(help="Obey robots.txt.")] = True,
    nofollow: Annotated[
        bool, PolitenessOption(help="Obey nofollow and noindex in links, meta tags and headers.")
    ] = True,
    contact: Annotated[
        str, PolitenessOption(help="URL or e-mail address for webmasters; sent as part of the user agent.")
    ] = "",
    agent: Annotated[str | None, PolitenessOption(help="Name of the user agent.")] = None,
    workers: Annotated[int | None, NetworkOption(help="Maximum concurrent requests.  [default: 16]")] = None,
    processes: Annotated[int, NetworkOption(help="Scout processes; 0 = CPU cores - 1.")] = 0,
    timeout: Annotated[float, NetworkOption(help="Maximum seconds per request.")] = 30.0,
    retries: Annotated[int, NetworkOption(help="Retries after a temporary failure.")] = 2,
    outage: Annotated[
        float, NetworkOption(help="Seconds to wait for network, memory or file descriptors before the crawl stops.")
    ] = 120.0,
    proxy: Proxy = None,
    ca: Ca = None,
    allow: Allow = None,
    strategy: Annotated[
        str, StrategyOption(help="Strategy that scores links; `lycosa strategies` lists them.")
    ] = "apprentice",
    set: Annotated[list[str] | None, StrategyOption(help="Strategy option, as option=value; repeatable.")] = None,
    inlinks: Annotated[list[str] | None, StrategyOption(help="Source of in-links; repeatable.")] = None,
    past: Annotated[
        list[str] | None, StrategyOption(help="Collection of an earlier crawl to learn from; repeatable.")
    ] = None,
    reach: Annotated[
        int, StrategyOption(help="How far down the queue to look for a host that is ready; 1 = strict best-first.")
    ] = 16,
    capacity: Annotated[int, StrategyOption(help="Maximum links in the frontier; the worst are dropped.")] = 1_000_000,
    dice: Annotated[int, StrategyOption(help="Random seed.")] = 1,
    out: Annotated[
        Path | None, OutputOption(help="Folder of the new collection.  [default: named after the keywords]")
    ] = None,
    checkpoint: Annotated[float, OutputOption(help="Seconds between checkpoints.")] = 60.0,
    index: Annotated[bool, OutputOption("--index/--no-index", help="Index pages while the crawl runs.")] = True,
    json: Annotated[bool, OutputOption("--json", help="Print only one JSON object, at the end.")] = False,
) -> None:
    """Hunt for pages about KEYWORDS, starting from seeds, and keep them in a collection."""
    words = " ".join(keywords or [])
    http: dict[str, Any] = {
        "contact": contact,
        "proxy": proxy,
        "ca": ca,
        "allow": tuple(allow or ()),
        "obey_robots": robots,
        "obey_nofollow": nofollow,
        "index_pages": index_pages,
        "timeout_total": timeout,
        "timeout_read": max(10.0, timeout / 2),
    }
    if agent:
        http["agent"] = agent
    plan = hunts.make_plan(
        words,
        [*(seed or []), *(read_seeds(seeds) if seeds else [])],
        pages=pages or None,
        bytes=bytes,
        seconds=seconds,
        share=until,
        relevant=relevant,
        strategy=strategy,
        settings=dict(map(read_setting, set or [])),
        judge=judge,
        sources={
            "inlinks": tuple(inlinks or ()),
            "past": tuple(past or ()),
            "background": background,
            "taxonomy": taxonomy,
            "good": tuple(good or ()),
            "refiled": dict(map(read_refile, refile or [])),
        },
        on_topic=on_topic,
        delay=delay,
        workers=workers,
        within=within or (),
        without=without or (),
        rules={"spread": spread, "per_host": per_host, "per_site": per_site},
        http=http,
        bed=bed,
        topic=topic,
        task=task,
        replay=replay,
        processes=processes,
        reach=reach,
        capacity=capacity,
        body=body,
        retries=retries,
        outage=outage,
        checkpoint=checkpoint,
        seed=dice,
        index=index,
    )
    run(Hunt.begin(plan, out or Path(folder_name(topic or words))), json)


def resume(
    folder: Annotated[Path, Argument(help="Collection to continue.")],
    pages: Annotated[int | None, BudgetOption(help="New maximum of pages to keep.")] = None,
    bytes: Annotated[int | None, BudgetOption(help="New maximum of bytes to keep.")] = None,
    seconds: Annotated[float | None, BudgetOption(help="New maximum of seconds to crawl.")] = None,
    until: Annotated[float | None, BudgetOption(help="New share (0 to 1) of the relevant pages to stop at.")] = None,
    workers: Annotated[int | None, NetworkOption(help="Maximum concurrent requests.")] = None,
    outage: Annotated[
        float | None, NetworkOption(help="Seconds to wait for network, memory or file descriptors.")
    ] = None,
    proxy: Proxy = None,
    ca: Ca = None,
    json: Annotated[bool, OutputOption("--json", help="Print only one JSON object, at the end.")] = False,
) -> None:
    """Continue a stopped, killed or finished hunt, with a larger budget if you like."""
    given = {"workers": workers, "outage": outage}
    changes = {name: value for name, value in given.items() if value is not None}
    hunt = hunts.resume(folder, pages=pages, bytes=bytes, seconds=seconds, share=until, proxy=proxy, ca=ca, **changes)
    run(hunt, json)


def run(hunt: Hunt, as_json: bool) -> None:
    """Watch a hunt to its end; the first Ctrl-C stops it cleanly, the second at once."""
    console = Terminal()
    folder = hunt.collection.folder
    if hunt.remark:
        Terminal(stderr=True).print(hunt.remark, soft_wrap=True, markup=False, highlight=False)
    with hunt:
        asyncio.run(run_to_end(hunt, console, quiet=as_json))
    assert hunt.crawl.stopped
    state, report = hunt.crawl.stopped.state, hunts.status(folder)
    if as_json:
        print(json.dumps(report))
    else:
        hint = "" if state == "finished" else f"; go on with: lycosa resume {folder}"
        if state != "failed":
            console.print(f"{report['reason']}; {hunt.crawl.tally.pages:,} pages in {folder}{hint}", soft_wrap=True)
        show_ending(report, hunt.plan, console)
        if hunt.index and hunt.index.trouble:
            console.print(hunt.index.trouble, soft_wrap=True, markup=False, highlight=False)
    if code := EXIT[state]:
        raise typer.Exit(code)


def show_ending(report: dict[str, Any], plan: Plan, console: Console, *, resume: bool = True) -> None:
    """Say why a hunt failed or ended early, and how to resume it; say nothing if it did neither."""
    if report["early"]:
        console.print(Text(report["early"], style="yellow"), soft_wrap=True)
    if report["state"] != "failed":
        return
    console.print(Text(f"failed: {problem_of(len(plan.seeds))}", style="bold red"), soft_wrap=True)
    for failure in report["failures"][:_LISTED]:
        line = f"{failure['url']}  {in_a_line(failure)}"
        console.print(Text(printable(line), style="red"), soft_wrap=True)
    if (more := len(report["failures"]) - _LISTED) > 0:
        console.print(f"and {more:,} more; all of them: lycosa status --json {report['folder']}", soft_wrap=True)
    if resume:
        console.print(f"to try them again: lycosa resume {report['folder']}", soft_wrap=True)


async def run_to_end(hunt: Hunt, console: Console, *, quiet: bool) -> None:
    """Show a hunt while it runs; the first interruption stops it cleanly, the second at once."""
    loop, running = asyncio.get_running_loop(), asyncio.current_task()
    assert running

    def interrupt() -> None:
        if hunt.stopping:
            running.cancel()
        elif not quiet:
            console.print("stopping when what is under way has ended; Ctrl-C again stops at once")
        hunt.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, interrupt)
    try:
        async for _ in watch(hunt, console, quiet=quiet):
            pass
    except asyncio.CancelledError:
        running.uncancel()
        if hunt.crawl.stopped is None:
            raise Interrupted from None


def read_seeds(file: Path) -> list[str]:
    """The URLs of a seeds file."""
    try:
        lines = file.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(
            f"the seeds file {file} cannot be read ({error})",
            "give a text file with one URL a line",
            code=Code.UNREADABLE if isinstance(error, OSError) else Code.BAD_FILE,
            field="seeds",
        ) from None
    urls = [re.split(r"(?:^|\s)#", line, maxsplit=1)[0].strip() for line in lines]
    return [url for url in urls if url]


def read_setting(text: str) -> tuple[str, str]:
    """An option of a strategy and its value."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise Refused(
            f"--set {text!r} is no setting", "write --set option=value", code=Code.BAD_VALUE, field="settings"
        )
    return name.strip(), value.strip()


def read_refile(text: str) -> tuple[str, str]:
    """An example and its right category, from URL=CATEGORY."""
    # A URL may contain an equals sign, a category cannot.
    url, equals, path = text.rpartition("=")
    if not equals or not url or not path:
        raise Refused(
            f"--refile {text!r} moves nothing", "write --refile URL=CATEGORY", code=Code.BAD_VALUE, field="refile"
        )
    return url.strip(), path.strip()


def folder_name(words: str) -> str:
    """The default name of a hunt's folder."""
    return "-".join(re.findall(r"\w+", words.lower())[:6]) or "hunt"
