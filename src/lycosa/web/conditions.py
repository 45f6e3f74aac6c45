"""Conditional requests: the validators of a page's last response, turned into headers of the next request.

What a server once sent is not copied blindly into our own requests: only a well-formed entity tag and a well-formed
HTTP date (RFC 9110) are sent back. A weak tag is as good as a strong one here, because the comparison is weak.
"""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime

from lycosa.core.nouns import Since

_LONGEST_TAG = 512
_LONGEST_DATE = 64
_tag = re.compile(r'(?:W/)?"[\x21\x23-\x7e]*"')
_date = re.compile(r"[A-Za-z0-9 ,:+-]+")


def conditions(since: Since | None) -> dict[str, str]:
    """The headers that ask for a page only if it has changed; none if there is no usable validator."""
    if since is None:
        return {}
    found = {}
    # A bare * would mean «only if nothing exists there», so a tag without quotes is not sent.
    if len(since.etag) <= _LONGEST_TAG and _tag.fullmatch(since.etag):
        found["If-None-Match"] = since.etag
    if len(since.modified) <= _LONGEST_DATE and _date.fullmatch(since.modified) and _is_date(since.modified):
        found["If-Modified-Since"] = since.modified
    return found


def _is_date(text: str) -> bool:
    try:
        parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return False
    return True
