"""What the log derives from each event: the row of a page, and the tally."""

from __future__ import annotations

from lycosa.core.events import Event, Leased, Missed, Redirected, Visited
from lycosa.core.rendering import render_counts
from lycosa.core.urls import host_of
from lycosa.store.event_coding import where_of
from lycosa.store.rows import PageRow

WITHHELD = "withheld"
"""The kind of count of pages that are kept out of search and exports; earlier versions did not count them."""
Tally = dict[tuple[str, str], int]
"""Counts of events by kind and name; under "end", where each file of the repository ends."""


OUTSIDE = "outside"
"""The kind of the counts of visits that are no pages of the collection, because they are out of its scope."""


def page_of(seq: int, at: float, event: Visited) -> PageRow:
    """The row of a page when it was visited."""
    visit = event.visit
    file, offset, length = visit.where or (None, None, None)
    return PageRow(
        seq=seq,
        url=visit.url,
        host=host_of(visit.url),
        relevance=event.shown,
        title=visit.title,
        status=visit.status,
        mime=visit.mime,
        language=visit.language,
        digest=visit.digest,
        size=visit.size,
        at=at,
        file=file,
        offset=offset,
        length=length,
        etag=visit.etag,
        modified=visit.modified,
        score=visit.relevance,
    )


def counted(tally: Tally, event: Event) -> list[tuple[str, str]]:
    """Count an event; return the keys that have changed."""
    changes: list[tuple[str, str, int]] = []
    match event:
        case Visited(visit=visit):
            changes = [("visited", str(visit.status), 1)]
            if rule := visit.out_of_scope:
                changes.append((OUTSIDE, rule.partition(" ")[0], 1))
            else:
                changes.append(("bytes", "", visit.size))
                if visit.withheld:
                    changes.append((WITHHELD, visit.withheld, 1))
            if visit.rendering is not None or visit.shell:
                changes += [("rendering", name, more) for name, more in render_counts(visit).items()]
        case Redirected(redirect=redirect):
            changes = [("redirected", str(redirect.status), 1)]
        case Missed(miss=miss):
            changes = [("missed" if event.final else "retried", miss.reason, 1)]
        case Leased():
            changes = [("leased", "", 1)]
    for kind, name, more in changes:
        tally[kind, name] = tally.get((kind, name), 0) + more
    changed = [(kind, name) for kind, name, _ in changes]
    if where := where_of(event):
        key = ("end", where.file)
        tally[key] = max(tally.get(key, 0), where.offset + where.length)
        changed.append(key)
    return changed
