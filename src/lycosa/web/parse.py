"""From bytes to a Page: text, title, language, links, and the spans of links and the elements around them in the text.

The text is the title, a line break, then every text node of the body that is not blank, joined by single spaces; an
element's text is therefore a span of it. Scripts, styles and what browsers with frames hide are not text; the alt
texts of images in links are. Pages that would cost the parser too much are salvaged without a tree (`hostile`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode
from xxhash import xxh3_128_hexdigest

from lycosa.core.nouns import LISTS, NOINDEX, Link, Page
from lycosa.core.urls import LIMIT, Joiner
from lycosa.web.charset import decode, sniff_type, type_reason
from lycosa.web.extracted import (
    NOWHERE,
    ROBOTS,
    Anchor,
    Extracted,
    clean_headings,
    clean_language,
    clean_title,
    directives,
    directives_of_headers,
    read_plain,
    refresh_target,
)
from lycosa.web.hostile import risky, salvage
from lycosa.web.link_lists import list_kind, read_list
from lycosa.web.outline import Outline, flagged
from lycosa.web.page_hints import HeadLink, canonical_of, head_link, named_feeds, versions_of
from lycosa.web.readers.media_types import HTML, PLAIN, READ, XML

LONGEST_HREF = 4096
_WITHOUT_EVENTS = int(LexborDocumentOptions.WO_EVENTS)
_OF_INTEREST = (
    "a[href],area[href],frame[src],iframe,script,style,noembed,noframes,base[href],meta[content],title,a img[alt]"
)
_WITH_HEADINGS = f"{_OF_INTEREST},h1,h2,h3"
_WITH_LINKS = ",link[rel]"
# XHTML writes <script ... /> for an empty element, which in HTML would swallow the rest of the page.
_closed_at_once = re.compile(r"<([a-zA-Z][\w:-]*+)([^<>]*+)(?<=/)>")


def parse(
    url: str,
    body: bytes,
    content_type: str = "",
    *,
    robots: Sequence[str] = (),
    context: bool = False,
    paths: bool = False,
    indexed: bool = False,
    nofollow: bool = True,
    index_pages: bool = False,
    url_limit: int = LIMIT,
    lists: bool = False,
    hints: bool = False,
) -> Page:
    """Parse a body into a page; with `context`, links carry their own span and those of the elements around them.

    With `paths` and `context`, links carry their tag paths. With `indexed`, the page has what an index needs: headings,
    and the span of each link; links' own spans cost half as much as contexts. With neither, each URL is listed once.
    `robots` are the values of X-Robots-Tag headers. With `nofollow`, links that ask not to be followed are left out,
    and a page that asks not to be indexed is withheld. With `lists`, feeds and sitemaps are read too. With `hints`, a
    page says under which other URLs it can be found. A body that cannot be read is a page that says why in `unread`.
    """
    page = Page(url, mime=sniff_type(body, content_type, url), digest=xxh3_128_hexdigest(body), size=len(body))
    if lists and (kind := list_kind(body, page.mime, url)):
        reading, page.withheld = read_list(kind, body, content_type), kind
        page.mime = XML if page.mime == HTML else page.mime
    elif page.mime == HTML:
        reading = read_html(body, content_type, context=context, paths=paths, indexed=indexed, head=lists or hints)
    elif page.mime == PLAIN:
        reading = read_plain(decode(body, content_type)[0])
    elif page.mime in READ:
        found = _read_document(page.mime, body, content_type)
        if isinstance(found, str):
            page.unread = found
            return page
        reading = found
    else:
        page.unread = type_reason(page.mime)
        return page
    page.text, page.title = reading.text, reading.title
    page.language, page.headings = reading.language, reading.headings
    if not page.title and (page.mime != HTML or page.headings) and page.withheld not in LISTS:
        # Imported here, because most pages have a title.
        from lycosa.web.document_titles import found_title

        page.title = found_title(url, page.mime, page.text, page.headings)
    requested = reading.robots | directives_of_headers(robots) if robots else reading.robots
    if nofollow and requested:
        if "noindex" in requested and page.withheld not in LISTS:
            page.withheld = NOINDEX
        if "nofollow" in requested:
            return page
    base = Joiner(url, limit=LONGEST_HREF)(reading.base) if 0 < len(reading.base) < LONGEST_HREF else None
    join = Joiner(base or url, index_pages=index_pages, limit=url_limit)
    if reading.head:
        page.feeds = named_feeds(reading.head, join) if lists else ()
        if hints:
            page.canonical, page.versions = canonical_of(reading.head, join, url), versions_of(reading.head, join, url)
    kept = []
    for href, rel, place in reading.anchors:
        target = join(href) if len(href) < LONGEST_HREF else None
        if target is not None and target != url and not (rel and nofollow and "nofollow" in rel.lower().split()):
            kept.append((target, place))
    if reading.dates:
        page.dates = {target: reading.dates[place] for target, place in kept if place in reading.dates}
    if context or indexed:
        locate = reading.locate
        page.links = [Link(target, *locate(place)) for target, place in kept]
    else:
        page.links = [Link(target, NOWHERE) for target in dict(kept)]
    return page


def _read_document(mime: str, body: bytes, content_type: str) -> Extracted | str:
    # Imported here, because most crawls never meet a document.
    from lycosa.web.readers.reading import read_document

    return read_document(mime, body, lambda: decode(body, content_type)[0])


def read_html(
    body: bytes,
    content_type: str,
    *,
    context: bool = False,
    paths: bool = False,
    indexed: bool = False,
    head: bool = False,
) -> Extracted:
    """Read HTML; the places of links are spans with `indexed`, else only what `locate` understands with `context`.

    With `head`, what its <link> elements say is read too.
    """
    text, encoding = decode(body, content_type)
    xhtml = "xhtml" in content_type
    if xhtml:
        text = _closed_at_once.sub(r"<\1\2></\1>", text)
    if xhtml or encoding != "utf-8" or body.startswith(b"\xef\xbb\xbf"):
        body = text.encode("utf-8", "replace")
    if risky(body):
        return salvage(text)
    try:
        return _read_tree(body, context, paths, indexed, head)
    except ValueError:
        # The text cannot be flagged: it contains control characters, for example.
        return _read_tree(body, True, False, indexed, head)


def _read_tree(html: bytes, context: bool, paths: bool, indexed: bool, head: bool) -> Extracted:
    tree = LexborHTMLParser(html, options=_WITHOUT_EVENTS)
    root, body = tree.root, tree.body
    title = base = ""
    robots: frozenset[str] = frozenset()
    anchors: list[Anchor] = []
    headed: list[LexborNode] = []
    links: list[HeadLink] = []
    for node in tree.css((_WITH_HEADINGS if indexed else _OF_INTEREST) + (_WITH_LINKS if head else "")):
        tag = node.tag
        if tag == "a":
            attributes = node.attributes
            if href := attributes.get("href") or attributes.get("xlink:href"):
                anchors.append((href, attributes.get("rel") or "", node))
        elif tag in ("h1", "h2", "h3"):
            headed.append(node)
        elif tag == "img":
            if alt := node.attributes.get("alt"):
                node.insert_before(alt)
        elif tag == "area":
            attributes = node.attributes
            anchors.append((attributes["href"] or "", attributes.get("rel") or "", node))
            if alt := attributes.get("alt"):
                node.insert_child(alt)
        elif tag == "meta":
            attributes = node.attributes
            content = attributes["content"] or ""
            if (attributes.get("name") or "").lower() in ROBOTS:
                robots |= directives(content)
            elif (attributes.get("http-equiv") or "").lower() == "refresh" and (href := refresh_target(content)):
                anchors.append((href, "", node))
        elif tag == "link":
            if link := head_link(node.attributes):
                links.append(link)
        elif tag == "title":
            if not title and (parent := node.parent) is not None and parent.tag != "svg":
                title = clean_title(node.text())
        elif tag == "base":
            base = base or node.attributes["href"] or ""
        elif tag in ("frame", "iframe"):
            if href := node.attributes.get("src"):
                anchors.append((href, "", node))
            if fallback := node.first_child:
                fallback.decompose()
        else:
            node.decompose()
    language = clean_language(root.attributes.get("lang")) if root else ""
    headings = clean_headings(node.text(separator=" ", skip_empty=True) for node in headed) if headed else ""
    start = f"{title}\n" if title else ""
    if body is None:  # a frameset
        anchors = [(href, rel, NOWHERE) for href, rel, _ in anchors]
        return Extracted(start, anchors, title, language, base, robots, headings=headings, head=links)
    if context:
        outline = Outline(body, start, paths=paths)
        return Extracted(outline.text, anchors, title, language, base, robots, outline.locate, headings, links)
    if indexed:
        text, places = flagged(body, start, [node for _, _, node in anchors])
        anchors = [(href, rel, place) for (href, rel, _), place in zip(anchors, places, strict=True)]
    else:
        text = start + body.text(separator=" ", skip_empty=True)
    return Extracted(text, anchors, title, language, base, robots, headings=headings, head=links)
