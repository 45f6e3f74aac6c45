"""Pages made to hold up the parser cost a small multiple of an ordinary page of their size, and are still pages.

Run as a script it parses each of them in a process of its own whose CPU time is limited, and prints what came of it.
"""

import json
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import count, islice, product

import pytest

from lycosa.core.nouns import Page
from lycosa.web.hostile import MANY_TAGS, risky, salvage
from lycosa.web.parse import parse

CAP = 1 << 20
LIMIT = 13.0
"""How many times as much CPU as an ordinary page of 1 MiB a hostile one may take: 2 seconds where that takes .15. A
multiple, because the same work takes more CPU time on a machine that is busy."""
HANGS = 10
"""CPU-seconds after which a parser is taken for hung."""
PAGES: dict[str, Callable[[], bytes]] = {}


def fill(unit: str, size: int = CAP) -> bytes:
    """A unit repeated up to a size, numbered where it says so."""
    if "%" not in unit:
        return (unit * (size // len(unit)))[:size].encode()
    pieces, length, numbers = [], 0, count()
    while length < size:
        pieces.append(unit % next(numbers))
        length += len(pieces[-1])
    return "".join(pieces)[:size].encode()


def tags(unit: str, number: int) -> bytes:
    """A unit repeated up to a number of tags."""
    return "".join(unit % n if "%" in unit else unit for n in range(number // unit.count("<"))).encode()


def short_names(number: int) -> str:
    """Distinct attribute names, as short as can be."""
    letters = [chr(code) for code in range(33, 127) if chr(code) not in "\"'%=/><" and not chr(code).isupper()]
    names = (name for length in (1, 2, 3) for name in product(letters, repeat=length))
    return " ".join("".join(name) for name in islice(names, number))


def page(name: str, body: Callable[[], bytes]) -> None:
    PAGES[name] = body


# One unit (with ~ for a blank), repeated over and over.
UNITS = """
<div> <span> <b><i> <a~href=x> <a~href=x><div> <font~size=%d> <b~a=%d><p> <b><p></b> <b><div></b>
<i><b><u></i></b> <table> <table><tr><td> <table><div> <a~href=x><table><td> <select><option> <svg> <svg><p>
<svg><foreignObject> <math><mi> <ul><li> <dl><dd> <button><p> <marquee><b> <nobr> <template> <ruby><rt> <frameset>
<details><summary> <form><div> <x%d> <a-%d></x> <html~a%d> <script>x</script> <textarea> </p> </br> <img~alt=%d>
<base~href=/%d/> <!----> <!-- <! </ < &amp; &notit; & &#1; ]]> <p<1 <a<p http://a.test/%d~ <a~b="<a~c='
"""
for unit in UNITS.split():
    page(unit.replace("~", " ").strip() + " ...", lambda unit=unit: fill(unit.replace("~", " "), CAP // 4))  # type: ignore[misc]
page("nothing but zeros", lambda: b"<p>" + b"\0" * CAP)

# One thing without end.
page("one tag, 200,000 attributes", lambda: b"<p " + fill("a%x ") + b">x")
page("one end tag full of attributes", lambda: b"<p>x</p " + fill("a%x ") + b">")
page("attributes that hold a >", lambda: b"<p " + fill('a%x=">" ') + b">x")
page("attributes and no end", lambda: b"x<p " + fill("a%x "))
page("attributes behind a script", lambda: b'<script>"<p x=\'"</script><p ' + fill("a%x ") + b"'>x")
page("attributes behind a name with <", lambda: b"<p<1 " + fill("a%x ") + b">x")
page("tags of just not too many attributes", lambda: fill("<p " + short_names(190) + ">"))
page("tags within tags that end late", lambda: (b"<a " * 126 + b"y" * 6000 + b">") * 155)
page("links upon links", lambda: fill("<a href=%d>x</a>"))
page("a comment without end", lambda: b"x<!--" + b"-" * CAP)
page("a script without end", lambda: b"x<script>" + fill("</scrip"))
page("a script in a script", lambda: b"x<script><!--" + fill("<script"))
page("a title without end", lambda: b"<title>" + fill("</titl"))
page("a long name", lambda: b"x<" + b"a" * CAP)
page("a long number", lambda: b"x&#" + b"1" * CAP + b";")
page("a long href", lambda: b"x<a href=" + b"../" * (CAP // 3) + b">y</a>")
page("a long blank", lambda: b"x<a href='" + b" " * CAP + b"'>y</a>")
page("a long refresh", lambda: b"x<meta http-equiv=refresh content='0;url=" + b" " * CAP + b"'>")
page("a long word", lambda: b"x" * CAP)

# First one thing, then another that has to look through all of it.
page("end tags without start in <span>s", lambda: fill("<span>", CAP // 2) + fill("</x>", CAP // 2))
page("end tags without start in <g>s", lambda: b"<svg>" + fill("<g>", CAP // 2) + fill("</x>", CAP // 2))
page("</b> far out of <div>s", lambda: b"<b>" * 30 + fill("<div>", CAP // 2) + fill("</b>", CAP // 2))
page("a link around <div>s, then links", lambda: b"<a href=x>" + fill("<div>", CAP // 2) + fill("<a href=y>", CAP // 2))
page("links deep in <div>s", lambda: fill("<div>", CAP // 2) + fill("<a href=/%d>x</a>", CAP // 2))
page("foster parents", lambda: b"<table>" + fill("x<b>"))

# Just below what is salvaged, so that the parser has to take it.
page("as deep as allowed", lambda: tags("<div>", MANY_TAGS) + b"x")
page("as deep as allowed, lists", lambda: tags("<ul><li>", MANY_TAGS) + b"x")
page("as many <html> as allowed", lambda: tags("<html a%d>", MANY_TAGS) + b"x")
page(
    "as far as allowed", lambda: b"<b>" * 30 + tags("<div>", MANY_TAGS // 2) + tags("</b>", MANY_TAGS // 2 - 40) + b"x"
)
page("as much formatting as allowed", lambda: tags("<b %x><p>", 2400) + b"x")
page("as many attributes as allowed", lambda: f"<p {short_names(15_000)}"[:39_000].encode() + b">x")
page("as long tags as allowed", lambda: fill("<p " + short_names(480) + ">") + b"x")


def ordinary() -> bytes:
    """A page of the largest size with nothing wrong about it."""
    rows = (f'<div><p>Words about spiders, row {n}, and <a href="/{n}">link {n}</a>.</p></div>\n' for n in count())
    return "".join(islice(rows, 14_000)).encode()[:CAP]


def cost(body: bytes) -> tuple[float, Page]:
    """CPU-seconds to parse a page, and the page."""
    start = time.process_time()
    found = parse("http://a.test/", body, "text/html; charset=utf-8", context=True, indexed=True)
    return time.process_time() - start, found


def run() -> None:
    """Parse every page in a process of its own and say how long it took."""
    ordinary_page = ordinary()
    for name, make in PAGES.items():
        body = make()
        assert len(body) <= CAP + 100, name
        if os.fork() == 0:
            resource.setrlimit(resource.RLIMIT_CPU, (HANGS, HANGS))
            resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
            usual = min(cost(ordinary_page)[0] for _ in range(2))
            seconds, found = cost(body)
            print(json.dumps([name, seconds / usual, len(found.text), len(found.links)]), flush=True)
            os._exit(0)
        os.wait()


@pytest.fixture(scope="module")
def outcomes() -> dict[str, tuple[float, int, int]]:
    """What came of each page: its cost as a multiple of an ordinary page's, characters of text, links."""
    script = subprocess.run([sys.executable, __file__], capture_output=True, text=True, timeout=300, check=False)
    assert script.returncode == 0, script.stderr
    return {name: tuple(rest) for name, *rest in map(json.loads, script.stdout.splitlines())}


@pytest.mark.parametrize("name", PAGES)
def test_a_hostile_page_costs_little_and_is_still_a_page(name, outcomes):
    assert name in outcomes, f"{name!r} crashed the parser or took more than {HANGS} CPU-seconds"
    times, _, _ = outcomes[name]
    assert times < LIMIT


def test_text_and_links_of_hostile_pages_are_found(outcomes):
    assert all(outcomes[name][1] for name in PAGES if name.startswith(("attributes", "as ", "a long", "one")))
    assert outcomes["links upon links"][1:] == (2 * 55_772 + 1, 55_773)
    assert outcomes["links deep in <div>s"][2] > 20_000


ORDINARY = """<!DOCTYPE html><html lang=en><head><title>Wolf &amp; spider</title><base href="http://b.test/">
<style>p { color: red }</style><script>if (a < b) document.write("<a href=/no>no</a>")</script></head>
<body class="it's"><!-- <a href=/no>no</a> --><h1 title='a > b'>Hunters</h1><p>They <b>hunt</b> &mdash; see
<a href="/one?a=1&amp;b=2">the <i>first</i></a>, <A HREF=two REL=nofollow>the second</A> and
<a href='/three'><img alt="the third" src=x></a>. 1 < 2.</p><textarea>typed</textarea><iframe src=/frame>no</iframe>
<map><area href=/area alt=South></map></body></html>"""


def test_a_salvaged_page_reads_like_a_parsed_one():
    parsed = parse("http://a.test/", ORDINARY.encode(), "text/html", context=True, indexed=True)
    padded = ORDINARY + "<br>" * (MANY_TAGS + 1)
    salvaged = parse("http://a.test/", padded.encode(), "text/html", context=True)
    assert risky(padded.encode())
    assert not risky(ORDINARY.encode())
    assert salvaged.text.split() == parsed.text.split()
    assert salvaged.headings == parsed.headings == "Hunters"
    assert (salvaged.title, salvaged.language) == (parsed.title, parsed.language) == ("Wolf & spider", "en")
    assert [link.url for link in salvaged.links] == [link.url for link in parsed.links]
    assert [salvaged.anchor(link) for link in salvaged.links] == [parsed.anchor(link) for link in parsed.links]
    assert all(link.rings == () for link in salvaged.links)


@pytest.mark.parametrize("prohibition", ["<meta name=robots content=nofollow>", "<a rel=nofollow href=/x>x</a>"])
def test_a_salvaged_page_may_ask_not_to_be_followed(prohibition):
    html = prohibition + "<br>" * (MANY_TAGS + 1)
    assert not parse("http://a.test/", html.encode(), "text/html").links


@pytest.mark.parametrize(
    "html", ["", "<", "<a", "<a href='", "</", "<!", "<!--", "<title>", "<script", "<a href=x", "&"]
)
def test_whatever_breaks_off_can_be_salvaged(html):
    assert salvage(html).title == ""


FORMS = [
    " %s ",
    " %s=1 ",
    ' %s=">" ',
    " %s='>' ",
    ' %s=">\'" ',
    " %s='\">' ",
    ' %s = ">" ',
    " %s/ ",
    ' %s="=" ',
    " <%s ",
]
FORMS += [
    " %s=a'b ",
    ' %s=a="b ',
    " %s== ",
    ' "%s" ',
    " %s=''' ",
    " %s=<a ",
    " %s =x ",
    " %s= x ",
    ' %s=" a=b " ',
    " %s='<p>' ",
]


@pytest.mark.parametrize("seed", range(30))
def test_a_crowded_tag_is_seen_wherever_it_stands_and_whatever_it_looks_like(seed):
    rng = random.Random(seed)
    forms = rng.sample(FORMS, rng.randint(1, 5))
    attributes = "".join(rng.choice(forms) % f"{number:x}q" for number in range(20_000))
    assert risky(f"{ORDINARY * rng.randint(0, 60)}<p {attributes}>{ORDINARY * rng.randint(0, 60)}".encode())


def test_ordinary_big_pages_are_not_risky():
    row = '<tr class="odd"><td><a href="/item/%d" title="it &gt; that">Item</a><td><code class="x">%d</code></tr>\n'
    table = "".join(row % (n, n) for n in range(1500))
    picture = f'<img src="data:image/png;base64,{"A" * 100_000}"><svg><path d="{"M 1 2 L 3 4 " * 5000}"/></svg>'
    script = f"<script>{'for (var i = 0; i < items.length; i++) { if (a>b) show(items[i]) }' * 1000}</script>"
    assert not risky(f"<table>{table}</table>{picture}{script}".encode())


if __name__ == "__main__":
    run()
