"""Bookmarks files: a browser's export (HTML or JSON), an OPML file, or plain URLs, one a line.

The content of a file decides its format, not its name. Files are not trusted: each is read in one pass without building
a tree, so no content can make it slow; entities are never expanded; of a broken file the good part is taken.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from html import unescape
from itertools import islice
from pathlib import Path
from xml.parsers import expat

import msgspec
from msgspec import Struct

from lycosa.core.urls import canonical
from lycosa.core.urls import seed as seed_url
from lycosa.system.errors import Code, Refused
from lycosa.web.charset import decode, sniff_type
from lycosa.web.readers.media_types import HTML, PLAIN

LARGEST = 32 << 20
"""Most bytes of a file; browsers write icons into it, so it may be large."""
OUTLINES = 4 << 20
"""Most characters read of an OPML file, which holds no icons."""
MOST = 200_000
"""Most tags that are read; of lines, half as many."""
DEEPEST = 8
"""Most nested folders that are kept, the innermost ones."""

_FORMATS = "give a browser's export, an OPML file, or one URL a line"
_CONTROL = bytes({*range(32)} - {*b"\t\n\f\r"})


class Bookmark(Struct, frozen=True):
    """A page that a person has bookmarked."""

    url: str
    title: str = ""
    description: str = ""
    folder: str = ""
    """The folders it is in, outermost first, such as "Work/Taxes"."""


def read_bookmarks(file: str | Path) -> list[Bookmark]:
    """The web pages in a bookmarks file, each once, in the file's order; raises Refused if there are none."""
    return bookmarks_in(_text_of(Path(file)), str(file))


def bookmarks_in(text: str, name: str = "the text") -> list[Bookmark]:
    """The same for the content of a file; `name` is what errors call it."""
    start = text[:4096].lstrip("\ufeff \t\r\n").lower()
    if "<opml" in start:
        found = _kept(_opml(text))
    elif start.startswith("<"):
        found = _kept(_html(text))
    else:
        found = (_kept(_json(text)) if start.startswith(("{", "[")) else []) or _kept(_lines(text))
    if not found:
        raise Refused(f"no bookmarks in {name}", _FORMATS, code=Code.EMPTY, field="bookmarks")
    return found


def _text_of(file: Path) -> str:
    try:
        if not file.is_file():
            problem = "is not a file" if file.exists() else "does not exist"
            raise Refused(f"the bookmarks file {file} {problem}", _FORMATS, code=Code.NOT_FOUND, field="bookmarks")
        with file.open("rb") as opened:
            content = opened.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        problem = f"the bookmarks file {file} cannot be read ({getattr(error, 'strerror', None) or error})"
        raise Refused(problem, _FORMATS, code=Code.UNREADABLE, field="bookmarks") from None
    if len(content) > LARGEST:
        problem = f"the bookmarks file {file} has more than {LARGEST >> 20} MB"
        raise Refused(problem, "export a part of your bookmarks", code=Code.OUT_OF_RANGE, field="bookmarks")
    # A few control characters do not make a text binary.
    head = content[:4096].translate(None, _CONTROL)
    few = len(content[:4096]) - len(head) < 100 or content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if not few or sniff_type(head) not in (HTML, PLAIN, "application/xml"):
        raise Refused(f"the bookmarks file {file} is not text", _FORMATS, code=Code.BAD_FILE, field="bookmarks")
    return decode(content)[0]


def _kept(found: Iterable[Bookmark]) -> list[Bookmark]:
    """The bookmarks that can be crawled, with canonical URLs, each once."""
    kept: dict[str, Bookmark] = {}
    for one in found:
        url = canonical(one.url) if len(one.url) < 4096 else None
        if url is not None and url not in kept:
            kept[url] = Bookmark(url, _clean(one.title), _clean(one.description), _clean(one.folder))
    return list(kept.values())


def _clean(text: str, limit: int = 500) -> str:
    text = text[: 4 * limit]
    if not text.isprintable():
        text = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(text.split())[:limit]


# Netscape's format is HTML only in name: elements are not closed, so only their order tells the structure. A tag
# without its ">" swallows the rest of the file, as in a browser; searching on inside it would take quadratic time.
_tag = re.compile(r"<(?=[/adhpADHP])(/?)([aA]|[hH][1-6rR]|[dD][dlLDtT]|[pP])(?=[\s/>])")
_ATTRIBUTE = r"[\s/]*+([^\s/>=][^\s/>=]*+)(?:\s*+=\s*+(?:\"([^\"]*+)(?:\"|\Z)|'([^']*+)(?:'|\Z)|([^\s>]*+)))?+"
_attribute = re.compile(_ATTRIBUTE)
_attributes = re.compile(rf"(?:{_ATTRIBUTE.replace('([', '(?:[')})*+[^>]*+")
_HEADINGS = ("h2", "h3", "h4", "h5", "h6")
_markup = re.compile(r"<[^<>]*+>?")


