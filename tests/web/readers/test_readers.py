"""Every kind of document gives its text, title, language, links with their places, and headings."""

import pytest
from tests.web.readers import made_documents as made
from tests.web.readers.made_documents import LINK, MADE, TITLE, WORDS

from lycosa.web.parse import parse
from lycosa.web.readers.media_types import READ

TITLED = {"pdf", "docx", "pptx", "xlsx", "odt", "odp", "ods", "epub", "rtf", "md", "json"}
PLACED = {"pdf", "docx", "pptx", "odt", "epub", "rtf", "md", "json", "csv", "tsv", "py"}


def read(body, suffix="", header="", **options):
    return parse(f"http://h.test/document{'.' if suffix else ''}{suffix}", body, header, **{"indexed": True, **options})


def anchors(page):
    return {link.url: page.anchor(link) for link in reversed(page.links)}


@pytest.mark.parametrize("suffix", MADE)
def test_the_text_and_the_links_of_every_kind_are_read(suffix):
    page = read(MADE[suffix](), suffix)
    assert (page.unread, page.mime in READ) == ("", True)
    assert WORDS in page.text
    assert LINK in anchors(page)
    assert not page.language or page.language == "en-GB"


@pytest.mark.parametrize("suffix", sorted(TITLED))
def test_the_title_is_the_first_line_as_in_every_page(suffix):
    page = read(MADE[suffix](), suffix)
    assert page.title == TITLE
    assert page.text.startswith(TITLE + "\n")


@pytest.mark.parametrize("suffix", sorted(PLACED))
def test_the_anchor_of_a_link_is_where_its_span_says(suffix):
    page = read(MADE[suffix](), suffix)
    assert anchors(page)[LINK] in ("its page", WORDS, LINK)


@pytest.mark.parametrize(
    ("suffix", "headings"),
    [
        ("pdf", ["Where they live"]),
        ("docx", ["Where they live"]),
        ("odt", ["Where they live"]),
        ("md", ["Where they live", "Setext"]),
        ("pptx", ["Slide 1", "Slide 2"]),
        ("epub", ["First chapter", "Second chapter"]),
        ("xlsx", ["Hunts"]),
        ("ods", ["Hunts"]),
    ],
)
def test_headings_are_outlines_titles_of_slides_and_names_of_sheets(suffix, headings):
    assert read(MADE[suffix](), suffix).headings.split("\n")[: len(headings)] == headings


@pytest.mark.parametrize("suffix", ["pdf", "pptx", "odp"])
def test_pages_and_slides_are_divided_by_form_feeds(suffix):
    first, second = read(MADE[suffix](), suffix).text.split("\f")
    assert WORDS in first
    assert "The second" in second


def test_a_link_in_a_document_has_its_line_and_its_page_around_it():
    page = read(MADE["pptx"](), "pptx", context=True, indexed=False)
    first, second = page.links
    assert page.ring(first) == WORDS
    assert page.ring(second, 1) == "Slide 2\nThe second slide\n"


def test_what_an_author_erased_hid_or_noted_aside_is_no_text():
    for suffix in ("docx", "odt", "rtf"):
        text = read(MADE[suffix](), suffix).text
        for word in ("erased", "aside", "invisible", "Nobody", "hidden", "Arial", "HYPERLINK"):
            assert word not in text, (suffix, word)


def test_tables_notes_and_fields_of_a_word_file_are_read():
    page = read(made.docx(), "docx")
    assert "legs\neight\n" in page.text
    assert page.text.endswith("a footnote\n")
    assert anchors(page)["http://spiders.example/field"] == "a field"


def test_a_row_of_a_sheet_is_a_line():
    assert f"Hunts\n{WORDS}\town\t42.5\n" in read(made.xlsx(), "xlsx").text
    assert f"Hunts\n{WORDS}\t42.5\t\n" in read(made.ods(), "ods").text


def test_rich_text_is_read_in_its_code_pages_and_in_unicode():
    assert "café па паук" in read(made.rtf(), "rtf").text.replace("\n", " ")


def test_the_names_and_values_of_json_are_lines():
    lines = read(made.JSON, "json").text.split("\n")
    assert lines[1:] == [
        "@context: http://schema.example/", f"headline: {TITLE}", "inLanguage: en-GB", f"url: {LINK}", f"text: {WORDS}",
        "legs: 8", "legs: true", "",
    ]  # fmt: skip


def test_half_of_a_json_file_is_read_as_it_is_written():
    assert read(made.JSON[:-3], "json").text == made.JSON[:-3].decode()


@pytest.mark.parametrize("suffix", ["pdf", "docx", "pptx", "xlsx", "odt", "odp", "ods", "epub", "rtf"])
def test_a_document_is_known_by_its_content_whatever_its_header_and_url_say(suffix):
    mime = read(MADE[suffix](), suffix).mime
    for header in ("", "application/octet-stream", "text/plain", "application/pdf", "text/html"):
        page = read(MADE[suffix](), header=header)
        assert (page.mime, page.unread) == (mime, ""), header


@pytest.mark.parametrize(
    ("suffix", "header", "mime"),
    [
        ("md", "text/plain", "text/markdown"),
        ("", "text/markdown; charset=utf-8", "text/markdown"),
        ("csv", "", "text/csv"),
        ("", "application/activity+json", "application/json"),
        ("", "application/ld+json", "application/ld+json"),
        ("", "text/x-rust", "text/x-source"),
        ("py", "text/plain", "text/x-source"),
        ("docx", "application/x-download", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        ("", "text/css", "text/css"),
    ],
)
def test_the_type_of_a_text_is_what_its_header_or_its_suffix_says(suffix, header, mime):
    assert read(b"plain words", suffix, header).mime == mime


def test_a_page_in_place_of_a_document_is_read_as_the_page_that_it_is():
    page = read(b"<!doctype html><title>Gone</title>", "pdf", "application/pdf")
    assert (page.mime, page.title) == ("text/html", "Gone")


def test_an_archive_that_is_no_document_is_not_read():
    page = read(made.zipped({"readme.txt": "words"}), "", "application/octet-stream")
    assert (page.mime, page.unread, page.text) == ("application/zip", "type application/zip", "")
