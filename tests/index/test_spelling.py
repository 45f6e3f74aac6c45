"""Misspelt words are corrected with the words that pages use; where that is not certain, the correction is offered."""

from pathlib import Path

import pytest

from lycosa.index.content import Content
from lycosa.index.error_model import error_cost
from lycosa.index.index import Index
from lycosa.index.query_parser import ask
from lycosa.index.search_types import Document, Question
from lycosa.index.spelling import Correction, Speller

USUAL = "the piano teacher gives mediterranean music lessons in philosophy and a physics lesson on the solar system"
AFRICA = "accra is the capital of ghana in africa, and the cedi is the money of ghana"
INDIA = "mahatma gandhi led india with others, and indira gandhi was its prime minister"


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Content:
    folder: Path = tmp_path_factory.mktemp("spelling")
    with Content(folder, write=True) as content:
        for number in range(30):
            text = USUAL + (" pianno" if number == 7 else "")
            content.add(Document(f"https://a.test/{number}", "", text), twin=number, language="en")
            content.add(Document(f"https://g.test/{number}", "Ghana", AFRICA), twin=100 + number, language="en")
        for number in range(5):
            content.add(Document(f"https://i.test/{number}", "Gandhi", INDIA), twin=200 + number, language="en")
            text = "Die Bibliothek der Universität und книги в библиотеке"
            content.add(Document(f"https://u.test/{number}", "", text), twin=300 + number, language="de")
        content.commit()
    return Content(folder)


def corrected(content: Content, typed: str) -> Correction:
    return Speller([content.dictionary]).correct(ask(typed))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("paino", "piano"),
        ("piano techer", "piano teacher"),
        ("Mediteranian music", "mediterranean music"),
        (
            '+philosphy -lessons "music lesons"',
            '+philosphy -lessons "music lessons"'.replace("philosphy", "philosophy"),
        ),
        ("pianno", "piano"),
        ("title:gahna", "title:ghana"),
        ("site:ghandi.test ghandi", "site:ghandi.test gandhi"),
        ("ghandi", "gandhi"),
        ("ipano", "piano"),
        ("mahatma ghandi", "mahatma gandhi"),
        ("fysics", "physics"),
        ("solarsystem", "solar system"),
        ("universitat bibiothek", "universitat bibliothek"),
        ("univresität", "universität"),
        ("univresitat", "universität"),
        ("билиотеке", "библиотеке"),
        ("paino OR tehcer", "piano OR teacher"),
    ],
)
def test_a_misspelt_word_is_corrected_where_it_stands(content: Content, typed: str, meant: str) -> None:
    assert corrected(content, typed).sure == meant


@pytest.mark.parametrize(
    "typed", ["piano", "pianos", "xqzt", "pi", "", "title:piano", "12345", "lesson", "🙂", "ghana"]
)
def test_what_is_right_or_beyond_help_is_left_alone(content: Content, typed: str) -> None:
    assert corrected(content, typed) == Correction("", "")


def test_a_correction_that_the_other_words_do_not_support_is_only_offered(content: Content) -> None:
    assert corrected(content, "mahatma paino") == Correction("", "mahatma piano")


def test_a_name_in_a_title_is_right_however_rare_it_is(tmp_path: Path) -> None:
    with Content(tmp_path, write=True) as content:
        for number in range(50):
            content.add(Document(f"https://a.test/{number}", "", "many seamen sail"), twin=number, language="en")
        content.add(Document("https://z.test/", "Zeeman", "Pieter Zeeman"), twin=99, language="en")
        content.commit()
        assert corrected(content, "zeeman") == Correction("", "")


def test_the_answer_says_what_was_searched_and_can_be_told_not_to(tmp_path: Path) -> None:
    with Index.write(tmp_path) as index:
        for number in range(20):
            index.add(Document(f"https://a.test/{number}", f"Piano {number}", f"Piano {number}\n{USUAL} {number}"))
        index.commit(1, 1)
        answer = index.search(Question("paino"))
        assert (answer.corrected, answer.suggestion, bool(answer.hits)) == ("piano", "", True)
        literal = index.search(Question("paino", verbatim=True))
        assert (literal.corrected, literal.suggestion, literal.hits) == ("", "", [])


@pytest.mark.parametrize(
    ("typed", "likelier", "other"),
    [
        ("ghandi", "gandhi", "ghana"),
        ("recieve", "receive", "relieve"),
        ("fone", "phone", "bone"),
        ("batle", "battle", "beetle"),
        ("nife", "knife", "nine"),
        ("einstien", "einstein", "eisteddfod"),
    ],
)
def test_a_slip_of_finger_or_ear_costs_less_than_another_word(typed: str, likelier: str, other: str) -> None:
    assert error_cost(typed, likelier) < error_cost(typed, other)


def test_a_word_is_no_slip_for_itself() -> None:
    assert error_cost("piano", "piano") == 0
    assert error_cost("piano", "mediterranean", 2.0) > 2.0
