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
from typer import Argument, Option

from lycosa.app import hunts
from lycosa.app.hunt_ending import in_a_line, problem_of
from lycosa.app.wording import printable
from lycosa.engine.hunt import Hunt
from lycosa.engine.plan import Plan
from lycosa.face.cli.live_view import watch
from lycosa.face.cli.options import Allow, Ca, Proxy, Within, Without
from lycosa.face.cli.terminal import Terminal
from lycosa.system.errors import Code, Interrupted, Refused

EXIT = {"finished": 0, "failed": 1, "stopped": 130}
"""The exit code for each state in which a hunt can end."""
_LISTED = 20
"""Failed seeds that are listed one by one."""


def crawl(
    keywords: Annotated[list[str] | None, Argument(help="What to hunt for, in a few words.")] = None,
    seed: Annotated[list[str] | None, Option(help="A URL to start from; repeatable.")] = None,
    seeds: Annotated[Path | None, Option(help="A file with one URL a line; # begins a comment.")] = None,
    out: Annotated[
        Path | None, Option(help="Folder of the new collection, named after the keywords by default.")
    ] = None,
    pages: Annotated[int | None, Option(help="Pages to keep at most; 0 for no limit.")] = 1000,
    bytes: Annotated[int | None, Option(help="Bytes of page bodies to keep at most.")] = None,
    seconds: Annotated[float | None, Option(help="Seconds to crawl at most.")] = None,
    until: Annotated[
        float | None, Option(help="End when this share of the relevant pages is found, as far as can be told.")
    ] = None,
    relevant: Annotated[float | None, Option(help="The relevance from which a page counts as relevant.")] = None,
    strategy: Annotated[str, Option(help="How to hunt; `lycosa strategies` lists them.")] = "apprentice",
    set: Annotated[list[str] | None, Option(help="A strategy option, as option=value; repeatable.")] = None,
    judge: Annotated[str, Option(help="Who says how relevant a page is, as NAME[:option=value,...].")] = "cosine",
    on_topic: Annotated[
        bool, Option("--on-topic/--off-topic", help="Whether the seeds are examples of what is hunted.")
    ] = True,
    inlinks: Annotated[list[str] | None, Option(help="Who knows which pages link to a page; repeatable.")] = None,
    past: Annotated[list[str] | None, Option(help="A collection of an earlier crawl to learn from.")] = None,
    background: Annotated[str, Option(help="Pages that tell how usual words are: a collection, bed or WARC.")] = "",
    taxonomy: Annotated[str, Option(help="A file of categories with example pages.")] = "",
    good: Annotated[list[str] | None, Option(help="A category of the taxonomy that is hunted.")] = None,
    refile: Annotated[list[str] | None, Option(help="An example's right category, as URL=CATEGORY.")] = None,
    delay: Annotated[float | None, Option(help="Seconds of rest between two requests to a host.  [default: 1]")] = None,
    workers: Annotated[int | None, Option(help="Requests under way at the same time.  [default: 16]")] = None,
    processes: Annotated[int, Option(help="Scout processes; 0 means one fewer than there are cores.")] = 0,
    reach: Annotated[int, Option(help="How far down the queue to look for a rested host.")] = 16,
    spread: Annotated[int, Option(help="Any D picks in a row come from D different hosts.")] = 1,
    per_host: Annotated[int | None, Option(help="Pages at most from one host.")] = None,
    per_site: Annotated[int | None, Option(help="Pages at most from one registrable domain.")] = None,
    within: Within = None,
    without: Without = None,
    capacity: Annotated[int, Option(help="Links the frontier holds at most.")] = 1_000_000,
    body: Annotated[int, Option(help="Bytes kept of one page at most.")] = 1 << 20,
    retries: Annotated[int, Option(help="Further tries after a passing fault.")] = 2,
    contact: Annotated[str, Option(help="A URL or address where webmasters reach you; part of the user agent.")] = "",
    agent: Annotated[str | None, Option(help="The user agent's name.")] = None,
    proxy: Proxy = None,
    ca: Ca = None,
    allow: Allow = None,
    robots: Annotated[bool, Option(help="Obey robots.txt.")] = True,
    nofollow: Annotated[bool, Option(help="Obey nofollow and noindex in links, meta tags and headers.")] = True,
    index_pages: Annotated[bool, Option(help="Take /index.html and the like for the folder itself.")] = False,
    timeout: Annotated[float, Option(help="Seconds one request may take.")] = 30.0,
    outage: Annotated[
        float, Option(help="Seconds to wait for a lost network, or for memory or descriptors, before the crawl stops.")
    ] = 120.0,
    checkpoint: Annotated[float, Option(help="Seconds between checkpoints.")] = 60.0,
    bed: Annotated[Path | None, Option(help="Replay this test bed in virtual time instead of using HTTP.")] = None,
    topic: Annotated[str | None, Option(help="The bed's topic to hunt.")] = None,
    task: Annotated[str, Option(help="Where the bed's seeds are: examples or neighbors.")] = "examples",
    replay: Annotated[str | None, Option(help="Replay this WARC, collection or made web instead of HTTP.")] = None,
    dice: Annotated[int, Option(help="Seed of the strategy's randomness.")] = 1,
    index: Annotated[bool, Option("--index/--no-index", help="Make pages searchable while they come.")] = True,
    json: Annotated[bool, Option("--json", help="Print one JSON object at the end and nothing else.")] = False,
) -> None:
    """Hunt for pages about KEYWORDS from the seeds, and keep them in a folder."""
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
    folder: Annotated[Path, Argument(help="The collection to go on with.")],
    pages: Annotated[int | None, Option(help="A new page budget.")] = None,
    bytes: Annotated[int | None, Option(help="A new byte budget.")] = None,
    seconds: Annotated[float | None, Option(help="A new budget of seconds.")] = None,
    until: Annotated[float | None, Option(help="A new share of the relevant pages to end at.")] = None,
    workers: Annotated[int | None, Option(help="Requests under way at the same time.")] = None,
    outage: Annotated[
        float | None, Option(help="Seconds to wait for a lost network, or for memory or descriptors.")
    ] = None,
    proxy: Proxy = None,
    ca: Ca = None,
    json: Annotated[bool, Option("--json", help="Print one JSON object at the end and nothing else.")] = False,
) -> None:
    """Continue a hunt where it was stopped, killed or ended, with a larger budget if you like."""
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
