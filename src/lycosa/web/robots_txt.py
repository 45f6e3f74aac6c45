"""What a robots.txt says to one agent, by RFC 9309.

Rules and URLs are compared in one normal form, so that no spelling of a forbidden path evades its rule (sections 2.2.2
and 2.2.3): a printable ASCII character and its escape are equal, `%2A` and `%24` mean the characters * and $ and not
the wildcards, and everything else is escaped. Only `/` and `?` differ from their escapes, because they divide a path;
in a query, which they do not divide, they are equal to their escapes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

LIMIT = 500 * 1024
"""Most bytes of a robots.txt that are read."""
LONGEST_PAUSE = 24 * 3600.0
LONGEST_LINE = 1 << 14
MOST_SITEMAPS = 20
"""Sitemaps of one robots.txt that are read."""


class _Wild(NamedTuple):
    """A pattern with wildcards: literal parts with anything between them."""

    length: int
    allowed: bool
    parts: list[str]
    whole: bool
    """Whether it must match to the end of a path."""
    divides: bool
    """Whether it contains escapes of / or ? that may be in a path or in a query."""


class RobotsRules:
    """What one robots.txt says to one agent; `pause` is its Crawl-delay."""

    def __init__(
        self,
        allow: list[str],
        disallow: list[str],
        pause: float = 0.0,
        *,
        fold: bool = False,
        sitemaps: tuple[str, ...] = (),
    ) -> None:
        self.pause = pause
        self.sitemaps = sitemaps
        """The sitemaps that it names, to whichever agent, as written."""
        self._fold = fold
        # The longest matching pattern decides, and allow wins a tie. Patterns without wildcards are looked up by
        # length, so that the cost for a path does not depend on their number.
        self._plain: dict[str, bool] = {}
        self._wild: list[_Wild] = []
        for patterns, allowed in ((disallow, False), (allow, True)):
            for pattern in patterns:
                whole = pattern.endswith("$")
                parts = (_folded_parts if fold else _parts)(pattern.removesuffix("$") if whole else pattern)
                if len(parts) > 1 or whole:
                    length = sum(map(len, parts)) + len(parts) - 1 + whole
                    divides = "?" not in pattern and bool(_dividers.search("".join(parts)))
                    self._wild.append(_Wild(length, allowed, parts, whole, divides))
                elif pattern:
                    self._plain[parts[0]] = allowed
        self._lengths = sorted({len(pattern) for pattern in self._plain}, reverse=True)
        self._wild.sort(key=lambda rule: rule[:2], reverse=True)

    def allows(self, url: str) -> bool:
        """Whether this URL may be fetched."""
        if not self._plain and not self._wild:
            return True
        path = url[url.find("/", 8) :] if url else "/"
        if path == "/robots.txt":
            return True
        written = path
        if self._fold and "%" in path:
            path = _folded(path)
        best, allowed = 0, True
        for length in self._lengths:
            if (found := self._plain.get(path[:length])) is not None:
                best, allowed = length, found
                break
        for rule in self._wild:
            if rule.length < best or (rule.length == best and allowed):
                break
            if _matches(path, rule) or (rule.divides and _matches_divided(written, rule)):
                return rule.allowed
        return allowed


def _matches(path: str, rule: _Wild) -> bool:
    """Whether the path begins with (or, `whole`, is) the parts with anything between them."""
    parts, whole = rule.parts, rule.whole
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


def _matches_divided(path: str, rule: _Wild) -> bool:
    """Whether a pattern that may mean a query matches a path with its query's escapes as written, or with all escaped.

    The folded form of a query has no such escapes, but the pattern has kept its own, because it may also mean the path.
    """
    before, mark, query = _folded(path, divided=True).partition("?")
    escaped = query.replace("/", "%2F").replace("?", "%3F")
    return _matches(before + mark + query, rule) or _matches(before + mark + escaped, rule)


_dividers = re.compile("%(?:2F|3F)")
_piece = re.compile(r"%[0-9a-fA-F]{2}|[^!-$&-\[\]-~]")
"""Escapes, and characters that are not their own folded form."""
_plain_path = re.compile(r"[!-$&-\[\]-~]*").fullmatch
"""Printable ASCII without escapes and backslashes is its own folded form."""


def _folded(text: str, *, in_query: bool = False, divided: bool = False) -> str:
    """A path, or a part of a pattern, in the form in which both are compared.

    With `divided`, the escapes of / and ? are kept in a query too.
    """
    if _plain_path(text):
        return text
    path, mark, query = ("", "", text) if in_query else text.partition("?")
    path = _piece.sub(_in_path, path)
    return path + mark + _piece.sub(_in_path if divided else _in_query, query)


def _in_path(found: re.Match[str]) -> str:
    piece = found[0]
    if piece == "\\":
        # In the path of a URL a backslash is another way to write a slash.
        return "/"
    return piece.upper() if piece.upper() in ("%2F", "%3F") else _in_query(found)


def _in_query(found: re.Match[str]) -> str:
    piece = found[0]
    code = int(piece[1:], 16) if len(piece) == 3 else ord(piece)
    # A percent sign stays escaped; otherwise what follows it might be read as an escape.
    return chr(code) if 0x20 < code < 0x7F and code != 0x25 else f"%{code:02X}"


def _folded_parts(pattern: str) -> list[str]:
    parts, in_query = [], False
    for part in pattern.split("*"):
        parts.append(_folded(part, in_query=in_query))
        in_query = in_query or "?" in part
    return parts


_high = re.compile(r"[\x80-\xff]")
_escape = re.compile(r"%[0-9a-fA-F]{2}")


def _parts(pattern: str) -> list[str]:
    """The parts of a pattern as Google's parser splits them, for URLs that are not canonical."""
    escaped = _high.sub(lambda found: f"%{ord(found[0]):02X}", pattern)
    return _escape.sub(lambda found: found[0].upper(), escaped).split("*")


