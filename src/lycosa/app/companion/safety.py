"""Which addresses must be left alone: those that may give access to something private, or act when they are opened.

A page that a person reads may be behind a login, and its links may be keys: to confirm, reset, unsubscribe or share.
So only links that look like plain addresses are followed: no query, no segment that looks like a random token, no name
of an action. All of this is our choice; pages further away are public, and the engine handles them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from lycosa.core.urls import canonical, host_of, is_host
from lycosa.web.address_guard import AddressGuard

LONGEST = 2048
"""Characters of the address of a page that is read, at most."""

_PRIVATE_HOSTS = re.compile(
    r"(?:(?:web)?mail\d?|accounts?|login|signin|auth|sso|id|my|banking|onlinebanking|ebanking|intranet|admin)\.", re.I
)
_ACTIONS = re.compile(
    r"(?:log|sign)[-_]?(?:in|out|off|on|up)|auth|oauth2?|register|unsubscribe|optout|opt-out|delete|remove|confirm"
    r"|confirmation|verify|verification|activate|reset|reset-password|password|account|settings|cart|basket|checkout"
    r"|invite|invitation|admin|wp-admin|wp-login",
    re.I,
)
_SECRET_NAMES = re.compile(
    r"(?:^|[&;])(?:\w*(?:token|secret|passw|session|signature|apikey|api_key)\w*|key|auth|code|sid|sig|otp|pwd|ticket)=",
    re.I,
)
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.I)
_RANDOM = re.compile(r"[A-Za-z0-9_=-]{20,}")


def is_token(text: str) -> bool:
    """Whether a segment or value looks random: long, with digits among letters and without words."""
    if _UUID.search(text):
        return True
    for part in _RANDOM.findall(text):
        # Words are joined by hyphens and have few digits; a date or a number at the end is common.
        longest = max(map(len, re.split(r"[-_=]", part)))
        changes = len(re.findall(r"\d[A-Za-z]|[A-Za-z]\d|[a-z][A-Z]", part))
        if changes >= 4 and longest >= 12:
            return True
    return False


def is_private(url: str) -> bool:
    """Whether the address of a page that is read shows by itself that the page is private."""
    path, _, query = url[url.index("/", 8) :].partition("?")
    if _PRIVATE_HOSTS.match(host_of(url)) or _SECRET_NAMES.search(query):
        return True
    return is_token(query) or any(map(is_token, path.split("/")))


def may_follow(url: str) -> bool:
    """Whether a link on a page that is read may be followed; the URL is canonical."""
    if "?" in url or is_private(url):
        return False
    segments = url[url.index("/", 8) :].lower().split("/")
    return not any(_ACTIONS.fullmatch(segment.partition(".")[0]) for segment in segments)


def links_to_follow(
    page: str, links: Iterable[tuple[str, str]], guard: AddressGuard, excluded: Sequence[str]
) -> dict[str, str]:
    """The links of a page that may be followed, by URL, each with its longest anchor text."""
    found: dict[str, str] = {}
    if guard.refuses_host(host_of(page)):
        return found
    for href, text in links:
        url = canonical(storable(href), page)
        if url and may_follow(url) and not is_excluded(url, excluded) and not guard.refuses_host(host_of(url)):
            found[url] = max(found.get(url, ""), " ".join(storable(text).split())[:300], key=len)
    return found


def storable(text: str) -> str:
    """A text without unpaired surrogates, which cannot be stored."""
    return text.encode("utf-8", "replace").decode()


def host_names(excluded: Sequence[str]) -> tuple[str, ...]:
    """Hosts from a person's input, with or without commas: normalised, each once; anything else is left out."""
    names = (name for typed in excluded for name in re.split("[,;]", typed))
    urls = (canonical(f"http://{_bare(name)}/") for name in names)
    return tuple(dict.fromkeys(_name(url) for url in urls if url and is_host(host_of(url))))


def _bare(name: str) -> str:
    typed = name.strip().lower()
    return re.split(r"[/?#@\\]", typed.partition("://")[2] or typed)[0].removeprefix("*").lstrip(".")


def _name(url: str) -> str:
    """The host of a URL without its port."""
    return re.sub(r":\d+$", "", host_of(url))


def is_excluded(url: str, excluded: Sequence[str]) -> bool:
    """Whether the host of a URL, or a parent domain of it, is excluded."""
    name = _name(url)
    return any(name == host or name.endswith(f".{host}") for host in excluded)
