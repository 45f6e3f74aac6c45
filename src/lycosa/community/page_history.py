"""The history of a page: when it was fetched, how often its text had changed, and whether it is still there.

A page is present if the last check fetched it; gone if its server said so (404, 410, moved permanently) at
`confirmations` checks in a row, the first and the last at least `apart` seconds apart; and unknown otherwise. A network
fault, a server error, an unavailable robots.txt: whatever says nothing about the page makes it unknown, never gone.

A page has changed if its main text has (`core.shingles.is_another_text`). It is compared with the text after the last
change, not with the one of the last check, so that many small changes add up to one.
"""

from __future__ import annotations

from math import log2

from msgspec import Struct
from msgspec.structs import replace

from lycosa.core.nouns import Visit
from lycosa.core.shingles import is_another_text
from lycosa.web.page_dates import moment

PRESENT, GONE, UNKNOWN = "present", "gone", "unknown"
ABSENT = {"status 404", "status 410"}
"""Reasons of a miss which mean that there is no such page."""
DAY = 86400.0
_FIRST, _LAST = -12, 18
INTERVALS = tuple(2 ** (step / 2) for step in range(_FIRST, _LAST + 1))
"""Lengths of intervals between checks, in days, into which they are sorted: from 22 minutes to 17 months."""
MADE_ON_DEMAND = DAY
"""Seconds: a younger Last-Modified of a page seen for the first time may be the time at which the page was made."""
_EARLIEST = 631152000.0
"""1990: what is said to be older than the Web has no true date."""


class History(Struct, frozen=True):
    """What is known of a page over time."""

    url: str
    first: float
    """When it was first seen."""
    asked: float
    """When it was last requested, successfully or not."""
    seen: float
    """When it was last seen."""
    changed: float
    """When it was last seen with another text than before; initially, when it was first seen."""
    digest: str
    """Of its body after the last change."""
    state: str = PRESENT
    why: str = ""
    """Why it is not present."""
    checks: int = 0
    """How often it was seen after the first time."""
    changes: int = 0
    """How many of these showed another text."""
    quiet: float = 0.0
    """For how many seconds it is known that it did not change."""
    stirred: float = 0.0
    """Total seconds of the intervals between checks in which it changed, nobody knows when."""
    absences: int = 0
    """Checks in a row at which its server said that it is not there."""
    absent: float | None = None
    """When the first of these was."""
    faults: int = 0
    """Attempts in a row that said nothing about the page."""
    sketch: bytes = b""
    """Of its text after the last change (`core.shingles`)."""
    dated: int = 0
    """Changes whose time is known; one of them may be from before it was first seen."""
    blurred: bytes = b""
    """Checks that showed a change of unknown time: a byte with their number for each of INTERVALS."""
    told: float | None = None
    """The last time at which a sitemap or feed says that it changed, if that is after it was last seen."""
    heeded: int = 0
    """Checks after a sitemap or feed had said that it changed."""
    confirmed: int = 0
    """How many of these showed a change."""
    size: int = 0
    """Bytes of its body."""
    browser: float = 0.0
    """Seconds that it took to render it."""


def seen(history: History | None, at: float, visit: Visit) -> History:
    """The history after a check that found the page, whether its body was sent or confirmed as unchanged."""
    browser = visit.rendering.browser if visit.rendering else 0.0
    modified = _modified(visit.modified, at)
    if history is None:
        known = modified is not None and at - modified >= MADE_ON_DEMAND
        return History(
            *(visit.url, at, at, at, at, visit.digest),
            quiet=at - modified if known and modified else 0.0,
            sketch=visit.sketch,
            dated=int(known),
            size=visit.size,
            browser=browser,
        )
    since = at - history.seen
    verdict = _has_changed(history, visit)
    change = verdict is True
    # Both may be wrong, but not if they tell of a change that did happen since the last check.
    when = next((time for time in (modified, history.told) if change and time and history.seen < time < at), None)
    return replace(
        history,
        asked=at,
        seen=at,
        changed=at if change else history.changed,
        digest=history.digest if verdict is False else visit.digest,
        sketch=(verdict is False and history.sketch) or visit.sketch,
        state=PRESENT,
        why="",
        checks=history.checks + 1,
        changes=history.changes + change,
        quiet=history.quiet + (at - when if when else since if verdict is False else 0.0),
        stirred=history.stirred + (since if change and not when else 0.0),
        dated=history.dated + bool(when),
        blurred=_counted(history.blurred, since) if change and not when else history.blurred,
        absences=0,
        absent=None,
        faults=0,
        told=None,
        heeded=history.heeded + bool(history.told),
        confirmed=history.confirmed + bool(history.told and change),
        size=visit.size,
        browser=browser,
    )


def _has_changed(history: History, visit: Visit) -> bool | None:
    """Whether the text has changed; None if nobody knows, because the text before was not sketched."""
    if visit.digest == history.digest:
        return False
    return None if visit.sketch and not history.sketch else is_another_text(history.sketch, visit.sketch)


def _counted(counts: bytes, interval: float) -> bytes:
    """The counts with one more interval, in seconds."""
    place = round(2 * log2(max(interval, 1.0) / DAY)) - _FIRST
    counted = bytearray(counts or bytes(len(INTERVALS)))
    place = min(max(place, 0), len(counted) - 1)
    counted[place] = min(counted[place] + 1, 255)
    return bytes(counted)


def _modified(header: str, at: float) -> float | None:
    """The time in a Last-Modified header, if it can be one."""
    date = moment(header) if header else None
    return date.timestamp() if date and _EARLIEST < date.timestamp() < at else None


def told(history: History, changed: float) -> History:
    """The history after a sitemap or feed has said when the page changed."""
    return replace(history, told=changed) if changed > max(history.seen, history.told or 0.0) else history


def absent(history: History, at: float, why: str, confirmations: int, apart: float) -> History:
    """The history after a check at which the server said that the page is not there."""
    count, first = history.absences + 1, at if history.absent is None else history.absent
    state = GONE if count >= confirmations and at - first >= apart else UNKNOWN
    return replace(history, asked=at, state=state, why=why, absences=count, absent=first)


def in_vain(history: History, at: float, why: str) -> History:
    """The history after a check that says nothing about the page. A page that is gone stays gone until it is seen."""
    state = GONE if history.state == GONE else UNKNOWN
    return replace(history, asked=at, state=state, why=why, faults=history.faults + 1)
