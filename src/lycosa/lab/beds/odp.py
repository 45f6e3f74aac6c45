"""The Open Directory's RDF dumps as streams: gigabytes of categories and listed pages, a chunk at a time.

The dumps were never quite XML: they hold control characters, bytes that are not UTF-8, bare ampersands. These are
repaired before they reach the parser. If it stops all the same, reading resumes at the next entry, and the line is
noted.
"""

from __future__ import annotations

import bz2
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, cast
from xml.parsers import expat

from isal import igzip
from msgspec import Struct

from lycosa.lab.beds.xml_repair import XmlRepair
from lycosa.system.errors import Code, Refused
from lycosa.system.os_errors import unreadable
from lycosa.system.progress import StageProgress, no_progress

CHUNK = 1 << 18
LONGEST = 1 << 22
"""Most bytes without a tag or the end of an entry: no dump has more, and they are held in memory."""
TOLD = 20
"""Most damaged places that are listed; the others are only counted."""

_FIX = "give the content or the structure file of an Open Directory dump"
_TEXT = 1 << 16  # bytes of text that the parser passes on at once
_ROOT = b"<RDF>"
_entry = re.compile(rb"<(?:Topic|ExternalPage|Alias)(?=[\s>/])")

Fields = tuple[tuple[str, str], ...]
"""Names and values in their order; a value is a text or, for a relation, the category or URL it leads to."""


class OdpListing(Struct, frozen=True, gc=False):
    """A page that an editor listed in a category (ExternalPage)."""

    url: str
    title: str = ""
    description: str = ""
    category: str = ""
    more: Fields = ()
    """The other fields, such as priority."""


class OdpCategory(Struct, frozen=True, gc=False):
    """A category (Topic)."""

    name: str
    fields: Fields = ()

    def values(self, *names: str) -> list[str]:
        """The values of the fields with these names, with or without the digit of a rank (narrow, narrow1, narrow2)."""
        return [value for name, value in self.fields if name.rstrip("0123456789") in names]

    @property
    def links(self) -> list[str]:
        """The pages it lists."""
        return self.values("link", "pdf", "rss", "atom")

    @property
    def children(self) -> list[str]:
        """The categories directly below it; symbolic ones are children of another."""
        return self.values("narrow", "letterbar")


class Alias(Struct, frozen=True, gc=False):
    """A link in one category, under its own name, to a category elsewhere."""

    name: str
    title: str = ""
    target: str = ""


Entry = OdpCategory | OdpListing | Alias


class Dump:
    """An RDF dump (content or structure), plain or packed with gzip, bzip2 or xz; iterate to read it from the start."""

    def __init__(self, path: str | Path, progress: StageProgress = no_progress) -> None:
        self.path = Path(path)
        if not self.path.exists():
            raise Refused(f"{path} does not exist", _FIX, code=Code.NOT_FOUND)
        self.repairs = XmlRepair()
        self.lost = 0
        """Entries that are incomplete."""
        self.damage: list[str] = []
        """One message, with file and line number, for each of the first places where something was lost."""
        self._progress = progress

    def __iter__(self) -> Iterator[Entry]:
        self.repairs, self.lost, self.damage = XmlRepair(), 0, []
        reader = _Reader(self.path)
        parser: expat.XMLParserType | None = reader.parser()
        base = fed = 0  # lines before this parser's input; bytes of its input before the chunk
        lines = entries = silence = 0
        for chunk in self._chunks():
            data = self.repairs(chunk)
            at = 0
            while at < len(data):
                if parser is None:
                    if not (found := _entry.search(data, at)):
                        break
                    at, parser = found.start(), reader.parser(_ROOT)
                    base, fed = lines + data.count(b"\n", 0, at), len(_ROOT) - at
                try:
                    parser.Parse(data[at:] if at else data, False)
                    at = len(data)
                except expat.ExpatError as problem:
                    self._hurt(base + problem.lineno, expat.ErrorString(problem.code))
                    reader.drop()
                    at, parser = max(at, parser.ErrorByteIndex - fed) + 1, None
            lines += data.count(b"\n")
            fed += len(data)
            silence = 0 if reader.done else silence + len(data)
            if silence > LONGEST:
                self._hurt(lines, f"no entry ends within {LONGEST >> 20} MB; is a comment or a text left open?")
                reader.drop()
                parser, silence = None, 0
            entries += len(reader.done)
            self.lost = reader.lost
            yield from reader.take()
        try:
            if parser is not None:
                parser.Parse(b"", True)
        except expat.ExpatError:
            self._hurt(lines + 1, "the file ends before </RDF>; what came before is used")
            reader.drop()
        self.lost = reader.lost
        entries += len(reader.done)
        yield from reader.take()
        if not entries:
            why = f" ({self.damage[0]})" if self.damage else ""
            raise Refused(f"{self.path} holds no category and no listed page{why}", _FIX, code=Code.BAD_FILE)

    def troubles(self) -> list[str]:
        """What went wrong in the last pass, a line each."""
        repairs = (
            (self.repairs.controls, "control characters"),
            (self.repairs.broken, "stretches that are not UTF-8"),
            (self.repairs.references, "references that XML does not know"),
        )
        repaired = ", ".join(f"{times:,} {what}" for times, what in repairs if times)
        lines = [f"{self.path}: repaired {repaired}"] if repaired else []
        return lines + self.damage + ([f"{self.path}: at least {self.lost:,} entries were lost"] if self.lost else [])

    def _hurt(self, line: int, why: str) -> None:
        if len(self.damage) < TOLD:
            self.damage.append(f"{self.path}, line {line}: {why}")

    def _chunks(self) -> Iterator[bytes]:
        """The unpacked file in chunks that end with a tag, so that none splits a character or a reference."""
        rest = b""
        try:
            with self.path.open("rb") as file, _unpacked(file) as stream:
                size = self.path.stat().st_size
                while chunk := self._read(stream):
                    cut = chunk.rfind(b">") + 1
                    if cut:
                        yield rest + chunk[:cut]
                        rest = chunk[cut:]
                    elif len(rest) < LONGEST:
                        rest += chunk
                    else:
                        raise Refused(
                            f"{self.path} is not RDF: {LONGEST >> 20} MB without a tag", _FIX, code=Code.BAD_FILE
                        )
                    self._progress(f"reading {self.path.name}", min(file.tell(), size), size)
        except OSError as problem:
            raise unreadable(self.path, problem) from None
        if rest:
            yield rest

    def _read(self, stream: IO[bytes]) -> bytes:
        try:
            return stream.read(CHUNK)
        except (EOFError, zlib.error, lzma.LZMAError, igzip.BadGzipFile) as problem:
            self.damage.append(f"{self.path} cannot be unpacked to its end ({problem}); what came before is used")
            return b""


