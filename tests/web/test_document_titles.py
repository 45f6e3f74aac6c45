"""Every document has a title that says what it is: stated, or found in its text or in its URL."""

import pytest
from tests.web.readers import made_documents as made

import lycosa
from lycosa.web.document_titles import found_title, stated_title
from lycosa.web.parse import parse

PDF = "application/pdf"


@pytest.mark.parametrize(
    ("stated", "title"),
    [
        ("Wolf spiders of Europe", "Wolf spiders of Europe"),
        ("Spiders", "Spiders"),
        ("Microsoft Word - Wolf spiders of Europe.docx", "Wolf spiders of Europe"),
        ("Microsoft Word - x.doc", ""),
        ("Microsoft PowerPoint - lecture_3.ppt", ""),
        ("paper.dvi", ""),
        ("final_version.tex", "final_version"),
        ("Node.js", "Node.js"),
        ("untitled", ""),
        ("(Untitled-1)", ""),
        ("PowerPoint Presentation", ""),
        ("PowerPoint-Präsentation", ""),
        ("Document1", ""),
        ("<4D6963726F736F66>", ""),
        ("- 12 -", ""),
        ("  ", ""),
        ("The Title of the Rose", "The Title of the Rose"),
        ("1984", "1984"),
        ("クモの本", "クモの本"),
    ],
)
def test_a_title_that_a_program_has_filled_in_is_none(stated, title):
    assert stated_title(stated) == title


def test_titles_of_html_pages_stay_as_they_are_written():
    page = parse("http://h.test/a", b"<title>untitled</title><h1>Spiders</h1>", "text/html", indexed=True)
    assert page.title == "untitled"
    assert parse("http://h.test/a", b"<h1>Spiders</h1>They hunt.", "text/html", indexed=True).title == "Spiders"


def test_lists_searches_and_exports_call_a_document_the_same(collected, tmp_path):
    web = {
        "http://a.test/": "<title>Spiders</title>Wolf spiders <a href='/wolf.txt'>notes</a>",
        "http://a.test/wolf.txt": "Notes on wolf spiders\n\nWolf spiders hunt at night.",
    }
    folder = collected(tmp_path / "c", web, "wolf spiders", types={"http://a.test/wolf.txt": "text/plain"}, index=True)
    title = "Notes on wolf spiders"
    assert title in [page.title for page in lycosa.status(folder).best]
    assert title in [hit.title for hit in lycosa.search(folder, "night").results]
    lycosa.export(folder, tmp_path / "pages.csv")
    assert f",{title}," in (tmp_path / "pages.csv").read_text()


@pytest.mark.parametrize(
    ("path", "mime", "text", "headings", "title"),
    [
        ("a.pdf", PDF, "text", "Wolf spiders of Europe\nBurrows", "Wolf spiders of Europe"),
        ("a.pdf", PDF, "17\n\nWolf spiders of Europe\nThey hunt.", "Contents\nIntroduction", "Wolf spiders of Europe"),
        ("Wolf%20spiders_of-Europe.v2.pdf?x=1", PDF, "", "", "Wolf spiders of-Europe.v2"),
        ("dir/W%C3%B6lfe.pdf", PDF, "word " * 400, "", "Wölfe"),
        ("prices.csv", "text/csv", "name,legs,eyes of it\n", "", "prices"),
        ("crawl.py", "text/x-source", "import this thing\n", "", "crawl"),
        ("README", "text/plain", "Read this first\n\nAnd then that.", "", "Read this first"),
        ("", "text/plain", "42\n", "", ""),
        ("a/b", "text/html", "Spiders hunt. They are many.", "", ""),
        ("a/b", "text/html", "Hunters Spiders hunt.", "Hunters\nPrey", "Hunters"),
    ],
)
def test_what_has_no_title_is_called_by_its_first_heading_or_line_or_by_its_file(path, mime, text, headings, title):
    assert found_title(f"http://h.test/{path}", mime, text, headings) == title


def test_the_junk_title_of_a_pdf_is_neither_its_title_nor_in_its_text():
    page = parse("http://h.test/wolves.pdf", made.pdf(title="Microsoft Word - x.doc"), PDF)
    assert (page.title, page.unread) == ("Where they live", "")
    assert page.text.startswith(made.WORDS)
