"""One form for every URL: the WHATWG standard, then the canonical steps of «Crawling the Web», section 2.4.

All code that compares, queues, logs or fetches a URL uses `canonical` (or a page's `Joiner`), so two spellings of one
address become one string. The function is idempotent: its results are returned unchanged.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ada_url import join_url
from publicsuffixlist import PublicSuffixList

from lycosa.system.errors import Code, Refused

LIMIT = 256
"""Characters of a URL at most: the paper's defence against traps whose URLs grow without end."""

# A URL made only of these needs no parsing: nothing in it can be lower-cased, decoded, encoded or resolved. Hosts with
# «--» (punycode), a numeric last label (an IPv4 address in disguise) or a short port are left to the real parser.
_SEGMENT = r"(?!\.)[\w!$&'()*+,;=:@~.-]*"
_QUERY = r"(?:\?[\w!$&()*+,;=:@~./?|-]*)?"
_HOST = r"(?:\w+(?:-\w+)*\.)+[a-z]\w*(?:-\w+)*(?::(?:[1-9]\d{3}|[1-5]\d{4}))?"
_plain = re.compile(rf"https?://(?=[a-z\d_.:-]+/){_HOST}(?:/{_SEGMENT})+{_QUERY}", re.ASCII).fullmatch
_rooted = re.compile(rf"/(?!/){_SEGMENT}(?:/{_SEGMENT})*{_QUERY}", re.ASCII).fullmatch
_relative = re.compile(rf"(?!\.)[\w!$&'()*+,;=@~.-]+(?:/{_SEGMENT})*{_QUERY}", re.ASCII).fullmatch

_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_unescaped = {
    f"%{high}{low}": char if (char := chr(int(high + low, 16))) in _UNRESERVED else f"%{high}{low}".upper()
    for high in "0123456789abcdefABCDEF"
    for low in "0123456789abcdefABCDEF"
}
_escape = re.compile(r"%[0-9a-fA-F]{2}")
_default_page = re.compile(r"/(?:index|default)\.(?:s?html?|php|aspx?|jsp)$", re.IGNORECASE)
_surrogate = re.compile("[\ud800-\udfff]")


def canonical(url: str, base: str | None = None, *, index_pages: bool = False, limit: int = LIMIT) -> str | None:
    """The one form of an http(s) URL, joined to its base; None for other schemes, invalid URLs and too long ones.

    With `index_pages`, default page names (index.html, default.asp, ...) are dropped as well.
    """
    found = url if _plain(url) else _whatwg(url, base)
    return None if found is None else _finish(found, index_pages, limit)


def without_index_page(path: str) -> str:
    """A path without the name of a folder's default page."""
    return _default_page.sub("/", path)


def uniform(text: str) -> str:
    """Percent-encoding in one form: unreserved characters stand for themselves, hex digits are upper-case."""
    return _escape.sub(lambda found: _unescaped[found.group()], text) if "%" in text else text


def _finish(url: str, index_pages: bool, limit: int) -> str | None:
    if index_pages:
        path, mark, query = url.partition("?")
        url = without_index_page(path) + mark + query
    return url if len(url) <= limit else None


def _whatwg(url: str, base: str | None) -> str | None:
    """Parse, join and serialise, without fragment and user, with uniform percent-encoding."""
    # With no base of its own a URL must be absolute, and joining an absolute URL to anything leaves it as it is.
    href = _parse(url, "about:blank" if base is None else base)
    # Decoding may make a new escape or dot segment («%%32e»), so parse again until nothing changes; a URL that is still
    # changing after eight rounds is invalid.
    for _ in range(8):
        if href is None or "%" not in href:
            return href
        tidy = uniform(href)
        if tidy == href:
            return href
        href = _parse(tidy, tidy)
    return None


def _parse(url: str, base: str) -> str | None:
    try:
        href: str = join_url(base, url)
    except ValueError:
        return _parse(_surrogate.sub("\ufffd", url), base) if _surrogate.search(url) else None
    if not href.startswith(("http://", "https://")):
        return None
    href = href.partition("#")[0]
    start, end = href.index("//") + 2, href.index("/", 8)
    user = href.rfind("@", start, end)
    if user >= 0:
        href, end = href[:start] + href[user + 1 :], end - (user + 1 - start)
    # The standard keeps the dot that ends a fully qualified name, but «host.» and «host» are one host in the DNS.
    return _undotted(href, start, end) if _ends_in_dot(href[start:end]) else href


def _ends_in_dot(host: str) -> bool:
    return host.endswith(".") or ".:" in host


def _undotted(href: str, start: int, end: int) -> str | None:
    name, colon, port = href[start:end].partition(":")
    name = name[:-1]
    # A name with an empty label cannot be looked up.
    return f"{href[:start]}{name}{colon}{port}{href[end:]}" if name and not name.endswith(".") else None


_nowhere = ("javascript:", "mailto:", "tel:", "data:", "about:", "blob:", "sms:", "whatsapp:", "ftp:", "file:")
_blank = "".join(map(chr, range(33)))
_unknown = object()


