"""CPU-seconds per 1,000 pages: Lycosa, Scrapy and Crawl4AI over the same served web, in turns, on loopback only.

See README.md beside this file for what is measured and how to read it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import loopback

HERE = Path(__file__).resolve().parent
PYTHON = HERE / ".venv" / "bin" / "python"
PINNED = HERE / "requirements.txt"
PATIENCE = 900
"""Seconds after which a run is given up."""


class Job(NamedTuple):
    """What a crawler is asked to do."""

    seeds: Path
    pages: int
    keywords: str
    proxy: str
    folder: Path


class Crawler(NamedTuple):
    """A crawler to be measured: its command, and which part of the page budget is enough to measure it."""

    name: str
    command: Callable[[Job], list[str]]
    package: str = ""
    """What has to be installed for it."""
    share: float = 1.0


def lycosa(job: Job) -> list[str]:
    """Our own command line: fetch, robots, parse, page and link scores, WARC and log; no index, as the others."""
    return [*searchable(job), "--no-index"]


def searchable(job: Job) -> list[str]:
    """The same as anybody would call it: with an index."""
    return [
        *(sys.executable, "-c", "from lycosa.face.cli import main; main()", "crawl", job.keywords),
        *("--seeds", str(job.seeds), "--pages", str(job.pages), "--strategy", "best-first", "--delay", "0"),
        *("--workers", "16", "--proxy", job.proxy, "--out", str(job.folder / "collection"), "--json"),
    ]


def lycosa_of(tree: Path) -> list[Crawler]:
    """Lycosa as another source tree has it, with an index and without."""
    of = ["env", f"PYTHONPATH={tree.resolve() / 'src'}"]
    return [
        Crawler("lycosa before", lambda job: [*of, *lycosa(job)]),
        Crawler("lycosa before, searchable", lambda job: [*of, *searchable(job)]),
    ]


def scrapy(kind: str) -> Callable[[Job], list[str]]:
    """Scrapy with the given way of finding links."""
    script = str(HERE / "peer_scrapy.py")
    return lambda job: [str(PYTHON), script, kind, str(job.seeds), str(job.pages)]


def crawl4ai(kind: str) -> Callable[[Job], list[str]]:
    """Crawl4AI, whole or with links only."""
    script = str(HERE / "peer_crawl4ai.py")
    return lambda job: [str(PYTHON), script, kind, str(job.seeds), str(job.pages), job.keywords]


STOCK = "scrapy, stock links"
CRAWLERS = [
    Crawler("lycosa", lycosa),
    Crawler("lycosa, searchable", searchable),
    Crawler(STOCK, scrapy("stock"), "scrapy"),
    Crawler("scrapy, own links", scrapy("own-links"), "scrapy"),
    # Its cost per page is the same for few pages and many, and 3,000 of them take minutes.
    Crawler("crawl4ai", crawl4ai("stock"), "crawl4ai", 0.1),
    Crawler("crawl4ai, links only", crawl4ai("prefetch"), "crawl4ai", 0.1),
]


class Run(NamedTuple):
    """What one run of one crawler cost."""

    pages: int
    """Pages it says it has fetched."""
    bytes: int
    """What these pages weigh."""
    served: int
    """Different pages the server was asked for."""
    requests: int
    cpu: float
    wall: float


class Broken(Exception):
    """A crawler that did not do its job."""


def measure(crawler: Crawler, job: Job, web: Any, server: Any) -> Run:
    """Run a crawler once; its CPU time is that of all its processes, and of nothing else."""
    job.folder.mkdir()
    before = len(server.asked())
    # Whatever a crawler or a library of it wants to fetch it asks the served web for, and its files stay in its folder.
    mine = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    mine |= dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), job.proxy)
    mine |= {"HOME": str(job.folder), "CRAWL4_AI_BASE_DIRECTORY": str(job.folder), "CRAWL4AI_NO_CLOUD_NOTICE": "1"}
    mine |= {"LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    with (job.folder / "out").open("w+") as out, (job.folder / "err").open("w+") as complaints:
        started = time.perf_counter()
        process = subprocess.Popen(crawler.command(job), stdout=out, stderr=complaints, env=mine, cwd=job.folder)
        usage = _wait(process)
        wall = time.perf_counter() - started
        out.seek(0)
        complaints.seek(0)
        said, error = out.read(), complaints.read()
    asked = server.asked()[before:]
    shutil.rmtree(job.folder)
    try:
        found = json.loads(said.splitlines()[-1])
        pages, size = found["pages"], found["bytes"]
    except (IndexError, KeyError, ValueError):
        raise Broken((error or said).strip().splitlines()[-1] if (error or said).strip() else "no answer") from None
    served = len({url for one in asked if (url := f"http://{one.host}{one.path}") in web.pages})
    if not pages or abs(served - pages) > max(32, pages // 20):
        raise Broken(f"it says {pages} pages, the server was asked for {served}")
    return Run(pages, size, served, len(asked), usage.ru_utime + usage.ru_stime, wall)


def _wait(process: subprocess.Popen[bytes]) -> Any:
    """Wait for a process; the usage is its own and that of all the children it has waited for."""
    deadline = time.monotonic() + PATIENCE
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return usage
        if time.monotonic() > deadline:
            process.kill()
            deadline = float("inf")
        time.sleep(0.01)


def compare(web: Any, crawlers: list[Crawler], pages: int, runs: int, tell: Callable[[str], None]) -> dict[str, Any]:
    """All crawlers over one served web, in turns, after two with a single page that tell what starting costs."""
    from lycosa.web.serving import spawn

    pages = min(pages, len(web.pages))
    found: dict[str, list[Run]] = {crawler.name: [] for crawler in crawlers}
    starts: dict[str, Run] = {}
    broken: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        seeds = folder / "seeds"
        seeds.write_text("\n".join(web.seeds))
        with spawn(web.source, preload=True, log=str(folder / "asked")) as server:
            # The first start also fills the caches of bytecode and of the disk: the second one counts.
            for turn in range(-1, runs + 1):
                for crawler in crawlers:
                    if crawler.name in broken:
                        continue
                    budget = max(1, int(pages * crawler.share)) if turn > 0 else 1
                    job = Job(seeds, budget, web.keywords, server.proxy, folder / "run")
                    try:
                        run = measure(crawler, job, web, server)
                    except Broken as problem:
                        broken[crawler.name] = str(problem)
                        tell(f"{crawler.name}: {problem}")
                        continue
                    if turn > 0:
                        found[crawler.name].append(run)
                    else:
                        starts[crawler.name] = run
                    tell(f"{web.name}, run {turn} of {runs}, {crawler.name}: {run.pages} pages, {run.cpu:.2f} CPU-s")
    rows = [_row(name, taken, starts[name]) for name, taken in found.items() if taken]
    stock = next((row for row in rows if row["crawler"] == STOCK), None)
    for row in rows if stock else ():
        for figure in ("raw", "net"):
            row[f"{figure}_of_scrapy"] = row[figure]["median"] / stock[figure]["median"]
    return {"web": web.name, "about": web.about, "rows": rows, "broken": broken}


def _row(name: str, runs: list[Run], start: Run) -> dict[str, Any]:
    def spread(values: Iterator[float]) -> dict[str, float]:
        all_values = sorted(values)
        return {"median": statistics.median(all_values), "low": all_values[0], "high": all_values[-1]}

    return {
        "crawler": name,
        "pages": [run.pages for run in runs],
        "served": [run.served for run in runs],
        "requests": [run.requests for run in runs],
        "kilobytes": statistics.median(run.bytes / run.pages / 1024 for run in runs),
        "start": start.cpu,
        "raw": spread(1000 * run.cpu / run.pages for run in runs),
        "net": spread(1000 * (run.cpu - start.cpu) / max(1, run.pages - start.pages) for run in runs),
        "wall": spread(run.wall for run in runs),
        "pages_per_second": spread(run.pages / run.wall for run in runs),
    }


COLUMNS = [
    *("pages", "requests", "KB/page", "CPU-s / 1,000 pages", "of Scrapy", "net of start", "of Scrapy's net"),
    *("start CPU-s", "pages/s"),
]


def show(result: dict[str, Any]) -> None:
    """The table for people."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"{result['web']}: {result['about']}", title_justify="left")
    stock = any(row["crawler"] == STOCK for row in result["rows"])
    table.add_column("crawler")
    for column in COLUMNS:
        table.add_column(column, justify="right")
    for row in result["rows"]:
        table.add_row(
            row["crawler"],
            f"{statistics.median(row['pages']):,.0f}",
            f"{statistics.median(row['requests']):,.0f}",
            f"{row['kilobytes']:.0f}",
            _spread(row["raw"]),
            f"{row['raw_of_scrapy']:.3f}" if stock else "",
            _spread(row["net"]),
            f"{row['net_of_scrapy']:.3f}" if stock else "",
            f"{row['start']:.2f}",
            f"{row['pages_per_second']['median']:,.0f}",
        )
    console = Console(width=None if sys.stdout.isatty() else 160)
    console.print(table)
    for name, problem in result["broken"].items():
        console.print(f"{name} did not run: {problem}", markup=False)


