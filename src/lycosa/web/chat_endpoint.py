"""A chat endpoint compatible with OpenAI's, which the user names: a question by HTTP POST, an answer in JSON.

Only the named address is asked; it may be private, because the user named it. Redirects are not followed, and no proxy
is used. The key is sent in the usual header and is in no message. One object may be used by several threads.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, HTTPSHandler, OpenerDirector, ProxyHandler, Request, build_opener

import msgspec

from lycosa.web.response_head import rest_asked
from lycosa.web.tls import context as tls_context

LARGEST = 1 << 20
"""Most bytes of an answer."""
_AGENT = "Lycosa/0.1"
_CHUNK = 1 << 16
_HOPELESS = (401, 403, 404, 405, 410, 501)
"""Statuses that every other question would get too."""
_LATER = (408, 409, 425, 429)
_SAID = 160
"""Characters of an endpoint's own words that are shown."""


class NoAnswer(Exception):
    """Why a question was not answered."""

    def __init__(self, reason: str, *, again: bool = False, rest: float | None = None, hopeless: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.again = again
        """Whether the same question may be answered later."""
        self.rest = rest
        """Seconds that the endpoint asks to wait."""
        self.hopeless = hopeless
        """Whether no other question will be answered either."""


class _Part(msgspec.Struct):
    text: str = ""


class _Message(msgspec.Struct):
    content: str | list[_Part] | None = None


class _Choice(msgspec.Struct):
    message: _Message


class _Completion(msgspec.Struct):
    choices: list[_Choice]


class ChatEndpoint:
    """Sends questions to one endpoint."""

    def __init__(self, url: str, key: str = "", *, timeout: float = 60.0, ca: str | None = None) -> None:
        """`url` is the address before /chat/completions, `ca` a file of further certificate authorities."""
        base = url.rstrip("/")
        self.address = base if base.endswith("/chat/completions") else f"{base}/chat/completions"
        self._key = key
        self._timeout = timeout
        handlers = [HTTPSHandler(context=tls_context(ca))] if ca else []
        self._opener: OpenerDirector = build_opener(ProxyHandler({}), _NoRedirects(), *handlers)

    def ask(self, question: Mapping[str, Any]) -> str:
        """The text of the answer; raises NoAnswer."""
        body = self._sent(msgspec.json.encode(question))
        try:
            choices = msgspec.json.decode(body, type=_Completion).choices
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise NoAnswer("its answer is not that of a chat endpoint") from None
        content = choices[0].message.content if choices else None
        return "".join(part.text for part in content) if isinstance(content, list) else content or ""

    def _sent(self, data: bytes) -> bytes:
        end = time.monotonic() + self._timeout
        headers = {"Accept": "application/json", "Content-Type": "application/json", "User-Agent": _AGENT}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        try:
            with self._opener.open(Request(self.address, data, headers), timeout=self._timeout) as response:
                if response.status != 200:
                    raise NoAnswer(f"it answered {response.status}")
                body = b""
                while chunk := response.read1(_CHUNK):
                    body += chunk
                    if len(body) > LARGEST:
                        raise NoAnswer(f"its answer has more than {LARGEST:,} bytes")
                    if time.monotonic() > end:
                        raise TimeoutError
                return body
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
        # A redirect would lead to an address that the user did not name.
        hopeless = status in _HOPELESS or 300 <= status < 400
        # What it says about a key that it refuses may contain the key, in part or in another form.
        words = "" if status in (401, 403) else self._words(problem)
        return NoAnswer(f"it answered {status}{words}", again=again and not hopeless, rest=rest, hopeless=hopeless)

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
        """A text of the other side as it may be shown: one short line without the key."""
        if self._key:
            text = text.replace(self._key, "****")
        line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
        return re.sub(r"(?i)bearer \S+", "bearer ****", line)[:_SAID]


class _NoRedirects(HTTPRedirectHandler):
    """Follows no redirect: its target would be a host that the user did not name."""

    def redirect_request(self, *_: object) -> None:
        """Return nothing, so that a redirect is reported as an error."""
