"""Rich Text Format: groups in braces, control words, and text in the code page that the file or a font names."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress

from lycosa.web.charset import codec_of
from lycosa.web.extracted import Extracted
from lycosa.web.readers.extraction import DAMAGED, LONGEST, Enough, GrowingText, Unread

DEEPEST = 2_000
"""Groups inside each other."""
_LONGEST_FIELD = 1_000
_token = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\"
)
_field = re.compile(r'\s*HYPERLINK\s+(?:\\l\s+)?"?([^"\s]{1,4000})')
_HIDDEN = frozenset(
    b"""fonttbl colortbl stylesheet listtable listoverridetable revtbl rsidtbl generator info pict object objdata header
    footer headerl headerr headerf footerl footerr footerf xmlnstbl themedata colorschememapping datastore latentstyles
    mmathPr filetbl pgptbl wgrffmtfilter template author operator comment doccomm subject keywords company manager
    category creatim revtim printim buptim pntext pntxta pntxtb listtext annotation atnid atnauthor xe tc
    bkmkstart bkmkend shpinst nonshppict sp""".split()
)
"""Destinations whose content is not a part of the text."""
_SHOWN = frozenset([b"shptxt", b"fldinst", b"fldrslt", b"title"])
"""Destinations inside hidden or ignorable groups whose content is wanted."""
_BREAKS = {b"par": "\n", b"line": "\n", b"sect": "\n", b"row": "\n", b"page": "\n", b"tab": "\t", b"cell": "\t",
           b"emdash": "\u2014", b"endash": "\u2013", b"bullet": "\u2022", b"lquote": "\u2018", b"rquote": "\u2019",
           b"ldblquote": "\u201c", b"rdblquote": "\u201d", b"emspace": " ", b"enspace": " "}  # fmt: skip
_CHARSETS = {128: "cp932", 129: "cp949", 134: "cp936", 136: "cp950", 161: "cp1253", 162: "cp1254", 163: "cp1258",
             177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250"}  # fmt: skip


def read(body: bytes, text: Callable[[], str]) -> Extracted:
    """The text of an RTF file."""
    if not body.lstrip().startswith(b"{\\rtf"):
        raise Unread(DAMAGED)
    reading = _Reading()
    with suppress(Enough):
        until = time.monotonic() + LONGEST
        for number, found in enumerate(_token.finditer(body)):
            if not number & 4095 and time.monotonic() > until:
                break
            reading.take(found)
        reading.flush()
    return reading.into.extracted()


class _Group:
    """The state of a group in braces; it ends with the group."""

    __slots__ = ("codec", "hidden", "is_title", "skip", "start", "wants_field")

    def __init__(self, outer: _Group | None) -> None:
        self.hidden: bool = outer.hidden if outer else False
        self.codec: str = outer.codec if outer else ""
        self.skip: int = outer.skip if outer else 1
        self.is_title: bool = outer.is_title if outer else False
        self.wants_field: bool = outer.wants_field if outer else False
        self.start = -1
        """Where the result of a field began that this group is."""


class _Reading:
    """The state of reading one file."""

    def __init__(self) -> None:
        self.into = GrowingText()
        self.codec = "cp1252"
        self.group = _Group(None)
        self.outer: list[_Group] = []
        self.bytes = bytearray()
        self.to_skip = 0
        self.ignorable = False
        self.fonts: dict[int, str] = {}
        self.font = 0
        self.in_fonts = -1
        self.instruction = ""
        self.high = 0

    def take(self, found: re.Match[bytes]) -> None:
        """One token: a control word or symbol, a brace, or text."""
        word, number, code, symbol, brace, plain = found.groups()
        if plain is not None:
            if self.to_skip:
                cut = min(self.to_skip, len(plain))
                self.to_skip -= cut
                plain = plain[cut:]
            self._text(plain)
        elif word is not None:
            self._word(word, int(number) if number else None)
        elif code is not None:
            if self.to_skip:
                self.to_skip -= 1
            else:
                self._text(bytes([int(code, 16)]))
        elif brace is not None:
            self.flush()
            self.to_skip = 0
            self._brace(brace == b"{")
        elif symbol is not None:
            self._symbol(symbol)

    def _text(self, piece: bytes) -> None:
        if not self.group.hidden or self.group.is_title or self.group.wants_field:
            self.bytes += piece

    def _brace(self, opens: bool) -> None:
        if opens:
            if len(self.outer) >= DEEPEST:
                raise Unread(DAMAGED)
            self.outer.append(self.group)
            self.group = _Group(self.group)
            return
        if self.group.start >= 0 and (link := _field.match(self.instruction)):
            self.into.link(link[1], self.group.start)
            self.instruction = ""
        if self.outer:
            self.group = self.outer.pop()
        if len(self.outer) <= self.in_fonts:
            self.in_fonts = -1

    def _symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            self.ignorable = True
            self.group.hidden = True
        elif symbol in b"\\{}":
            self._text(symbol)
        elif symbol in b"~_":
            self._write(" " if symbol == b"~" else "-")
        elif symbol in b"\r\n":
            self._write("\n")

    def _word(self, word: bytes, number: int | None) -> None:
        group = self.group
        if word == b"u" and number is not None:
            self._unicode(number % 65536)
            self.to_skip = group.skip
        elif word in _BREAKS:
            self._write(_BREAKS[word])
        elif word in _SHOWN:
            self.flush()
            group.hidden = word != b"shptxt" and word != b"fldrslt"
            group.is_title, group.wants_field = word == b"title", word == b"fldinst"
            if word == b"fldinst":
                self.instruction = ""
            elif word == b"fldrslt":
                group.start = self.into.length
        elif word in _HIDDEN:
            group.hidden = True
            if word == b"fonttbl":
                self.in_fonts = len(self.outer) - 1
        elif word == b"v":
            group.hidden = number != 0
        elif word == b"uc":
            group.skip = min(max(0, 1 if number is None else number), 100)
        elif word == b"bin" and number:
            self.to_skip = number
        else:
            self._codec(word, number)

    def _codec(self, word: bytes, number: int | None) -> None:
        if word == b"ansicpg":
            self.codec = _known(f"cp{number}") or self.codec
        elif word == b"mac":
            self.codec = "mac-roman"
        elif word == b"pc":
            self.codec = "cp437"
        elif word == b"f" and number is not None:
            self.flush()
            self.font = number
            if self.in_fonts < 0:
                self.group.codec = self.fonts.get(number, "")
        elif word == b"fcharset" and self.in_fonts >= 0 and number in _CHARSETS:
            self.fonts[self.font] = _CHARSETS[number]

    def _unicode(self, code: int) -> None:
        if 0xD800 <= code < 0xDC00:
            self.high = code
        elif 0xDC00 <= code < 0xE000:
            if self.high:
                self._write(chr(0x10000 + ((self.high - 0xD800) << 10) + code - 0xDC00))
            self.high = 0
        elif code:
            self._write(chr(code))

    def _write(self, piece: str) -> None:
        self.flush()
        group = self.group
        if group.is_title or group.wants_field:
            self._aside(piece)
        elif not group.hidden:
            if piece in "\n\t":
                self.into.end(piece)
            else:
                self.into.add(piece)

    def _aside(self, piece: str) -> None:
        """Take a piece of the title, or of what a field says, as long as they are not too long."""
        if self.group.is_title and len(self.into.title) < _LONGEST_FIELD:
            self.into.title += piece[:_LONGEST_FIELD]
        elif self.group.wants_field and len(self.instruction) < 5 * _LONGEST_FIELD:
            self.instruction += piece[: 5 * _LONGEST_FIELD]

    def flush(self) -> None:
        """Decode the bytes that have come together."""
        if not self.bytes:
            return
        piece = self.bytes.decode(self.group.codec or self.codec, "replace")
        self.bytes.clear()
        if self.group.is_title or self.group.wants_field:
            self._aside(piece)
        else:
            self.into.add(piece)


def _known(codec: str) -> str:
    try:
        return "".encode(codec).decode() or codec
    except LookupError:
        return codec_of(codec) or ""
