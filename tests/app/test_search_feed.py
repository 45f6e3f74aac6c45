"""A feed is XML that every reader can read, whatever strangers wrote."""

from xml.etree import ElementTree

from msgspec import convert

from lycosa.app.answers.search import SearchAnswer
from lycosa.app.search_feed import as_rss


def test_a_feed_keeps_every_letter_that_xml_allows_and_no_other():
    title = "10\u00a0000 می\u200cروم 👩\u200d🔬 \x00\x07\ud800\uffff<b>&amp;"
    said = {"title": title, "snippet": "a\x0bb", "url": "http://page.test/", "host": "page.test", "at": 0.0}
    known = {"collection": "one", "collections": ("one",), "score": 1.0, "parts": {}, "marks": (), "votes": {}}
    page = {"language": "", "category": "", "relevance": None, "fetched": True}
    found = convert({"results": [{**said, **known, **page}], "total": 1}, SearchAnswer)
    root = ElementTree.fromstring(as_rss("a\udcffb", found, "http://feed.test/").encode())
    assert root.findtext("channel/title") == "Lycosa: ab"
    assert root.findtext("channel/item/title") == "10\u00a0000 می\u200cروم 👩\u200d🔬 <b>&amp;"
    assert root.findtext("channel/item/description") == "ab"
