"""Snippets show why a page was found."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.index.expansion import Form, Forms
from lycosa.index.index import Index
from lycosa.index.search_types import Document, Question
from lycosa.index.snippets import WIDTH, Snippets

FILLER = "Nothing of interest stands in this sentence, which only fills the page. " * 60


def word(*forms: str, rarity: float = 1.0) -> Forms:
    return Forms(tuple(Form(form, 1.0) for form in forms), 1, rarity, (), tuple(forms))


def marked(snippets: Snippets, text: str) -> str:
    snippet, marks, _ = snippets.of(text.encode())
    for start, end in reversed(marks):
        snippet = f"{snippet[:start]}[{snippet[start:end]}]{snippet[end:]}"
    return snippet


def test_the_querys_words_are_marked_in_all_their_forms_and_nothing_else() -> None:
    found = marked(Snippets([word("school", "schools")]), "Title\nSchools and a SCHOOL, no preschool, no schoolboy.")
    assert found == "[Schools] and a [SCHOOL], no preschool, no schoolboy."


def test_the_stretch_with_most_words_is_shown() -> None:
    text = f"Title\nA piano. {FILLER} The piano teacher gives lessons. {FILLER}"
    found = marked(Snippets([word("piano"), word("teacher"), word("lessons")]), text)
    assert "The [piano] [teacher] gives [lessons]." in found
    assert found.endswith(" …")
    assert len(found) < WIDTH + 40


def test_words_that_stand_far_apart_are_shown_in_two_stretches() -> None:
    text = f"Title\n{FILLER} Here is a piano. {FILLER} There is a teacher. {FILLER}"
    found = marked(Snippets([word("piano"), word("teacher")]), text)
    assert "[piano]" in found and "[teacher]" in found
    assert found.count("…") >= 2
    assert len(found) < WIDTH + 60


def test_a_phrase_is_shown_where_it_stands_as_one() -> None:
    text = f"Title\nMusic in a school. {FILLER} The School of Music was founded. {FILLER}"
    found = marked(Snippets([word("school"), word("music")], [("school", "of", "music")]), text)
    assert "The [School] of [Music] was founded." in found


def test_the_title_is_not_shown_again() -> None:
    assert marked(Snippets([word("piano")]), "Piano\nIt has 88 keys.") == "It has 88 keys."


def test_without_words_it_is_the_beginning_in_whole_words() -> None:
    snippet, marks, _ = Snippets([]).of(f"Title\n{FILLER}".encode())
    assert marks == ()
    assert snippet.startswith("Nothing of interest") and snippet.endswith(" …")
    assert snippet.removesuffix(" …").split()[-1] in FILLER.split()


def test_it_is_one_line_of_plain_text() -> None:
    found = marked(Snippets([word("piano")]), "Title\nA\r\n\tgrand \x00\x1b\u202epiano\x85<b>here</b>")
    assert found == "A grand [piano] <b>here</b>"


def test_other_alphabets_and_symbols_around_words() -> None:
    assert marked(Snippets([word("école")]), "T\nL’École est une «école»…") == "L’[École] est une «[école]»…"
    assert marked(Snippets([word("москва")]), "T\nМосква, МОСКВА и москва") == "[Москва], [МОСКВА] и [москва]"
    assert marked(Snippets([word("school")]), "T\n“school’s” schoolé") == "“[school]’s” schoolé"


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=600), st.lists(st.text("abcéж ", min_size=1, max_size=3), max_size=3))
def test_marks_always_stand_on_the_words_they_mark(text: str, words: list[str]) -> None:
    raw = text.encode("utf-8", "replace")
    known = [word(each.strip()) for each in words if each.strip()]
    snippet, marks, _ = Snippets(known, [tuple(each.split()) for each in words if each.strip()]).of(raw)
    assert "\n" not in snippet
    spots = [said for each in known for said in each.written]
    for start, end in marks:
        assert snippet[start:end].lower() in spots
    assert list(marks) == sorted(marks)


def test_a_snippet_names_the_pages_on_which_its_words_are():
    text = b"Title\nfirst page\fa piano\f\fand a teacher" + b" x" * 300 + b"\fa piano teacher"
    assert Snippets([word("piano")]).of(text).pages == (2,)
    assert Snippets([word("piano"), word("teacher")]).of(text).pages == (2, 4)
    assert Snippets([word("absent")]).of(text).pages == ()
    assert Snippets([word("piano")]).of(text.replace(b"\f", b" ")).pages == ()


@pytest.mark.parametrize(
    ("asked", "text", "marked"),
    [
        ("太阳能", "太阳能发电广泛用于各地", ["太阳能"]),
        ('"книга мир"', "книга " + "слово и дело " * 60 + "вот книга «мир» здесь", ["книга", "мир"]),
        ('"太阳 月亮"', "太阳" + "很好的天气" * 90 + "太阳 月亮", ["太阳", "月亮"]),
    ],
)
def test_words_and_phrases_of_other_scripts_are_marked_whole_in_a_short_passage(tmp_path, asked, text, marked):
    with Index.write(tmp_path / "index") as index:
        index.add(Document("http://page.test/", text=f"\n{text}"))
        index.commit(1, 1)
        (hit,) = index.search(Question(asked)).hits
    assert len(hit.snippet.encode()) < 400
    assert [hit.snippet[first:end] for first, end in hit.marks][-len(marked) :] == marked
