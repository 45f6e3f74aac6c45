"""robots.txt by RFC 9309: what a host's owner does not want fetched, and how fast.

| robots.txt answers | what may be fetched | asked again |
|---|---|---|
| 2xx | what its rules say | when it is stale (24 h) |
| 4xx but 429, or more than five redirects | everything | when it is stale |
| 5xx, 429, no answer | for 24 h what an old copy says, then nothing | after 10, 20, 40 ... 3,600 s or Retry-After |
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import NamedTuple

from lycosa.core.nouns import Failure
from lycosa.core.urls import canonical, uniform

LIMIT = 500 * 1024
"""Bytes of a robots.txt that are read at most."""
HOPS = 5
LONGEST_PAUSE = 24 * 3600.0
LONGEST_LINE = 1 << 14
TTL = 24 * 3600.0
FIRST_RETRY, LAST_RETRY = 10.0, 3600.0
MOST_ORIGINS = 100_000


class Rules:
    """What one robots.txt says to one agent; `pause` is its Crawl-delay."""

    def __init__(self, allow: list[str], disallow: list[str], pause: float = 0.0) -> None:
        self.pause = pause
        # The longest pattern that matches decides, and allow wins a tie. Patterns without wildcards are looked up by
        # length, so that a path costs the same however many there are.
        self._plain: dict[str, bool] = {}
        self._wild: list[tuple[int, bool, list[str], bool]] = []
        for patterns, allowed in ((disallow, False), (allow, True)):
            for pattern in patterns:
                if "*" in pattern or pattern.endswith("$"):
                    whole = pattern.endswith("$")
                    parts = pattern.removesuffix("$").split("*") if whole else pattern.split("*")
                    self._wild.append((len(pattern), allowed, parts, whole))
                elif pattern:
                    self._plain[pattern] = allowed
        self._lengths = sorted({len(pattern) for pattern in self._plain}, reverse=True)
        self._wild.sort(key=lambda rule: rule[:2], reverse=True)

    def allows(self, url: str) -> bool:
        """Whether this URL may be fetched."""
        if not self._plain and not self._wild:
            return True
        path = url[url.find("/", 8) :] if url else "/"
        if path == "/robots.txt":
            return True
        best, allowed = 0, True
        for length in self._lengths:
            if (found := self._plain.get(path[:length])) is not None:
                best, allowed = length, found
                break
        for length, wild_allowed, parts, whole in self._wild:
            if length < best or (length == best and allowed):
                break
            if _matches(path, parts, whole):
                return wild_allowed
        return allowed


def _matches(path: str, parts: list[str], whole: bool) -> bool:
    """Whether the path begins with (or, `whole`, is) the parts with anything between them."""
    if not path.startswith(parts[0]):
        return False
    place = len(parts[0])
    if len(parts) == 1:
        return not whole or place == len(path)
    for part in parts[1:-1]:
        place = path.find(part, place)
        if place < 0:
            return False
        place += len(part)
    last = parts[-1]
    return path.endswith(last) and len(path) - len(last) >= place if whole else path.find(last, place) >= 0


ALL = Rules([], [])
"""No rules: everything may be fetched."""

_product = re.compile(r"[a-zA-Z_-]*")
_high = re.compile(r"[\x80-\xff]")
_escape = re.compile(r"%[0-9a-fA-F]{2}")
# The misspellings are those Google's parser has long accepted, so authors rely on them.
_fields = {
    **dict.fromkeys(("user-agent", "useragent", "user agent"), "agent"),
    **dict.fromkeys(("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"), "disallow"),
    "allow": "allow",
    **dict.fromkeys(("crawl-delay", "crawldelay", "crawl delay"), "pause"),
}


def product(agent: str) -> str:
    """The name by which robots.txt knows a user agent: Lycosa for «Lycosa/0.1 (+https://...)»."""
    found = _product.match(agent)
    return found.group() if found else ""


_in_paths = re.compile(r'[ "<>`{}^]')
"""What a canonical URL holds only in escapes."""


def _escaped(found: re.Match[str]) -> str:
    return f"%{ord(found.group()):02X}"


class _Group:
    """What is said to one agent, or to everybody."""

    def __init__(self) -> None:
        self.exists = False
        self.allow: list[str] = []
        self.disallow: list[str] = []
        self.pause = 0.0


def read(body: bytes, agent: str, *, canonical_urls: bool = False) -> Rules:
    """The rules for an agent: those of the groups that name it, else those for everybody.

    With `canonical_urls` the patterns get the uniform escapes that canonical URLs have, so «/%7Ejoe» means «/~joe».
    """
    mine, everybody = _Group(), _Group()
    inside: set[_Group] = set()
    rules_follow = False
    for field, value in _lines(body):
        if field == "agent":
            if rules_follow:
                inside, rules_follow = set(), False
            if value == "*" or value[:2] in ("* ", "*\t"):
                inside.add(everybody)
            elif (name := product(value)) and name.lower() == agent.lower():
                inside.add(mine)
        elif field == "pause":
            rules_follow = True
            for group in inside:
                group.pause = _pause(value) or group.pause
        else:
            rules_follow = True
            pattern = _high.sub(_escaped, value)
            pattern = (
                uniform(_in_paths.sub(_escaped, pattern))
                if canonical_urls
                else _escape.sub(lambda found: found.group().upper(), pattern)
            )
            for group in inside:
                if field == "disallow":
                    group.disallow.append(pattern)
                else:
                    group.allow.append(pattern)
                    folder, slash, name = pattern.rpartition("/")
                    if slash and name.startswith("index.htm"):
                        # Who allows a folder's index page allows the folder.
                        group.allow.append(f"{folder}/$")
        for group in inside:
            group.exists = True
    group = mine if mine.exists else everybody
    if not any(group.allow) and not any(group.disallow) and not group.pause:
        return ALL
    return Rules(group.allow, group.disallow, group.pause)


def _lines(body: bytes) -> Iterator[tuple[str, str]]:
    """The known fields and their values. Latin-1 keeps each byte a character, so escapes come out byte by byte."""
    for line in re.split("[\r\n]+", body[:LIMIT].removeprefix(b"\xef\xbb\xbf").decode("latin-1")):
        text = line[:LONGEST_LINE].partition("#")[0].strip()
        name, colon, value = text.partition(":")
        if not colon:
            # Some forget the colon; with exactly two words it is clear what was meant.
            words = text.split()
            if len(words) != 2:
                continue
            name, value = words
        if field := _fields.get(name.strip().lower()):
            yield field, value.strip()


def _pause(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        return 0.0
    return min(seconds, LONGEST_PAUSE) if seconds > 0 else 0.0


class Answer(NamedTuple):
    """What came back for a robots.txt: one hop, at most LIMIT bytes."""

    status: int
    body: bytes = b""
    location: str = ""
    rest: float | None = None


class _Origin:
    """What is known about one origin's robots.txt."""

    __slots__ = ("failure", "fetched", "lock", "retry", "rules", "until")

    def __init__(self) -> None:
        self.rules: Rules | None = None
        self.failure: Failure | None = None
        self.fetched = 0.0
        self.until = float("-inf")
        self.retry = 0.0
        self.lock = asyncio.Lock()


class Robots:
    """The robots.txt of every origin, fetched when first needed and again when stale, never twice at the same time.

    `fetch` gets one URL, follows nothing, and answers with a Failure where there was no HTTP answer.
    """

    def __init__(
        self,
        fetch: Callable[[str], Awaitable[Answer | Failure]],
        agent: str,
        ttl: float = TTL,
        *,
        retry: float = FIRST_RETRY,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._fetch = fetch
        self._agent = product(agent)
        self._ttl = ttl
        self._retry = retry
        self._clock = clock
        self._origins: dict[str, _Origin] = {}

    async def allowed(self, url: str) -> bool | Failure:
        """Whether a canonical URL may be fetched; a Failure says why nothing may be, and for how long."""
        origin = await self._known(url[: url.find("/", 8)])
        if origin.rules is not None:
            return origin.rules.allows(url)
        assert origin.failure is not None
        if origin.failure.ours:
            return origin.failure
        reason, again = origin.failure.reason, origin.failure.again
        return Failure(reason, again, max(origin.until - self._clock(), 0.0) if again else None)

    async def pause(self, origin: str) -> float:
        """The seconds between requests that an origin (https://host) asks for; 0 where it asks for none."""
        known = await self._known(origin)
        return known.rules.pause if known.rules else 0.0

    async def _known(self, name: str) -> _Origin:
        origin = self._origins.get(name)
        if origin is None:
            if len(self._origins) >= MOST_ORIGINS:
                del self._origins[next(iter(self._origins))]
            origin = self._origins[name] = _Origin()
        if self._clock() >= origin.until:
            async with origin.lock:
                if self._clock() >= origin.until:
                    await self._refresh(name, origin)
        return origin

    async def _refresh(self, name: str, origin: _Origin) -> None:
        rules = await self._read(name)
        now = self._clock()
        if isinstance(rules, Rules):
            origin.rules, origin.failure, origin.fetched = rules, None, now
            origin.until, origin.retry = now + self._ttl, 0.0
            return
        if rules.ours:
            # It says nothing about the host, so there is nothing to remember.
            if origin.rules is None:
                origin.failure = rules
            return
        origin.retry = min(2 * origin.retry or self._retry, LAST_RETRY)
        origin.until = now + (origin.retry if rules.rest is None else min(max(rules.rest, self._retry), TTL))
        if origin.rules is None or now - origin.fetched >= self._ttl + TTL:
            origin.rules, origin.failure = None, rules

    async def _read(self, name: str) -> Rules | Failure:
        url = f"{name}/robots.txt"
        for _ in range(1 + HOPS):
            answer = await self._fetch(url)
            if isinstance(answer, Failure):
                return answer
            if answer.status == 429 or answer.status >= 500:
                return Failure("robots unreachable", again=True, rest=answer.rest)
            if not 300 <= answer.status < 400 or not answer.location:
                return read(answer.body, self._agent, canonical_urls=True) if 200 <= answer.status < 300 else ALL
            target = canonical(answer.location, url, limit=2048)
            if target is None:
                return ALL
            url = target
        return ALL
