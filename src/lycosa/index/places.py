"""The places that have templates: hosts, and the folders at the top of them, where many hosts have a site each."""

from __future__ import annotations

from lycosa.core.urls import host_of

FEWEST = 8
"""The pages that a place must have before anything is said of its template."""


def top_folder(url: str) -> str:
    """The host of a URL and the first folder of its path, if it has one."""
    return "/".join(url.split("/", 4)[2:4]) if url.count("/") > 3 else host_of(url)
