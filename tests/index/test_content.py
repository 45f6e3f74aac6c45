"""The content index finds what pages say, and is never half of anything."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lycosa.core.words import terms
from lycosa.index.content import Content
from lycosa.index.query_parser import ask
from lycosa.index.search_types import Document, Filters
from lycosa.index.spelling import Speller
from lycosa.system.errors import Refused

DAY = 86400.0
PAGES = {
    "https://www.music.test/piano/lessons.html": Document(
        "", "Piano lessons", "Piano lessons\nThe school of music teaches the piano to children.", category="Arts/Music"
    ),
    "https://music.test/guitar": Document(
        "", "Guitars", "Guitars\nA guitar teacher gives lessons. Schools for music are many.", category="Arts/Music"
    ),
    "https://art.test/painting": Document(
        "", "Painting", "Painting\nThe history of painting: painters paint, children learn.", category="Arts/Painting"
    ),
    "http://rail.test:8080/steam": Document(
        "", "Steam", "Steam\nA locomotive is a teacher of patience. Children like it.", category="Transport"
    ),
    "https://zug.test/": Document("", "Züge", "Züge\nDie Geschichte der Eisenbahn in München.", headings="Bahnhöfe"),
}


def documents() -> Iterator[Document]:
    for number, (url, page) in enumerate(PAGES.items()):
        yield Document(
            url, page.title, page.text, page.headings, "", page.category, relevance=number / 10, at=number * DAY
        )


def fill(folder: Path) -> None:
    with Content(folder, write=True) as content:
        for number, document in enumerate(documents()):
            content.add(document, twin=number + 1, language="de" if "zug" in document.url else "en")
        content.commit()


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Content:
    folder = tmp_path_factory.mktemp("content")
    fill(folder)
    return Content(folder)


def found(content: Content, text: str, filters: Filters = Filters()) -> list[str]:  # noqa: B008
    """The last names of the pages that are found, best first."""
    matches = content.find(ask(text, filters), 10).matches
    return [match.url.rstrip("/").rpartition("/")[2].partition(".")[0] for match in matches]


# -- what is found ----------------------------------------------------------------------------------------------------


def test_pages_with_more_of_the_words_come_first(content: Content) -> None:
    assert found(content, "piano children")[0] == "lessons"
    assert set(found(content, "piano children")) == {"lessons", "painting", "steam"}


def test_a_word_finds_the_words_of_its_stem(content: Content) -> None:
    assert set(found(content, "teaching")) == {"lessons"}
    assert set(found(content, "school")) == {"lessons", "guitar"}
    assert found(content, "guitars") == ["guitar"]


def test_a_phrase_is_exact_but_for_its_stop_words(content: Content) -> None:
    assert found(content, '"school of music"') == ["lessons"]
    assert found(content, '"schools of music"') == ["guitar"]
    assert found(content, '"music school"') == []
    assert found(content, '"the history of painting"') == ["painting"]


def test_signs_decide(content: Content) -> None:
    assert found(content, "+guitar lessons") == ["guitar"]
    assert found(content, "lessons -piano") == ["guitar"]
    assert found(content, 'children -"school of music"') == found(content, "children -teaches")
    assert found(content, "-children") == []


def test_fields_are_looked_into(content: Content) -> None:
    assert found(content, "title:lesson") == ["lessons"]
    assert found(content, "url:steam") == ["steam"]
    assert found(content, "title:children") == []


def test_words_in_the_title_count_more(tmp_path: Path) -> None:
    with Content(tmp_path, write=True) as content:
        content.add(Document("https://a.test/1", "Other", "Other\nharp harp of words"), twin=1, language="en")
        content.add(Document("https://a.test/2", "Harp", "Harp\nharp of many words"), twin=2, language="en")
        content.commit()
        assert found(content, "harp") == ["2", "1"]


def test_words_at_the_beginning_and_in_headings_count_more(tmp_path: Path) -> None:
    rest = "many other words follow here " * 40
    texts = {
        "late": Document("https://a.test/late", "One", f"One\n{rest} harp"),
        "opening": Document("https://a.test/opening", "Two", f"Two\nharp {rest}"),
        "heading": Document("https://a.test/heading", "Three", f"Three\n{rest} harp", "harp"),
    }
    with Content(tmp_path, write=True) as content:
        for number, document in enumerate(texts.values(), 1):
            content.add(document, twin=number, language="en")
        content.commit()
        assert found(content, "harp")[2] == "late"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("host:music.test", {"lessons", "guitar"}),
        ("host:www.music.test", {"lessons"}),
        ("host:test", {"lessons", "guitar", "painting", "steam", "zug"}),
        ("host:rail.test", {"steam"}),
        ("host:rail.test:8080", {"steam"}),
        ("host:nowhere.test", set()),
        ("lang:de", {"zug"}),
        ("category:arts", {"lessons", "guitar", "painting"}),
        ("category:Arts/Music", {"lessons", "guitar"}),
        ("category:mus", set()),
        ("relevance:0.3", {"steam", "zug"}),
        ("after:1970-01-03 before:1970-01-05", {"painting", "steam"}),
        ("children host:rail.test host:art.test", {"painting", "steam"}),
        ("children category:arts -piano", {"painting"}),
    ],
)
def test_filters_let_through_what_they_say(content: Content, text: str, names: set[str]) -> None:
    assert set(found(content, text)) == names


def test_without_words_the_most_relevant_come_first(content: Content) -> None:
    assert found(content, "category:arts") == ["painting", "guitar", "lessons"]


def test_all_results_are_counted_and_the_best_are_given(content: Content) -> None:
    everything = content.find(ask("children"), 10)
    first = content.find(ask("children"), 1)
    assert everything.total == first.total == 3
    assert first.matches == everything.matches[:1]
    assert [match.score for match in everything.matches] == sorted(
        (match.score for match in everything.matches), reverse=True
    )


def test_facets_count_all_results_by_every_field(content: Content) -> None:
    assert content.facets(ask("lessons children")) == {
        "host": {"www.music.test": 1, "music.test": 1, "art.test": 1, "rail.test:8080": 1},
        "category": {"Arts/Music": 2, "Arts/Painting": 1, "Transport": 1},
        "lang": {"en": 4},
        "type": {"html": 4},
        "year": {"1970": 3},
    }
    assert content.facets(ask("")) == {}


def test_a_hit_says_what_is_shown_of_a_page(content: Content) -> None:
    asked = ask("locomotives")
    (hit,) = content.hits(content.find(asked, 10).matches, asked)
    assert (hit.url, hit.title, hit.host) == ("http://rail.test:8080/steam", "Steam", "rail.test:8080")
    assert (hit.language, hit.category, hit.relevance, hit.at) == ("en", "Transport", 0.3, 3 * DAY)
    assert hit.snippet == "A locomotive is a teacher of patience. Children like it."
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["locomotive"]


def test_pages_are_known_by_their_urls(content: Content) -> None:
    url = "https://music.test/guitar"
    assert content.holds(url) and not content.holds("https://music.test/")
    assert content.text(url) == PAGES[url].text
    assert content.text("https://music.test/") is None
    assert content.titles([url, "https://music.test/"]) == {url: "Guitars"}
    assert content.by_url([url])[url].twin == 2
    assert sorted(content.urls()) == sorted(PAGES)
    assert len(content) == len(PAGES)


def test_among_given_pages_filters_decide_and_words_score(content: Content) -> None:
    given = content.among(ask("piano host:music.test -guitar"), PAGES)
    assert list(given) == ["https://www.music.test/piano/lessons.html"]
    scored = content.among(ask("piano"), PAGES)
    assert len(scored) == len(PAGES)
    assert {url for url, match in scored.items() if match.score > 0} == {"https://www.music.test/piano/lessons.html"}


def test_similar_pages_share_the_words_that_tell_most(content: Content) -> None:
    similar = content.similar("https://music.test/guitar", 10)
    assert similar.matches[0].url == "https://www.music.test/piano/lessons.html"
    assert "https://music.test/guitar" not in [match.url for match in similar.matches]
    assert content.similar("https://music.test/guitar", 10, Filters(hosts=("art.test",))).matches == []
    assert content.similar("https://nowhere.test/", 10).matches == []


def test_the_background_is_what_counting_terms_gives(content: Content) -> None:
    background = content.background()
    bags = [terms(page.text) for page in PAGES.values()]
    assert background.pages == len(bags)
    assert background.holding == {term: sum(term in bag for bag in bags) for bag in bags for term in bag}
    assert sorted(map(sorted, background.sample)) == sorted(map(sorted, bags))


def test_accents_apart_and_in_one_are_the_same_letter(tmp_path: Path) -> None:
    with Content(tmp_path, write=True) as content:
        content.add(page(1, "a cafe\u0301"), twin=1, language="fr")
        content.add(page(2, "un CAFÉ"), twin=2, language="fr")
        content.commit()
        assert set(found(content, "café")) == set(found(content, "cafe\u0301")) == {"1", "2"}


# -- writing ----------------------------------------------------------------------------------------------------------


def page(number: int, text: str = "piano") -> Document:
    return Document(f"https://a.test/{number}", f"Page {number}", text)


def test_a_page_that_is_added_again_replaces_itself(tmp_path: Path) -> None:
    with Content(tmp_path, write=True) as content:
        content.add(page(1, "first"), twin=1, language="en")
        content.add(page(1, "second"), twin=1, language="en")
        content.commit()
        assert (len(content), found(content, "first"), found(content, "second")) == (1, [], ["1"])
        content.add(page(1, "third"), twin=1, language="en")
        content.commit()
        assert (len(content), found(content, "second"), found(content, "third")) == (1, [], ["1"])
        assert content.text("https://a.test/1") == "third"


def test_a_page_that_is_removed_is_gone(tmp_path: Path) -> None:
    with Content(tmp_path, write=True) as content:
        for number in range(3):
            content.add(page(number), twin=number, language="en")
        content.remove("https://a.test/0")
        content.remove("https://nowhere.test/")
        content.commit()
        content.remove("https://a.test/1")
        content.commit()
        assert (len(content), found(content, "piano"), content.holds("https://a.test/1")) == (1, ["2"], False)


def test_what_is_not_committed_is_not_there(tmp_path: Path) -> None:
    with Content(tmp_path, write=True) as content:
        content.add(page(1), twin=1, language="en")
        content.commit()
        content.add(page(2), twin=2, language="en")
        assert len(content) == 1
    with Content(tmp_path, write=True) as content:
        assert content.urls() == ["https://a.test/1"]
        content.commit()
        assert content.urls() == ["https://a.test/1"]


def test_a_reader_sees_a_commit_when_it_reloads_and_not_before(tmp_path: Path) -> None:
    reader = Content(tmp_path)
    assert (len(reader), found(reader, "piano"), reader.reload()) == (0, [], False)
    with Content(tmp_path, write=True) as writer:
        writer.add(page(1), twin=1, language="en")
        writer.commit()
        assert len(reader) == 0
        assert reader.reload() and not reader.reload()
        assert found(reader, "piano") == ["1"]
        matches = reader.find(ask("piano"), 10).matches
        writer.add(page(1, "organ"), twin=1, language="en")
        writer.add(page(2), twin=2, language="en")
        writer.commit()
        assert found(reader, "piano") == ["1"]
        assert reader.reload()
        assert found(reader, "piano") == ["2"]
        assert reader.hits(matches, ask("piano"))[0].snippet == "piano"
    reader.close()


def test_clearing_leaves_nothing_and_does_not_disturb_who_still_reads(tmp_path: Path) -> None:
    with Content(tmp_path, write=True) as writer:
        writer.add(page(1), twin=1, language="en")
        writer.commit()
        reader = Content(tmp_path)
        writer.clear()
        assert len(writer) == 0
        assert reader.text("https://a.test/1") == "piano"
        assert reader.reload() and len(reader) == 0
        writer.add(page(2), twin=2, language="en")
        writer.commit()
        assert reader.reload() and reader.text("https://a.test/2") == "piano"
        reader.close()
    assert len(list(tmp_path.glob("pages.*"))) == 1


def test_only_one_may_write(tmp_path: Path) -> None:
    with Content(tmp_path, write=True), pytest.raises(Refused, match="another process"):
        Content(tmp_path, write=True)
    with Content(tmp_path, write=True):
        pass


def test_a_damaged_index_is_refused_in_one_line(tmp_path: Path) -> None:
    fill(tmp_path)
    (tmp_path / "meta.json").write_text("{")
    with pytest.raises(Refused, match=r"meta.json is damaged .* rebuild its index"):
        Content(tmp_path)


KILLED = """
import sys
from pathlib import Path
from lycosa.index.content import Content
from lycosa.index.search_types import Document
content = Content(Path(sys.argv[1]), write=True)
for number in range(10_000_000):
    content.add(Document(f"https://a.test/{number}", "", f"piano {number} " * 200), twin=number, language="en")
    if number % 50 == 49:
        content.commit()
        print(number + 1, flush=True)
