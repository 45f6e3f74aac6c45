"""C12: charsets that are wrong, missing or contradict each other are read as browsers read them."""

import re
from pathlib import Path

import pytest

from lycosa.web.parse import parse

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "conformance" / "encoding"
HTML = "text/html"
CASES = [
    # the body, its Content-Type, and a text that a browser shows
    ("<title>Käse</title>".encode(), HTML, "Käse"),
    ("<title>Käse</title>".encode("latin-1"), HTML, "Käse"),
    ("<title>Käse</title>".encode("latin-1"), f"{HTML}; charset=iso-8859-1", "Käse"),
    ("<title>€ „so“</title>".encode("cp1252"), f"{HTML}; charset=iso-8859-1", "€ „so“"),
    ("<meta charset=iso-8859-1><title>Käse</title>".encode(), f"{HTML}; charset=utf-8", "Käse"),
    ("<meta charset=utf-8><title>Käse</title>".encode(), HTML, "Käse"),
    ("<meta charset=utf-16><title>Käse</title>".encode(), HTML, "Käse"),
    ("<title>Käse</title>".encode("utf-16"), HTML, "Käse"),
    ("<title>Käse</title>".encode("utf-16"), f"{HTML}; charset=utf-8", "Käse"),
    (b"\xfe\xff" + "<title>Käse</title>".encode("utf-16-be"), HTML, "Käse"),
    (b"\xef\xbb\xbf" + "<title>Käse</title>".encode(), f"{HTML}; charset=iso-8859-1", "Käse"),
    ("<title>паук</title>".encode("koi8-r"), f"{HTML}; charset=koi8-r", "паук"),
    ("<title>паук</title>".encode("cp1251"), f"{HTML}; charset=windows-1251", "паук"),
    ("<meta charset=shift_jis><title>蜘蛛</title>".encode("shift_jis"), HTML, "蜘蛛"),
    ("<meta charset=euc-jp><title>蜘蛛</title>".encode("euc-jp"), HTML, "蜘蛛"),
    ("<meta charset=gb2312><title>蜘蛛</title>".encode("gb18030"), HTML, "蜘蛛"),
    ("<meta charset=big5><title>蜘蛛</title>".encode("big5"), HTML, "蜘蛛"),
    ("<meta charset=euc-kr><title>거미</title>".encode("euc-kr"), HTML, "거미"),
    (b"<title>K\xff\xfese</title>", f"{HTML}; charset=utf-8", "K\ufffd\ufffdse"),
    (b"<title>a &#x1F577; &#128375; b</title>", HTML, "a \U0001f577 \U0001f577 b"),
    (b"<title>K&#xE4;se &auml;</title>", f"{HTML}; charset=us-ascii", "Käse ä"),
    (b"<title>a &#xD800; &#0; b</title>", HTML, "a \ufffd \ufffd b"),
    ("<title>Käse</title>".encode(), f"{HTML}; charset=utf8", "Käse"),
    ("<title>Käse</title>".encode(), f"{HTML}; charset=nonsense", "Käse"),
    ("<title>Käse</title>".encode(), f'{HTML}; charset="utf-8"', "Käse"),
    # UTF-7 is read by no browser: what looks like a script there is none.
    (b"<title>+ADw-script+AD4-</title>", f"{HTML}; charset=utf-7", "+ADw-script+AD4-"),
]


@pytest.mark.row("C12")
def test_pages_are_decoded_as_browsers_do(figure):
    from lycosa.web.charset import codec_of, decode

    wrong = [(body, kind) for body, kind, text in CASES if parse("http://a.test/", body, kind).title != text]
    sniffed = total = 0
    for path in sorted(DATA.glob("*.dat")):
        for case in re.split(rb"(?:^|\n)#data\n", path.read_bytes())[1:]:
            body, expected = case.rsplit(b"\n#encoding\n", 1)
            total += 1
            sniffed += decode(body)[1] == codec_of(expected.strip().decode())
    figure(f"{len(CASES) - len(wrong)} of {len(CASES)} pages, {sniffed} of {total} of html5lib's cases")
    assert not wrong
    assert sniffed == total