def _html(text: str) -> Iterator[Bookmark]:
    folders: list[str] = []
    heading = ""
    last: Bookmark | None = None
    at = 0
    for _ in range(MOST):
        found = _tag.search(text, at)
        end = _attributes.match(text, found.end()) if found else None
        if found is None or end is None or end.end() == len(text):
            break
        inside, at = (found.end(), end.end()), end.end() + 1
        slash, name = found[1], found[2].lower()
        if slash:
            if name == "dl" and folders:
                folders.pop()
        elif name == "dl":
            folders.append(heading)
            heading = ""
        elif name == "a":
            if last:
                yield last
            words, at = _words(text, at)
            last = Bookmark(_attributes_of(text, inside).get("href", ""), words, "", _path(folders))
        elif name == "dd" and last:
            words, at = _words(text, at)
            yield Bookmark(last.url, last.title, words, last.folder)
            last = None
        elif name in _HEADINGS:
            heading, at = _words(text, at)
    if last:
        yield last


def _words(text: str, at: int) -> tuple[str, int]:
    """The text up to the next tag that matters, and the position of that tag."""
    found = _tag.search(text, at)
    end = found.start() if found else len(text)
    return _plain(_markup.sub(" ", text[at : min(end, at + 4096)])), end


def _attributes_of(text: str, inside: tuple[int, int]) -> dict[str, str]:
    found = islice(_attribute.finditer(text, *inside), 50)
    return {one[1].lower(): _plain((one[2] or one[3] or one[4] or "")[:8192]) for one in found}


def _plain(text: str) -> str:
    try:
        return unescape(text)
    except ValueError:  # a number of thousands of digits
        return text


def _path(folders: list[str]) -> str:
    return "/".join([name for name in folders[-DEEPEST:] if name])


# Only the entities that XML itself predefines are expanded; declared ones stay as text, so nothing can grow.
_foreign = re.compile(
    r"&(?!(?:amp|lt|gt|quot|apos|"
    r"#(?:9|10|13|3[2-9]|[4-9]\d|[1-9]\d{2,5})|#[xX](?:9|[aAdD]|[2-9a-fA-F][0-9a-fA-F]|[1-9a-fA-F][0-9a-fA-F]{2,4}));)"
)
_not_xml = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class _Enough(Exception):
    """The file has more elements than are read."""


def _opml(text: str) -> list[Bookmark]:
    found: list[Bookmark] = []
    folders: list[str] = []
    seen = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal seen
        seen += 1
        if seen > MOST:
            raise _Enough
        values = {key.lower(): value for key, value in attributes.items()}
        title = values.get("title") or values.get("text") or ""
        # A feed is not a page; its site is.
        url = values.get("htmlurl") or values.get("url") or values.get("xmlurl")
        if name.lower() == "outline" and url:
            found.append(Bookmark(url, title, values.get("description", ""), _path(folders)))
        folders.append("" if url else title[:100])

    def end(_: str) -> None:
        folders.pop()

    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler, parser.EndElementHandler = start, end
    # What was found before the error is good.
    with suppress(expat.ExpatError, _Enough):
        parser.Parse(_not_xml.sub(" ", _foreign.sub("&amp;", text.lstrip()[:OUTLINES])).encode(), True)
    return found


def _json(text: str) -> Iterator[Bookmark]:
    """Firefox, Chrome and most services write objects with a URL and a title, nested in objects with a title."""
    try:
        content = msgspec.json.decode(text.encode("utf-8", "replace"))
    except (msgspec.DecodeError, RecursionError):
        return
    todo: list[tuple[object, tuple[str, ...]]] = [(content, ())]
    for _ in range(MOST):
        if not todo:
            break
        value, folders = todo.pop()
        if isinstance(value, dict):
            title = _first(value, "title", "name", "description")
            if url := _first(value, "uri", "url", "href"):
                yield Bookmark(url, title, _first(value, "extended", "notes"), _path(list(folders)))
            inside = value.values()
            folders = (*folders, title)[-DEEPEST:] if title and not url else folders
        elif isinstance(value, list):
            inside = value  # type: ignore[assignment]
        else:
            continue
        todo += [(each, folders) for each in reversed(list(inside)) if isinstance(each, dict | list)]


def _first(values: dict[object, object], *names: str) -> str:
    return next((value for name in names if isinstance(value := values.get(name), str) and value), "")


_line = re.compile(r"[^\r\n]+")
_comment = re.compile(r"(?:^|\s)#.*", re.S)
_url = re.compile(r"https?://[^\s<>\"'\\^`{|}]{1,2048}", re.I)


def _lines(text: str) -> Iterator[Bookmark]:
    left = MOST // 2
    for line in islice(_line.finditer(text), left):
        words = _comment.sub("", line.group()).strip() if "#" in line.group() else line.group().strip()
        urls = list(islice(_url.finditer(words), left))
        left -= len(urls)
        if len(urls) == 1:
            rest = words[: urls[0].start()] + " " + words[urls[0].end() :]
            yield Bookmark(_ended(urls[0].group()), rest.strip(" \t-*+,;:|[]()<>\"'"))
        elif urls:
            yield from (Bookmark(_ended(found.group())) for found in urls)
        elif words and len(words) < 2048 and len(words.split()) == 1:
            with suppress(Refused):
                yield Bookmark(seed_url(words))


def _ended(url: str) -> str:
    """A URL from running text, without the punctuation after it."""
    url = url.rstrip(".,;:!?]*")
    return url if "(" in url else url.rstrip(").,;:!?]*")
