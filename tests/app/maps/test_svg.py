"""The picture: whole XML that runs nothing, whatever strangers wrote; light and dark; said in words too."""

import re
import struct
import sys
from xml.etree import ElementTree

import pytest

from lycosa.app.maps.layout import draw
from lycosa.app.maps.picture import check_target, to_png, write
from lycosa.app.maps.svg import to_svg
from lycosa.system.errors import Refused

SVG = "{http://www.w3.org/2000/svg}"
ATTACKS = [
    "<script>alert(1)</script>",
    "</title></svg><script>alert(1)</script>",
    '" onload="alert(1)',
    "]]><!-- <svg onload=alert(1)>",
    "&lt;img src=x onerror=alert(1)&gt;",
    "a\x00b\x08c\x1bd\ufffe\u202ee",
    "javascript:alert(1)",
    "\ud800 half a character",
]
PAGES = {
    "a.test/": (0.5, [f"a.test/{n}" for n in range(len(ATTACKS))] + ["a.test/faint"], "The front"),
    **{f"a.test/{n}": (0.1 * n, ["a.test/"], title) for n, title in enumerate(ATTACKS[:-1])},
}


def parsed(drawn):
    return ElementTree.fromstring(to_svg(drawn))


@pytest.fixture
def maps(keep):
    folder = keep(PAGES, keywords='wolf <b>spiders</b> & "friends"')
    shapes = [("site", "tree"), ("site", "radial"), ("site", "graph"), ("links", None)]
    return [draw(folder, kind=kind, layout=layout) for kind, layout in shapes]


def test_whatever_strangers_write_stays_text(maps):
    for drawn in maps:
        root = parsed(drawn)
        tags = {element.tag.removeprefix(SVG) for element in root.iter()}
        assert tags <= {"svg", "title", "desc", "style", "rect", "g", "path", "a", "circle", "polygon", "text"}
        for element in root.iter():
            assert not [name for name in element.attrib if name.startswith("on")]
            assert element.get("href", "http://").startswith(("http://", "https://"))
        text = "".join(root.itertext())
        assert "<script>alert(1)</script>" in text
        assert "\x00" not in text
        assert "\u202e" not in text


def test_a_half_character_can_be_written(tmp_path, keep):
    drawn = draw(keep(PAGES))
    drawn.sheet.titles[1] = drawn.sheet.names[1] = ATTACKS[-1]
    write(drawn, tmp_path / "map.svg")
    assert "half a character" in (tmp_path / "map.svg").read_text("utf-8")


def test_every_page_is_a_link_with_a_title(maps):
    for drawn in maps:
        links = list(parsed(drawn).iter(f"{SVG}a"))
        assert len(links) == len(drawn.sheet)
        assert {link.get("href") for link in links} == set(drawn.sheet.urls)
        assert {link.get("rel") for link in links} == {"noopener noreferrer"}
        assert all("on topic" in link[0][0].text or "not fetched" in link[0][0].text for link in links)


def test_what_is_no_web_address_is_no_link(keep):
    drawn = draw(keep(PAGES))
    drawn.sheet.urls[2] = "javascript:alert(1)"
    assert "javascript:alert(1)" not in [link.get("href") for link in parsed(drawn).iter(f"{SVG}a")]


def test_it_describes_itself(maps):
    for drawn in maps:
        root = parsed(drawn)
        assert root.get("role") == "img"
        named = {root.find(f"{SVG}title").get("id"), root.find(f"{SVG}desc").get("id")}
        assert set(root.get("aria-labelledby").split()) == named
        assert "8 pages" in root.find(f"{SVG}desc").text
    assert "1 hub;" in parsed(maps[-1]).find(f"{SVG}desc").text


def test_a_legend_says_what_the_signs_mean(maps):
    words = [text.text for text in parsed(maps[0]).iter(f"{SVG}text")]
    assert {"page", "linked, not fetched", "on topic 0 %", "100 %"} <= set(words)
    words = [text.text for text in parsed(maps[-1]).iter(f"{SVG}text")]
    assert {"authority", "hub", "hub and authority"} <= set(words)


def test_it_follows_the_wish_for_a_dark_picture(maps):
    style = parsed(maps[0]).find(f"{SVG}style").text
    assert "prefers-color-scheme: dark" in style
    assert "url(" not in style


def test_everything_lies_within_the_picture(maps):
    for drawn in maps:
        root = parsed(drawn)
        wide, high = map(float, (root.get("width"), root.get("height")))
        _, group = root.findall(f"{SVG}g")
        x, y = map(float, re.findall(r"-?[\d.]+", group.get("transform")))
        for circle in group.iter(f"{SVG}circle"):
            assert 0 < float(circle.get("cx")) + x < wide
            assert 0 < float(circle.get("cy")) + y < high


def test_headline_and_legend_are_above_the_map(maps):
    for drawn in maps:
        head, group = parsed(drawn).findall(f"{SVG}g")
        scale = float(head.get("transform").removeprefix("scale(").rstrip(")"))
        assert "on topic 0 %" in [text.text for text in head.iter(f"{SVG}text")]
        _, y = map(float, re.findall(r"-?[\d.]+", group.get("transform")))
        tops = [float(circle.get("cy")) - float(circle.get("r")) for circle in group.iter(f"{SVG}circle")]
        assert min(tops) + y > scale * 80


def test_the_same_collection_gives_the_same_picture(keep):
    folder = keep(PAGES)
    assert to_svg(draw(folder, kind="links")) == to_svg(draw(folder, kind="links"))


def test_a_png_has_the_size_of_the_picture_twice(maps):
    png = to_png(maps[0])
    assert png.startswith(b"\x89PNG")
    wide, high = struct.unpack(">II", png[16:24])
    root = parsed(maps[0])
    assert (wide, high) == pytest.approx((2 * float(root.get("width")), 2 * float(root.get("height"))), abs=3)


def test_a_png_without_the_extra_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    monkeypatch.setattr("lycosa.app.maps.picture.find_spec", lambda name: None)
    with pytest.raises(Refused, match=r"pip install 'lycosa\[lab\]'"):
        check_target(tmp_path / "map.png")


def test_no_pages_but_one_make_a_picture_too(keep):
    folder = keep({"a.test/": (0.0, [], "")})
    for kind in ("site", "links"):
        assert len(list(parsed(draw(folder, kind=kind)).iter(f"{SVG}a"))) == 1
