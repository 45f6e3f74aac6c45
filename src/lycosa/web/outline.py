"""Where the elements of a page begin and end in its text.

Outline: one walk over the tree notes where each node begins. An element ends where the next node after it begins, less
the separator, so ends need no second walk: they are looked up only for links and the elements around them.

`flagged`: if only the links themselves are wanted, not the elements around them, each link gets a flag before and after
it, and the parser's own text extraction shows where the flags are: half the cost of a walk.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from selectolax.lexbor import LexborNode

from lycosa.core.nouns import Span
from lycosa.web.extracted import NOWHERE

RINGS = 12  # enclosing elements kept for a link, innermost first
STEPS = 32  # elements of a tag path that are kept, those nearest to the link
_NAMES, _LENGTH = 3, 40  # names of classes that count in a tag path, and characters of a name

# Control characters, because texts contain hardly any, and because they are as short as a letter.
_OPEN, _CLOSE = "\x01", "\x02"


class Outline:
    """The text of a body, appended to a given start, and the spans of the elements in it."""

    def __init__(self, body: LexborNode, start: str, *, paths: bool = False) -> None:
        """With `paths`, `locate` also finds tag paths."""
        begins: dict[int, int] = {}
        texts = []
        at = len(start)
        for node in body.traverse(include_text=True, skip_empty=True):
            begins[node.mem_id] = at
            text = node.text_content
            if text is not None:
                texts.append(text)
                at += len(text) + 1
        self.text = start + " ".join(texts)
        root, end = body.mem_id, len(self.text)
        self._begins = begins
        self._ends = {root: end}
        self._rings: dict[int, tuple[Span, ...]] = {root: ((len(start), end),)}
        self._paths: dict[int, tuple[str, ...]] | None = {root: (_step(body),)} if paths else None

    def locate(self, node: LexborNode) -> tuple[Span, tuple[Span, ...], str]:
        """The span of an element, those of the elements around it, and its tag path if it is wanted."""
        begin = self._begins.get(node.mem_id)
        parent = node.parent
        if begin is None or parent is None:
            return NOWHERE, (), ""  # outside the body
        rings = self._rings.get(parent.mem_id) or self._around(parent)
        path = "" if self._paths is None else " ".join((*self._path(parent, self._paths), _step(node)))
        return self._span(begin, self._end(node), rings[0]), rings, path

    def _path(self, element: LexborNode, known: dict[int, tuple[str, ...]]) -> tuple[str, ...]:
        """The steps from the body to an element."""
        inside = []
        at: LexborNode | None = element
        path: tuple[str, ...] | None = None
        while at is not None and (path := known.get(at.mem_id)) is None:
            inside.append(at)
            at = at.parent
        assert path is not None
        for at in reversed(inside):
            path = known[at.mem_id] = (*path[1 - STEPS :], _step(at))
        return path

    def _around(self, element: LexborNode) -> tuple[Span, ...]:
        """The spans of an element and of those around it, innermost first."""
        inside = []
        at: LexborNode | None = element
        rings: tuple[Span, ...] | None = None
        while at is not None and (rings := self._rings.get(at.mem_id)) is None:
            inside.append(at)
            at = at.parent
        assert rings is not None
        for at in reversed(inside):
            identity = at.mem_id
            rings = self._rings[identity] = (
                self._span(self._begins[identity], self._end(at), rings[0]),
                *rings[: RINGS - 1],
            )
        return rings

    def _span(self, begin: int, end: int, around: Span) -> Span:
        if begin < end:
            return begin, end
        begin = min(begin, around[1])  # no text inside
        return begin, begin

    def _end(self, node: LexborNode) -> int:
        following = node.next
        begin = self._begins.get(following.mem_id) if following is not None else None
        return self._end_of_last(node) if begin is None else begin - 1

    def _end_of_last(self, node: LexborNode) -> int:
        """The end of an element that is followed by nothing but blank text inside its parent."""
        begins, ends = self._begins, self._ends
        last = []  # each the last in the next one, so all end together
        at: LexborNode | None = node
        end: int | None = None
        while at is not None and end is None and (end := ends.get(identity := at.mem_id)) is None:
            last.append(identity)
            following = at.next
            while following is not None:
                if (begin := begins.get(following.mem_id)) is not None:
                    end = begin - 1
                    break
                following = following.next
            at = at.parent
        assert end is not None  # the body's is known
        ends.update(dict.fromkeys(last, end))
        return end


_numbers = re.compile(r"[0-9]+")


def _step(node: LexborNode) -> str:
    """An element in a tag path: its tag, id and classes, with 0 for each number, because many ids count something."""
    attributes = node.attributes
    name = node.tag or ""
    if identity := (attributes.get("id") or "").split():
        name += f"#{identity[0][:_LENGTH]}"
    for word in (attributes.get("class") or "")[: 4 * _LENGTH].split()[:_NAMES]:
        name += f".{word[:_LENGTH]}"
    return _numbers.sub("0", name)


def flagged(body: LexborNode, start: str, elements: Sequence[LexborNode]) -> tuple[str, list[Span]]:
    """The text of a body, appended to a given start, and the span of each element in it; leaves flags in the tree.

    Raises ValueError if the text contains flag characters or lacks an element, or if elements are nested.
    """
    for node in elements:
        node.insert_before(_OPEN)
        node.insert_after(_CLOSE)
    before, *behind = f"{body.text(separator=' ', skip_empty=True)} ".split(_OPEN)
    texts, at = [before], len(start) + len(before)
    spans: list[Span] = []
    for part in behind:
        close = part.index(_CLOSE)
        # The parser treats each flag as a text node: the space that follows the flag goes with it.
        texts += part[1:close], part[close + 2 :]
        end = at + close - 1
        spans.append((at, end - 1 if at < end else end))
        at += len(part) - 3
    text = start + "".join(texts)[:-1]
    if _CLOSE in text or len(spans) != len(elements):
        raise ValueError("flags that are not ours, or not all of them")
    for place in range(len(spans) - 1, -1, -1):
        if spans[place][1] <= len(text):
            break
        spans[place] = len(text), len(text)  # nothing follows it
    return text, spans
