"""Every question of the table in the documentation finds exactly the pages that it says."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lycosa.index.index import Index
from lycosa.index.search_types import BY, Document, Question

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "questions.md"
ROWS = [[cell.strip() for cell in line.strip("|").split(" |")] for line in PAGE.read_text().splitlines()]
PAGES = [row for row in ROWS if len(row) == 6 and row[0].startswith("http")]
QUESTIONS = [row for row in ROWS[ROWS.index(["question", "finds exactly"]) :] if row[0].startswith("`")]
LINK = re.compile(r"\[([^\]]*)\]\(([^)]*)\)")


def name(url: str) -> str:
    parts = url.removeprefix("http://").split("/")
    return parts[1] or parts[0].partition(".")[0]


def document(url: str, language: str, kind: str, day: str, title: str, said: str) -> Document:
    text, links, at = title + "\n", [], 0
    for link in LINK.finditer(said):
        text += said[at : link.start()]
        links.append((link[2], (len(text), len(text) + len(link[1]))))
        text, at = text + link[1], link.end()
    fetched = datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()
    return Document(url, title, text + said[at:], language=language, type=kind, at=fetched, links=tuple(links))


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("questions") / "index"
    with Index.write(folder) as index:
        for url, language, kind, day, title, said in PAGES:
            if said:
                index.add(document(url, language, kind, day, title, said))
        index.commit(1, 1)
        index.settle()
    with Index.open(folder) as index:
        yield index


def test_the_table_has_what_was_promised():
    assert len(PAGES) == 15
    assert len(QUESTIONS) >= 60


@pytest.mark.parametrize(("asked", "pages"), [(row[0].strip("`"), row[1]) for row in QUESTIONS])
def test_a_question_finds_exactly_these_pages(index, asked, pages):
    answer = index.search(Question(asked, limit=100, twins=True, verbatim=True))
    assert sorted(name(hit.url) for hit in answer.hits) == sorted(filter(None, pages.split(", ")))


@pytest.mark.parametrize("asked", [row[0].strip("`") for row in QUESTIONS])
def test_what_others_say_adds_no_page_that_the_question_excludes(index, asked):
    hybrid = {hit.url for hit in index.search(Question(asked, limit=100, twins=True, verbatim=True)).hits}
    for by in BY:
        found = index.search(Question(asked, by, limit=100, twins=True, verbatim=True)).hits
        assert {hit.url for hit in found} <= hybrid


def test_only_exclusions_and_what_cannot_be_read_are_remarked(index):
    assert "add what pages must contain" in index.search(Question("NOT einstein")).remark
    assert "not closed" in index.search(Question("school AND (piano")).remark
    assert all(not index.search(Question(row[0].strip("`"))).remark for row in QUESTIONS[:70])
