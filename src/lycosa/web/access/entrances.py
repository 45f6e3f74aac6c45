"""The hosts with an access, while requests are made: what is added to a request, and what is kept of an answer.

Secrets are read when a host is first asked, and are never written: what a server repeats of them is masked before a
page is parsed or archived.
"""

from __future__ import annotations

import ssl
from base64 import b64encode
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from html import escape
from pathlib import Path
from urllib.parse import quote, quote_plus

from lycosa.system.errors import Code, Refused
from lycosa.system.private_files import read_private
from lycosa.web.access.access_scope import AccessScope
from lycosa.web.access.cookie_files import cookies_for
from lycosa.web.access.cookies import CookieJar
from lycosa.web.access.declared import DIRECT, Access
from lycosa.web.access.escapes import without_escaped
from lycosa.web.access.secret_references import secret_of
from lycosa.web.proxies import Proxy
from lycosa.web.tls import context as tls_context

SHORTEST = 8
"""Characters of a secret from which it is masked where a server repeats it; shorter ones are words of many pages."""
REMEMBERED = 64
"""Cookies whose values are masked, the latest ones."""
MASK = "****"


class Entrance:
    """One host with its access: the secrets, the cookies, the TLS context."""

    def __init__(self, scope: AccessScope, access: Access, ca: str | None, proxy: str | None) -> None:
        self.scope = scope
        self.login = access.login
        self.tls: ssl.SSLContext | None = None
        self.jar = CookieJar()
        self._access, self._ca = access, ca
        self._common_proxy = proxy
        self.proxy = proxy
        """The proxy for this host; None for none."""
        self._headers: dict[str, str] = {}
        self._fields: dict[str, str] = {}
        self._lasting: list[bytes] = []
        self._passing: deque[bytes] = deque(maxlen=2 * REMEMBERED)
        self._is_open = False

    def open(self, variables: Mapping[str, str]) -> None:
        """Read the secrets; raises Refused if one cannot be read or used."""
        if self._is_open:
            return
        access, at = self._access, str(self.scope)
        # An earlier attempt may have failed in the middle.
        self._lasting.clear()

        def secret(text: str, what: str) -> str:
            found = secret_of(text, f"the {what} of {at}", variables) if text else ""
            if found and found != text:
                self._lasting += _spellings(found)
            return found

        for name, value in access.headers.items():
            self._headers[name] = secret(value, f"header {name}")
        if access.user:
            pair = f"{secret(access.user, 'user')}:{secret(access.password, 'password')}"
            told = b64encode(pair.encode()).decode()
            self._lasting += _spellings(told)
            self._headers["Authorization"] = f"Basic {told}"
        if access.bearer:
            self._headers["Authorization"] = f"Bearer {secret(access.bearer, 'bearer token')}"
        if access.login:
            given = access.login.fields.items()
            self._fields = {name: secret(value, f"login field {name}") for name, value in given}
        if access.proxy:
            self.proxy = None if access.proxy == DIRECT else _proxy(secret(access.proxy, "proxy"), at)
        if access.certificate:
            self.tls = self._with_certificate(secret(access.key_password, "key password"))
        if access.cookies:
            for cookie in cookies_for(self.scope, Path(access.cookies)):
                self.jar.put(cookie)
                self._lasting += _spellings(cookie.value)
        self._is_open = True

    def _with_certificate(self, password: str) -> ssl.SSLContext:
        access = self._access
        if self.proxy and self.proxy.startswith("https:"):
            # The proxy would be shown the certificate too.
            raise Refused(
                f"the client certificate of {self.scope} would be shown to its https:// proxy",
                "use a proxy of http:// or socks5:// for this host, or none",
                code=Code.CONTRADICTION,
                field="access",
            )
        read_private(Path(access.key or access.certificate), 1 << 20, "access")
        made = tls_context(self._ca)
        try:
            # Without a function, OpenSSL would ask at the terminal for the password of a key.
            made.load_cert_chain(access.certificate, access.key or None, lambda: password)
        except (OSError, ValueError) as error:
            missing = isinstance(error, FileNotFoundError)
            raise Refused(
                f"the client certificate of {self.scope} cannot be used "
                f"({'there is no such file' if missing else _said(error)})",
                "give a certificate and its key in PEM format, and the password if the key has one",
                code=Code.NOT_FOUND if missing else Code.BAD_FILE,
                field="access",
            ) from None
        return made

    def headers(self, url: str) -> dict[str, str]:
        """The headers for a request; the URL must be in the scope."""
        assert self.scope.covers(url)
        cookies = self.jar.header(url)
        return {**self._headers, "Cookie": cookies} if cookies else self._headers

    def fields(self) -> Mapping[str, str]:
        """What is filled into the login form."""
        return self._fields

    def hear(self, url: str, set_cookies: Iterable[str]) -> None:
        """Keep the cookies of an answer."""
        for cookie in self.jar.hear(url, set_cookies):
            self._passing += _spellings(cookie.value)

    def masked(self, content: bytes) -> bytes:
        """A body in which nothing can be read of what was sent to get it."""
        secrets = (*self._lasting, *self._passing)
        for secret in secrets:
            if secret in content:
                content = content.replace(secret, b"*" * len(secret))
        return without_escaped(content, secrets)

    def masked_header(self, name: str, value: str) -> str:
        """The value of a header of an answer, without cookies and secrets."""
        if name.lower() in ("set-cookie", "set-cookie2"):
            pair, semicolon, attributes = value.partition(";")
            value = f"{pair.partition('=')[0]}={MASK}{semicolon}{attributes}"
        return self.masked(value.encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")

    def __repr__(self) -> str:
        return f"Entrance({str(self.scope)!r})"


class Entrances:
    """All hosts with an access."""

    def __init__(
        self,
        access: Mapping[str, Access],
        variables: Mapping[str, str],
        *,
        ca: str | None = None,
        proxy: str | None = None,
    ) -> None:
        """`variables` is the environment."""
        self.variables = variables
        made = [Entrance(AccessScope.read(host), one, ca, proxy) for host, one in access.items()]
        self._exact = {entrance.scope.origin: entrance for entrance in made if not entrance.scope.wide}
        self._wide = sorted((each for each in made if each.scope.wide), key=lambda each: -len(each.scope.host))

    def of(self, url: str) -> Entrance | None:
        """The entrance for a canonical URL: the narrowest whose scope covers it."""
        if found := self._exact.get(url[: url.find("/", 8)]):
            return found
        return next((each for each in self._wide if each.scope.covers(url)), None)

    def open(self, url: str) -> Entrance | None:
        """The same, with its secrets read; raises Refused if they cannot be."""
        if entrance := self.of(url):
            entrance.open(self.variables)
        return entrance


def _spellings(secret: str) -> list[bytes]:
    """The ways in which a server might repeat a secret."""
    if len(secret) < SHORTEST:
        return []
    ways: tuple[Callable[[str], str], ...] = (str, quote, lambda text: quote(text, safe=""), quote_plus, escape)
    return list(dict.fromkeys(way(secret).encode() for way in ways))


def _proxy(text: str, host: str) -> str:
    try:
        Proxy.read(text)
    except Refused as refused:
        # What is there instead may be another secret.
        problem = f"the proxy of {host} is not the address of a proxy"
        raise Refused(problem, refused.fix, code=refused.code, field="access") from None
    return text


def _said(error: Exception) -> str:
    return getattr(error, "reason", None) or getattr(error, "strerror", None) or "not valid"
