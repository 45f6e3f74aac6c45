"""Snippets: the passage of a page that best shows why it was found, as plain text with the query's words marked.

A page has 18 KB of text and a result list ten pages, so texts are searched as bytes: finding a few roots in them costs
hardly more than unpacking them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from lycosa.core.nouns import Span
from lycosa.core.scripts import UNSPACED
from lycosa.index.expansion import Forms
from lycosa.index.site_templates import Template

WIDTH = 200
"""Approximate bytes of text in a snippet."""
TOP = 8000
"""Bytes that are searched first: the top of a page says best what it is about."""
LOOKED_AT = 6
"""Most places of a word that are considered."""

NEAR = 250
"""Bytes on both sides of a passage by which it is told whether its site repeats it."""
TRIED = 80
"""Most possible places of a word that are examined; only words of one or two letters have more false ones."""

# A word in lower-cased UTF-8: letters and digits; in practice C2 and E2 begin spaces, quotes and dashes.
_word = re.compile(rb"(?:[a-z0-9]|[\xc3-\xdf][\x80-\xbf]|[\xe0\xe1\xe3-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})+")
_BETWEEN = rb"(?:[\x00-/:-`{-\x7f]|\xc2[\x80-\xbf]|\xe2[\x80-\xbf]{2})+"
"""What is between the words of a phrase."""
_INSIDE = bytes(code >= 128 or chr(code).isalnum() for code in range(256))
# Spaces, and characters that control the display of others.
_blank = re.compile("[\\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufffd]+")
# Tones and signs of Thai, Lao, Burmese and Khmer that are not indexed.
_SIGNS = rb"(?:\xe0\xb9[\x87-\x8e]|\xe0\xbb[\x88-\x8c]|\xe1\x80[\xb7-\xba]|\xe1\x9f[\x89-\x93\x9d])*"
_PAGE_BREAK = b"\f"
_SENTENCE = tuple(mark.encode() for mark in (". ", "\n", "! ", "? ", "。", "！", "？", "। ", "؟ ", "۔ "))


class _Root(NamedTuple):
    """How a query's word is found: by a prefix that all its forms share."""

    start: bytes
    forms: frozenset[bytes]
    word: int
    """The number of the query's word."""
    part: re.Pattern[bytes] | None = None
    """How it is found in a text without blanks, where any letter may be before and after it."""


class Snippet(NamedTuple):
    """A passage, or two, of a page."""

    text: str
    marks: tuple[Span, ...]
    """Where the query's words are in it."""
    pages: tuple[int, ...] = ()
    """The pages, counted from 1, on which the passages are, if the text is divided into pages."""


_Place = tuple[int, int, int]
"""Where a word begins and ends, and the number of the query's word."""


