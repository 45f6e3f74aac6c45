"""The nouns: pages, links, tickets and their outcomes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from lycosa.core.rendering import Rendering
from lycosa.core.words import Analysis, analysis_for

Span = tuple[int, int]
"""A stretch (start, end) of a page's text."""

Plain = Any
"""None, numbers, strings, bytes, lists and dicts with string keys: what can be logged and sent to processes."""


class Topic(Struct, frozen=True):
    """What is hunted: keywords a person would type, and URLs of pages known to be on topic."""

    keywords: str
    name: str = ""
    examples: tuple[str, ...] = ()
    intent: str = ""
    """What is wanted, in sentences, for a judge who reads; empty if the keywords say it all."""
    language: str = ""
    """The language by whose rules words in Latin letters are read, as its code; empty for English."""

    @property
    def analysis(self) -> Analysis:
        """How the words of its keywords, and of pages, are read."""
        return analysis_for(self.keywords, self.language)


class Link(NamedTuple):
    """A link in its page: where its anchor text is, and where the elements around it are."""

    url: str
    span: Span
    rings: tuple[Span, ...] = ()
    """Spans of the enclosing elements, innermost first: rings[0] is the parent of the <a> element."""
    path: str = ""
    """Its tag path, if the strategy wants it: the elements from the body to the link, such as `body div#main a`."""


class Raw(Struct, frozen=True):
    """A response as it is archived: headers as received, body decoded from its content coding, maybe truncated."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    truncated: bool = False
    reason: str = ""
    damaged: bool = False
    """Whether its content coding was cut off or broken; the body is what could be decoded."""
    origin: RenderedFrom | None = None
    """If the body is what a browser made: what it was made from. Only the archive reads it."""

    def header(self, name: str) -> str:
        """The value of a header, the first if there are several; empty if there is none."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), "")

    @property
    def content_type(self) -> str:
        """The Content-Type header."""
        return self.header("Content-Type")

    @property
    def robots(self) -> tuple[str, ...]:
        """The values of its X-Robots-Tag headers."""
        return tuple([value for name, value in self.headers if name.lower() == "x-robots-tag"])


class RenderedFrom(Struct, frozen=True):
    """What a browser made a document from: the server's own response, and the files that its scripts loaded."""

    plain: Raw
    loaded: Callable[[], tuple[tuple[str, Raw], ...]] = tuple
    """Those files that are not archived yet; from this call on they are. Only who archives the page calls it."""


NOINDEX = "noindex"
"""The reason for withholding a page that asks not to be indexed."""
OUT_OF_SCOPE = "scope "
"""The beginning of the reason why a page, once it had arrived, was found to be out of the crawl's scope."""
COPY = "another address"
"""The reason for withholding a page that was already fetched from another URL which it names."""
FEED, SITEMAP, SITEMAP_INDEX = "feed", "sitemap", "sitemap index"
LISTS = (FEED, SITEMAP, SITEMAP_INDEX)
"""The reasons for withholding a list of links for machines: its links are followed, but it is no page for people."""


class ListedDate(NamedTuple):
    """What a feed or a sitemap says about when a page was published or last changed."""

    day: str
    """In UTC, such as 2024-06-30."""
    published: bool
    """Whether it is the day of publication; else it is that of the last change."""


class Page(Struct):
    """A fetched and parsed page. It stays in the scout; the brain only ever sees the Visit made from it."""

    url: str
    text: str = ""
    links: Sequence[Link] = ()
    title: str = ""
    language: str = ""
    status: int = 200
    mime: str = "text/html"
    digest: str = ""
    """xxh3-128 of the body in hex: equal bodies have equal digests."""
    size: int = 0
    """Decoded body bytes."""
    etag: str = ""
    modified: str = ""
    raw: Raw | None = None
    headings: str = ""
    """The texts of its headings, one per line; only the index uses them."""
    withheld: str = ""
    """Why it is kept out of search and exports, if it is.

    It asks not to be indexed, is a list of links, a placeholder page, or out of the scope (OUT_OF_SCOPE and the rule).
    """
    unread: str = ""
    """Why its text could not be read, if it could not: «type image/png», «encrypted pdf»."""
    rendering: Rendering | None = None
    """How it was rendered in a browser; None if it is as the server sent it."""
    feeds: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    """The feeds that it names, and the sitemaps that its host names, if they are wanted."""
    canonical: str = ""
    """The URL by which it wants to be known, if that is another one of its site."""
    versions: tuple[str, ...] = ()
    """The URLs of its other versions in its site: in other languages, for telephones, as AMP."""
    dates: Mapping[str, ListedDate] = {}
    """If it is a list: what it says about the dates of the pages that it names, by URL."""

    def anchor(self, link: Link) -> str:
        """The text inside the link."""
        return self.text[link.span[0] : link.span[1]]

    def own_words(self) -> str:
        """The text without the anchors of links whose spans are known, because menus are not a page's own words."""
        pieces, at = [], 0
        for start, end in sorted({link.span for link in self.links}):
            if start > at:
                pieces.append(self.text[at:start])
            at = max(at, end)
        return "".join([*pieces, self.text[at:]])

    def ring(self, link: Link, n: int = 0) -> str:
        """The text of the n-th element around the link (0 is its parent), or of the whole page if there are fewer."""
        if n >= len(link.rings):
            return self.text
        start, end = link.rings[n]
        return self.text[start:end]

    def window(self, link: Link, words: int) -> str:
        """The link's anchor with that many words on either side."""
        start, end = link.span
        # Twenty characters per word are enough in almost every text; otherwise widen until enough or the text ends.
        reach = 20 * (words + 1)
        while True:
            before = self.text[max(0, start - reach) : start].split()
            after = self.text[end : end + reach].split()
            left_done = len(before) > words or reach >= start
            right_done = len(after) > words or end + reach >= len(self.text)
            if left_done and right_done:
                return " ".join([*before[max(0, len(before) - words) :], self.anchor(link), *after[:words]])
            reach *= 2


