"""Slots: when Scrapy's downloader may ask a host.

Scrapy puts as many requests into its slots as there is room for, where they wait for their host; what is learned
meanwhile cannot change their order any more. So no request is handed out that would only wait in a slot.
"""

from __future__ import annotations

import math
from collections import Counter

from scrapy import Request
from scrapy.core.downloader import Downloader

from lycosa.core.urls import host_of


class Slots:
    """Scrapy's downloader slots, by the hosts of URLs."""

    def __init__(self, downloader: Downloader) -> None:
        self._downloader = downloader
        self._keys: dict[str, str] = {}
        self._busy: Counter[str] = Counter()
        self._now = 0.0

    def note(self, url: str, request: Request) -> None:
        """Record the slot to which the requests of a host go."""
        self._keys[host_of(url)] = self._downloader.get_slot_key(request)

    def look(self, now: float) -> None:
        """Update the count of requests in progress."""
        self._now = now
        self._busy = Counter(map(self._downloader.get_slot_key, self._downloader.active))

    def ready(self, host: str) -> float:
        """The time from which a request to the host would be sent at once; infinity while too many are in progress."""
        key = self._keys.get(host, host)
        busy = self._busy[key]
        slot = self._downloader.slots.get(key)
        if slot is None:
            return 0.0 if busy < self._downloader.domain_concurrency else math.inf
        if not slot.delay:
            return 0.0 if busy < slot.concurrency else math.inf
        if len(slot.transferring) >= slot.concurrency:
            return math.inf
        # A request that was handed out but not sent yet waits for robots.txt or for the slot's delay.
        return self._now + slot.delay if busy > len(slot.transferring) else slot.lastseen + slot.delay
