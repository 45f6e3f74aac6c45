"""What a page without a usable title is called: by its first heading, its first line, or the name of its file.

This is the only place where titles are made up, so lists, searches and exports call a page the same. A title that a
program has filled in («untitled», «Microsoft Word - x.doc») is none.
"""

from __future__ import annotations

import re
from itertools import islice
from urllib.parse import unquote

from lycosa.web.extracted import clean_title
from lycosa.web.readers.media_types import HTML, PLAIN, kind_of

_LONGEST_LINE = 150
"""Characters of a line that may be a title; longer ones are sentences of a text."""
_WRITTEN = frozenset({"pdf", "docx", "pptx", "odt", "odp", "epub", "rtf", "markdown"})
"""The kinds of documents that begin with what they are called; tables, data and programs do not."""
_LINES = 5
"""First lines of a text among which a title is looked for."""
_program = re.compile(r"(?:microsoft (?:word|powerpoint|excel|office word)|powerpoint|word|openoffice)\s+-\s+", re.I)
_suffix = re.compile(
    r"\.(?:do[ct][xm]?|pp[st][xm]?|xls[xm]?|od[tps]|rtf|te?xt?|dvi|e?ps|pdf|indd|qx[dp]|fm|wp[d5]?|pub|pmd|p65|pages|cdr"
    r"|ai|html?|md|epub)",
    re.I,
)
_filled_in = re.compile(
    r"(?:\W*(?:untitled|no title|ohne titel|sans titre|sin t[ií]tulo|senza titolo|unknown|none|null|title|titel|titre"
    r"|document(?: title)?|dokument|doc|book|presentation|powerpoint[ -]pr[äaée]sentation|worksheet|sheet"
    r"|slide(?: title)?|layout|print|about:blank|full page(?: fax print)?|template|front ?matter"
    r"|cover|title page)[\W\d_]*"
    r"|<[\da-f]+>|[\W_]*\d{0,3}[\W_]*)",
    re.I,
)
_general = re.compile(
    r"[\W\d]*(?:(?:table of )?contents|index|introduction|abstract|preface|foreword|summary|overview|inhalt|tabelle"
    r"|sheet|slide|foil|page|chapter|copyright|acknowledge?ments)[\W\d]*",
    re.I,
)
_word = re.compile(r"[^\W\d_]{2,}")


def stated_title(title: str) -> str:
    """The title that a document states, without what its program has added; empty if no person wrote it."""
    title = clean_title(title)
    named = _program.match(title)
    inner = title[named.end() :] if named else title
    stem, dot, suffix = inner.rpartition(".")
    is_file = bool(stem and _suffix.fullmatch(dot + suffix))
    inner = stem if is_file else inner
    # The name of a file is a title only if it has several words.
    if _filled_in.fullmatch(inner) or (is_file and len(_word.findall(inner.replace("_", " "))) < 2):
        return ""
    return inner.strip()


def found_title(url: str, mime: str, text: str, headings: str) -> str:
    """A title for a page that states none; empty if nothing says what the page is called."""
    if mime == HTML:
        return headings.partition("\n")[0]
    if mime == PLAIN or ((kind := kind_of(mime)) and kind.name in _WRITTEN):
        lines = [*islice(filter(None, headings.split("\n")), 1), *_first_lines(text)]
        for line in lines:
            if _may_be_title(line):
                return line
    return _file_name(url)


def _first_lines(text: str) -> list[str]:
    lines = (clean_title(line) for line in text[: 40 * _LONGEST_LINE].split("\n"))
    return list(islice(filter(None, lines), _LINES))


def _may_be_title(line: str) -> bool:
    words = len(_word.findall(line))
    return words >= 2 and len(line) <= _LONGEST_LINE and not (_filled_in.fullmatch(line) or _general.fullmatch(line))


def _file_name(url: str) -> str:
    path = url.partition("?")[0].partition("#")[0].split("/", 3)
    name = unquote(path[3].rstrip("/").rpartition("/")[2]) if len(path) > 3 else ""
    stem = name.rpartition(".")[0] or name
    return clean_title(stem.replace("_", " "))
