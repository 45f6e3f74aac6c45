"""Questions that nobody expects are answered, whatever letters and signs they have."""

import random

import pytest
from tests.language_cases import CASES

from lycosa.index.index import Index
from lycosa.index.question_reader import LENGTH
from lycosa.index.search import search_all
from lycosa.index.search_types import Document, Question

SIGNS = [
    *("AND", "OR", "NOT", "NEAR", "NEAR/3", "(", ")", '"', "-", "+", "*", "~3", "title:", "title:(", 'title:"', '-"'),
    *("site:", "lang:de", "type:html", "before:", "after:2026", "relevance:0.3", "\ud800", "\udfff", "\u202e", "\x00"),
    *(
        "\u200b",
        "\u0300",
        "\u0e31",
        "\ufeff",
        "İ",
        "ſ",
        "ẞ",
        "ﷺ",
        "㌀",
        "👩\u200d👩",
        "𠀀",
        "C++",
        "l'école",
        "x" * 200,
    ),
]


@pytest.fixture(scope="module")
def indexes(tmp_path_factory):
    place = tmp_path_factory.mktemp("odd")
    for name in ("one", "two"):
        with Index.write(place / name) as index:
            for at, (code, asked, text, _) in enumerate(CASES):
                index.add(Document(f"http://{code}.test/{name}", asked, f"{asked}\n{text}", language=code, at=at))
            index.commit(1, 1)
            index.settle()
    with Index.open(place / "one") as one, Index.open(place / "two") as two:
        yield one, two


def questions():
    draw = random.Random(17)
    words = " ".join(f"{asked} {text}" for _, asked, text, _ in CASES).split()
    for _ in range(300):
        parts = [draw.choice(draw.choice((words, SIGNS))) for _ in range(draw.choice((1, 3, 8, 30)))]
        yield draw.choice((" ", "")).join(parts)
    yield "(" * LENGTH
    yield "(a " * LENGTH
    yield "NOT " * LENGTH
    yield 'a ("b' * LENGTH


def test_any_question_has_an_answer_in_either_order(indexes):
    for number, text in enumerate(questions()):
        for sort in ("relevance", "time"):
            asked = Question(text, sort=sort, facets=number % 3 == 0, limit=5)
            joint = search_all(indexes[: 1 + number % 2], asked)
            for hit in joint.answer.hits:
                assert hit.snippet.encode() and all(first < end <= len(hit.snippet) for first, end in hit.marks)
        for _, found in indexes[0].complete(text[:50]):
            assert found.text.encode()


@pytest.mark.parametrize("said", ["nb", "de-AT", "DE", "de_CH"])
def test_a_language_is_known_by_all_its_codes(indexes, said):
    code = "no" if said == "nb" else "de"
    hits = indexes[0].search(Question(f"lang:{said}")).hits
    assert [hit.language for hit in hits] == [code]


def test_results_by_date_have_all_words_beside_any_condition(tmp_path):
    with Index.write(tmp_path / "index") as index:
        for at, text in enumerate(("wolf spider", "wolf", "spider hunting wolf", "wolfram mine spider")):
            index.add(Document(f"http://page.test/{at}", text=f"\n{text}", at=float(at + 1)))
        index.commit(1, 1)
    with Index.open(tmp_path / "index") as index:
        found = {
            asked: [hit.url[-1] for hit in index.search(Question(asked, sort="time")).hits]
            for asked in (
                "wolf spider -hunting",
                "wolfr* spider",
                '"wolf spider" hunting',
                "(hunting OR mine) wolf",
                "+wolf spider",
            )
        }
    assert found == {
        "wolf spider -hunting": ["0"],
        "wolfr* spider": ["3"],
        '"wolf spider" hunting': [],
        "(hunting OR mine) wolf": ["2"],
        "+wolf spider": ["2", "0"],
    }
