"""A chat endpoint compatible with OpenAI's, which the user names: a question by HTTP POST, an answer in JSON.

Only the named address is asked; it may be private, because the user named it. Redirects are not followed, and no proxy
is used. The key is sent in the usual header and is in no message. One object may be used by several threads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.request import Request

import msgspec

from lycosa.web.named_endpoint import AGENT, NamedEndpoint
from lycosa.web.named_endpoint import LARGEST as LARGEST
from lycosa.web.named_endpoint import NoAnswer as NoAnswer


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
        self._endpoint = NamedEndpoint(timeout=timeout, ca=ca, secrets=(key,))

    def ask(self, question: Mapping[str, Any]) -> str:
        """The text of the answer; raises NoAnswer."""
        headers = {"Accept": "application/json", "Content-Type": "application/json", "User-Agent": AGENT}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        body = self._endpoint.sent(Request(self.address, msgspec.json.encode(question), headers)).body
        try:
            choices = msgspec.json.decode(body, type=_Completion).choices
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise NoAnswer("its answer is not that of a chat endpoint") from None
        content = choices[0].message.content if choices else None
        return "".join(part.text for part in content) if isinstance(content, list) else content or ""
