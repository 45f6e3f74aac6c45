"""An HTTP endpoint that the user names: one request, one answer of bounded size, and why there is none.

Only the named address is asked; it may be private, because the user named it. Redirects are not followed: their target
would be a host that the user did not name. Secrets that are sent are in no message. One object may be used by several
threads.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from http.client import HTTPException, HTTPMessage
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, HTTPSHandler, OpenerDirector, ProxyHandler, Request, build_opener

import msgspec

from lycosa.web.response_head import rest_asked
from lycosa.web.tls import context as tls_context

LARGEST = 1 << 20
"""Most bytes of an answer, unless more are allowed."""
AGENT = "Lycosa/0.1"
_CHUNK = 1 << 16
_HOPELESS = (401, 403, 404, 405, 410, 501)
"""Statuses that every other question would get too."""
_LATER = (408, 409, 425, 429)
_SAID = 160
"""Characters of an endpoint's own words that are shown."""


class NoAnswer(Exception):
    """Why a question was not answered."""

    def __init__(
        self, reason: str, *, status: int = 0, again: bool = False, rest: float | None = None, hopeless: bool = False
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status
        """The status of the answer; 0 if there was none."""
        self.again = again
        """Whether the same question may be answered later."""
        self.rest = rest
        """Seconds that the endpoint asks to wait."""
        self.hopeless = hopeless
        """Whether no other question will be answered either."""


class EndpointAnswer(NamedTuple):
    """What an endpoint answered."""

    body: bytes
    headers: HTTPMessage


class NamedEndpoint:
    """Sends requests to one endpoint."""

    def __init__(
        self,
        *,
        timeout: float = 60.0,
        ca: str | None = None,
        proxy: str | None = None,
        largest: int = LARGEST,
        secrets: Sequence[str] = (),
    ) -> None:
        """`ca` is a file of further certificate authorities; `secrets` are shown in no message."""
        self._timeout = timeout
        self._largest = largest
        self._secrets = [secret for secret in secrets if secret]
        handlers = [HTTPSHandler(context=tls_context(ca))] if ca else []
        proxies = ProxyHandler({"http": proxy, "https": proxy} if proxy else {})
        self._opener: OpenerDirector = build_opener(proxies, _NoRedirects(), *handlers)

    def sent(self, request: Request) -> EndpointAnswer:
        """The answer to a request, if its status is 200; raises NoAnswer."""
        end = time.monotonic() + self._timeout
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                if response.status != 200:
                    raise NoAnswer(f"it answered {response.status}", status=response.status)
                body = b""
                while chunk := response.read1(_CHUNK):
                    body += chunk
                    if len(body) > self._largest:
                        raise NoAnswer(f"its answer has more than {self._largest:,} bytes")
                    if time.monotonic() > end:
                        raise TimeoutError
                return EndpointAnswer(body, response.headers)
        except HTTPError as problem:
            with problem:
                raise self._refusal(problem) from None
        except TimeoutError:
            raise self._late() from None
        except (OSError, HTTPException, ValueError) as problem:
            cause = getattr(problem, "reason", None) or problem
            if isinstance(cause, TimeoutError):
                raise self._late() from None
            raise NoAnswer(self._clean(str(cause) or type(cause).__name__), again=True) from None

    def _late(self) -> NoAnswer:
        return NoAnswer(f"it took more than {self._timeout:g} seconds")

    def _refusal(self, problem: HTTPError) -> NoAnswer:
        status = problem.code
        again = status in _LATER or status >= 500
        rest = rest_asked(problem.headers.get("Retry-After", "")) if again else None
        hopeless = status in _HOPELESS or 300 <= status < 400
        # What it says about a key that it refuses may contain the key, in part or in another form.
        words = "" if status in (401, 403) else self._words(problem)
        return NoAnswer(
            f"it answered {status}{words}", status=status, again=again and not hopeless, rest=rest, hopeless=hopeless
        )

    def _words(self, problem: HTTPError) -> str:
        """What an error says about itself, in brackets."""
        try:
            found = msgspec.json.decode(problem.read(_CHUNK))
        except (OSError, HTTPException, msgspec.DecodeError, UnicodeDecodeError):
            return ""
        error = found.get("error", found) if isinstance(found, dict) else None
        said = error.get("message") if isinstance(error, dict) else error
        return f" ({self._clean(said)})" if isinstance(said, str) and said.strip() else ""

    def _clean(self, text: str) -> str:
        """A text of the other side as it may be shown: one short line without secrets."""
        for secret in self._secrets:
            text = text.replace(secret, "****")
        line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
        return re.sub(r"(?i)bearer \S+", "bearer ****", line)[:_SAID]


class _NoRedirects(HTTPRedirectHandler):
    """Follows no redirect."""

    def redirect_request(self, *_: object) -> None:
        """Return nothing, so that a redirect is reported as an error."""
