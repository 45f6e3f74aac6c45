"""The published cases of the standards that the web room follows, with the floors it must not fall below."""

import base64
import json
import re
from pathlib import Path

import pytest

from lycosa.core.urls import canonical, host_of
from lycosa.web.address_guard import AddressGuard
from lycosa.web.body import SLACK, Body
from lycosa.web.charset import codec_of, decode
from lycosa.web.robots_txt import read

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "conformance"
pytestmark = pytest.mark.skipif(
    not DATA.is_dir(), reason="the conformance data lies beside the repository, in ../shared"
)


def test_urls_follow_the_whatwg_standard_446_of_446():
    def is_web(url):
        return (url or "").strip().lower().startswith(("http:", "https:"))

    cases = [case for case in json.loads((DATA / "wpt-url/urltestdata.json").read_text()) if isinstance(case, dict)]
    cases = [
        case
        for case in cases
        if case.get("protocol") in ("http:", "https:")
        or (case.get("failure") and (is_web(case["input"]) or is_web(case["base"])))
    ]
    assert len(cases) == 446
    for case in cases:
        form = canonical(case["input"], case["base"], limit=1 << 20)
        if case.get("failure"):
            assert form is None, case
        else:
            # The standard's own answer, less fragment, user and the final dot of a host, where empty labels are
            # nobody's; uniform escapes are the only other difference.
            href = case["href"].partition("#")[0]
            user = f"{case['username']}:{case['password']}".removesuffix(":")
            href = href.replace(f"//{user}@", "//", 1) if user else href
            if (host := case["hostname"]).endswith("."):
                href = href.replace(host, host[:-1], 1) if host.strip(".") and not host.endswith("..") else None
            assert form == (canonical(href, limit=1 << 20) if href and "%" in href else href), case


def ssrf():
    return json.loads((DATA / "attack-ssrf-hosts/ssrf.json").read_text())


def refused(url, guard):
    # From an http page «http:/x/» would be a path on that page's own host; from an https page it is the host x.
    form = canonical(url, "https://example.com/")
    return form is None or guard.refuses_host(host_of(form)) is not None


def test_the_guard_refuses_65_of_65_and_allows_14_of_14_however_wrapped():
    data, guard = ssrf(), AddressGuard()
    assert (len(data["must_block_hosts"]), len(data["must_allow_hosts"])) == (65, 14)
    for wrapper in data["url_wrappers"]:
        for host in data["must_block_hosts"]:
            assert refused(wrapper.format(h=host), guard), (wrapper, host)
        for host in data["must_allow_hosts"]:
            assert not refused(wrapper.format(h=host), guard), (wrapper, host)


def test_other_schemes_are_refused():
    for url in ssrf()["must_block_urls"]:
        assert refused(url, AddressGuard()), url


def test_a_confusing_url_has_the_host_the_standard_says():
    for case in ssrf()["parser_confusion"]:
        form = canonical(case["url"])
        assert form is not None
        assert host_of(form) == case["whatwg_host"]


def sample(name):
    return (DATA / "compressed" / name).read_bytes()


@pytest.mark.parametrize("coding", ["br", "deflate", "gzip", "zstd"])
@pytest.mark.parametrize("cap", [10_000, 1 << 20])
def test_a_bomb_never_decodes_beyond_the_cap(coding, cap):
    body = Body(coding, cap)
    body.feed(sample(f"bomb-{coding}.bin"))
    assert body.truncated
    assert body.produced <= cap + SLACK
    assert len(body.content) == cap


@pytest.mark.parametrize(
    ("name", "coding"),
    [
        ("br", "br"),
        ("gzip", "gzip"),
        ("zlibdeflate", "deflate"),
        ("rawdeflate", "deflate"),
        ("gzip-deflate", "gzip, deflate"),
        ("gzip-deflate-gzip", "gzip, deflate, gzip"),
        ("zstd-static-content-size", "zstd"),
        ("zstd-static-no-content-size", "zstd"),
        ("zstd-streaming-no-content-size", "zstd"),
    ],
)
def test_the_sample_pages_come_out_of_their_codings(name, coding):
    body = Body(coding, 1 << 20)
    body.feed(sample(f"html-{name}.bin"))
    assert not body.broken
    assert body.content.lstrip()[:15].lower() in (b"<!doctype html>", b"<!doctype html ")
    assert body.content.rstrip().endswith(b"</html>")


def test_truncated_gzip_yields_what_was_there():
    for name in ("truncated-crc-error-short.gz", "truncated-crc-error.gz"):
        body = Body("gzip", 1 << 20)
        body.feed(sample(name))
        assert len(body.content) > 2000, name
    body = Body("gzip", 1 << 20)
    body.feed(sample("unexpected-eof.gz"))
    assert body.content.decode("latin-1") == sample("unexpected-eof-output.txt").decode()


def test_encodings_are_sniffed_82_of_82():
    right = total = 0
    for path in sorted((DATA / "encoding").glob("*.dat")):
        for case in re.split(rb"(?:^|\n)#data\n", path.read_bytes())[1:]:
            page, expected = case.rsplit(b"\n#encoding\n", 1)
            total += 1
            right += decode(page)[1] == codec_of(expected.decode())
    assert (right, total) == (82, 82)


def test_robots_follow_googles_cases_140_of_140():
    cases = json.loads((DATA / "robots-google/robots_cases.json").read_text())
    assert len(cases) == 140
    for case in cases:
        rules = read(base64.b64decode(case["robots_txt_b64"]), case["user_agent"])
        assert rules.allows(case["url"]) == case["allowed"], case
