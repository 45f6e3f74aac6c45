"""A secret that a page repeats is masked in whatever form it is written there."""

import json

import pytest

from lycosa.web.access.declared import Access
from lycosa.web.access.entrances import Entrances

SECRET = "p&ss/wörd-\U0001f577-0"
URL = "https://a.test/"


@pytest.fixture
def entrance():
    access = Access(headers={"X-Key": "env:KEY"})
    return Entrances({"a.test": access}, {"KEY": SECRET}).open(URL)


def joined(form):
    return "".join(form(character) for character in SECRET)


FORMS = {
    "as it is": SECRET,
    "decimal entities": joined(lambda one: f"&#{ord(one)};"),
    "decimal entities with zeros and without semicolons": joined(lambda one: f"&#000{ord(one)} "[:-1]),
    "hexadecimal entities": joined(lambda one: f"&#x{ord(one):X};"),
    "named entities": SECRET.replace("&", "&amp;"),
    "json": json.dumps(SECRET)[1:-1],
    "json of other languages": json.dumps(SECRET)[1:-1].replace("/", "\\/"),
    "all escaped in json": "".join(
        f"\\u{unit.hex().upper()}"
        for one in SECRET
        for unit in [one.encode("utf-16-be")[:2], one.encode("utf-16-be")[2:]]
        if unit
    ),
    "javascript": joined(lambda one: f"\\u{{{ord(one):x}}}" if ord(one) > 255 else f"\\x{ord(one):02x}"),
    "a mixture": "p&amp;s\\u0073\\/w&#xf6;r&#100;-\U0001f577&#45;0",
}


@pytest.mark.parametrize("form", FORMS)
def test_a_secret_in_any_form_is_masked(entrance, form):
    page = f"<p>before {FORMS[form]} after</p>"
    kept = entrance.masked(page.encode())
    assert b"before ****" in kept and kept.endswith(b"* after</p>")
    assert len(kept) == len(page.encode())


def test_other_escapes_stay_as_they_are(entrance):
    page = b"it&#8217;s &amp; \\u0041 \\ud83d \\x41 &#x110000; &#99999999; &# \\u12 C:\\\\dir &#112;&#38;ss"
    assert entrance.masked(page) == page