def _spread(figure: dict[str, float]) -> str:
    return f"{figure['median']:.2f} ({figure['low']:.2f}-{figure['high']:.2f})"


def install(package: str) -> str:
    """Install a peer into the environment of the peers, if it is not there; why it could not be, or nothing."""
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", HERE / ".venv"], check=True)
    done = HERE / ".venv" / f".{package}"
    if done.exists() and done.read_bytes() == PINNED.read_bytes():
        return ""
    print(f"installing {package} into bench/.venv ...", file=sys.stderr, flush=True)
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--constraint", PINNED, package]
    problem = subprocess.run(pip, stderr=subprocess.PIPE, text=True)
    if problem.returncode:
        complaints = [line for line in problem.stderr.splitlines() if line.startswith("ERROR")]
        return complaints[0] if complaints else "pip failed"
    done.write_bytes(PINNED.read_bytes())
    return ""


def read_arguments() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--pages", type=int, default=3000, help="page budget [%(default)s]")
    parser.add_argument("--runs", type=int, default=3, help="runs of each crawler [%(default)s]")
    parser.add_argument("--only", default="", help="only crawlers whose names contain this, such as lycosa")
    parser.add_argument("--web", choices=("made", "schools"), help="only this web")
    parser.add_argument("--before", type=Path, metavar="TREE", help="also measure the Lycosa of this source tree")
    parser.add_argument("--full", action="store_true", help="give Crawl4AI the whole budget, too: takes long")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    return parser.parse_args()


