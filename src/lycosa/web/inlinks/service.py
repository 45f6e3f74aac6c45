"""In-links from a service that the user names: a query by HTTP GET, an answer in JSON.

The service is a URL with {url}, and {limit} if it takes one: `https://host/inlinks?url={url}&limit={limit}`. The URL is
filled in percent-encoded. It answers 200 with `{"inlinks": ["https://...", ...]}` or with the bare list, best first.
Only the named host is asked; it may be private, because the user named it. Redirects are not followed, and no proxy is
used.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

import msgspec

from lycosa.core.inlinks import Inlinks
from lycosa.core.urls import canonical
from lycosa.system.errors import Code, Refused

TIMEOUT = 30.0
"""Seconds that an answer may take."""
LARGEST = 8 << 20
"""Most bytes of an answer: a hundred thousand URLs."""
_AGENT = "Lycosa/0.1"
_CHUNK = 1 << 16
_FIX = 'it must answer 200 with {"inlinks": [URL, ...]}, or the bare list'


class _Answer(msgspec.Struct):
    inlinks: list[str]


class Service(Inlinks):
    """Asks a service, one URL after the other."""

    def __init__(self, template: str, timeout: float = TIMEOUT) -> None:
        problem = fix = ""
        if "@" in template.partition("//")[2].partition("/")[0]:
            problem = "user name and password are not sent to an in-link service"
            fix = "leave them out of its address"
        elif "{url}" not in template:
            problem = f"the address {template} of the in-link service has no place for the URL"
        elif canonical(_filled(template, "http://example.org/", 1), limit=1 << 16) is None:
            problem = f"the address {template} of the in-link service is not a URL"
        if problem:
            fix = fix or "write it like https://host/inlinks?url={url}&limit={limit}"
            raise Refused(problem, fix, code=Code.BAD_VALUE, field="inlinks")
        self._template, self._timeout = template, timeout
        self._opener: OpenerDirector = build_opener(ProxyHandler({}), _NoRedirects())

    def of(self, url: str, limit: int) -> Sequence[str]:
        """The service's answer, in its order; whatever is not an http URL is left out."""
        body = self._asked(_filled(self._template, url, limit))
        try:
            answer = msgspec.json.decode(body, type=_Answer | list[str])
        except (msgspec.DecodeError, UnicodeDecodeError) as problem:
            raise self._trouble(f"its answer cannot be read: {problem}") from None
        urls = answer.inlinks if isinstance(answer, _Answer) else answer
        found = dict.fromkeys(page for one in urls if (page := canonical(one)) and page != url)
        return list(found)[:limit]

    def _asked(self, address: str) -> bytes:
        end = time.monotonic() + self._timeout
        request = Request(address, headers={"Accept": "application/json", "User-Agent": _AGENT})
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                if response.status != 200:
                    raise self._trouble(f"it answered {response.status}")
                body = b""
                while chunk := response.read1(_CHUNK):
                    body += chunk
                    if len(body) > LARGEST:
                        raise self._trouble(f"its answer has more than {LARGEST:,} bytes")
                    if time.monotonic() > end:
                        raise TimeoutError
                return body
        except HTTPError as problem:
            with problem:
                raise self._trouble(f"it answered {problem.code}") from None
        except TimeoutError:
            raise self._trouble(f"it took more than {self._timeout:g} seconds") from None
        except (OSError, HTTPException, ValueError) as problem:
            raise self._trouble(str(getattr(problem, "reason", None) or problem or type(problem).__name__)) from None

    def _trouble(self, why: str) -> Refused:
        # The query string may contain an API key.
        return Refused(
            f"the in-link service {self._template.partition('?')[0]} cannot be used ({why})",
            _FIX,
            code=Code.NETWORK,
            field="inlinks",
        )


class _NoRedirects(HTTPRedirectHandler):
    """Follows no redirect: its target would be a host that the user did not name."""

    def redirect_request(self, *_: object) -> None:
        """Return nothing, so that a redirect is reported as an error."""


def _filled(template: str, url: str, limit: int) -> str:
    return template.replace("{url}", quote(url, safe="")).replace("{limit}", str(limit))
