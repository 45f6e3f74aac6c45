"""A question that is being typed is completed from titles, names and words, in any script."""

from pathlib import Path

import pytest

from lycosa.index.completion import Completer, Completing, best_of, marks_of
from lycosa.index.index import Index
from lycosa.index.search_types import Document

TITLES = [
    "Photosynthesis",
    "École normale",
    "Albert Einstein",
    "Einsteinium",
    "太阳能发电",
    "Книги и музыка",
    "Art (Munch)",
]


def texts(completer: Completer, typed: str) -> list[str]:
    return [each.text for _, each in completer.complete(typed, 5)]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("phot", ["Photosynthesis"]),
        ("PHOTOSYNTHESIS", ["Photosynthesis"]),
        ("ecole", ["École normale"]),
        ("éco", ["École normale"]),
        ("norm éc", ["École normale"]),
        ("einst", ["Einsteinium", "Albert Einstein"]),
        ("al ein", ["Albert Einstein"]),
        ("阳能", ["太阳能发电"]),
        ("книг", ["Книги и музыка"]),
        ("муз", ["Книги и музыка"]),
        ("(mun", ["Art (Munch)"]),
        ("synthesis", []),
        ("", []),
        ('"-+*', []),
    ],
)
def test_what_is_typed_is_found_at_the_beginning_of_any_word(typed, found):
    assert texts(Completer(Completing(title, 1.0) for title in TITLES), typed) == found


def test_the_best_known_comes_first_and_each_text_once():
    completer = Completer([Completing("Moon base", 1.0), Completing("Moon", 5.0), Completing("moon", 2.0, "words")])
    assert texts(completer, "moo") == ["Moon", "Moon base"]
    found = completer.complete("moo", 5)
    assert [each.text for each in best_of([found, found], 5)] == ["Moon", "Moon base"]


@pytest.mark.parametrize(
    ("text", "typed", "marks"),
    [
        ("Albert Einstein", "ein al", ((0, 2), (7, 10))),
        ("École", "ecol", ((0, 4),)),
        ("太阳能", "阳能", ((1, 3),)),
        ("हिन्दी भाषा", "हिन्दी", ((0, 6),)),
        ("Moon", "zz", ()),
    ],
)
def test_what_was_typed_is_marked(text, typed, marks):
    assert marks_of(text, typed) == marks


@pytest.fixture
def index(tmp_path: Path):
    with Index.write(tmp_path / "index") as index:
        for number in range(4):
            said = f"Read about the French revolution here. Number {number} has a philosopher."
            span = (said.index("French"), said.index(" here"))
            links = (("http://far.test/", span),)
            index.add(Document(f"http://a.test/{number}", f"Title {number}", said, links=links))
        index.add(Document("http://secret.test/", "Titanic secrets", "Nobody may see this."))
        index.withhold("http://secret.test/")
        index.commit(1, 1)
        index.settle()
        yield index


def completed(index: Index, typed: str) -> list[tuple[str, str]]:
    return [(each.text, each.kind) for _, each in index.complete(typed, 6)]


def test_names_that_others_use_complete_it_even_for_pages_that_were_never_fetched(index):
    assert ("French revolution", "words") in completed(index, "fren")


def test_words_of_pages_complete_the_last_word(index):
    assert ("number philosopher", "word") in completed(index, "number phil")
    assert completed(index, "revolution zzz") == []


def test_pages_that_are_withheld_complete_nothing(index):
    assert [text for text, _ in completed(index, "tit")] == [f"Title {number}" for number in range(4)]


def test_new_pages_complete_it_once_the_index_is_read_again(index):
    with Index.open(index.folder) as reader:
        assert completed(reader, "zebra") == []
        index.add(Document("http://a.test/z", "Zebra", "A zebra."))
        index.commit(2, 2)
        assert reader.reload()
        assert completed(reader, "zebra") == [("Zebra", "title")]
