"""Words instead of stems: an agent looks for «chang», but people prefer to read «changes»."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from lycosa.app.insight.trail import Trail
from lycosa.core.words import separated, stem, terms
from lycosa.engine.archived import archived
from lycosa.system.errors import Damaged

_SECONDS = 0.1
"""Seconds for reading pages again in one call; the next call continues."""


def worded(portraits: Sequence[Mapping[str, Any]], trail: Trail, query: str) -> dict[str, str]:
    """A word for each stem, from the query or from the page where an agent picked it up, as far as time allows."""
    asked = {term: word for word in reversed(query.lower().split()) for term in terms(word)}
    until = time.monotonic() + _SECONDS
    for kin in portraits:
        for term in kin["keywords"]:
            known = term in trail.words or term in asked
            if not known and kin["born"] and time.monotonic() < until:
                trail.words[term] = _usual(term, kin["born"], trail)
    return trail.words | asked


def _usual(term: str, url: str, trail: Trail) -> str:
    """The most frequent word with this stem on a page; the stem itself if there is none."""
    row = trail.collection.log.page(url)
    if row is None or row.where is None:
        return term
    try:
        page = archived(trail.collection.repository, url, row.where)
    except Damaged:
        return term
    words = Counter(separated(page.text).decode("utf-8", "replace").split())
    return max((word for word in words if stem(word) == term), key=lambda word: words[word], default=term)