class Moved(Struct, frozen=True):
    """A web's answer that is a redirect: one hop, to a canonical absolute URL."""

    to: str
    status: int = 302
    raw: Raw | None = None


class Since(NamedTuple):
    """The validators a server sent with a page, so that it need not send the page again if nothing has changed."""

    etag: str = ""
    modified: str = ""


class Unchanged(Struct, frozen=True):
    """A web's answer to a conditional request for a page that has not changed."""

    etag: str = ""
    modified: str = ""


class Failure(Struct, frozen=True):
    """A web's answer that is not a page: why, whether to try again, and how many seconds the host wants to rest."""

    reason: str
    again: bool = False
    rest: float | None = None
    asked: bool = True
    """Whether the host was asked for the page at all; robots.txt may have forbidden it."""
    ours: bool = False
    """Whether our own side failed: this machine is short of something, or has no network. The URL is not to blame."""


class Verdict(NamedTuple):
    """How relevant a page is (0 to 1), with the posterior of each label if the judge has labels."""

    relevance: float
    labels: Mapping[str, float] = {}


class Ticket(Struct, frozen=True, gc=False):
    """A request to fetch a URL. `memo` is plain data private to the strategy that made the ticket."""

    url: str
    score: float = 0.0
    lane: str = "main"
    via: str | None = None
    """The page on which the link was found; None for a seed."""
    memo: Plain = None


class Move(NamedTuple):
    """A request to move queued tickets to another lane: every `every`-th ticket of a lane, best first; 1 moves all."""

    lane: str
    to: str
    every: int = 1


class Where(NamedTuple):
    """Where a record is in the page repository."""

    file: str
    offset: int
    length: int


class Visit(Struct, frozen=True):
    """A page was fetched: everything the brain learns about it. Its text and body stay in the repository."""

    ticket: Ticket
    relevance: float
    """The judge's raw score. What people are shown is the relevance by the page model (`Visited.relevance`)."""
    links: Sequence[str] = ()
    """The URL of each link in document order, aligned with what `sense` returns per link."""
    sense: Plain = None
    labels: Mapping[str, float] = {}
    title: str = ""
    language: str = ""
    status: int = 200
    mime: str = "text/html"
    digest: str = ""
    size: int = 0
    etag: str = ""
    modified: str = ""
    where: Where | None = None
    sketch: bytes = b""
    """A sketch of the page's text (`core.shingles`); empty where repetition is not checked."""
    withheld: str = ""
    """As in Page."""
    terms: bytes | None = None
    """Its most frequent terms (`core.page_terms`); None where nobody reads them, and in logs of earlier versions."""
    rendering: Rendering | None = None
    """As in Page."""
    shell: bool = False
    """Whether it is empty without its scripts, and was not rendered."""
    canonical: str = ""
    versions: tuple[str, ...] = ()
    """As in Page."""
    dates: Mapping[str, ListedDate] = {}
    """As in Page, of its own site; empty if no scope asks for dates."""

    @property
    def url(self) -> str:
        """The URL of the page: the ticket's, because a redirect makes a ticket of its own."""
        return self.ticket.url

    @property
    def out_of_scope(self) -> str:
        """Which rule of the scope it breaks, such as `language fr`, so that only its links count; empty if none."""
        return self.withheld.removeprefix(OUT_OF_SCOPE) if self.withheld.startswith(OUT_OF_SCOPE) else ""


class Redirect(Struct, frozen=True):
    """The ticket's URL answered with a redirect: one hop."""

    ticket: Ticket
    to: str
    status: int = 302
    where: Where | None = None


RESTING = "resting"
"""The reason of a miss that only postpones a ticket, because the host's Crawl-delay turned out to be long."""
LOST = "scout lost"
"""The reason of a miss that is not the host's fault: the scout that was to fetch the page is gone."""


class Miss(Struct, frozen=True):
    """The ticket brought no page."""

    ticket: Ticket
    reason: str
    again: bool = False
    rest: float | None = None
    asked: bool = True
    ours: bool = False
    """As in Failure."""

    @property
    def blames_host(self) -> bool:
        """Whether this is a temporary fault of the host."""
        return self.again and not self.ours and self.reason not in (LOST, RESTING)


Outcome = Visit | Redirect | Miss


PERSON = "person"
"""The origin of a judgement that a person made."""


class Judgement(NamedTuple):
    """What a person, or a machine that reads, says about a page: relevant or not."""

    url: str
    relevant: bool | None
    """None withdraws an earlier judgement."""
    origin: str = PERSON
    """Who says so: PERSON, or the name of a machine such as llm:MODEL."""


class Estimate(NamedTuple):
    """How many relevant pages were found, and how many there may be in all."""

    found: int
    total: float
    low: float
    """`low` and `high` are a 90 % confidence interval, if the assumptions hold (docs/explanation/estimate.md)."""
    high: float
    threshold: float | None
    """The relevance from which a page counts as relevant; None if each counts as much as it is likely on topic."""
