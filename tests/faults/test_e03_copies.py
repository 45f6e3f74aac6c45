"""E3: an archived copy runs nothing, loads nothing from elsewhere, and cannot be framed by others."""

import re
from urllib.parse import quote

import pytest

LOADS = re.compile(
    rb"<(?:script|iframe|object|embed|link|meta|base|form|svg|style)\b|\son\w+\s*=|(?:src|srcset|poster|background)\s*=",
    re.IGNORECASE,
)


@pytest.mark.row("E3")
def test_an_archived_copy_is_harmless(figure, size, door):
    copies = loads = 0
    for number in range(size(20, 1000)):
        url = quote(f"http://evil.test/{number}", safe="")
        status, headers, body = door.ask(f"/api/collections/hostile/cached?url={url}")
        if status == 400 and b'"code":"not-found"' in body:
            continue  # there are fewer pages than numbers
        assert status == 200
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("sandbox") and "allow-scripts" not in policy and "default-src 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        copies += 1
        shown = re.sub(rb"<style>[^<]*</style>|<meta charset[^>]*>|<meta name[^>]*>", b"", body)
        loads += len(LOADS.findall(re.sub(rb">[^<]*<", b"><", shown)))
    figure(f"{loads} elements that load or run, in {copies} copies of hostile pages")
    assert copies > 10 and not loads
