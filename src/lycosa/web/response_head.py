"""What the head of a response decides before its body is read: the same on the live Web and in a recording."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import UTC
from email.utils import parsedate_to_datetime

from lycosa.core.nouns import Failure
from lycosa.core.urls import canonical
from lycosa.web.charset import may_be_text, sniff_type, type_reason

LONGEST_REST = 24 * 3600.0


def decide(url: str, status: int, header: Callable[[str], str], url_limit: int) -> str | Failure | None:
    """The target of a redirect, or why there is no page; None if the body is worth reading."""
    if 300 <= status < 400 and status != 304 and (location := header("Location")):
        # If / redirects to /index.html, the two are different URLs, whatever the options say.
        return canonical(location, url, limit=url_limit) or Failure("redirect to nowhere")
    if not 200 <= status < 300 or status in (204, 205):
        again = status in (408, 425, 429) or status >= 500
        return Failure(f"status {status}", again, rest_asked(header("Retry-After")))
    content_type = header("Content-Type")
    return None if may_be_text(content_type) else Failure(type_reason(sniff_type(b"", content_type)))


def rest_asked(retry_after: str) -> float | None:
    """The seconds that Retry-After asks for, as a number or a date; None if it is neither."""
    value = retry_after.strip()
    try:
        seconds = float(value) if _is_number(value) else _seconds_until(value)
    except (ValueError, OverflowError):
        return None
    return min(max(seconds, 0.0), LONGEST_REST)


_is_number = re.compile(r"[0-9]+(?:\.[0-9]*)?").fullmatch


def _seconds_until(date: str) -> float:
    when = parsedate_to_datetime(date)
    # Every HTTP date is in GMT, also in the old format that does not say so.
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp() - time.time()


def writable(value: str) -> str:
    """A header's value without lone surrogates, which stand for bytes that are not UTF-8 and cannot be written."""
    return value if value.isascii() else value.encode("utf-8", "replace").decode()
