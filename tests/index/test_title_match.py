"""How well titles match what was asked."""

from pathlib import Path

import pytest

from lycosa.index.content import Content
from lycosa.index.query_parser import ask
from lycosa.index.search_types import Document

TITLES = {
    "planet": "Mercury (planet)",
    "site": "Mercury | All about metals",
    "long": "Mercury in fish and other food",
    "plural": "Planets",
    "french": "Les planètes",
}


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    folder: Path = tmp_path_factory.mktemp("titles")
    with Content(folder, write=True) as content:
        for number, (name, title) in enumerate(TITLES.items(), 1):
            language = "fr" if name == "french" else "en"
            document = Document(f"https://{name}.test/", title, f"{title}\nA text of its own: {name} {number}")
            content.add(document, twin=number, language=language)
        content.commit()
    return Content(folder)


def matched(content, text):
    asked = ask(text)
    found = content.title_matches(asked, content.find(asked, 10).matches)
    return {url.split("//")[1].removesuffix(".test/"): value for url, value in found.items()}


def test_a_title_that_is_the_query_matches_wholly_whatever_site_or_subject_follows(content):
    found = matched(content, "mercury")
    assert found["planet"] == found["site"] == 1.0
    assert 0 < found["long"] < 0.5


def test_words_match_in_any_form_by_the_rules_of_the_titles_language(content):
    assert matched(content, "planet")["plural"] == 1.0
    assert matched(content, "planète")["french"] == 1.0


def test_a_title_with_one_of_several_words_matches_partly(content):
    found = matched(content, "mercury planets")
    assert 0 < found["plural"] < 1 and found["planet"] == 1.0


def test_a_quoted_title_matches_too(content):
    assert matched(content, '"mercury in fish and other food"')["long"] == 1.0


def test_what_is_in_no_title_matches_none(content):
    assert matched(content, "text") == {}
