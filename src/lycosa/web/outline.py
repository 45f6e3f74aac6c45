"""Where the elements of a page begin and end in its text.

One walk over the tree notes where each node begins. An element ends where whatever follows it in the document begins,
less the separator, so ends need no second walk: they are looked up for links and the elements around them only.
"""

from __future__ import annotations

from selectolax.lexbor import LexborNode

from lycosa.core.nouns import Span
from lycosa.web.reading import NOWHERE

RINGS = 12  # enclosing elements kept for a link, innermost first


class Outline:
    """The text of a body, after a given start, and the spans of the elements in it."""

    def __init__(self, body: LexborNode, start: str) -> None:
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

    def locate(self, node: LexborNode) -> tuple[Span, tuple[Span, ...]]:
        """The span of an element, and those of the elements around it."""
        begin = self._begins.get(node.mem_id)
        parent = node.parent
        if begin is None or parent is None:
            return NOWHERE, ()  # outside the body
        rings = self._rings.get(parent.mem_id) or self._around(parent)
        return self._span(begin, self._end(node), rings[0]), rings

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
        """The end of an element that blank text at most follows inside its parent."""
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
