"""The parts of a link's score as sentences: what spoke for following it, and what against it.

The names of the parts are those of `Strategy.explain` (docs/reference/strategies.md, "The parts of a score").
"""

from __future__ import annotations

from collections.abc import Mapping

_MOST = 3
"""Sentences at most."""
_LEAST, _SHARE = 0.1, 0.2
"""A part is worth a sentence if it is at least this large, and at least this share of the largest."""
_USUAL = "usual"
"""The part that only log-odds have: what any link is worth."""
_FROM = "the page that links to it"

_LOG_ODDS = {
    "page": (f"{_FROM} seems to be on topic", f"{_FROM} seems not to be on topic"),
    "payoff": (
        "links of the page it was found on are likely to lead to pages on topic",
        "links of the page it was found on seldom lead to pages on topic",
    ),
    "beside": (
        "the links next to it led to pages on topic",
        "the links next to it seldom led to pages on topic",
    ),
    "anchor": (
        "the words of the link are like those of pages on topic",
        "the words of the link are unlike those of pages on topic",
    ),
    "context": (
        "the words around the link are like those of pages on topic",
        "the words around the link are unlike those of pages on topic",
    ),
    "url": (
        "its address is like those of pages on topic",
        "its address is unlike those of pages on topic",
    ),
    "host": (
        "pages of the same host were on topic",
        "pages of the same host were seldom on topic",
    ),
    "way": (
        "few pages off topic lie between the last page on topic and this link",
        "several pages off topic lie between the last page on topic and this link",
    ),
}
"""For each part in log-odds, what it says if it is positive and if it is negative."""
_PUT_FIRST = {
    "explored": "little was known about links like this one, so it was tried to learn more",
    "keywords": "little was on topic so far, so it was tried for the keywords in and around it",
}
"""The parts that put a link first, whatever the others say."""
_COUNTED = {
    "payoff": "other links of the page it was found on led to pages on topic {good} of {all} times",
    "beside": "the pages behind the links next to it were on topic {good} of {all} times",
    "host": "the pages of the same host were on topic {good} of {all} times",
    "anchor": "links with the same words led to a page on topic {good} of {all} times",
    "url": "links with similar addresses led to a page on topic {good} of {all} times",
}
"""The same where it is known how often something led to a page on topic, and how often it was tried."""
_OTHERS = {
    "page": f"{_FROM} is on topic",
    "anchor": "the words of the link are about the topic",
    "context": "the words around the link are about the topic",
    "hub": f"{_FROM} is a hub",
    "inherited": "the pages that led to it are on topic",
    "relevance of the linking page": f"{_FROM} is on topic",
    "relevance of the linking page, R(p)": f"{_FROM} is on topic",
    "linked by a top hub": "one of the best hubs links to it",
    "words of others": "other pages describe it in words of the topic",
    "found in its turn": "links are taken in the order in which they were found",
    "the agent's keywords on the page": "the agent's keywords are near the link",
    "the neural net": "the agent's neural net chose it",
    "luck": "it was drawn by lot",
    "page and anchor": f"{_FROM} and the words of the link are on topic",
    "discounted reward of the link's words": "links with such words led to pages on topic, at once or later",
}
"""The parts of other strategies, which only speak for a link."""


def reasons(parts: Mapping[str, float], counts: Mapping[str, tuple[int, int]] | None = None) -> list[str]:
    """The largest parts of a score as sentences, the largest first; empty if nothing is known about them.

    `counts` says for a part how often what it stands for led to a page on topic, and how often that was tried.
    """
    log_odds = _USUAL in parts
    telling = {name: value for name, value in parts.items() if name not in {_USUAL, *_PUT_FIRST} and value == value}
    if not log_odds:
        telling = {name: value for name, value in telling.items() if value > 0}
        found = [_OTHERS[name] for name in _largest(telling, 0.0) if name in _OTHERS]
        return list(dict.fromkeys(found))
    largest = _largest(telling, _LEAST)
    if first := [why for name, why in _PUT_FIRST.items() if parts.get(name)]:
        return [first[0], *(_sentence(name, telling[name], (counts or {}).get(name)) for name in largest[: _MOST - 1])]
    if not largest:
        return ["nothing was known about this link yet but how often links lead to pages on topic here"]
    return [_sentence(name, telling[name], (counts or {}).get(name)) for name in largest]


def _largest(parts: Mapping[str, float], least: float) -> list[str]:
    names = sorted(parts, key=lambda name: -abs(parts[name]))
    most = abs(parts[names[0]]) if names else 0.0
    return [name for name in names if abs(parts[name]) >= max(least, _SHARE * most)][:_MOST]


def _sentence(name: str, value: float, count: tuple[int, int] | None) -> str:
    if count and count[1] and name in _COUNTED:
        return _COUNTED[name].format(good=f"{count[0]:,}", all=f"{count[1]:,}")
    if name in _LOG_ODDS:
        return _LOG_ODDS[name][value < 0]
    return f"{name} speaks {'for' if value > 0 else 'against'} it"
