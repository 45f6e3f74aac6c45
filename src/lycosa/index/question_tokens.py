"""The tokens of a question as typed: words and quoted phrases with their signs and fields, operators, parentheses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from lycosa.index.filter_words import FILTER_NAMES, FILTERS

DEEPEST = 16
"""Most parentheses inside each other."""
NEAR = 10
"""How many words may be between two words with NEAR, if no number is given."""
_FARTHEST = 100
_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»〝〞＂", '"') | {"（": "(", "）": ")"})
_NOT_WORDS = frozenset((*FILTERS, *FILTER_NAMES, "url", "inurl"))
_token = re.compile(
    r"""(?P<operator>(?<![^\s()"])(?:AND|OR|NOT|NEAR(?:[/:~](?P<between>\d{1,4}))?)(?![^\s()"]))
    |(?P<close>\))
    |(?P<sign>[+-]?)(?:(?P<name>[A-Za-z]+):(?=[^\s:)]))?
     (?:(?P<open>\()|"(?P<quoted>[^"]*)"?(?:~(?P<moved>\d{1,4}))?|(?P<bare>[^\s"()]+))""",
    re.VERBOSE,
)


class Token(Struct, frozen=True):
    """One token."""

    kind: str
    """AND, OR, NOT, NEAR, «(», «)» or «word»."""
    sign: str = ""
    name: str = ""
    """The field or filter before a colon, in lower case."""
    value: str = ""
    quoted: bool = False
    number: int = 0
    """For NEAR, the words between; for a quoted phrase, the places by which words may be moved."""


def tokens(typed: str, remarks: list[str]) -> list[Token]:
    """The tokens of a question, with balanced parentheses."""
    typed = typed.translate(_QUOTES)
    if typed.count('"') % 2:
        remarks.append("a quotation mark is not closed, so the phrase ends with the question")
    return _balanced(list(_read(typed)), remarks)


def respelled(typed: str, better: Mapping[str, str]) -> str:
    """A question with some of its words spelt otherwise; filters and operators stay as they are."""
    if not better:
        return typed
    words = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, better))})(?!\w)", re.IGNORECASE)

    def spell(found: re.Match[str]) -> str:
        kind = found["name"]
        if found["operator"] or (kind and kind.lower() in _NOT_WORDS):
            return found[0]
        return words.sub(lambda word: better.get(word[0].lower(), word[0]), found[0])

    return _token.sub(spell, typed.translate(_QUOTES))


def _read(text: str) -> Iterator[Token]:
    for found in _token.finditer(text):
        if operator := found["operator"]:
            between = min(int(found["between"] or NEAR), _FARTHEST)
            yield Token("NEAR", number=between) if operator.startswith("NEAR") else Token(operator)
        elif found["close"]:
            yield Token(")")
        elif found["open"]:
            yield Token("(", found["sign"], (found["name"] or "").lower())
        else:
            moved = min(int(found["moved"] or 0), _FARTHEST)
            quoted = found["bare"] is None
            value = (found["quoted"] if quoted else found["bare"]) or ""
            yield Token("word", found["sign"], (found["name"] or "").lower(), value, quoted, moved)


def _balanced(found: list[Token], remarks: list[str]) -> list[Token]:
    """The tokens without parentheses that have no partner or are nested too deeply."""
    opened: list[int] = []
    dropped: set[int] = set()
    for at, token in enumerate(found):
        if token.kind == "(":
            opened.append(at)
        elif token.kind == ")":
            if not opened:
                dropped.add(at)
                remarks.append("a «)» closes nothing")
                continue
            start = opened.pop()
            if len(opened) >= DEEPEST:
                dropped |= {start, at}
                remarks.append(f"only {DEEPEST} parentheses inside each other are read")
    if opened[DEEPEST:]:
        dropped.update(opened[DEEPEST:])
        remarks.append(f"only {DEEPEST} parentheses inside each other are read")
    if opened := opened[:DEEPEST]:
        remarks.append("a «(» is not closed, so it ends with the question")
    closed = [token for at, token in enumerate(found) if at not in dropped]
    return closed + [Token(")")] * len(opened)
