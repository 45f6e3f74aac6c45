"""Fuzzing of what reads strangers' bytes: `python tests/faults/fuzz.py TARGET SECONDS`; says how often it was tried.

With atheris (`pip install atheris`) the search is guided by coverage. Without it, pieces of pages are put together,
cut and changed at random, from a fixed start.
"""

import json
import random
import sys
import time
from contextlib import suppress

from lycosa.core.urls import canonical, identity
from lycosa.core.words import separated, sequence_of, terms
from lycosa.index.language import language_of
from lycosa.index.near_duplicates import fingerprint
from lycosa.index.query_parser import ask
from lycosa.system.errors import Refused
from lycosa.web.body import Body
from lycosa.web.parse import parse
from lycosa.web.robots_txt import read as robots_txt

PIECES = (
    *(
        b"<html>",
        b"<title>",
        b"</title>",
        b"<a href=",
        b"'",
        b'"',
        b">",
        b"<",
        b"</a>",
        b"<!--",
        b"-->",
        b"<script>",
        b"</",
    ),
    *(
        b"<base href=/x/>",
        b"<meta charset=utf-16>",
        b"<meta http-equiv=refresh content=0;url=",
        b"&amp;",
        b"&#x",
        b"\0",
    ),
    *(
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\xed\xa0\x80",
        b"\xf0\x9f\x98\x80",
        b"spider ",
        b"http://a.test/",
        b"%2e%2e/",
        b"\r\n",
    ),
    *(
        b"<table><tr><td>",
        b"<svg>",
        b"<template>",
        b"<frameset><frame src=x>",
        b"<img alt=x>",
        b"<h1>",
        b"\x1f\x8b",
        b"{}",
    ),
    *(
        "日本語 ".encode(),
        "e\u0301\u200d".encode(),
        b"User-agent: *\nDisallow: /*$\n",
        b"site:a.test ",
        b'"a b" ',
        b"-x ",
        b"a*",
    ),
)


def text_extraction(data):
    page = parse(
        "http://a.test/x", data, ("text/html", "text/plain", "", "text/html; charset=big5")[len(data) % 4], context=True
    )
    for link in page.links[:50]:
        page.anchor(link)
        page.window(link, 10)
        assert link.url.startswith(("http://", "https://"))
    parse("http://a.test/x", data, "text/html", indexed=True)


def tokeniser(data):
    text = data.decode("utf-8", "surrogateescape" if len(data) % 2 else "replace")
    assert sum(terms(text).values()) >= 0
    sequence_of(separated(text))
    language_of(text)


def fingerprints(data):
    text = data.decode("utf-8", "replace")
    assert fingerprint(text) == fingerprint(text)


def urls(data):
    text = data.decode("utf-8", "surrogateescape")
    for base in (None, "http://a.test/x/y"):
        found = canonical(text, base, limit=1 << 20)
        if found is not None:
            assert canonical(found, limit=1 << 20) == found
            identity(found)


def robots(data):
    robots_txt(data[:20_000], "lycosa").allows("http://a.test/x/y?z")


def codings(data):
    body = Body(("gzip", "deflate", "br", "zstd", "gzip, br")[len(data) % 5], 1 << 16)
    for at in range(0, len(data), 7):
        if not body.feed(data[at : at + 7]):
            break
    assert len(body.content) <= 1 << 16


def questions(data):
    with suppress(Refused):
        ask(data.decode("utf-8", "replace"))


TARGETS = {one.__name__: one for one in (text_extraction, tokeniser, fingerprints, urls, robots, codings, questions)}


def made(chance):
    """Bytes put together at random."""
    data = b"".join(chance.choice(PIECES) * chance.choice((1, 1, 1, 2, 50)) for _ in range(chance.randrange(1, 40)))
    for _ in range(chance.randrange(4)):
        at = chance.randrange(len(data) + 1)
        data = data[:at] + bytes([chance.randrange(256)]) + data[at + chance.randrange(3) :]
    return data


def main():
    name, seconds = sys.argv[1], float(sys.argv[2])
    target, tried = TARGETS[name], 0
    with suppress(ImportError):
        import atheris

        atheris.Setup([sys.argv[0], f"-max_total_time={int(seconds)}", "-max_len=4096"], target)
        atheris.Fuzz()
    chance, end = random.Random(name), time.monotonic() + seconds
    while time.monotonic() < end or tried < 50:
        data = made(chance)
        try:
            target(data)
        except Exception as error:
            print(json.dumps({"target": name, "tried": tried, "crash": repr(error), "data": repr(data)}))
            raise
        tried += 1
    print(json.dumps({"target": name, "tried": tried}))


if __name__ == "__main__":
    main()
