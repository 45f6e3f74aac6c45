"""The scope of an access: which URLs it is for. It is as narrow as a person writes it."""

from __future__ import annotations

from typing import NamedTuple

from lycosa.core.urls import canonical, is_host
from lycosa.system.errors import Code, Refused


class AccessScope(NamedTuple):
    """A scheme and a host with its port; with `wide`, also the host's subdomains on that port."""

    scheme: str
    host: str
    wide: bool

    @classmethod
    def read(cls, pattern: str) -> AccessScope:
        """The scope of «example.org», «.example.org», «example.org:8443» or «http://intranet».

        Without a scheme it is https: in clear a secret is only sent where a person writes http://.
        """
        text = pattern.strip().lower()
        scheme, found, rest = text.partition("://")
        if not found:
            scheme, rest = "https", text
        wide = rest.startswith(".")
        name = rest.removeprefix(".").removesuffix("/")
        url = None if set(name) & set("/?#@\\ ") else canonical(f"{scheme}://{name}/")
        host = url[len(scheme) + 3 : -1] if url and scheme in ("http", "https") else ""
        if not host or not is_host(host):
            raise Refused(
                f"{pattern!r} is not a host that can be entered",
                "write example.org, .example.org with its subdomains, example.org:8443, or http://example.org",
                code=Code.BAD_VALUE,
                field="access",
            )
        return cls(scheme, host, wide)

    @property
    def origin(self) -> str:
        """The scheme and host, as URLs begin with them."""
        return f"{self.scheme}://{self.host}"

    @property
    def name(self) -> str:
        """The host without its port."""
        name, colon, port = self.host.rpartition(":")
        return name if colon and port.isdigit() else self.host

    def covers(self, url: str) -> bool:
        """Whether a canonical URL is in the scope."""
        scheme, _, rest = url.partition("://")
        host = rest.partition("/")[0]
        return scheme == self.scheme and (host == self.host or (self.wide and host.endswith(f".{self.host}")))

    def __str__(self) -> str:
        return f"{'http://' if self.scheme == 'http' else ''}{'.' if self.wide else ''}{self.host}"
