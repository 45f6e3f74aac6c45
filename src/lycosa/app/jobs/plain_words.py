"""Problems in words that need no command line: for web pages, programs and agents.

Most messages fit everybody, but some name a command or an option, because they were written for the command line. This
module replaces these by the names of fields in a request or query, or adds that the command line is needed.
"""

from __future__ import annotations

import re

_INSTEAD = (
    (r"give at least one --seed URL, --seeds FILE, or --bed with --topic", "give at least one URL to start from"),
    (r"add --allow (\S+) if it is meant", r"choose another one; whoever runs this server can allow \1"),
    (r"add --within ([^ ,]+)", r"add \1 to within"),
    (r"leave out the seed or its --without", "leave the seed out, or take its host out of without"),
    (r"name a folder that `lycosa (crawl|community init)` made", "choose one of the list"),
    (r"begin one with `lycosa crawl`", "begin a hunt"),
    (r"go on with `lycosa resume` or the same command", "resume it"),
    (r"begin it, or go on, with `lycosa community init [^`]*`", "begin it on the command line"),
    (r"renew it with `lycosa community refresh [^`]*`", "refresh the community"),
    (r"go back with `lycosa community undo [^`]*`", "undo its last refresh"),
    (r"`lycosa judge [^`]*` names some", "choose one of its pages"),
    (r"`lycosa status` names the best pages", "the list of its pages begins with the best"),
    (r", or give --query WORDS", ""),
    (r"with `lycosa mcp [^`]*`", "when the server is started"),
)
"""Patterns of messages, and what replaces them."""
_OURS = {
    **{name: name for name in ("delay", "pages", "bytes", "seconds", "strategy", "judge", "keywords", "name")},
    **{name: name for name in ("within", "without", "seeds", "filter", "page", "limit", "by", "layout")},
    "seed": "seeds",
    "set": "settings",
    "site": "host",
    "links": "kind",
}
"""Options that a request or query has too, and the names of its fields."""
_VERBS = ("resume", "search", "judge", "why", "export")
_instead = tuple((re.compile(said), words) for said, words in _INSTEAD)
_command = re.compile(r"`lycosa ([a-z-]+)[^`]*`")
_option = re.compile(r"(?<![\w/?&=.'\"-])--([a-z][a-z-]*)")
"""An option in one of our messages, but not inside a URL or a text that somebody typed."""


def plain(text: str) -> str:
    """A problem or fix, worded for somebody without a command line."""
    for said, words in _instead:
        text = said.sub(words, text)
    named = [*(verb in _VERBS for verb in _command.findall(text)), *(name in _OURS for name in _option.findall(text))]
    text = _command.sub(r"\1", text)
    text = _option.sub(lambda option: _OURS.get(option[1], option[1]), text)
    return text if all(named) else f"{text} (on the command line)"
