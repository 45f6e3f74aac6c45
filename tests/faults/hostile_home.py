"""A home full of attacks, and the real server over it: what the rows about pages and interfaces share."""

import http.client
import subprocess
import sys
from collections.abc import Callable
from contextlib import contextmanager
from html import escape
from itertools import product
from pathlib import Path
from typing import NamedTuple

from sites import Sites

import lycosa

PWNED = "window.pwned=1"
_TAGS = (
    "img src=x",
    "svg",
    "body",
    "video src=x",
    "audio src=x",
    "iframe",
    "input autofocus",
    "details open",
    "object",
)
_EVENTS = ("onerror", "onload", "onfocus", "ontoggle", "onmouseover", "onanimationstart", "onpointerenter")
_FRAMES = (
    "{}",
    '">{}',
    "'>{}",
    "</script>{}",
    "</title>{}",
    "</textarea>{}",
    "--><!-- -->{}",
    "]]>{}",
    '\\">{}',
    "`{}`",
)
_SPELLINGS: tuple[Callable[[str], str], ...] = (
    str,
    str.upper,
    lambda text: text.replace("<", "<\t", 1),
    lambda text: text.replace(" ", "/"),
)
_WHOLE = (
    f"<script>{PWNED}</script>",
    f"<a href=javascript:{PWNED}>spider</a>",
    f"<a href=' java\tscript:{PWNED}'>spider</a>",
    "<iframe srcdoc='<script>top.pwned=1</script>'></iframe>",
    f"{{{{constructor.constructor('{PWNED}')()}}}}",
    f"<meta http-equiv=refresh content='0;url=data:text/html,<script>{PWNED}</script>'>",
    f"<math><mi xlink:href='data:x,<script>{PWNED}</script>'>",
    f"<style>@import 'javascript:{PWNED}'</style>",
    f"' onfocus={PWNED} autofocus x='",
    f"${{{PWNED}}}",
)


def attacks(count):
    """So many different scripts in disguise, each of which would say so in `window.pwned` if it ran."""
    built = (
        spelling(frame.format(f"<{tag} {event}={PWNED}>"))
        for frame, tag, event, spelling in product(_FRAMES, _TAGS, _EVENTS, _SPELLINGS)
    )
    framed = (frame.format(whole) for frame, whole in product(_FRAMES, _WHOLE))
    every = [*dict.fromkeys([*framed, *built])]
    # Variants that differ in a harmless attribute only, for as many as are asked for.
    variants = (f"<b title={n}>{attack}" for n in range(count // len(every) + 1) for attack in every)
    return [attack for _, attack in zip(range(count), (*every, *variants), strict=False)]


def furnish(home, count):
    """A hunt in this home whose titles, headings, texts, anchors and URLs are attacks, for keywords that are one."""
    scripts = attacks(count)
    per_page = 8
    groups = [scripts[start : start + per_page] for start in range(0, len(scripts), per_page)]
    pages = {f"evil.test/{n}": _page(group, n, len(groups)) for n, group in enumerate(groups)}
    with Sites(pages) as sites:
        options = {"pages": len(groups) + 1, "delay": 0.0, "strategy": "breadth-first", "proxy": sites.proxy}
        seeds = ["http://evil.test/0?q=%22%3E<b>'"] + ["http://evil.test/0"]
        with lycosa.hunt(f"spider {scripts[0]}", seeds, out=home / "hostile", **options) as hunt:
            return sum(1 for _ in hunt)


def _page(scripts, number, last):
    shown = [escape(script) for script in scripts]
    links = "".join(f'<p>{text} <a href="/{number + 1}">{text} spider</a>' for text in shown)
    dangerous = "".join(
        f'<a href="{scheme}">spider</a>' for scheme in (f"javascript:{PWNED}", "data:text/html,x", "file:///")
    )
    return (
        f"<html lang=en><title>{shown[0]} spider</title><h1>{shown[-1]} spider</h1>{links}{dangerous}"
        f"<script>{PWNED}</script><img src=http://leak.test/x onerror={PWNED}>"
        f"<meta http-equiv=refresh content='9;url=http://evil.test/{(number + 7) % last}'>"
        f"<p>spider venom silk prey web hunts at night {number} {' '.join(shown)}</p>"
    )


class Door(NamedTuple):
    """A server that runs."""

    url: str
    port: int
    home: Path

    def ask(self, path, method="GET", headers=None, body=None):
        """One request, its path exactly as given; status, headers and body."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            line.putrequest(method, path, skip_host=bool(headers and "Host" in headers), skip_accept_encoding=True)
            for name, value in {
                **({"Content-Length": str(len(body))} if body is not None else {}),
                **(headers or {}),
            }.items():
                line.putheader(name, value)
            line.endheaders(body)
            answer = line.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            line.close()


@contextmanager
def serving(home, *options):
    """`lycosa serve` over a home, on a free port of loopback, until the block ends."""
    command = [sys.executable, "-m", "lycosa", "serve", "--home", str(home), "--port", "0", *map(str, options)]
    # Whatever it may be made to fetch goes to a proxy that is not there.
    command += [] if "--proxy" in options else ["--proxy", "http://127.0.0.1:9"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            said = process.stdout.readline()
            assert "http://127.0.0.1:" in said, said + process.stderr.read()
            url = said.split("Lycosa is at ")[1].split()[0].rstrip("/;")
            yield Door(url, int(url.rpartition(":")[2]), Path(home))
        finally:
            process.terminate()
            try:
                process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()
