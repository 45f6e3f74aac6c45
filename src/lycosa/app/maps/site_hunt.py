"""Hunt one site for its map, as Mapuccino does: shark-search that never leaves the site."""

from __future__ import annotations

from typing import Any

from lycosa.app import hunts
from lycosa.core.urls import host_of, site_of
from lycosa.core.urls import seed as seed_url
from lycosa.engine.plan import Plan

STRATEGY = "shark-search"


def plan_of_site(url: str, keywords: str, pages: int = 200, **options: Any) -> Plan:
    """The plan of a hunt through the site of a URL; `options` are those of `make_plan`."""
    return hunts.make_plan(
        keywords,
        [url],
        pages=pages,
        strategy=STRATEGY,
        within=hosts_of_site(url),
        # The front page is a place to start, but hardly an example of the topic.
        on_topic=False,
        **options,
    )


def hosts_of_site(url: str) -> tuple[str, ...]:
    """The host of a URL with and without www: one of them usually redirects to the other."""
    host = host_of(seed_url(url))
    if host.startswith("www."):
        return host, host.removeprefix("www.")
    # An IP address or a bare name has no www variant.
    return (host, f"www.{host}") if site_of(host) == host.partition(":")[0] and not _is_address(host) else (host,)


def _is_address(host: str) -> bool:
    return host.startswith("[") or host.partition(":")[0].replace(".", "").isdigit() or "." not in host
