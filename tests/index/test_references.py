"""The reference-directed index equals a recount of the pages it was told of, whatever happened meanwhile."""

import multiprocessing
import os
import signal
from collections import defaultdict
from itertools import pairwise
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lycosa.core.words import separated, sequence_of
from lycosa.index import segments
from lycosa.index.link_context import excerpt, in_order, sentences, vicinities
from lycosa.index.references import References, find_in
from lycosa.index.search_types import Document
from lycosa.system.errors import Refused

URLS = [f"http://host{number % 3}.test/{number}" for number in range(8)]
ASKED = ["drawing", "program", "windows", "größe", "naïve", "pdf", "eps", "quoted", "end", "dash", "illustrations"]
WORDS = [
    *ASKED, *ASKED, "the", "Programs", "pdf/eps", "“quoted”", "end.", "end…", "end?!", "eps.pdf", "e.g.", ".", ",",
    "dash—dash", "pdf.Größe", "日本語", "naïve.", "pdf.eps.", "?“end", "a", "\0", "\xa0", "\u3000end", "x" * 50, "\n",
]  # fmt: skip

Recounted = dict[tuple[str, ...], dict[str, set[str]]]


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """A page of some words, every now and then one inside a link."""
    text, links = "", []
    for word in draw(st.lists(st.sampled_from(WORDS), max_size=60)):
        if draw(st.integers(0, 4)) == 0:
            links.append((draw(st.sampled_from(URLS)), (len(text), len(text) + len(word))))
        text += word + draw(st.sampled_from(["", " ", " ", " ", "  "]))
    spans = st.tuples(st.integers(-5, 300), st.integers(-5, 300))
    links += draw(st.lists(st.tuples(st.sampled_from(URLS), spans), max_size=2))
    return Document(draw(st.sampled_from(URLS)), text=text, links=tuple(links))


def recount(pages: dict[str, Document]) -> Recounted:
    """Which pages vote for a document, by term."""
    votes: Recounted = defaultdict(lambda: defaultdict(set))
    for url, page in pages.items():
        links = in_order(page.links)
        near = vicinities(excerpt(page.text, links), range(len(links)))
        for (target, _), vicinity in zip(links, near, strict=True):
            for sentence in sentences(vicinity.words):
                terms = sequence_of(separated(sentence))
                for term in [*((term,) for term in terms), *pairwise(terms)]:
                    if target != url:
                        votes[term][target].add(url)
    return votes


def stems(*words: str) -> tuple[str, ...]:
    return tuple(sequence_of(separated(" ".join(words))))


def assert_equal(references: References, pages: dict[str, Document]) -> None:
    expected = recount(pages)
    for word in ASKED:
        found = {each.url: each.votes[word] for each in references.find([word], limit=100)}
        assert found == {url: len(voters) for url, voters in expected[stems(word)].items()}, word
        for url in found:
            said = references.voters(url, word, limit=100)
            assert {voter.url for voter in said} == expected[stems(word)][url]
            assert len(said) == len(expected[stems(word)][url])
    for pair in [*pairwise(ASKED), ("pdf", "eps"), ("eps", "pdf"), ("end", "end"), ("dash", "dash")]:
        found = {each.url: each.votes[" ".join(pair)] for each in references.find([], [pair], limit=100)}
        assert found == {url: len(voters) for url, voters in expected[stems(*pair)].items()}, pair
    linked = {(url, to) for url, page in pages.items() for to, _ in page.links if url != to}
    urls, tails, heads = references.links()
    assert sorted((urls[a], urls[b]) for a, b in zip(tails.tolist(), heads.tolist(), strict=True)) == sorted(linked)
    for url in URLS:
        assert sorted(references.inlinks(url)) == sorted(a for a, b in linked if b == url)


actions = st.one_of(
    documents(), documents(), st.sampled_from(URLS), st.sampled_from(["commit", "commit", "reopen", "compact", "clear"])
)