ALL = RobotsRules([], [])
"""No rules: everything may be fetched."""

_product = re.compile(r"[a-zA-Z_-]*")
# The misspellings are those that Google's parser has long accepted, so authors rely on them.
_fields = {
    **dict.fromkeys(("user-agent", "useragent", "user agent"), "agent"),
    **dict.fromkeys(("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"), "disallow"),
    "allow": "allow",
    **dict.fromkeys(("crawl-delay", "crawldelay", "crawl delay"), "pause"),
    **dict.fromkeys(("sitemap", "site-map"), "sitemap"),
}


def product(agent: str) -> str:
    """The name by which robots.txt knows a user agent: Lycosa for «Lycosa/0.1 (+https://...)»."""
    found = _product.match(agent)
    return found.group() if found else ""


class _Group:
    """The rules for one agent, or for all agents."""

    def __init__(self) -> None:
        self.exists = False
        self.allow: list[str] = []
        self.disallow: list[str] = []
        self.pause = 0.0


def read(body: bytes, agent: str, *, canonical_urls: bool = False) -> RobotsRules:
    """The rules for an agent: those of the groups that name it, else those for all agents.

    With `canonical_urls`, rules and URLs are compared in one form; else nearly byte by byte, as Google's parser does.
    """
    mine, everybody = _Group(), _Group()
    inside: set[_Group] = set()
    rules_follow = False
    sitemaps: dict[str, None] = {}
    for field, value in _lines(body):
        if field == "sitemap":
            # These lines belong to no group, and end none.
            if len(sitemaps) < MOST_SITEMAPS:
                sitemaps[value] = None
            continue
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
            for group in inside:
                if field == "disallow":
                    group.disallow.append(value)
                else:
                    group.allow.append(value)
                    folder, slash, name = value.rpartition("/")
                    if slash and name.startswith("index.htm"):
                        # A rule that allows a folder's index page allows the folder.
                        group.allow.append(f"{folder}/$")
        for group in inside:
            group.exists = True
    group = mine if mine.exists else everybody
    if not any(group.allow) and not any(group.disallow) and not group.pause and not sitemaps:
        return ALL
    return RobotsRules(group.allow, group.disallow, group.pause, fold=canonical_urls, sitemaps=tuple(sitemaps))


def _lines(body: bytes) -> Iterator[tuple[str, str]]:
    """The known fields and their values. Latin-1 maps each byte to one character, so escapes are made byte by byte."""
    for line in re.split("[\r\n]+", body[:LIMIT].removeprefix(b"\xef\xbb\xbf").decode("latin-1")):
        text = line[:LONGEST_LINE].partition("#")[0].strip()
        name, colon, value = text.partition(":")
        if not colon:
            # Some authors forget the colon; with exactly two words the meaning is clear.
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
