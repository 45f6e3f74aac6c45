"""What rendering costs: a site of 300 pages that are empty without JavaScript, three quarters of them.

    python bench/rendering.py [--pages 300] [--latency 0.02]

The site is served on loopback, in a process of its own. It is crawled without rendering, with `auto` and with `always`,
and then written by its server, without rendering and with `auto`: what the option costs where nothing needs it. CPU
is that of all processes of the crawl, the browser's included; the server's is not counted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lycosa.app.hunts import status
from lycosa.web.source_server import SourceServer

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.web.rendering.script_site import ScriptSite

_PLAIN = 4
"""Every so many pages one is written by its server."""


async def serve(pages: int, plain: int, latency: float) -> None:
    """Serve the site until standard input ends; its requests are counted at the end."""
    async with SourceServer(ScriptSite(pages, plain), latency=latency) as server:
        print(json.dumps({"port": server.port}), flush=True)
        await asyncio.to_thread(sys.stdin.read)
        print(json.dumps({"asked": len(server.asked)}), flush=True)


def crawl(folder: Path, port: int, mode: str) -> dict[str, float]:
    """One crawl in processes of its own: wall seconds, CPU seconds, and what its status says."""
    command = [sys.executable, "-m", "lycosa", "crawl", "wolf spider", "--seed", "http://app.test/page-0"]
    command += ["--out", str(folder), "--resolve", f"*=127.0.0.1:{port}", "--delay", "0", "--pages", "0"]
    command += ["--strategy", "breadth-first", "--no-index", "--processes", "1", "--render", mode]
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = spent.ru_utime + spent.ru_stime - before.ru_utime - before.ru_stime
    found = status(folder)
    cost = found.rendering
    return {"wall": time.monotonic() - began, "cpu": cpu, "pages": found.pages, "rendered": cost.pages,
            "shells": cost.shells, "slower": cost.slower or 0.0, "each": cost.seconds}  # fmt: skip


def measure(pages: int, plain: int, latency: float, mode: str) -> None:
    """Serve, crawl, and print a row."""
    arguments = ["--pages", str(pages), "--serve", str(plain), "--latency", str(latency)]
    command = [sys.executable, __file__, *arguments]
    folder = Path(tempfile.mkdtemp(prefix="rendering-"))
    try:
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdin and server.stdout
            port = json.loads(server.stdout.readline())["port"]
            # Only children that have ended are counted, so the server is not.
            row = crawl(folder / "hunt", port, mode)
            server.stdin.close()
            asked = json.loads(server.stdout.readline())["asked"]
    finally:
        shutil.rmtree(folder)
    kind = "server" if plain == 1 else "scripts"
    print(
        f"{kind:<8} {mode:<7} {row['pages']:>5} {row['rendered']:>8} {row['shells']:>6} {asked:>8} {row['wall']:>7.1f} "
        f"{row['pages'] / row['wall']:>7.1f} {1000 * row['cpu'] / row['pages']:>8.0f} {row['each']:>6.2f} "
        f"{row['slower']:>7.1f}",
        flush=True,
    )


def main() -> None:
    """Measure every mode."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pages", type=int, default=300)
    options.add_argument("--latency", type=float, default=0.02, help="seconds that the server takes to answer")
    options.add_argument("--serve", type=int, default=0, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.serve:
        asyncio.run(serve(given.pages, given.serve, given.latency))
        return
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {given.latency:g} s per answer")
    print("site     mode    pages rendered shells requests    wall pages/s CPU ms/p s/page  slower")
    for plain, mode in ((_PLAIN, "never"), (_PLAIN, "auto"), (_PLAIN, "always"), (1, "never"), (1, "auto")):
        measure(given.pages, plain, given.latency, mode)


if __name__ == "__main__":
    main()