@settings(max_examples=60, deadline=None)
@given(st.lists(actions, max_size=40))
@example([Document(URLS[0], text="end", links=((URLS[1], (0, 3)),)), "commit"] * 20)
def test_it_equals_a_recount_after_any_sequence_of_changes(actions: list[Document | str]) -> None:
    with TemporaryDirectory() as folder:
        writer, reader = References(Path(folder), write=True), References(Path(folder))
        pages: dict[str, Document] = {}
        committed: dict[str, Document] = {}
        for action in [*actions, "commit"]:
            match action:
                case Document():
                    writer.add(action)
                    pages[action.url] = action
                case "commit":
                    writer.commit()
                    committed = dict(pages)
                case "reopen":
                    writer.close()
                    writer, pages = References(Path(folder), write=True), dict(committed)
                case "compact":
                    writer.compact()
                case "clear":
                    writer.clear()
                    pages, committed = {}, {}
                case url:
                    writer.remove(url)
                    pages.pop(url, None)
        assert_equal(writer, committed)
        reader.reload()
        assert_equal(reader, committed)
        assert not reader.reload()
        writer.close()
        reader.close()


def page(url: str, *links: tuple[str, str]) -> Document:
    """A page with a sentence for each link, the anchor being its URL's last letter."""
    text, spans = "", []
    for to, words in links:
        spans.append((to, (len(text), len(text) + 4)))
        text += f"link {words}. "
    return Document(url, text=text, links=tuple(spans))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with_pages(tmp_path, *(page(f"http://p{n}.test/", ("http://a.test/", "red fish")) for n in range(3)))
    return tmp_path


def with_pages(folder: Path, *pages: Document) -> None:
    references = References(folder, write=True)
    for each in pages:
        references.add(each)
    references.commit()
    references.close()


def test_the_score_is_the_formula(folder: Path) -> None:
    with_pages(folder, page("http://q.test/", ("http://b.test/", "red"), ("http://c.test/", "blue")))
    references = References(folder)
    found = {each.url: each.score for each in references.find(["red"])}
    assert found == pytest.approx({"http://a.test/": (1 + log(3)) * log(1 + 3 / 2), "http://b.test/": log(1 + 3 / 2)})
    references.close()


def test_a_page_with_several_links_has_one_vote(folder: Path) -> None:
    with_pages(folder, page("http://q.test/", *[("http://b.test/", "green green")] * 5))
    references = References(folder)
    assert [(each.url, each.votes) for each in references.find(["green"])] == [("http://b.test/", {"green": 1})]
    assert references.inlinks("http://b.test/") == ["http://q.test/"]
    references.close()


def test_a_link_to_itself_does_not_count_but_one_within_the_host_does(tmp_path: Path) -> None:
    with_pages(tmp_path, page("http://h.test/", ("http://h.test/", "green"), ("http://h.test/b", "blue")))
    references = References(tmp_path)
    assert references.find(["green"]) == []
    assert [each.url for each in references.find(["blue"])] == ["http://h.test/b"]
    assert references.inlinks("http://h.test/b") == ["http://h.test/"] and not references.inlinks("http://h.test/")
    references.close()


def test_segments_are_merged_but_not_beyond_a_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "LARGEST", 20)
    writer = References(tmp_path, write=True)
    for number in range(80):
        writer.add(Document(f"http://p.test/{number}", text="red", links=(("http://a.test/", (0, 3)),)))
        writer.commit()
    sizes = [len(part) for part in writer._segments.parts]
    assert max(sizes) <= 20 and len(sizes) < 20 and sum(sizes) == 80
    assert writer.find(["red"])[0].votes == {"red": 80}
    writer.close()


def test_anchors_are_scored_by_their_own_words(tmp_path: Path) -> None:
    text = "fish and chips here"
    with_pages(tmp_path, Document("http://p.test/", text=text, links=(("http://a.test/", (9, 14)),)))
    references = References(tmp_path)
    (found,) = find_in([references], ["chips"], anchors=True)
    assert (found.url, found.score) == ("http://a.test/", pytest.approx(log(2)))
    assert find_in([references], ["fish"], anchors=True) == []
    assert find_in([references], [], [("fish", "chips")], anchors=True) == []
    assert [each.votes for each in references.find([], [("fish", "chips")])] == [{"fish chips": 1}]
    references.close()


def test_a_reader_sees_a_commit_when_it_looks_again(folder: Path) -> None:
    reader, writer = References(folder), References(folder, write=True)
    writer.add(page("http://q.test/", ("http://b.test/", "green")))
    assert not reader.reload()
    writer.commit()
    assert reader.find(["green"]) == []
    assert reader.reload()
    assert reader.find(["green"])
    writer.compact()
    # The old files are gone, and still the reader can answer.
    assert reader.find(["green"])
    assert reader.voters("http://b.test/")
    assert reader.reload()
    reader.close()
    writer.close()


