"""Markdown: the text as it is written, with its links and headings."""

from __future__ import annotations

import re
from collections.abc import Callable

from lycosa.web.extracted import Anchor, Extracted, clean_headings, clean_language, clean_title, read_plain
from lycosa.web.readers.extraction import MOST_LINKS

# Possessive and bounded, so that no line is matched more than twice.
_link = re.compile(
    r"""\[([^\[\]\n]{1,1000}+)\]\([ \t]{0,9}+<?([^\s<>()]{1,4000}+)>?(?:[ \t]++["'(][^\n]{0,300}?["')])?[ \t]{0,9}+\)"""
)
_reference = re.compile(r"^ {0,3}\[([^\[\]\n]{1,300}+)\]:[ \t]{0,9}+<?([^\s<>]{1,4000}+)>?", re.M)
_heading = re.compile(r"^ {0,3}#{1,6}[ \t]++([^\n]{1,1000}+)|^([^\n]{1,300}+)\n(?:=++|-{3,}+)[ \t]*+$", re.M)
_front = re.compile(r"\A---[ \t]*+\n(.{0,20000}?)\n(?:---|\.\.\.)[ \t]*+\n", re.DOTALL)
_named = re.compile(r"^(title|lang|language):[ \t]*[\"']?([^\n]{1,300}?)[\"']?[ \t]*$", re.M)


def read(body: bytes, text: Callable[[], str]) -> Extracted:
    """The text of a Markdown file; its title is that of the front matter, or the first heading."""
    written = text().replace("\r\n", "\n")
    front = _front.match(written)
    said = dict(_named.findall(front[1])) if front else {}
    start = front.end() if front else 0
    headings = [(found[1] or found[2]).strip(" \t#") for found in _heading.finditer(written, start)]
    title = clean_title(said.get("title", "") or (headings[0] if headings else ""))
    lead = f"{title}\n" if title else ""
    shown = lead + written[start:]
    at = len(lead)
    anchors: list[Anchor] = [(found[2], "", found.span(1)) for found in _link.finditer(shown, at)]
    anchors += [(found[2], "", found.span(1)) for found in _reference.finditer(shown, at)]
    known = {href for href, _, _ in anchors}
    anchors += [anchor for anchor in read_plain(shown).anchors if anchor[0] not in known]
    language = clean_language(said.get("lang") or said.get("language"))
    return Extracted(shown, anchors[:MOST_LINKS], title, language, headings=clean_headings(headings))
