"""What every reader extracts from a body: the reader of HTML trees, of hostile HTML, and of plain text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import unescape
from itertools import islice
from typing import Any, NamedTuple

from lycosa.core.nouns import ListedDate, Span
from lycosa.web.page_hints import HeadLink

Place = Any
"""The position of a link, in whatever form its reader uses."""

LONGEST_TITLE = 300  # characters: a title goes into the log
MOST_HEADINGS = 64
LONGEST_HEADING = 200


Anchor = tuple[str, str, Place]
"""A link as written: href, rel, and its position."""

NOWHERE: Span = (0, 0)


class Extracted(NamedTuple):
    """What was read from a body: its text, and its links before they are made absolute."""

    text: str
    anchors: Sequence[Anchor] = ()
    title: str = ""
    language: str = ""
    base: str = ""
    robots: frozenset[str] = frozenset()
    """The directives of its robots meta tags: noindex, nofollow."""
    locate: Callable[[Place], tuple[Span, tuple[Span, ...], str]] = lambda span: (span, (), "")
    """The span of a link, those of the elements around it, and its tag path."""
    headings: str = ""
    head: Sequence[HeadLink] = ()
    """The <link>s of a page, if they were asked for."""
    dates: Mapping[Place, ListedDate] = {}
    """What a list says about the dates of its links, by their positions."""
    changed: Sequence[str] = ()
    """Of a list: when the page of each link last changed, as written; empty where it does not say so."""


def unescaped(text: str) -> str:
    """A text with the characters that its entities stand for."""
    if "&" not in text:
        return text
    try:
        return unescape(text)
    except ValueError:  # a number of thousands of digits
        return text


def clean_title(text: str) -> str:
    """A title on one line of bounded length."""
    return " ".join(text[: 4 * LONGEST_TITLE].split())[:LONGEST_TITLE]


def clean_headings(texts: Iterable[str]) -> str:
    """The headings of a page, one per line, bounded in number and length."""
    lines = (" ".join(text[: 4 * LONGEST_HEADING].split())[:LONGEST_HEADING] for text in islice(texts, MOST_HEADINGS))
    return "\n".join(filter(None, lines))


def clean_language(tag: str | None) -> str:
    """A language tag, or nothing if the attribute holds something else."""
    return tag.strip()[:35] if tag else ""


_refresh = re.compile(
    r"\s*[\d.]+(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?+(?:\"([^\"]*)|'([^']*)|([^\s\"'].*))", re.I | re.DOTALL
)


def refresh_target(content: str) -> str:
    """The URL in the content of a <meta http-equiv=refresh>, or nothing."""
    found = _refresh.match(content[:4096])
    return (found[1] or found[2] or found[3] or "").strip() if found else ""


ROBOTS = ("robots", "lycosa")
"""The names of meta tags that Lycosa obeys."""
_BOTH = frozenset({"noindex", "nofollow"})
_with_a_value = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


def directives(content: str) -> frozenset[str]:
    """The directives in the content of a <meta name=robots>: noindex, nofollow, both or neither."""
    words = {word.strip() for word in content[:4096].lower().split(",")}
    return _BOTH if "none" in words else _BOTH & words


def directives_of_headers(values: Iterable[str]) -> frozenset[str]:
    """The directives in X-Robots-Tag headers, in which «name:» begins what is meant for that robot alone."""
    words = []
    for value in values:
        ours = True
        for word in value[:4096].lower().split(","):
            name, colon, rest = (part.strip() for part in word.partition(":"))
            if colon and name not in _with_a_value:
                ours, word = name in ROBOTS, rest
            if ours:
                words.append(word)
    return directives(",".join(words))


_bare_url = re.compile(r"\bhttps?://[^\s<>\"'`{}|\\^]+", re.I)


def read_plain(text: str) -> Extracted:
    """Read plain text; the URLs that are written in it are its links."""
    anchors: list[Anchor] = []
    for found in _bare_url.finditer(text):
        url = found.group().rstrip(".,;:!?)]*_")
        anchors.append((url, "", (found.start(), found.start() + len(url))))
    return Extracted(text, anchors)
