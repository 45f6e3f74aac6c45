"""A recording is a web: what was recorded is answered, what was not does not exist, damage is told and survived."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path
from uuid import uuid4

import brotli
import pytest

from lycosa.system.errors import Refused
from lycosa.web.replay import WarcSource


def record(
    url, body=b"<p>hello</p>", status="200 OK", headers=(("Content-Type", "text/html"),), kind="response"
) -> bytes:
    """One WARC record, as its standard says."""
    block = body
    if kind == "response":
        lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in headers)]
        block = "\r\n".join([*lines, "", ""]).encode() + body
    lines = [
        "WARC/1.0",
        f"WARC-Type: {kind}",
        f"WARC-Record-ID: <urn:uuid:{uuid4()}>",
        f"WARC-Target-URI: {url}",
        "WARC-Date: 2020-02-02T02:02:02Z",
        f"Content-Type: {'application/http; msgtype=response' if kind == 'response' else 'text/html'}",
        f"Content-Length: {len(block)}",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + block + b"\r\n\r\n"


def write(path: Path, pages, packed=True) -> Path:
    records = [record("urn:info", b"software: test", kind="warcinfo"), *(record(*page) for page in pages)]
    path.write_bytes(b"".join(gzip.compress(each) if packed else each for each in records))
    return path


def ten(folder: Path, packed=True) -> Path:
    pages = [(f"http://h{n}.test/p", b"page %d " % n * 500) for n in range(10)]
    return write(folder / ("ten.warc.gz" if packed else "ten.warc"), pages, packed)


@pytest.mark.parametrize("packed", [True, False])
def test_every_recorded_page_is_there_and_nothing_else(tmp_path, packed):
    source = WarcSource(ten(tmp_path, packed))
    assert list(source.urls()) == [f"http://h{n}.test/p" for n in range(10)]
    assert source.response("http://h7.test/p").body == b"page 7 " * 500
    assert source.response("http://h7.test/other") is None
    assert source.damage == []


def test_status_reason_and_headers_are_as_recorded(tmp_path):
    headers = (("Content-Type", "text/html"), ("ETag", '"x"'), ("X-Two", "1"), ("X-Two", "2"))
    source = WarcSource(write(tmp_path / "a.warc.gz", [("http://a.test/", b"gone", "410 Gone", headers)]))
    answer = source.response("http://a.test/")
    assert (answer.status, answer.reason, answer.body) == (410, "Gone", b"gone")
    assert answer.headers == headers


def test_urls_are_keyed_in_canonical_form(tmp_path):
    source = WarcSource(write(tmp_path / "a.warc.gz", [("HTTP://A.test:80/%7ejo/./x#top",)]))
    assert list(source.urls()) == ["http://a.test/~jo/x"]


def test_the_first_200_wins_among_several_answers(tmp_path):
    pages = [
        ("http://a.test/", b"later", "503 Busy"),
        ("http://a.test/", b"first"),
        ("http://a.test/", b"second"),
        ("http://b.test/", b"one", "404 No"),
        ("http://b.test/", b"two", "410 Gone"),
    ]
    source = WarcSource(write(tmp_path / "a.warc.gz", pages))
    assert source.response("http://a.test/").body == b"first"
    assert source.response("http://b.test/").status == 404


def test_bodies_come_decoded_from_their_codings(tmp_path):
    text = b"<p>hello</p>" * 99
    squeezed = gzip.compress(text)
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(squeezed), squeezed)
    pages = [
        ("http://a.test/gzip", squeezed, "200 OK", (("Content-Encoding", "gzip"),)),
        ("http://a.test/br", brotli.compress(text), "200 OK", (("Content-Encoding", "br"),)),
        ("http://a.test/both", chunked, "200 OK", (("Transfer-Encoding", "chunked"), ("Content-Encoding", "gzip"))),
        ("http://a.test/was", text, "200 OK", (("Transfer-Encoding", "chunked"), ("Content-Encoding", "gzip"))),
    ]
    source = WarcSource(write(tmp_path / "a.warc.gz", pages))
    assert [source.response(url).body for url in source.urls()] == [text] * 4


def test_a_resource_record_is_a_page_and_other_records_are_not(tmp_path):
    kinds = [("http://a.test/", "resource"), ("http://a.test/meta", "metadata"), ("dns:a.test", "resource")]
    pages = [(url, b"<p>hello</p>", "", (), kind) for url, kind in kinds]
    path = write(tmp_path / "a.warc.gz", pages)
    source = WarcSource(path)
    assert list(source.urls()) == ["http://a.test/"]
    assert source.response("http://a.test/").headers == (("Content-Type", "text/html"),)


def test_a_folder_of_recordings_is_one_web(tmp_path):
    for n in range(30):
        write(tmp_path / f"{n:02}.warc.gz", [(f"http://h{n}.test/", b"%d" % n)])
    source = WarcSource(tmp_path)
    assert [source.response(f"http://h{n}.test/").body for n in range(30)] == [b"%d" % n for n in range(30)]


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_wacz_package_is_a_web(tmp_path, method):
    with zipfile.ZipFile(tmp_path / "a.wacz", "w", method) as package:
        package.writestr("datapackage.json", "{}")
        package.write(ten(tmp_path), "archive/data.warc.gz")
    source = WarcSource(tmp_path / "a.wacz")
    assert len(source) == 10
    assert source.response("http://h3.test/p").body == b"page 3 " * 500
    assert source.damage == []


def test_a_file_that_is_one_gzip_stream_is_read_too(tmp_path):
    path = tmp_path / "whole.warc.gz"
    path.write_bytes(gzip.compress(ten(tmp_path, packed=False).read_bytes()))
    source = WarcSource(path)
    assert [source.response(url).body for url in source.urls()] == [b"page %d " % n * 500 for n in range(10)]


@pytest.mark.parametrize("packed", [True, False])
def test_of_a_recording_cut_anywhere_every_whole_record_is_kept(tmp_path, packed):
    path = ten(tmp_path, packed)
    whole = path.read_bytes()
    for cut in range(1, len(whole) // 2, 37):
        path.write_bytes(whole[:-cut])
        source = WarcSource(path)
        kept = list(source.urls())
        assert [source.response(url).body for url in kept] == [b"page %d " % n * 500 for n in range(len(kept))]
        assert len(kept) == 10 or source.damage
    assert 4 <= len(kept) <= 6


@pytest.mark.parametrize("packed", [True, False])
def test_records_after_a_damaged_one_are_found_again(tmp_path, packed):
    path = ten(tmp_path, packed)
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    if packed:
        data[middle : middle + 20] = bytes(20)
    else:
        start = data.index(b"WARC/1.0", middle)
        data[start : start + 40] = b"\0" * 40
    path.write_bytes(data)
    source = WarcSource(path)
    assert len(source) == 9
    assert len(source.damage) == 1
    assert path.name in source.damage[0]


def test_a_cut_gzip_stream_keeps_what_is_readable(tmp_path):
    path = tmp_path / "whole.warc.gz"
    data = b"".join(b"%x" % (n * 2654435761) for n in range(20000))
    pages = [(f"http://h{n}.test/", data[n * 9000 : n * 9000 + 9000]) for n in range(10)]
    packed = gzip.compress(write(tmp_path / "plain.warc", pages, packed=False).read_bytes())
    path.write_bytes(packed[: len(packed) // 2])
    source = WarcSource(path)
    assert 3 <= len(source) <= 7
    assert "cut short" in source.damage[0]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.warc.gz", b"", "is empty"),
        ("a.warc", b"<html>no</html>", "not a WARC file"),
        ("a.warc.gz", gzip.compress(b"<html>no</html>", mtime=0), "byte 0"),
        ("a.wacz", b"PK no zip", "no WACZ package"),
    ],
)
def test_what_is_no_recording_is_refused(tmp_path, name, content, says):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(Refused, match=says):
        WarcSource(tmp_path / name)


def test_a_missing_path_and_an_empty_folder_are_refused(tmp_path):
    with pytest.raises(Refused, match="does not exist"):
        WarcSource(tmp_path / "none.warc.gz")
    with pytest.raises(Refused, match=r"contains no \.warc"):
        WarcSource(tmp_path)