"""


def test_a_killed_writer_leaves_its_last_commit_whole(tmp_path: Path) -> None:
    writer = subprocess.Popen([sys.executable, "-c", KILLED, tmp_path], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    with writer.stdout as said:
        for _ in range(3):
            committed = int(said.readline())
        time.sleep(0.01)
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        committed = max([committed, *map(int, said.read().split())])
    with Content(tmp_path, write=True) as content:
        # The commit under way may have come through too.
        assert len(content) in (committed, committed + 50)
        for url in content.urls():
            assert (content.text(url) or "").startswith("piano")
        content.add(page(-1, "organ"), twin=1, language="en")
        content.commit()
        assert found(content, "organ") == ["-1"]


# -- hostile ----------------------------------------------------------------------------------------------------------


def everything(content: Content, text: str) -> float:
    """Ask everything that can be asked; how long it took, in CPU seconds."""
    begun = time.process_time()
    asked = ask(text)
    matches = content.find(asked, 10).matches
    content.hits(matches, asked)
    content.among(asked, PAGES)
    content.facets(asked)
    Speller([content.dictionary]).correct(asked)
    return time.process_time() - begun


@pytest.mark.parametrize(
    "text",
    [
        '"unbalanced',
        '"""',
        '+"',
        "-",
        "*",
        "* ?* [a-z]*",
        "\x00\x01\x1b[31m",
        "\ud800 piano \udfff",
        "🎹" * 500,
        "שלום \u202epiano",
        "nosuchfield:piano",
        "a:b:c:d",
        "title:::",
        "host:" + "a." * 1000,
        "relevance:inf",
        "relevance:-inf piano",
        "after:0001-01-01 before:9999-12-31 piano",
        "(((((((((",
        "\\" * 1000,
        " ".join(f"piano{n}" for n in range(10_000)),
        "piano " * 200_000,
        "x" * 1_000_000,
        '"' + "piano " * 10_000,
        "".join(f"-w{n} " for n in range(1000)),
        "é" * 3000,
    ],
)
def test_hostile_questions_are_answered_quickly(content: Content, text: str) -> None:
    assert everything(content, text) < 0.5


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.text(st.characters(codec=None), max_size=100)
    | st.lists(
        st.sampled_from(
            [
                "piano",
                '"',
                "school of",
                "+",
                "-",
                "title:",
                "url:",
                "host:",
                "lang:de",
                "after:",
                "before:2020",
                " ",
                "ü",
            ]
        ),
        max_size=12,
    ).map("".join)
)
def test_no_question_is_an_error(content: Content, text: str) -> None:
    everything(content, text)


@pytest.mark.parametrize("odd", ["", "\ud800", "\x00", "🎹" * 100, "cafe\u0301", "x" * 100_000, "\n\n\n", "\u202e"])
def test_odd_pages_are_taken_in(tmp_path: Path, odd: str) -> None:
    with Content(tmp_path, write=True) as content:
        content.add(Document("https://a.test/%", odd, odd, odd, "", odd), twin=2**64 - 1, language="")
        content.add(Document("https://[::1]:80/", odd, f"{odd}\n{odd} piano", odd, "", odd), twin=0, language="xx")
        content.commit()
        assert found(content, "piano") == ["[::1]:80"]
        everything(content, "piano " + odd)
