"""Bytes become the text their author meant, and only what is HTML is taken for HTML."""

import codecs
import time

import pytest

from lycosa.web.charset import codec_of, decode, may_be_read, sniff_type

WORD = "Žluťoučký kůň"

# The encodings of the Encoding Standard: name, the nearest Python codec, and the other labels.
_ENCODINGS = """
utf-8 utf-8 = unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8
ibm866 cp866 = 866 cp866 csibm866
iso-8859-2 iso8859-2 = csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2
iso-8859-3 iso8859-3 = csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
iso-8859-4 iso8859-4 = csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4
iso-8859-5 iso8859-5 = csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988
iso-8859-6 iso8859-6 = arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i \
iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
iso-8859-7 iso8859-7 = csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7 \
iso_8859-7:1987 sun_eu_greek
iso-8859-8 iso8859-8 = csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 \
iso_8859-8:1988 visual
iso-8859-8-i iso8859-8 = csiso88598i logical
iso-8859-10 iso8859-10 = csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6
iso-8859-13 iso8859-13 = iso8859-13 iso885913
iso-8859-14 iso8859-14 = iso8859-14 iso885914
iso-8859-15 iso8859-15 = csisolatin9 iso8859-15 iso885915 iso_8859-15 l9
iso-8859-16 iso8859-16 =
koi8-r koi8-r = cskoi8r koi koi8 koi8_r
koi8-u koi8-u = koi8-ru
macintosh mac-roman = csmacintosh mac x-mac-roman
windows-874 cp874 = dos-874 iso-8859-11 iso8859-11 iso885911 tis-620
windows-1250 cp1250 = cp1250 x-cp1250
windows-1251 cp1251 = cp1251 x-cp1251
windows-1252 cp1252 = ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 \
iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252 x-user-defined
windows-1253 cp1253 = cp1253 x-cp1253
windows-1254 cp1254 = cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 \
x-cp1254
windows-1255 cp1255 = cp1255 x-cp1255
windows-1256 cp1256 = cp1256 x-cp1256
windows-1257 cp1257 = cp1257 x-cp1257
windows-1258 cp1258 = cp1258 x-cp1258
x-mac-cyrillic mac-cyrillic = x-mac-ukrainian
gbk gb18030 = chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk
gb18030 gb18030 =
big5 big5hkscs = big5-hkscs cn-big5 csbig5 x-x-big5
euc-jp euc-jp = cseucpkdfmtjapanese x-euc-jp
iso-2022-jp iso2022-jp-ext = csiso2022jp
shift_jis cp932 = csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis
euc-kr cp949 = cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949
utf-16be utf-16-be = unicodefffe
utf-16le utf-16-le = csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16
"""
LABELS = {
    label: codecs.lookup(codec).name
    for names, labels in (line.split(" =") for line in _ENCODINGS.strip().split("\n"))
    for name, codec in [names.split()]
    for label in (name, *labels.split())
}


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
    assert decode("café – “x”".encode("cp1252")) == ("café – “x”", "cp1252")
    assert decode(b"plain") == ("plain", "cp1252")
    assert decode(b"") == ("", "cp1252")


def test_a_body_cut_inside_a_character_is_still_utf8():
    text, encoding = decode(WORD.encode()[:-1])
    assert encoding == "utf-8"
    assert text[:-1] == WORD[:-1]


def test_bytes_that_do_not_fit_their_encoding_do_no_harm():
    for label, codec in LABELS.items():
        text, found = decode(bytes(range(256)) * 2, f"text/html; charset={label}")
        assert found == codec
        assert text


@pytest.mark.parametrize(
    ("content_type", "encoding"),
    [
        ("text/html; charset=UTF-8", "utf-8"),
        ("text/html;charset='latin1'", "cp1252"),
        ('text/html; charset="Shift_JIS"; x=y', "cp932"),
        ("text/html; charset=gb2312", "gb18030"),
        ("text/html; charset=utf-7", "cp1252"),
        ("text/html; charset=zip", "cp1252"),
        ("text/html; charset=", "cp1252"),
    ],
)
def test_labels_mean_what_they_mean_on_the_web(content_type, encoding):
    assert decode(b"x", content_type)[1] == encoding


def test_every_label_of_the_encoding_standard_has_its_codec():
    for label, codec in LABELS.items():
        assert codec_of(f" {label.upper()} ") == codec
    assert len(LABELS) == 222
    assert not any(map(codec_of, ("utf-7", "zip", "rot13", "utf-32", "idna", "hz", "")))


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        (b'<?xml version="1.0" encoding="iso-8859-2"?><html>', "iso8859-2"),
        (b'<!-- <meta charset="koi8-r"> --><meta charset=iso-8859-2>', "iso8859-2"),
        (b'<title x="<meta charset=koi8-r>"></title>', "cp1252"),
        (b'<meta charset="utf-16">', "utf-8"),
        (b'<meta charset="nonsense"><meta charset="koi8-r">', "koi8-r"),
        (b'<meta charset="koi8-r', "cp1252"),
        (b"<" * 1024, "cp1252"),
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
        (b"<html>", "application/pdf", "text/html"),
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
    for header in (
        "",
        "text/html; charset=x",
        "Text/Plain",
        "application/octet-stream",
        "text/xml",
        "html",
        "application/pdf",
    ):
        assert may_be_read(header)
    for header in ("application/zip", "image/png", "text/css", "application/msword; charset=utf-8"):
        assert not may_be_read(header)
