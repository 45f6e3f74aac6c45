"""HTTP headers: what the head of a response decides before its body is read, and the headers of conditional requests.

The decisions are the same on the live Web and in a recording.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC
from email.utils import parsedate_to_datetime

from lycosa.core.nouns import Failure, Since
from lycosa.core.urls import canonical
from lycosa.web.charset import lacking_for, sniff_type, type_reason, worth_reading
from lycosa.web.link_lists import may_be_list
from lycosa.web.placeholder_pages import CHALLENGE, challenged

LONGEST_REST = 24 * 3600.0
_is_number = re.compile(r"[0-9]+(?:\.[0-9]*)?").fullmatch
_LONGEST_TAG = 512
_is_tag = re.compile(r'(?:W/)?"[\x21\x23-\x7e]*"').fullmatch
_is_like_a_date = re.compile(r"[A-Za-z0-9 ,:+-]{1,64}").fullmatch


def decide(
    url: str, status: int, header: Callable[[str], str], url_limit: int, *, lists: bool = False
) -> str | Failure | None:
    """The target of a redirect, or why there is no page; None if the body is worth reading.

    With `lists`, bodies that may be feeds or sitemaps are.
    """
    if 300 <= status < 400 and status != 304 and (location := header("Location")):
        # If / redirects to /index.html, the two are different URLs, whatever the options say.
        return canonical(location, url, limit=url_limit) or Failure("redirect to nowhere")
    if challenged(header):
        return Failure(CHALLENGE)
    if not 200 <= status < 300 or status in (204, 205):
        again = status in (408, 425, 429) or status >= 500
        return Failure(f"status {status}", again, rest_asked(header("Retry-After")))
    content_type = header("Content-Type")
    if lists and may_be_list(content_type):
        return None
    if not worth_reading(content_type, url):
        return Failure(type_reason(sniff_type(b"", content_type)))
    if (lacks := lacking_for(content_type)) is not None:
        return Failure(lacks)
    return None


def rest_asked(retry_after: str) -> float | None:
    """The seconds that Retry-After asks for, as a number or a date; None if it is neither."""
    value = retry_after.strip()
    try:
        seconds = float(value) if _is_number(value) else _timestamp(value) - time.time()
    except (ValueError, OverflowError):
        return None
    return min(max(seconds, 0.0), LONGEST_REST)


def conditions(since: Since | None) -> dict[str, str]:
    """The headers that ask for a page only if it has changed; none if there is no usable validator.

    What a server once sent is not copied blindly into our own requests: only a well-formed entity tag and a well-formed
    HTTP date (RFC 9110) are sent back. A weak tag is as good as a strong one here, because the comparison is weak.
    """
    if since is None:
        return {}
    found = {}
    # A bare * would mean «only if nothing exists there», so a tag without quotes is not sent.
    if len(since.etag) <= _LONGEST_TAG and _is_tag(since.etag):
        found["If-None-Match"] = since.etag
    with suppress(ValueError, OverflowError):
        if _is_like_a_date(since.modified) and parsedate_to_datetime(since.modified):
            found["If-Modified-Since"] = since.modified
    return found


def validators(header: Callable[[str], str]) -> Since:
    """The validators of a response, for the next conditional request."""
    return Since(writable(header("ETag")), writable(header("Last-Modified")))


def _timestamp(date: str) -> float:
    when = parsedate_to_datetime(date)
    # Every HTTP date is in GMT, also in the old format that does not say so.
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()


def writable(value: str) -> str:
    """A header's value without lone surrogates, which stand for bytes that are not UTF-8 and cannot be written."""
    return value if value.isascii() else value.encode("utf-8", "replace").decode()
