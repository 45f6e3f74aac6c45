"""What the rows about hostile HTML share: a page read as a scout reads it, and what that cost."""

import time

from lycosa.core.words import terms
from lycosa.index.near_duplicates import fingerprint
from lycosa.web.parse import parse

LIMIT = 1 << 20
"""Bytes of a page that a crawl keeps unless told otherwise."""


def read(body, url="http://a.test/dir/page", content_type="text/html; charset=utf-8"):
    """A page with everything that is done to it: parsed with contexts and for the index, counted, fingerprinted."""
    body = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
    page = parse(url, body[:LIMIT], content_type, context=True)
    parse(url, body[:LIMIT], content_type, indexed=True)
    terms(page.text)
    fingerprint(page.text)
    for link in page.links[:1000]:
        page.anchor(link)
    return page


def links(body, url="http://a.test/dir/page"):
    """Where the links of a page lead."""
    return [link.url for link in read(body, url).links]


def slowest(pages):
    """The name and CPU-seconds of the page that takes longest to read, of {name: body}."""
    worst = ("", 0.0)
    for name, body in pages.items():
        started = time.thread_time()
        page = read(body)
        taken = time.thread_time() - started
        assert page.digest, name
        worst = max(worst, (name, taken), key=lambda one: one[1])
    return worst