class Snippets:
    """Makes the snippets of one answer."""

    def __init__(self, words: Iterable[Forms], phrases: Iterable[Sequence[str]] = ()) -> None:
        self._roots: list[_Root] = []
        self._weights: list[float] = []
        for number, found in enumerate(words):
            self._weights.append(found.rarity)
            forms = set(found.written)
            if any(map(UNSPACED.fullmatch, forms)):
                self._roots += [_Root(form.encode(), frozenset(), number, _part(form)) for form in forms]
                continue
            # Lower-casing bytes leaves other alphabets unchanged, so these words are searched in their usual cases.
            forms |= {cased for form in forms if not form.isascii() for cased in (form.capitalize(), form.upper())}
            written = {form.encode().lower() for form in forms}
            for start in {word[:1] for word in written}:
                alike = [word for word in written if word.startswith(start)]
                self._roots.append(_Root(_beginning(alike), frozenset(alike), number))
        # Pairs of letters of unspaced scripts overlap: they are found near each other without this.
        several = [phrase for phrase in phrases if len(phrase) > 1 and not any(map(UNSPACED.search, phrase))]
        self._phrases = [re.compile(_BETWEEN.join(re.escape(word.encode()) for word in each)) for each in several]

    def of(self, raw: bytes, template: Template | None = None) -> Snippet:
        """The snippet of a text whose first line is the title.

        What its site repeats, like navigation, is shown only if no word of the query is elsewhere.
        """
        body = raw.find(b"\n") + 1
        low = raw.lower()
        chosen, repeated = self._choose(low, body), list[Span]()
        if template and _is_repeated(raw, chosen or [(body, body)], body, template):
            repeated = template.spans(raw, body)
            chosen = self._choose(_without(low, repeated), body) or chosen
        if not chosen:
            top = _first_own(raw, body, repeated)
            return self._show(raw, low, [(top, _until(raw, top, WIDTH))], body)
        each = WIDTH // len(chosen)
        shown = [_around(raw, span, each, _earliest(span, body, repeated)) for span in chosen]
        return self._show(raw, low, _joined(shown), body)

    def _choose(self, low: bytes, body: int) -> list[Span]:
        """The one or two passages with the most distinctive words."""
        for phrase in self._phrases:
            if found := phrase.search(low, body):
                return [found.span()]
        places = sorted(self._places(low, body, len(low)))
        stretch, held = self._best(places, WIDTH * 3 // 4)
        if len(held) == len({word for _, _, word in places}):
            return [stretch] if held else []
        first, held = self._best(places, WIDTH // 3)
        second, _ = self._best([place for place in places if place[2] not in held], WIDTH // 3)
        return sorted([first, second])

    def _best(self, places: Sequence[_Place], width: int) -> tuple[Span, set[int]]:
        """The first passage with the greatest weight of distinct words, and which words those are."""
        best, held, most = (0, 0), set[int](), 0.0
        counts = [0] * len(self._weights)
        weight, left = 0.0, 0
        for right, (_, end, word) in enumerate(places):
            counts[word] += 1
            if counts[word] == 1:
                weight += self._weights[word]
            start, _, leftmost = places[left]
            # Drop words that are too far away, and words that occur again further right.
            while counts[leftmost] > 1 or (end - start > width and left < right):
                counts[leftmost] -= 1
                if not counts[leftmost]:
                    weight -= self._weights[leftmost]
                left += 1
                start, _, leftmost = places[left]
            if weight > most * 1.0001:
                best, most = (start, end), weight
                held = {word for _, _, word in places[left : right + 1]}
        return best, held

    def _places(self, low: bytes, start: int, end: int) -> list[_Place]:
        """Where the words are: near the top if they are there, else further down."""
        top = min(end, start + TOP)
        found: list[_Place] = []
        for root in self._roots:
            found += _occurrences(root, low, start, top) or _occurrences(root, low, top, end)
        return found

    def _show(self, raw: bytes, low: bytes, spans: Sequence[Span], body: int) -> Snippet:
        shown = ""
        marks: list[Span] = []
        found = list[int]()
        for start, end in spans:
            whole = start == body or raw[max(0, start - 4) : start].endswith(_SENTENCE)
            shown += " … " if shown else "" if whole else "… "
            at = start
            for first, last, _ in sorted(self._places(low, start, end)):
                if marks and first < at < last <= end:  # pairs of letters of a word without blanks overlap
                    shown += raw[at:last].decode("utf-8", "ignore")
                    marks[-1] = (marks[-1][0], len(shown))
                    at = last
                elif first >= at and last <= end:
                    shown += _tidy(raw[at:first], shown)
                    begin = len(shown)
                    shown += raw[first:last].decode("utf-8", "ignore")
                    marks.append((begin, len(shown)))
                    found.append(first)
                    at = last
            shown = (shown + _tidy(raw[at:end], shown)).rstrip()
        if spans[-1][1] < len(raw.rstrip()):
            shown += " …"
        return Snippet(shown, tuple(marks), _pages(raw, found))


def _pages(raw: bytes, places: Sequence[int]) -> tuple[int, ...]:
    """The pages of a text that form feeds divide, on which these places are."""
    if not places or _PAGE_BREAK not in raw:
        return ()
    return tuple(dict.fromkeys(raw.count(_PAGE_BREAK, 0, place) + 1 for place in places))


def _beginning(words: Sequence[bytes]) -> bytes:
    """The common prefix of all words."""
    low, high = min(words), max(words)
    return next((low[:at] for at, (one, other) in enumerate(zip(low, high, strict=False)) if one != other), low)


def _occurrences(root: _Root, low: bytes, start: int, end: int) -> list[_Place]:
    beginning, forms, word, part = root
    if part:
        return [(*found.span(), word) for found in islice(part.finditer(low, start, end), LOOKED_AT)]
    found: list[_Place] = []
    at = low.find(beginning, start, end)
    for _ in range(TRIED):
        if at < 0 or len(found) == LOOKED_AT:
            break
        # Only the beginning of a word, not the middle.
        if not at or not _INSIDE[low[at - 1]] or _after_symbol(low, at):
            match = _word.match(low, at)
            if match is not None and match[0] in forms:
                found.append((at, match.end(), word))
        at = low.find(beginning, at + len(beginning), end)
    return found


def _part(letters: str) -> re.Pattern[bytes]:
    """Letters that follow each other, with any of the signs between them that are not indexed."""
    return re.compile(_SIGNS.join(re.escape(letter.encode()) for letter in letters))


def _after_symbol(low: bytes, at: int) -> bool:
    return low[max(0, at - 2)] == 0xC2 or low[max(0, at - 3)] == 0xE2


def _tidy(piece: bytes, before: str) -> str:
    """A piece of text on one line, ready to be appended to the text before."""
    text = _blank.sub(" ", piece.decode("utf-8", "ignore"))
    return text.lstrip() if not before or before[-1] == " " else text


def _is_repeated(raw: bytes, spans: Sequence[Span], body: int, template: Template) -> bool:
    """Whether any of some passages is in what the site repeats, as far as their surroundings show."""
    for start, end in spans:
        near = template.spans(raw, max(body, start - NEAR), end + NEAR)
        if any(first <= end and start <= last for first, last in near):
            return True
    return False


def _without(low: bytes, repeated: Sequence[Span]) -> bytes:
    """A text in which blanks take the place of what is repeated."""
    own = bytearray(low)
    for start, end in repeated:
        own[start:end] = b" " * (end - start)
    return bytes(own)


def _first_own(raw: bytes, body: int, repeated: Sequence[Span]) -> int:
    """Where the text begins that is not repeated; at the top if all of it is."""
    top = body
    for start, end in repeated:
        if raw[top:start].strip():
            break
        top = end
    return top if raw[top:].strip() else body


def _earliest(span: Span, body: int, repeated: Sequence[Span]) -> int:
    """Where the surroundings of a passage may begin: after what is repeated before it."""
    return max([body, *(end for _, end in repeated if end <= span[0])])


def _around(raw: bytes, span: Span, width: int, body: int) -> Span:
    """A passage with its surroundings: from the beginning of the sentence if that is near, not before `body`."""
    start, end = span
    spare = max(width // 4, width - (end - start))
    earliest = max(body, start - spare // 2)
    if earliest > body:
        sentence = max([raw.rfind(mark, earliest, start) + len(mark) for mark in _SENTENCE])
        space = raw.find(b" ", earliest, start)
        earliest = sentence if sentence > earliest else space + 1 if space >= 0 else earliest
    return earliest, _until(raw, earliest, max(width, end - earliest))


def _until(raw: bytes, start: int, width: int) -> int:
    """Where a passage of about this width ends: after a whole word."""
    if start + width >= len(raw):
        return len(raw)
    end = max(raw.rfind(b" ", start, start + width + 1), raw.rfind(b"\n", start, start + width + 1))
    return end if end > start + width // 2 else start + width


def _joined(spans: Sequence[Span]) -> list[Span]:
    """Passages in their order, with adjacent ones joined."""
    joined = [spans[0]]
    for start, end in spans[1:]:
        if start <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