class _Reader:
    """Builds entries from the parser's events."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.done: list[Entry] = []
        self.lost = 0
        self._parts: list[str] = []
        self._fields: list[tuple[str, str]] = []
        self._name: str | None = None
        """The name of the entry that is being read."""
        self._value: str | None = None
        """The value of the field that is being read, if it is in an attribute."""
        self._category = ""

    def parser(self, head: bytes = b"") -> expat.XMLParserType:
        """A parser that reads into `done` what follows a head."""
        parser = expat.ParserCreate("UTF-8")
        parser.buffer_text = True
        parser.buffer_size = _TEXT
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        # White space between elements is collected, too, and dropped at the next tag: that costs no Python call.
        parser.CharacterDataHandler = self._parts.append
        parser.EntityDeclHandler = self._refuse
        parser.Parse(head, False)
        return parser

    def take(self) -> list[Entry]:
        """The entries that are complete."""
        done, self.done = self.done, []
        return done

    def drop(self) -> None:
        """Discard the entry that is being read."""
        self.lost += self._name is not None
        self._name = None
        self._parts.clear()

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._parts.clear()
        # The only attribute is about, r:id or r:resource.
        value = next(iter(attributes.values())) if attributes else None
        if name not in _ENTRIES:
            self._value = value
            return
        self.drop()
        self._fields = []
        self._name = (value or "").strip()
        if name == "Topic":
            self._category = self._name

    def _end(self, name: str) -> None:
        if self._name is None:
            return
        if name not in _ENTRIES:
            value = self._value
            self._fields.append((name[name.find(":") + 1 :], "".join(self._parts) if value is None else value))
        else:
            self.done.append(_ENTRIES[name](self._name, self._fields, self._category))
            self._name = None

    def _refuse(self, name: str, *_: Any) -> None:
        # Entities made of entities can fill any memory, and no dump needs one.
        raise Refused(
            f"{self.path} declares an entity ({name[:40]})", "remove its DOCTYPE: a dump needs none", code=Code.BAD_FILE
        )


def _listing(url: str, fields: list[tuple[str, str]], category: str) -> OdpListing:
    known = dict(fields)
    more = tuple([field for field in fields if field[0] not in _KNOWN]) if len(fields) > len(_KNOWN) else ()
    # The oldest dumps do not name the category again: a listing follows the category that links to it.
    named = known.get("topic", category).strip()
    return OdpListing(url, known.get("Title", ""), known.get("Description", ""), named, more)


def _category(name: str, fields: list[tuple[str, str]], _: str) -> OdpCategory:
    return OdpCategory(name, tuple(fields))


def _alias(name: str, fields: list[tuple[str, str]], _: str) -> Alias:
    known = dict(fields)
    return Alias(name, known.get("Title", ""), known.get("Target", ""))


_KNOWN = ("Title", "Description", "topic")
_ENTRIES: dict[str, Callable[[str, list[tuple[str, str]], str], Entry]] = {
    "ExternalPage": _listing,
    "Topic": _category,
    "Alias": _alias,
}


def _unpacked(file: Any) -> IO[bytes]:
    head = file.peek(6)[:6]
    if head.startswith(b"\x1f\x8b"):
        return cast("IO[bytes]", igzip.open(file))  # type: ignore[no-untyped-call]
    if head.startswith(b"BZh"):
        return bz2.open(file)
    return lzma.open(file) if head.startswith(b"\xfd7zXZ\0") else cast("IO[bytes]", file)