def test_what_was_not_committed_is_forgotten(folder: Path) -> None:
    writer = References(folder, write=True)
    writer.add(page("http://q.test/", ("http://b.test/", "green")))
    writer.close()
    reader = References(folder)
    assert reader.find(["green"]) == []
    assert reader.find(["red"])
    reader.close()


def test_many_small_commits_leave_few_files(tmp_path: Path) -> None:
    writer = References(tmp_path, write=True)
    for number in range(150):
        writer.add(page(f"http://p{number}.test/", ("http://a.test/", "red")))
        writer.commit()
    assert len(list((tmp_path / "references").iterdir())) < 20
    assert writer.find(["red"])[0].votes == {"red": 150}
    writer.close()


def test_pages_said_anew_again_and_again_do_not_pile_up(tmp_path: Path) -> None:
    writer = References(tmp_path, write=True)
    pages = [page(f"http://p{number}.test/", ("http://a.test/", "red " * 30)) for number in range(20)]
    sizes = []
    for _ in range(30):
        for each in pages:
            writer.add(each)
        writer.commit()
        sizes.append(sum(path.stat().st_size for path in (tmp_path / "references").iterdir()))
    assert max(sizes) < 3 * sizes[0]
    writer.close()


def endless(folder: Path) -> None:
    writer = References(folder, write=True)
    number = 0
    while True:
        for _ in range(3):
            writer.add(page(f"http://p{number}.test/", ("http://a.test/", "red")))
            number += 1
        writer.commit()


def test_a_killed_writer_leaves_whole_commits(tmp_path: Path) -> None:
    known = 0
    for wait in (0.3, 0.2, 0.4):
        child = multiprocessing.get_context("fork").Process(target=endless, args=(tmp_path,))
        child.start()
        child.join(wait)
        assert child.pid
        os.kill(child.pid, signal.SIGKILL)
        child.join()
        reader = References(tmp_path)
        votes = reader.find(["red"])
        known = votes[0].votes["red"] if votes else 0
        assert known % 3 == 0
        assert len(reader.inlinks("http://a.test/")) == known
        reader.close()
    assert known
    writer = References(tmp_path, write=True)
    listed = (tmp_path / "references" / "list.json").read_text()
    assert all(path.name in listed for path in (tmp_path / "references").glob("*.seg"))
    writer.close()


@pytest.mark.parametrize("name", ["list.json", "*.seg"])
@pytest.mark.parametrize("damage", ["cut", "changed", "gone", "empty"])
def test_a_damaged_file_is_said_in_one_line(folder: Path, name: str, damage: str) -> None:
    (path,) = (folder / "references").glob(name)
    held = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes({"cut": held[: len(held) // 2], "changed": b"x" + held[1:], "empty": b""}[damage])
    if (name, damage) == ("list.json", "gone"):
        assert References(folder).find(["red"]) == []  # no list means no references yet
        return
    with pytest.raises(Refused, match="damaged") as refused:
        References(folder)
    assert "rebuild its index" in refused.value.fix
    assert "\n" not in str(refused.value)


def test_a_byte_changed_in_the_middle_is_noticed(folder: Path) -> None:
    (path,) = (folder / "references").glob("*.seg")
    held = bytearray(path.read_bytes())
    held[-20] ^= 1
    path.write_bytes(held)
    with pytest.raises(Refused, match="damaged"):
        References(folder)


@pytest.mark.parametrize("words", [[], [""], ["the"], ["?"], ["\0"], ["x" * 1000], ["zebra"], ["red"] * 10_000])
def test_any_words_can_be_asked_for(folder: Path, words: list[str]) -> None:
    references = References(folder)
    assert len(references.find(words, [tuple(words)], 10)) <= 1
    assert len(find_in([references], words, anchors=True)) <= 1
    assert references.find(words, [], 0) == []
    references.close()


def test_half_a_character_does_no_harm(tmp_path: Path) -> None:
    with_pages(tmp_path, page("http://p.test/", ("http://a.test/", "red \ud800 fish")))
    references = References(tmp_path)
    assert references.voters("http://a.test/", "fish")[0].context.endswith("fish")
    references.close()


def test_nothing_is_known_of_a_url_that_nobody_links_to(folder: Path) -> None:
    references = References(folder)
    assert references.votes("http://nowhere.test/") == []
    assert references.voters("http://nowhere.test/") == []
    assert references.inlinks("http://nowhere.test/", 5) == []
    references.close()
