"""D4: only http and https links are queued, and none can carry a line break."""

import json
import re
from pathlib import Path

import pytest
from reading import links

from lycosa.core.urls import canonical

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "conformance" / "wpt-url" / "urltestdata.json"
DANGEROUS = (
    *(
        "javascript:alert(1)",
        "  java\tscript:alert(1)",
        "JaVaScRiPt:x",
        "\x01javascript:x",
        "data:text/html,x",
        "vbscript:x",
    ),
    *(
        "file:///etc/passwd",
        "mailto:a@b",
        "tel:1",
        "ftp://a.test/",
        "blob:http://a.test/x",
        "about:blank",
        "view-source:x",
    ),
    *(
        "feed:http://a.test/",
        "ws://a.test/",
        "gopher://a.test/",
        "jar:http://a.test!/",
        "http://",
        "http:///",
        "http://a b/",
    ),
    *("http://a.test:65536/", "http://a.test:-1/", "http://[::1", "http://%00/", "http://a%2fb/", "http://xn--/", "//"),
    *("\\\\", "http://" + "a" * 300 + ".test/", "x" * (1 << 20), "?" + "q" * 300_000),
)
ODD = (
    *(
        "//b.test/x",
        "///b.test/x",
        "http:/x",
        "http:x",
        "\\\\b.test\\x",
        "/x\r\nX: 1",
        "/x%0d%0aX",
        "/\t\n\rx",
        "?a=\r\nb",
    ),
    *(
        "http://user:pw@b.test/",
        "http://b.test:80/",
        "HTTP://B.TEST/",
        "http://b.test./",
        "http://bücher.test/",
        "/%00",
    ),
    *(
        "http://0x7f.1/",
        "http://1.1/",
        "/a/../../../b",
        "/%2e%2e/%2e%2e/b",
        "http://b.test:0/",
        "#x",
        "/x#y\nz",
        "/\ud800",
    ),
)


@pytest.mark.row("D4")
def test_only_links_of_the_web_are_queued(figure, size):
    body = "".join(f"<a href='{href}'>x</a>" for href in DANGEROUS)
    queued = links(body)
    found = links("".join(f"<a href='{href}'>x</a>" for href in ODD))
    many = links("".join(f"<a href=/{n}>x</a>" for n in range(size(2000, 100_000))))
    every = [*queued, *found, *many]
    bad = [url for url in every if not re.fullmatch(r"https?://[^\x00-\x20\x7f-\uffff@]+/[\x21-\x7e]*", url)]
    agreed, cases = standard()
    figure(f"{len(bad)} bad of {len(every)} links; {agreed} of {cases} cases of the URL standard")
    assert not bad
    assert not [url for url in queued if "alert" in url or "passwd" in url]
    assert agreed == cases


def standard():
    """How many of the standard's http and https cases `canonical` agrees with, up to what it makes uniform itself."""
    if not SHARED.exists():
        return 0, 0
    agreed = cases = 0
    for case in json.loads(SHARED.read_text()):
        base = case.get("base") if isinstance(case, dict) else None
        if not isinstance(case, dict) or (base not in (None, "about:blank") and not base.startswith("http")):
            continue
        wanted = case.get("href", "")
        if not case.get("failure") and not wanted.startswith(("http://", "https://")):
            continue
        got = canonical(case["input"], base if base != "about:blank" else None, limit=1 << 20)
        cases += 1
        expected = None if case.get("failure") else canonical(wanted, limit=1 << 20)
        agreed += got == expected
    return agreed, cases
