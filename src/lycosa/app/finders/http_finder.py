"""What finders that ask over HTTP share: the address, the key, and what went wrong in one line."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar
from urllib.parse import urlencode, urlsplit
from urllib.request import Request

import msgspec

from lycosa.app.finders.finder import Finder, FoundPage, Unanswered
from lycosa.core.urls import canonical, host_of
from lycosa.system.errors import Code, Refused
from lycosa.system.secret_variables import check_variable, read_secret
from lycosa.web.address_guard import AddressGuard
from lycosa.web.named_endpoint import EndpointAnswer, NamedEndpoint, NoAnswer

TIMEOUT = 15.0
"""Seconds that an answer may take."""
PAUSE = 1.0
"""Seconds between two requests to a source on the public Internet; free plans allow one a second."""
_LONGEST_REST = 5.0
"""Seconds that a source may ask to wait, so that it is asked once more."""
_LARGEST = 8 << 20
_PAGES = 3
"""Pages of results that are asked for, at most."""
_LONG = 1 << 16
"""Characters of an address at most."""
A = TypeVar("A")


@dataclass
class HttpFinder(Finder):
    """Ask an address that the user names; it may be private. Subclasses write `page`, or `find` itself."""

    usual_key: ClassVar[str] = "LYCOSA_SEARCH_KEY"
    """The variable that the fix for a wrong name names."""
    key_header: ClassVar[str] = "Authorization"
    key_scheme: ClassVar[str] = "Bearer "
    templated: ClassVar[bool] = False
    """Whether the address may have a query."""
    refusals: ClassVar[Mapping[int, tuple[str, str]]] = {}
    """What a status means for this kind of source, and the fix, where that is not obvious."""
    wrong_answer: ClassVar[str] = "correct its address"
    """What to do if the answer cannot be read."""
    url: str = ""
    """Address of the source."""
    key: str = ""
    """Name of the environment variable that holds its key; never the key itself."""

    def __post_init__(self) -> None:
        if self.key:
            check_variable(self.key, self.usual_key, "find")
        self._check_address()
        self._asked = -PAUSE

    def _check_address(self) -> None:
        example = "write it like https://search.example.org"
        if not self.url:
            problem, fix = f"finder {self.name} needs its option url", f"{self.name}:url=https://search.example.org"
            raise Refused(problem, f"write it like {fix}", code=Code.MISSING, field="find")
        parts = urlsplit(self.url) if canonical(self.url, limit=_LONG) else None
        if parts is None or ((parts.query or parts.fragment) and not self.templated):
            shown = self.url.partition("?")[0].rpartition("@")[2]
            raise Refused(f"{shown!r} is not the address of a source", example, code=Code.BAD_VALUE, field="find")
        if "@" in parts.netloc:
            problem, fix = "the address of a source holds a login", "put the key into the environment instead"
            raise Refused(problem, fix, code=Code.BAD_VALUE, field="find")

    @property
    def host(self) -> str:
        """The host that is asked."""
        return host_of(canonical(self.url, limit=_LONG) or "")

    @property
    def label(self) -> str:
        """The kind and the host."""
        return f"{self.name} at {self.host}"

    def secret(self) -> str:
        """The key; refuses if a variable is named but not set."""
        return read_secret(self.key, self.label, "find", needed=True) if self.key else ""

    def find(self, query: str, limit: int) -> list[FoundPage]:
        """The results of the first pages."""
        found: dict[str, FoundPage] = {}
        for number in range(_PAGES):
            before = len(found)
            for one in self.page(query, number, limit):
                found.setdefault(one.url, one)
            if len(found) >= limit or len(found) == before:
                break
        return list(found.values())[:limit]

    def page(self, query: str, number: int, limit: int) -> Sequence[FoundPage]:
        """One page of results, counted from 0."""
        raise NotImplementedError

    def get(self, address: str, given: Mapping[str, Any] | Sequence[tuple[str, Any]] = ()) -> EndpointAnswer:
        """The answer of an address with these parameters."""
        secret = self.secret()
        headers = {"User-Agent": self.http.user_agent, "Accept": "*/*"}
        if secret and self.key_header:
            headers[self.key_header] = self.key_scheme + secret
        url = f"{address}{'&' if '?' in address else '?'}{urlencode(given)}" if given else address
        refuses = AddressGuard().refuses_host(host_of(canonical(address, limit=_LONG) or ""))
        endpoint = NamedEndpoint(
            timeout=TIMEOUT,
            ca=self.http.ca,
            # A proxy leads to the Internet, not to this machine or its network.
            proxy=None if refuses else self.http.proxy,
            largest=_LARGEST,
            secrets=(secret,),
        )
        try:
            return self._sent(endpoint, Request(url, headers=headers), public=not refuses)
        except NoAnswer as trouble:
            raise self._unanswered(trouble) from None

    def _sent(self, endpoint: NamedEndpoint, request: Request, *, public: bool) -> EndpointAnswer:
        if public and (early := self._asked + PAUSE - time.monotonic()) > 0:
            time.sleep(early)
        self._asked = time.monotonic()
        try:
            return endpoint.sent(request)
        except NoAnswer as trouble:
            if trouble.rest is None or trouble.rest > _LONGEST_REST:
                raise
            time.sleep(trouble.rest)
            return endpoint.sent(request)

    def read(self, answer: EndpointAnswer, kind: type[A]) -> A:
        """The answer as JSON of this kind."""
        try:
            return msgspec.json.decode(answer.body, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise self.unanswered("does not answer in the JSON of such a source", self.wrong_answer) from None

    def unanswered(self, problem: str, fix: str, code: Code = Code.NETWORK, *, lasting: bool = True) -> Unanswered:
        """The error that something is wrong with this source."""
        error = Unanswered(f"{self.label} {problem}", fix, code=code, field="find")
        error.lasting = lasting
        return error

    def _unanswered(self, trouble: NoAnswer) -> Unanswered:
        status = trouble.status
        if status in self.refusals:
            problem, fix = self.refusals[status]
            return self.unanswered(f"{problem} ({status})", fix)
        if status in (401, 403):
            if self.key:
                return self.unanswered(f"refuses the key in {self.key} ({status})", "correct it", Code.NOT_ALLOWED)
            fix = "put its key into an environment variable and give the variable's name as the option key"
            return self.unanswered(f"asks for a key ({status})", fix, Code.NOT_ALLOWED)
        if status == 429:
            fix = f"try again in {trouble.rest:.0f} seconds" if trouble.rest else "try again later"
            return self.unanswered("allows no more questions now (429)", fix, Code.TOO_MANY, lasting=False)
        if 300 <= status < 400:
            return self.unanswered(f"answers with a redirect ({status})", "give the address that it leads to")
        if status == 404:
            return self.unanswered("has nothing at this address (404)", "correct its address")
        fix = "try again later, or correct its address"
        return self.unanswered(f"does not answer ({trouble.reason})", fix, lasting=trouble.hopeless)
