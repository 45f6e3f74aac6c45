"""Serving a web from a process: in the foreground (`serve`), or beside a test, a demo or a benchmark (`spawn`)."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from lycosa.system.errors import Code, Refused
from lycosa.web.faults import read_all
from lycosa.web.source_names import open_source
from lycosa.web.source_server import LOOPBACK, ServerRequest, SourceServer

__all__ = ["ServerRequest", "Serving", "SourceServer", "serve", "spawn"]


class Serving(msgspec.Struct, frozen=True):
    """What is served, and how; plain data, so that it can be passed to another process."""

    source: str
    """A test bed folder, a WARC, or «made:pages=2000,topics=12,seed=1»."""
    host: str = LOOPBACK
    port: int = 0
    latency: tuple[float, float] = (0.0, 0.0)
    faults: tuple[str, ...] = ()
    """Patterns with faults, such as «bad-*.test=reset» or «slow.test=503:times=2»."""
    log: str = ""
    gzip: bool = False
    etags: bool = False
    """Whether pages without an entity tag get one, so that clients can make conditional requests."""
    preload: bool = False


class Served(msgspec.Struct, frozen=True):
    """A server that runs in its own process."""

    port: int
    pid: int
    log: str = ""

    @property
    def proxy(self) -> str:
        """The URL of the server, to be used as an HTTP proxy."""
        return f"http://{LOOPBACK}:{self.port}"

    def asked(self) -> list[ServerRequest]:
        """The requests so far, if the server keeps a log."""
        lines = Path(self.log).read_text().splitlines() if self.log else []
        return [ServerRequest(float(time), host, path) for time, host, path in (line.split("\t") for line in lines)]


def serve(
    serving: Serving, *, announcement: str = "serving {source} on {proxy}", until_stdin_ends: bool = False
) -> None:
    """Announce the server on standard output, and serve until interrupted or terminated."""
    try:
        asyncio.run(_serve(serving, announcement, until_stdin_ends))
    except (OSError, OverflowError) as problem:
        raise Refused(
            f"port {serving.port} cannot be used ({problem})",
            "choose another port, or another file for the log",
            code=Code.OUT_OF_RANGE if isinstance(problem, OverflowError) else Code.IN_USE,
            field="port",
        ) from None


async def _serve(serving: Serving, announcement: str, until_stdin_ends: bool) -> None:
    options = msgspec.structs.asdict(serving) | {"faults": read_all(serving.faults)}
    source = options.pop("source")
    loop = asyncio.get_running_loop()
    done = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, done.set)
    async with SourceServer(open_source(source), **options) as server:
        print(announcement.format(source=source, proxy=server.proxy, port=server.port), flush=True)
        if until_stdin_ends:
            loop.add_reader(sys.stdin.fileno(), done.set)
        await done.wait()


@contextmanager
def spawn(source: str | Path, **options: Any) -> Iterator[Served]:
    """A server in its own process, which ends with the `with` block, or with this process however that ends."""
    serving = Serving(str(source), **options)
    command = [sys.executable, "-m", "lycosa.web.serving", msgspec.json.encode(serving).decode()]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin and process.stdout
        try:
            answer = process.stdout.readline().strip()
            if not answer.isdecimal():
                raise Refused(f"{source} cannot be served", answer or "see the error above", code=Code.PROCESS_DIED)
            yield Served(int(answer), process.pid, serving.log)
        finally:
            process.stdin.close()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()


def main(arguments: Sequence[str]) -> None:
    """The child process of `spawn`: print the port, then serve until standard input ends."""
    try:
        serve(msgspec.json.decode(arguments[0], type=Serving), announcement="{port}", until_stdin_ends=True)
    except Refused as problem:
        print(problem, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
