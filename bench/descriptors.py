"""Many one-page hosts, few file descriptors: is any page lost?

    python bench/descriptors.py --hosts 1500 --descriptors 256 128 64 [--names]

One hub links to every host. The crawl has 64 workers and may open only so many files and sockets (soft and hard limit).
Where it stops because it runs short it is resumed, as its message says. With `--names` every host is looked up with the
system's getaddrinfo, in a network namespace of its own with a small name server; this needs root on Linux.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lycosa.app.hunts import hunt, resume, status
from lycosa.core.nouns import Raw
from lycosa.engine.hunt import Hunt
from lycosa.store.repository import Writer
from lycosa.system.errors import Refused
from lycosa.web.serving import spawn

HUB = "http://hub.test/"
_HTML = (("Content-Type", "text/html; charset=utf-8"),)
_ATTEMPTS = 20
"""Resumes at most before a run counts as failed."""
_INSIDE = "LYCOSA_BENCH_INSIDE"


def make_web(folder: Path, hosts: int) -> Path:
    """A hub that links to hosts of one page each."""
    writer = Writer(folder, "web")
    urls = [f"http://host-{number}.test/" for number in range(hosts)]
    links = "".join(f'<p><a href="{url}">wolf spider {url}</a></p>' for url in urls)
    writer.write(HUB, Raw(200, _HTML, f"<title>hub</title><p>wolf spider hub {links}".encode()), 0.0)
    for url in urls:
        writer.write(url, Raw(200, _HTML, f"<title>page</title><p>wolf spider {url}".encode()), 0.0)
    writer.close()
    return folder / "pages"


def crawl_once(out: Path, port: int, limit: int, names: bool) -> None:
    """One run in this process, with its descriptors limited; what it says goes to standard output as JSON."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    network: dict[str, Any] = {"allow": ("127.0.0.0/8",)} if names else {"resolve": {"*": f"127.0.0.1:{port}"}}
    said = ""
    try:
        with _begun(out, network) as running:
            for _ in running:
                pass
    except Refused as refused:
        said = str(refused)
    print(json.dumps({"said": said}))


def _begun(out: Path, network: dict[str, Any]) -> Hunt:
    if out.exists():
        return resume(out)
    return hunt("wolf spider", [HUB], out=out, pages=0, workers=64, delay=0.0, reach=2000, **network)


def measure(hosts: int, limit: int, names: bool) -> dict[str, Any]:
    """Crawl to the end, resuming where it stops early; what was reached and what was said."""
    folder = Path(tempfile.mkdtemp(prefix="lycosa-descriptors-"))
    began, said = time.monotonic(), []
    try:
        with spawn(make_web(folder, hosts), port=80 if names else 0) as served:
            command = [sys.executable, __file__, "--crawl", str(folder / "c"), str(served.port), str(limit)]
            for _ in range(_ATTEMPTS):
                ended = subprocess.run(command + ["--names"] * names, stdout=subprocess.PIPE, text=True)
                if ended.returncode:
                    said.append(f"ended with {ended.returncode}")
                    break
                if line := json.loads(ended.stdout)["said"]:
                    said.append(line)
                else:
                    break
        report = status(folder / "c")
        return {
            "descriptors": limit,
            "pages": report["pages"],
            "lost": hosts + 1 - report["pages"],
            "misses": report["misses"],
            "stops": said,
            "seconds": round(time.monotonic() - began, 1),
        }
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def enter_namespace() -> None:
    """Begin this program anew where there is only loopback, and a name server that knows every name."""
    if _INSIDE not in os.environ:
        arguments = [sys.executable, *sys.argv]
        os.execvpe("unshare", ["unshare", "--net", "--mount", *arguments], os.environ | {_INSIDE: "1"})
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    serve_names()


def serve_names(fails: Callable[[bytes], bool] = lambda name: False) -> None:
    """Become the name server of this namespace; names for which `fails` says so get «server failure»."""
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
        file.write("nameserver 127.0.0.1\n")
        file.flush()
        subprocess.run(["mount", "--bind", file.name, "/etc/resolv.conf"], check=True)
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 53))
    threading.Thread(target=_answer_names, args=(server, fails), daemon=True).start()


def _answer_names(server: socket.socket, fails: Callable[[bytes], bool]) -> None:
    """Every name ending in «test» is 127.0.0.1 and has no other address; there are no other names."""
    while True:
        asked, where = server.recvfrom(512)
        end = asked.index(b"\0", 12) + 5
        name, kind = asked[12 : end - 4].lower(), asked[end - 4 : end - 2]
        known = name.endswith(b"\4test\0")
        code = 2 if fails(name) else 0 if known else 3
        found = code == 0 and kind == b"\0\1"
        head = asked[:2] + bytes([0x81, 0x80 + code]) + b"\0\1" + bytes([0, found]) + bytes(4)
        address = b"\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4" + socket.inet_aton("127.0.0.1") if found else b""
        server.sendto(head + asked[12:end] + address, where)


def main() -> None:
    """Measure each limit and print a table, or JSON lines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=1500)
    parser.add_argument("--descriptors", type=int, nargs="+", default=[256, 128, 64])
    parser.add_argument("--names", action="store_true", help="look names up for real, in a network namespace")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--crawl", nargs=3, metavar=("DIR", "PORT", "LIMIT"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.crawl:
        out, port, limit = given.crawl
        crawl_once(Path(out), int(port), int(limit), given.names)
        return
    if given.names:
        enter_namespace()
    for limit in given.descriptors:
        row = measure(given.hosts, limit, given.names)
        print(
            json.dumps(row) if given.json else "  ".join(f"{name} {value}" for name, value in row.items()), flush=True
        )


if __name__ == "__main__":
    main()
