"""The texts of a few pages at once, before a hunt begins: with its politeness and guards, and not for long."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from msgspec.structs import replace

from lycosa.app.seed_finding import Reading
from lycosa.core.nouns import Moved, Page
from lycosa.engine.texts import BODY, HOPS, Texts
from lycosa.web.http_options import HttpOptions

PATIENCE = 10.0
"""Seconds that reading may take; what has not arrived by then is done without."""


def reading(http: HttpOptions, recorded: str = "") -> Reading:
    """Reads pages of the Web, or of the recording that takes its place."""

    def from_recording(urls: Sequence[str]) -> Mapping[str, str]:
        with Texts([recorded]) as texts:
            return {url: text for url in urls if (text := texts(url)) is not None}

    def from_web(urls: Sequence[str]) -> Mapping[str, str]:
        # In a thread of its own: the caller may be inside an event loop.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(asyncio.run, _fetched(urls, http)).result()

    return from_recording if recorded else from_web


async def _fetched(urls: Sequence[str], http: HttpOptions) -> dict[str, str]:
    from lycosa.web.http import Http

    short = min(PATIENCE, http.timeout_total)
    web = Http(replace(http, timeout_total=short, timeout_read=min(short, http.timeout_read)))

    async def text(url: str) -> str:
        at = url
        for _ in range(HOPS):
            answer = await web.get(at, BODY)
            if isinstance(answer, Page):
                return answer.text
            if not isinstance(answer, Moved):
                return ""
            at = answer.to
        return ""

    tasks = {url: asyncio.create_task(text(url)) for url in urls}
    try:
        done, _ = await asyncio.wait(tasks.values(), timeout=PATIENCE) if tasks else (set(), set())
        return {
            url: said
            for url, task in tasks.items()
            if task in done and not task.exception() and (said := task.result())
        }
    finally:
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
        await web.close()
