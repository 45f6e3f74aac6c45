"""Sources by name: a recording, a test bed or a made web, as users and plans write them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from lycosa.system.errors import Code, Refused
from lycosa.web.made import Made
from lycosa.web.replay import WarcSource
from lycosa.web.source import Source


def is_made(text: str) -> bool:
    """Whether a text names a made web."""
    return text == "made" or text.startswith("made:")


def open_source(text: str) -> Source:
    """The source that a text names: a test bed folder, a recording, or a made web such as «made:pages=500,seed=3»."""
    if is_made(text):
        return open_made(text)
    bed = Path(text) / "pages.warc.gz"
    return WarcSource(bed if bed.exists() else text)


def open_made(text: str) -> Made:
    """The made web that a text such as «made:pages=500,seed=3» names."""
    settings = _settings(text.removeprefix("made").removeprefix(":"))
    try:
        return Made(**settings)
    except Refused as error:
        # The value is in the text: a field of the same name, such as the pages of a hunt, is something else.
        raise Refused(error.problem, error.fix, code=error.code) from error


def _settings(text: str) -> dict[str, Any]:
    known: dict[str, Callable[[str], Any]] = {"noise": float, "crawl_delay": float, "traps": _yes, "mirrors": _yes}
    known["shape"] = str
    known |= dict.fromkeys(("pages", "topics", "seed", "site_pages", "page_bytes", "targets"), int)
    settings = {}
    for part in filter(None, text.split(",")):
        key, _, value = part.partition("=")
        try:
            settings[key.strip()] = known[key.strip()](value)
        except (KeyError, ValueError):
            raise Refused(
                f"{part!r} is not a setting of a made web",
                f"use one of: {', '.join(known)}",
                code=Code.BAD_VALUE if key.strip() in known else Code.UNKNOWN_NAME,
            ) from None
    return settings


def _yes(text: str) -> bool:
    return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}[text.strip().lower()]
