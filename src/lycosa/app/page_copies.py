"""Archived copies of pages: what is known about one, its text, and a form of it that is safe to show.

Whatever the page contains, its copy runs no code, loads nothing and sends nothing: only structure, text, tables and
links remain. Whoever shows it also sends the content security policy `POLICY`.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from html import escape
from pathlib import Path

from lycosa.app.answers.page import PageFacts
from lycosa.app.communities import current_collection
from lycosa.app.miss_reasons import explained
from lycosa.core.events import Began, Missed, Redirected, Visited
from lycosa.core.nouns import Raw, Visit
from lycosa.core.urls import Joiner, page_url
from lycosa.core.words import stem
from lycosa.index.query_parser import ask
from lycosa.store.collection import Collection
from lycosa.store.known_pages import KnownPages
from lycosa.system.errors import Code, Refused
from lycosa.web.charset import decode, is_document, sniff_type
from lycosa.web.hostile import risky
from lycosa.web.offline import within
from lycosa.web.parse import parse
from lycosa.web.readers.media_types import HTML, PAGE_BREAK, PLAIN, READ

LONGEST = 1_000_000
"""Bytes shown of a page at most, and characters shown of a document."""
_HOPS = 5
"""Redirects followed at most."""
_LONGER = '<p class="note">The page is longer; only its beginning is shown.</p>'
_MARKED = 1_000
"""Words marked in a copy at most."""


def _names(text: str) -> set[str]:
    return set(text.split())


TAGS = _names(
    """a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn
    div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i ins kbd li main mark menu nav ol p pre
    q rp rt ruby s samp section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul
    var wbr"""
)
GONE = _names(
    """applet audio base canvas embed frame frameset head iframe link map math meta noembed noframes noscript object
    param script select source style svg template textarea title track video xmp"""
)
"""Elements that are removed with all their content."""
_ATTRIBUTES = {
    "a": {"href"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "ol": {"start"},
    "*": {"dir", "lang"},
}
STYLE = (
    ":root{color-scheme:light dark;--ink:#1d2523;--paper:#fff;--line:#ddd8cd;--accent:#14655a;--mark:#ffe7a8}"
    "@media (prefers-color-scheme:dark){:root{--ink:#e9ece8;--paper:#1b2220;--line:#323c38;--accent:#5cc4ad;"
    "--mark:#6b5312}}"
    ":root.light{color-scheme:light;--ink:#1d2523;--paper:#fff;--line:#ddd8cd;--accent:#14655a;--mark:#ffe7a8}"
    ":root.dark{color-scheme:dark;--ink:#e9ece8;--paper:#1b2220;--line:#323c38;--accent:#5cc4ad;--mark:#6b5312}"
    "body{margin:0 auto;padding:1.25rem clamp(.9rem,4vw,2.5rem) 3rem;max-width:52rem;background:var(--paper);"
    "color:var(--ink);font:1rem/1.6 system-ui,'Noto Sans','DejaVu Sans',sans-serif;overflow-wrap:anywhere}"
    "h1,h2,h3,h4{line-height:1.25}a{color:var(--accent)}mark{background:var(--mark);color:inherit;border-radius:3px}"
    "table{border-collapse:collapse;max-width:100%}td,th{border:1px solid var(--line);padding:.25rem .5rem;"
    "vertical-align:top}pre{white-space:pre-wrap}"
    ".note{padding:.6rem .9rem;border:1px solid var(--line);border-radius:8px}"
)
POLICY = (
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; "
    f"style-src 'sha256-{b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
"""Content security policy of a copy: no scripts, requests or forms; a clicked link opens in a window outside."""

_piece = re.compile(r'<[^<>"]*(?:"[^"]*"[^<>"]*)*>|&#?\w+;|\w+')


def about(folder: str | Path, url: str) -> PageFacts:
    """What is known about a page; Refused if it was never fetched."""
    with _found(folder, url) as (_, copy, _):
        return copy


def text_of(folder: str | Path, url: str) -> tuple[PageFacts, str]:
    """The text of a page, parsed from its archived copy as a crawl parses it."""
    with _found(folder, url) as (visit, copy, read):
        text = _text(visit.url, read())
        copy.cut = copy.cut or len(text) > LONGEST
        return copy, text[:LONGEST].encode("utf-8", "replace").decode()


def shown(folder: str | Path, url: str, query: str = "", theme: str = "") -> str:
    """The archived copy of a page as an HTML document that is safe to show, with the words of a query marked."""
    with _found(folder, url) as (visit, copy, read):
        raw = read()
    body = _body(visit.url, raw)
    if query.strip():
        body = highlighted(body, ask(query).spoken)
    if not re.sub(r"<[^>]*>", "", body).strip():
        body = '<p class="note">There is no text on this page.</p>'
    if copy.cut or raw.truncated:
        body += _LONGER
    elif raw.damaged:
        body += '<p class="note">The page arrived damaged; what could be read of it is shown.</p>'
    language = f' lang="{copy.language}"' if re.fullmatch(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", copy.language) else ""
    chosen = f' class="{theme}"' if theme in ("light", "dark") else ""
    return (
        (
            f'<!doctype html><html{language}{chosen}><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(copy.title)}</title>'
            f"<style>{STYLE}</style></head><body>{body}</body></html>"
        )
        .encode("utf-8", "replace")
        .decode()
    )


def sanitised(html: str, base: str) -> str:
    """Only the structure, text, tables and links of a page; links keep their targets."""
    import nh3

    join = Joiner(base)

    def kept(tag: str, name: str, value: str) -> str | None:
        return join(value) if tag == "a" and name == "href" else value

    return nh3.clean(
        html,
        tags=TAGS,
        clean_content_tags=GONE,
        attributes=_ATTRIBUTES,
        attribute_filter=kept,
        set_tag_attribute_values={"a": {"target": "_blank"}},
        link_rel="noopener noreferrer",
        url_schemes={"http", "https"},
        strip_comments=True,
    )


def highlighted(html: str, words: Iterable[str]) -> str:
    """The same document with all words marked that share a stem with one of `words`."""
    stems = {stem(word) for word in words}
    if not stems:
        return html
    left = _MARKED

    @cache
    def wanted(word: str) -> bool:
        return stem(word.lower()) in stems

    def mark(found: re.Match[str]) -> str:
        nonlocal left
        piece = found[0]
        if piece[0] in "<&" or left <= 0 or not wanted(piece):
            return piece
        left -= 1
        return f"<mark>{piece}</mark>"

    return _piece.sub(mark, html)


def _text(url: str, raw: Raw) -> str:
    """The text of a page; of a document, which can only be read as a whole, from all of its bytes."""
    page = parse(url, within(raw, url, LONGEST, len(raw.body)).body, raw.content_type)
    if page.unread:
        raise Refused(
            f"{url} cannot be read here ({explained(page.unread).problem})",
            explained(page.unread).fix,
            code=Code.BAD_VALUE,
            field="url",
        )
    return page.text


def _body(url: str, raw: Raw) -> str:
    body, content_type = raw.body[:LONGEST], raw.content_type
    kind = sniff_type(raw.body, content_type, url)
    if kind == HTML and not risky(body):
        text, _ = decode(body, content_type)
        return sanitised(text, _base(url, text))
    # A page that could stall the sanitiser is parsed as a crawl parses it.
    text = decode(body, content_type)[0] if kind == PLAIN else _text(url, raw)
    if is_document(kind) and PAGE_BREAK in text:
        return _paged(text)
    longer = _LONGER if is_document(kind) and len(text) > LONGEST else ""
    return f"<pre>{escape(text[:LONGEST])}</pre>{longer}" if text.strip() else ""


def _paged(text: str) -> str:
    """The pages of a document, each with its number."""
    shown, left = [], LONGEST
    for number, page in enumerate(text.split(PAGE_BREAK), 1):
        if left <= 0:
            shown.append(_LONGER)
            break
        shown.append(f"<section><h4>Page {number}</h4><pre>{escape(page[:left].strip())}</pre></section>")
        left -= len(page)
    return "".join(shown) if text.strip() else ""


def _base(url: str, html: str) -> str:
    """The base URL of the links on a page."""
    found = re.search(r"""<base\s[^>]{0,400}?href\s*=\s*["']?([^"'\s>]{1,2000})""", html[:100_000], re.I)
    return (Joiner(url)(found[1]) if found else None) or url


@contextmanager
def _found(folder: str | Path, url: str) -> Iterator[tuple[Visit, PageFacts, Callable[[], Raw]]]:
    """The last visit of a page, what is known about it, and a function that reads its response."""
    wanted = page_url(url)
    with current_collection(folder) as place, Collection.open(place) as collection:
        for _ in range(_HOPS + 1):
            entry = collection.log.visit_of(wanted)
            if entry is not None:
                break
            match [each.event for each in collection.log.outcomes_of(wanted)]:
                case [*_, Redirected(redirect=redirect)]:
                    wanted = redirect.to
                case [*_, Missed(miss=miss)]:
                    raise _no_copy(f"{url} could not be fetched ({miss.reason})")
                case _:
                    raise _no_copy(f"{url} was never fetched")
        else:
            raise _no_copy(f"{url} leads from redirect to redirect")
        visit = entry.event.visit

        def read() -> Raw:
            if visit.where is None:
                raise _no_copy(f"this crawl kept no copy of {url}")
            if not _is_text(visit):
                problem = f"{url} is not text but {visit.mime}"
                raise Refused(problem, "open the page itself", code=Code.BAD_VALUE, field="url")
            return collection.repository.read(visit.where)

        yield visit, _copy(collection, entry.event, entry.at), read


def _no_copy(problem: str) -> Refused:
    return Refused(problem, "choose a page of the collection", code=Code.NOT_FOUND, field="url")


def _is_text(visit: Visit) -> bool:
    return visit.mime in READ


def _copy(collection: Collection, visited: Visited, at: float) -> PageFacts:
    visit, log = visited.visit, collection.log
    same = {name: getattr(visit, name) for name in ("url", "title", "mime", "language", "status", "size")}
    row, began = log.page(visit.url), log.last(Began)
    shown = KnownPages(log, collection.inbox.in_force()).shown(visit.url, row.relevance if row else visited.shown)
    return PageFacts(
        **same,
        relevance=shown.relevance,
        known=shown.known,
        judge_score=visit.relevance,
        judge=str(began.event.plan.get("judge", "")) if began else "",
        at=at,
        readable=visit.where is not None and _is_text(visit),
        cut=visit.size > LONGEST and not is_document(visit.mime),
    )
