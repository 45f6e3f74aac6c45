"""What the suffix of a URL says, and what it does not."""

import pytest

from lycosa.engine.scope.type_names import NAMES, types_of
from lycosa.web.readers import media_types
from lycosa.web.readers.media_types import OOXML, READ, names_document, refused_by_name
from lycosa.web.response_head import decide


@pytest.mark.parametrize(
    "path",
    ["a.jpg", "a.JPG", "b/a.mp4", "a.zip", "a.jpg?width=200", "a.tar.gz", "a.css#x", "x.y.exe", "old.doc", "a.xls"],
)
def test_a_file_without_a_text_is_refused_by_its_name(path):
    assert refused_by_name(f"http://h.test/{path}") == "not readable"


@pytest.mark.parametrize(
    "path",
    [
        "",
        "a.html",
        "a.php?file=b.jpg",
        "wiki/File:Spider.jpg",
        "jpg",
        ".jpg",
        "a.jpg/",
        "photo.jpg/comments",
        "sitemap.xml.gz",
        "sitemap-2.txt.gz",
        "Sitemap.gz",
        "feed.rss",
        "a.pdf",
        "a.docx",
        "node.js-tutorial",
        "version-1.2",
    ],
)
def test_what_may_be_a_page_is_not_refused(path):
    assert refused_by_name(f"http://h.test/{path}") is None


def test_every_type_that_can_be_read_has_a_name_in_a_scope():
    named = types_of(list(NAMES))
    assert [mime for mime in READ if mime not in named] == [OOXML]


def test_the_name_of_a_host_is_no_suffix():
    assert refused_by_name("http://movie.zip") is None
    assert refused_by_name("http://movie.zip/") is None


def test_only_documents_that_are_read_as_a_whole_may_be_long():
    assert [names_document(f"http://h.test/a.{suffix}") for suffix in ("pdf", "EPUB", "csv", "html", "jpg")] == [
        True, True, False, False, False,
    ]  # fmt: skip


def test_without_its_package_a_document_is_not_asked_for(monkeypatch):
    monkeypatch.setattr(media_types, "_installed", lambda package: False)
    assert refused_by_name("http://h.test/a.pdf") == "needs the extra documents"
    assert refused_by_name("http://h.test/a.docx") is None


def test_a_head_alone_decides_what_is_not_worth_its_body():
    def reason(content_type, url="http://h.test/a"):
        decided = decide(url, 200, lambda name: content_type if name == "Content-Type" else "", 2048)
        return decided and decided.reason

    assert reason("image/png") == "type image/png"
    assert reason("application/zip") == "type application/zip"
    assert reason("application/zip", "http://h.test/book.epub") is None
    assert reason("application/pdf") is None
