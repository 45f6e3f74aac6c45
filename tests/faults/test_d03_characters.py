"""D3: no character, wherever it stands, is an exception: not when read, kept, indexed, searched or exported."""

import json
from html import escape

import pytest
from reading import read
from sites import Sites, reply

import lycosa
from lycosa.system.errors import Refused

STRANGE = (
    *(
        "\0",
        "\x01\x02\x1b",
        "\x7f\x80\x9f",
        "\ufeff\ufffe\uffff",
        "\u202e\u2066\u200f",
        "\u200b\u200d\u2060\xad",
        "\ud83d",
    ),
    *(
        "\udc00\ud800",
        "e\u0301" * 300,
        "ﷺ" * 50,
        "𐍈𝔘😀👩‍👩‍👧‍👧",
        "İıſẞ",
        "ﬁﬂ",
        "Ⅷ①²",
        "\u2028\u2029\x85",
        "%s%n{}${x}",
        "' OR 1=1",
    ),
    *(
        "../../etc/passwd",
        "NULL",
        "NaN",
        "-0",
        "1e400",
        "٣٤٥",
        "日本語のテキスト",
        "ไทยไม่มีช่องว่าง",
        "\u0600\u0601",
        "\U000e0041",
    ),
    *("<script>", "&amp;&#0;&#x110000;&#xd800;", "\r\r\n\n\t\v\f", "a" * 3000, "\u1160" * 100, "᠎", "\u034f" * 100),
)
PLACES = (
    "<title>{}</title>spider",
    "<p>spider {}</p>",
    "<a href='/{}'>spider</a>",
    "<a href=/x>{} spider</a>",
    "<h1 {}>{}</h1>spider",
    "<html lang='{}'>spider",
    "<meta name=robots content='{}'>spider",
    "<base href='{}'><a href=x>spider</a>",
    "<meta http-equiv=refresh content='0;url={}'>spider",
    "<img alt='{}'>spider",
)


@pytest.mark.row("D3")
def test_no_character_is_an_exception(figure, size, tmp_path):
    strings = STRANGE + tuple(chr(n) * 3 for n in range(0, 0x11000, size(997, 61)) if not 0xD800 <= n < 0xE000)
    tried, raised = 0, []
    pages = {}
    for string in strings:
        for place in PLACES[:: size(3, 1)]:
            for written in (string, escape(string)):
                body = place.replace("{}", written)
                tried += 1
                try:
                    read(body)
                except Exception as error:  # whatever it may be: that is the question
                    raised.append((body[:80], repr(error)))
    for n, string in enumerate(STRANGE):
        body = f"<a href=http://a.test/{n + 1}>next spider</a>" + "".join(p.replace("{}", string) for p in PLACES)
        pages[f"a.test/{n}"] = reply(body.encode("utf-8", "surrogatepass"))
    with Sites(pages) as sites:
        how = {"pages": 100, "delay": 0.0, "proxy": sites.proxy, "strategy": "breadth-first"}
        how |= {"within": ("a.test",)}
        with lycosa.hunt("spider", ["http://a.test/0"], out=tmp_path / "c", **how) as hunt:
            kept = {visit.url for visit in hunt}
    for string in STRANGE:
        try:
            lycosa.search(tmp_path / "c", f"spider {string}")
        except Refused:
            pass
        except Exception as error:
            raised.append((string[:40], repr(error)))
    lycosa.export(tmp_path / "c", tmp_path / "c.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "c.jsonl").read_text().split("\n") if line]
    missing = [place for place in pages if f"http://{place}" not in kept]
    figure(f"{len(raised)} exceptions in {tried} pages and {len(STRANGE)} questions; {len(kept)} kept and exported")
    assert not raised
    assert len(lines) == len(kept) and not missing
