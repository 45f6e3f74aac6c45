"""Patterns of URLs: globs such as `example.org/docs/*`, and regular expressions such as `re:[?&]page=\\d+$`.

Both are matched by RE2, whose time grows with the length of the URL only, whatever the pattern. All patterns of a set
are matched at once: a microsecond for a URL, be they five or a thousand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

from lycosa.core.urls import typed_host, uniform
from lycosa.system.errors import Code, Refused

if TYPE_CHECKING:
    import re2

REGEX = "re:"
"""What a regular expression begins with."""
LONGEST = 2048
"""Characters of a pattern at most."""
_MEMORY = 64 << 20
"""Bytes that RE2 may use for a set; it needs them only for thousands of patterns."""
_NEVER = "\0"
"""No URL contains it, so it can be used to test a set."""
_SCHEME = re.compile(r"(?:https?|\*)://", re.IGNORECASE)
_OTHER_SCHEME = re.compile(r"[a-z][a-z\d+.-]*://", re.IGNORECASE)
_KEPT = "%/?#[]@!$&'()*+,;=:-._~|^`{}"
"""Characters of paths and queries that stay as they are; others are percent-encoded, as in canonical URLs."""


class UrlPatterns:
    """A set of patterns, compiled; `first` says which of them matches a URL."""

    def __init__(self, patterns: Sequence[str], field: str) -> None:
        """`field` is where the patterns come from, for errors."""
        self.patterns = tuple(patterns)
        self._set = _compiled([_expression(each, field) for each in self.patterns], field) if patterns else None

    def first(self, url: str) -> str | None:
        """The first pattern that matches a canonical URL; None if none does."""
        if self._set is None:
            return None
        found = self._set.Match(url[url.index("//") + 2 :])
        return self.patterns[min(found)] if found else None


def _compiled(expressions: list[str], field: str) -> re2.Set:
    import re2

    made = re2.Set.SearchSet(_options())
    try:
        for expression in (*expressions, f"^{_NEVER}$"):
            made.Add(expression)
        made.Compile()
        # If a set compiles but has too little memory to be used, it matches nothing at all.
        fits = made.Match(_NEVER) == [len(expressions)]
    except re2.error:
        fits = False
    if not fits:
        raise Refused("these patterns are too large together", "give fewer", code=Code.TOO_MANY, field=field)
    return made


def _options() -> re2.Options:
    import re2

    options = re2.Options()
    options.never_capture, options.log_errors, options.max_mem = True, False, _MEMORY
    return options


def _expression(typed: str, field: str) -> str:
    """A pattern as an expression for RE2."""
    text = typed.strip()
    if len(text) > LONGEST:
        problem, fix = f"the pattern {text[:40]}... has {len(text):,} characters", f"give at most {LONGEST:,}"
        raise Refused(problem, fix, code=Code.OUT_OF_RANGE, field=field)
    return _regex(text, field) if text.startswith(REGEX) else _glob(text, field)


def _regex(text: str, field: str) -> str:
    import re2

    expression = text.removeprefix(REGEX)
    if not expression:
        raise _refused(text, "it is empty", "write an expression after re:", field)
    try:
        re2.compile(expression, _options())
    except re2.error as error:
        why = error.args[0] if error.args else error
        why = why.decode(errors="replace") if isinstance(why, bytes) else str(why)
        fix = "correct it; lookarounds and backreferences are not possible"
        raise _refused(text, why, fix, field) from None
    return expression


def _glob(text: str, field: str) -> str:
    """A glob matches the whole URL without its scheme; only * is special, and stands for any characters."""
    bare = _SCHEME.sub("", text, count=1) if _SCHEME.match(text) else text
    if not bare:
        raise _refused(text, "it is empty", "write it like example.org/docs/*", field)
    if scheme := _OTHER_SCHEME.match(bare):
        raise _refused(text, f"{scheme[0]} is never fetched", "write it like example.org/docs/*", field)
    host, slash, path = bare.partition("/")
    if not slash and "*" not in host:
        raise _refused(text, "no URL is so short", f"write {bare}/* for the whole host", field)
    if slash and host and "*" not in host:
        known = typed_host(host)
        if known is None:
            raise _refused(text, f"{host!r} is not a host", "begin with a host, a slash or *", field)
        host = known
    pieces = re.split(r"\*+", (host.lower() if slash else host) + slash + path)
    # /docs/* is that path at every host. A star at either end is left out, because a search is quicker than «.*».
    start = "^[^/]*" if not host else "^" if pieces[0] else ""
    return start + ".*".join(re.escape(_encoded(piece)) for piece in pieces if piece) + ("$" if pieces[-1] else "")


def _encoded(piece: str) -> str:
    return uniform(quote(piece, safe=_KEPT))


def _refused(text: str, problem: str, fix: str, field: str) -> Refused:
    return Refused(f"{text[:80]!r} is not a pattern ({problem})", fix, code=Code.BAD_VALUE, field=field)
