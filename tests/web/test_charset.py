"""Bytes become the text their author meant, and only what is HTML is taken for HTML."""

import codecs
import time

import pytest

from lycosa.web.charset import _codec, decode, encoding_of, may_be_text, sniff_type

WORD = "Žluťoučký kůň"


def page(text, meta="", encoding="utf-8"):
    return f"<!DOCTYPE html><html><head>{meta}<title>{text}</title></head></html>".encode(encoding)


def test_the_mark_beats_the_header_beats_the_page_beats_the_guess():
    cyrillic = page("Привет", '<meta charset="koi8-r">', "windows-1251")
    assert "Привет" in decode(cyrillic, "text/html; charset=windows-1251")[0]
    koi = page("Привет", '<meta charset="koi8-r">', "koi8-r")
    assert decode(koi, "text/html")[1] == "koi8-r"
    assert "Привет" in decode(koi, "text/html")[0]
    marked = codecs.BOM_UTF8 + page(WORD)
    text, encoding = decode(marked, "text/html; charset=iso-8859-2")
    assert (WORD in text, encoding, text[0]) == (True, "utf-8", "<")
    wide = codecs.BOM_UTF16_LE + page(WORD, encoding="utf-16-le")
    assert WORD in decode(wide)[0]


def test_undeclared_bytes_are_utf8_where_valid_and_windows_1252_where_not():
    assert decode(page(WORD)) == (page(WORD).decode(), "utf-8")
    assert decode("café – “x”".encode("cp1252")) == ("café – “x”", "windows-1252")
    assert decode(b"plain") == ("plain", "windows-1252")
    assert decode(b"") == ("", "windows-1252")


def test_a_body_cut_inside_a_character_is_still_utf8():
    text, encoding = decode(WORD.encode()[:-1])
    assert encoding == "utf-8"
    assert text[:-1] == WORD[:-1]


def test_bytes_that_do_not_fit_their_encoding_do_no_harm():
    for encoding in _codec:
        text, found = decode(bytes(range(256)) * 2, f"text/html; charset={encoding}")
        assert found == encoding
        assert text


@pytest.mark.parametrize(
    ("content_type", "encoding"),
    [
        ("text/html; charset=UTF-8", "utf-8"),
        ("text/html;charset='latin1'", "windows-1252"),
        ('text/html; charset="Shift_JIS"; x=y', "shift_jis"),
        ("text/html; charset=gb2312", "gbk"),
        ("text/html; charset=utf-7", "windows-1252"),
        ("text/html; charset=zip", "windows-1252"),
        ("text/html; charset=", "windows-1252"),
    ],
)
def test_labels_mean_what_they_mean_on_the_web(content_type, encoding):
    assert decode(b"x", content_type)[1] == encoding


def test_every_label_has_a_codec():
    for name, codec in _codec.items():
        assert encoding_of(f" {name.upper()} ") == name
        assert codecs.lookup(codec)


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        (b'<?xml version="1.0" encoding="iso-8859-2"?><html>', "iso-8859-2"),
        (b'<!-- <meta charset="koi8-r"> --><meta charset=iso-8859-2>', "iso-8859-2"),
        (b'<title x="<meta charset=koi8-r>"></title>', "windows-1252"),
        (b'<meta charset="utf-16">', "utf-8"),
        (b'<meta charset="nonsense"><meta charset="koi8-r">', "koi8-r"),
        (b'<meta charset="koi8-r', "windows-1252"),
        (b"<" * 1024, "windows-1252"),
    ],
)
def test_a_page_can_name_its_own_encoding(head, encoding):
    assert decode(head)[1] == encoding


@pytest.mark.parametrize(
    ("body", "header", "kind"),
    [
        (b"<!doctype html><p>x", "text/html; charset=utf-8", "text/html"),
        (b"just words", "text/html", "text/html"),
        (b"", "text/html", "text/html"),
        (b"<!doctype html><p>x", "application/xhtml+xml", "text/html"),
        (b"%PDF-1.7 ...", "text/html", "application/pdf"),
        (b"\x89PNG\r\n\x1a\n....", "text/html", "image/png"),
        (b"PK\x03\x04....", "text/html", "application/zip"),
        (b"\x1f\x8b\x08...", "text/html", "application/gzip"),
        (b"\x7fELF\x02\x01\x01\x00", "text/plain", "application/octet-stream"),
        (b"<html>\x00<body>", "text/html", "text/html"),
        (codecs.BOM_UTF16_LE + "<html>".encode("utf-16-le"), "text/html", "text/html"),
        (b"  <!-- x --> <!DOCTYPE HTML>", "text/plain", "text/html"),
        (b"<p>a tag in plain text", "text/plain", "text/plain"),
        (b"words", "text/plain; charset=utf-8", "text/plain"),
        (b"<p>no type", "", "text/html"),
        (b"\xef\xbb\xbf<html>", "", "text/html"),
        (b"words", "", "text/plain"),
        (b"<html>", "application/octet-stream", "text/html"),
        (b"<html>", "html", "text/html"),
        (b'<?xml version="1.0"?><rss version="2.0">', "text/html", "application/xml"),
        (b'<?xml version="1.0"?><html xmlns="x">', "text/html", "text/html"),
        (b'<?xml version="1.0"?><html xmlns="x">', "application/xml", "text/html"),
        (b'<?xml version="1.0"?><feed>', "application/xml", "application/xml"),
        (b"<urlset>", "", "application/xml"),
        (b"<html>", "application/pdf", "application/pdf"),
        (b"{}", "application/json", "application/json"),
        (b"body{}", "Text/CSS", "text/css"),
    ],
)
def test_the_bytes_are_believed_more_than_the_header(body, header, kind):
    assert sniff_type(body, header) == kind


def test_a_hostile_head_costs_next_to_nothing():
    began = time.process_time()
    for head in (
        b"<!-- -->" * 200,
        b"<!--" * 5000,
        b"<?" * 5000,
        b"<a x='" * 5000 + b"charset",
        b" " * 20_000 + b"charset",
    ):
        sniff_type(head, "")
        sniff_type(head, "text/plain")
        decode(head)
    assert time.process_time() - began < 0.5


def test_a_header_alone_can_tell_that_a_body_is_not_worth_reading():
    for header in ("", "text/html; charset=x", "Text/Plain", "application/octet-stream", "text/xml", "html"):
        assert may_be_text(header)
    for header in ("application/pdf", "image/png", "text/css", "application/json; charset=utf-8"):
        assert not may_be_text(header)
