"""Every language is found by its words in other forms, other spellings and without blanks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.language_cases import CASES

from lycosa.index.index import Index
from lycosa.index.index_words import composed, indexed_words, readable
from lycosa.index.search_types import Document, Filters, Question


def page(name: str, text: str, language: str, title: str = "") -> Document:
    return Document(f"http://{name}.test/", title=title, text=f"{title}\n{text}", language=language)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("languages") / "index"
    with Index.write(folder) as index:
        for code, _, text, _ in CASES:
            index.add(page(code, text, code))
        index.add(page("verb", "They resume their work on Monday in the office", "en"))
        index.add(page("cv", "Send your résumé to the office on Monday for the work", "en"))
        index.add(page("house", "A house in the country with a garden and a garage", "en"))
        index.add(page("compound", "Die Hausverwaltung kümmert sich um die Heizung im Winter und den Garten", "de"))
        index.add(page("title", "Eine Geschichte der Gebäude in dieser Stadt seit langer Zeit", "de", "Alte Häuser"))
        index.add(page("code", "C++ and R programming beats C# here", "en"))
        index.add(page("letter", "The letters c and d of the alphabet are not a programming language", "en"))
        index.commit(1, 1)
    with Index.open(folder) as index:
        yield index


def found(index: Index, asked: str, **filters) -> list[str]:
    return [hit.host.partition(".")[0] for hit in index.search(Question(asked, filters=Filters(**filters))).hits]


@pytest.mark.parametrize(("code", "asked", "wrong"), [(code, asked, wrong) for code, asked, _, wrong in CASES])
def test_a_word_finds_the_pages_of_its_language_that_have_it_in_another_form(index, code, asked, wrong):
    assert code in found(index, asked)
    assert code in found(index, asked, languages=(code,))
    assert code not in found(index, wrong)


@pytest.mark.parametrize(("code", "asked"), [(code, asked) for code, asked, _, _ in CASES])
def test_the_word_is_marked_in_the_snippet(index, code, asked):
    answer = index.search(Question(asked, filters=Filters(languages=(code,))))
    assert next(hit for hit in answer.hits if hit.host == f"{code}.test").marks


def test_accents_need_not_be_typed_and_count_if_they_are(index):
    assert found(index, "ecole") == found(index, "école") == ["fr"]
    assert found(index, "resume")[:2] == ["verb", "cv"]
    assert found(index, "résumé")[:2] == ["cv", "verb"]


def test_rules_of_one_language_do_not_hold_on_the_pages_of_another(index):
    assert "house" not in found(index, "Haus")
    assert "de" not in found(index, "house")


def test_a_german_word_finds_its_compounds_after_itself(index):
    assert {"de", "title", "compound"} <= set(found(index, "Haus"))
    assert found(index, "Haus").index("compound") > found(index, "Haus").index("de")


def test_titles_are_read_by_the_rules_of_their_language(index):
    assert found(index, "title:haus") == ["title"]


def test_names_of_programming_languages_are_words(index):
    assert found(index, "C++") == ["code"]
    assert found(index, "c#") == ["code"]
    assert found(index, "C++ and R programming")[0] == "code"


def test_a_single_letter_of_an_unspaced_script_is_found_inside_words(index):
    assert found(index, "能") == ["zh"]
    assert "ja" in found(index, "京")


def test_a_word_of_an_unspaced_script_is_found_as_a_whole_only(index):
    assert found(index, "太阳能电") == ["zh"]
    assert found(index, "阳太能") == []


@given(st.lists(st.sampled_from([*"aé\u00adß日本ไทยΣς\u0301İк 、.\n", "C++ ", "word ", "naïve "]), max_size=60))
def test_a_text_with_few_letters_beyond_ascii_is_read_as_one_with_many(letters):
    text = composed("".join(letters))
    few, many = text + " plain words" * 99, text + " plain words" * 99 + " ж" * 1000
    assert indexed_words(few) == [word for word in indexed_words(many) if word != "ж"]
    assert readable(few, few.encode()).spellings == readable(many, many.encode()).spellings


def test_hyphens_that_are_not_shown_do_not_divide_words():
    assert indexed_words("Haus\u00adver\u00adwal\u00adtung") == ["hausverwaltung"]
    assert indexed_words("spi\u200bder and Häu\u00adser") == ["spider", "hauser"]


@pytest.mark.parametrize("asked", ['"太阳 月亮"', '"tokyo 東京 station"', '"서울 역"', '"月亮 moon"'])
def test_a_phrase_may_have_blanks_between_words_of_unspaced_scripts(tmp_path, asked):
    with Index.write(tmp_path / "index") as index:
        index.add(page("right", "太阳 月亮 moon. tokyo 東京 station, 서울역", ""))
        index.add(page("joined", "太阳月亮 moon. tokyo 東京 station, 서울 역", ""))
        index.add(page("wrong", "太阳 or 月亮 without moon. station in 東京 tokyo, 역 서울", ""))
        index.commit(1, 1)
        assert set(found(index, asked)) >= {"right"} and "wrong" not in found(index, asked)