def main() -> None:
    """Outside: install the peers, then go where there is nothing but loopback. Inside: measure."""
    wanted = read_arguments()
    known = [*CRAWLERS, *(lycosa_of(wanted.before) if wanted.before else ())]
    crawlers = [crawler for crawler in known if wanted.only in crawler.name]
    if not loopback.inside():
        missing = {package: install(package) for package in dict.fromkeys(c.package for c in crawlers) if package}
        os.environ["LYCOSA_BENCH_MISSING"] = json.dumps({name: why for name, why in missing.items() if why})
        loopback.enter([sys.executable, *sys.argv])
        print("no network namespace here: crawlers are held by the proxy and a runtime hook only", file=sys.stderr)
    else:
        loopback.switch_on()
    missing = json.loads(os.environ.get("LYCOSA_BENCH_MISSING", "{}"))
    for package, why in missing.items():
        print(f"{package} cannot be installed: {why}", file=sys.stderr)
    crawlers = [crawler for crawler in crawlers if crawler.package not in missing]
    if wanted.full:
        crawlers = [crawler._replace(share=1.0) for crawler in crawlers]
    run(wanted, crawlers)


def run(wanted: argparse.Namespace, crawlers: list[Crawler]) -> None:
    """Compare the crawlers on every wanted web."""
    import served

    def tell(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    results = []
    with tempfile.TemporaryDirectory() as place:
        webs = []
        if wanted.web != "schools":
            webs.append(lambda: served.made(Path(place) / "made", wanted.pages))
        if wanted.web != "made" and served.SCHOOLS.exists():
            webs.append(lambda: served.schools(Path(place) / "schools", wanted.pages))
        for web in webs:
            results.append(compare(web(), crawlers, wanted.pages, wanted.runs, tell))
            if not wanted.json:
                show(results[-1])
    if wanted.json:
        machine = {"python": platform.python_version(), "cores": os.cpu_count(), "load": os.getloadavg()}
        print(json.dumps({"machine": machine, "namespace": loopback.inside(), "results": results}, indent=1))


if __name__ == "__main__":
    main()