class Joiner:
    """Turns the hrefs of one page into canonical URLs; made once per page, remembers its answers."""

    def __init__(self, base: str, *, index_pages: bool = False, limit: int = LIMIT) -> None:
        self._base = base
        self._index_pages = index_pages
        self._limit = limit
        self._seen: dict[str, str | None] = {}
        self._folder = self._root = ""
        if _plain(base):
            path = base.partition("?")[0]
            self._folder = path[: path.rindex("/") + 1]
            self._root = base[: base.index("/", 8)]

    def __call__(self, href: str) -> str | None:
        """The canonical URL of a link, or None if there is nothing to fetch: not http(s), too long, the same page."""
        bare = href.strip(_blank).partition("#")[0]
        found = self._seen.get(bare, _unknown)
        if found is _unknown:
            found = self._seen[bare] = self._join(bare, href)
        return found  # type: ignore[return-value]

    def _join(self, bare: str, href: str) -> str | None:
        if not bare or (bare[0] != "/" and bare[:11].lower().startswith(_nowhere)):
            return None
        url = bare if _plain(bare) else self._beside(bare) or _whatwg(href, self._base)
        return None if url is None else _finish(url, self._index_pages, self._limit)

    def _beside(self, href: str) -> str | None:
        """A plain relative href joined to a plain base, without parsing."""
        if not self._root:
            return None
        if href[0] == "/":
            return self._root + href if _rooted(href) else None
        folder = self._folder
        while href.startswith("../"):
            href = href[3:]
            folder = folder[: max(folder.rfind("/", 0, -1), len(self._root)) + 1]
        return folder + href if not href or _relative(href) else None


def has_one_host(url: str) -> bool:
    """Whether a URL is canonical in every version: older versions, and so their logs, kept the dot that ends a host."""
    return not _ends_in_dot(host_of(url))


def host_of(url: str) -> str:
    """The host of a canonical URL, with its port where that is not the scheme's own."""
    return url[8 if url[4] == "s" else 7 : url.find("/", 8)]


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


@lru_cache(maxsize=65536)
def site_of(host: str) -> str:
    """The registrable domain of a host, or the host itself if it has none (an address, a bare name)."""
    if host.startswith("["):
        return host[: host.index("]") + 1]
    name = host.partition(":")[0]
    if name.replace(".", "").isdigit():
        return name
    return _suffixes().privatesuffix(name) or name


_SESSION = (
    r"(?:jsessionid|phpsessid|(?:php)?sess?id|session(?:_?id|_?key)?|aspsessionid\w*|asp\.net_sessionid|cfid|cftoken"
    r"|oscsid|zenid)"
)
# Parameters of analytics and advertising, which only say where a visitor came from.
_TRACKING = (
    r"(?:utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|mc_[ce]id|mkt_tok"
    r"|_ga|_gl|_hsenc|_hsmi|vero_id|oly_(?:anon|enc)_id)"
)
_session_path = re.compile(rf"(?:;|%3B){_SESSION}(?:=|%3D)[^/?;]*|/\([A-Z]\([a-z0-9]{{20,}}\)\)(?=/)", re.IGNORECASE)
# A short value may be the number of an article (article?sid=7); session ids are long and random.
_visitor_query = re.compile(
    rf"(?:jsessionid|phpsessid|asp\.net_sessionid|aspsessionid\w*|{_TRACKING})="
    rf"|(?:{_SESSION}|sid)=(?=[^&]*\d)[\w%-]{{12,}}(?=&|$)",
    re.IGNORECASE,
)


def identity(url: str) -> str:
    """A canonical URL without the parts that only tell visitors apart; equal identities are the same page.

    Those parts are the session ids that some servers put in URLs, and parameters that say where a visitor came from.
    """
    path, mark, query = url.partition("?")
    if query and _visitor_query.search(query):
        query = "&".join(part for part in query.split("&") if not _visitor_query.match(part))
        url = path + mark + query if query else path
    if (";" in path or "%3B" in path or "(" in path) and _session_path.search(path):
        path = _session_path.sub("", path)
        url = path + mark + query if query else path
    return url


def typed_host(text: str) -> str | None:
    """The one form of a host that a person typed, with its port if it has one; None if it is not a host."""
    name = text.strip()
    url = None if set(name) & set("/?#@\\ ") else canonical(f"http://{name}/")
    return host_of(url) if url and is_host(host_of(url)) else None


is_host = re.compile(r"(?:[\w-]+(?:\.[\w-]+)*|\[[0-9a-f:.]+\])(?::\d+)?", re.ASCII).fullmatch
"""Whether a text can be the host of a canonical URL."""

_host_name = re.compile(r"(?:[\w-]+(?:\.[\w-]+)+\.?|localhost|\[[0-9a-fA-F:.]+\])(?::\d+)?(?:[/?#].*)?", re.DOTALL)


def seed(url: str, *, index_pages: bool = False, limit: int = LIMIT) -> str:
    """The canonical form of a URL a person typed, https:// added where it is missing; raises Refused if it is wrong."""
    typed = url.strip()
    if not typed:
        raise Refused("a seed is empty", "give a URL such as https://example.org/", code=Code.MISSING, field="seeds")
    found = canonical(
        f"https://{typed}" if _host_name.fullmatch(typed) else typed, index_pages=index_pages, limit=1 << 20
    )
    if found is None:
        scheme = re.match(r"[a-zA-Z][\w+.-]*:", typed)
        if scheme and scheme.group().lower() not in ("http:", "https:"):
            raise Refused(
                f"{typed!r} cannot be crawled", "only http:// and https:// URLs can", code=Code.BAD_VALUE, field="seeds"
            )
        raise Refused(
            f"{typed!r} is not a URL", "write it like https://example.org/page", code=Code.BAD_VALUE, field="seeds"
        )
    if len(found) > limit:
        raise Refused(
            f"the URL {typed[:60]!r}... has {len(found)} characters",
            f"the limit is {limit}",
            code=Code.OUT_OF_RANGE,
            field="seeds",
        )
    return found


def page_url(url: str) -> str:
    """The canonical URL of a page that a person names: as `seed`, but URLs too long to be crawled are allowed."""
    if not url.strip():
        raise Refused("no page is named", "give its URL", code=Code.MISSING, field="url")
    return seed(url, limit=1 << 16)
