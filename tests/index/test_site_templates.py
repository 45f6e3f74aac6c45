"""What the pages of a site repeat is known, and snippets are taken from elsewhere."""

import random

import pytest

from lycosa.index import site_templates
from lycosa.index.index import Index
from lycosa.index.index_copy import copy_index
from lycosa.index.index_errors import Unreadable
from lycosa.index.search_types import Document, Question
from lycosa.index.site_templates import FILE, SiteTemplates
from lycosa.index.verify import index_damage

MENU = (
    "Skip to the contents Home Sails Masts Rigging Anchors Harbours Lighthouses Charts and tide tables Books about "
    "boats Forum Membership News archive Events calendar Contact the editors"
)
FOOTER = (
    "All articles are available under the free documentation licence unless stated otherwise. Made by the friends of "
    "old boats with the software of the harbour museum."
)
WORDS = [line + tail for line in ("bar", "cel", "dom", "fen", "gul", "hov", "jin", "kel") for tail in "aeiou"]


def filler(seed, words=120):
    return " ".join(random.Random(seed).choices(WORDS, k=words))


def page(number, said="", site="http://boats.test/articles"):
    text = f"Page {number}\n{MENU} {filler(number)} {said} {filler(-1 - number)} {FOOTER}"
    return Document(f"{site}/{number}", f"Page {number}", text)


def written(folder, pages, commits=1):
    with Index.write(folder) as index:
        for at in range(0, len(pages), -(-len(pages) // commits)):
            for each in pages[at : at + -(-len(pages) // commits)]:
                index.add(each)
            index.commit(at + 1, 7)
            index.settle()
    return folder


def snippet(folder, question, number):
    with Index.open(folder) as index:
        return next(hit.snippet for hit in index.search(Question(question)).hits if hit.url.endswith(f"/{number}"))


PAGES = [page(number, "Good anchors are heavy." if number == 3 else "") for number in range(12)]


@pytest.fixture(scope="module")
def boats(tmp_path_factory):
    return written(tmp_path_factory.mktemp("boats") / "index", PAGES)


def test_a_snippet_is_taken_from_what_only_this_page_says(boats):
    assert "Good anchors are heavy." in snippet(boats, "anchors", 3)
    assert "Harbours Lighthouses" not in snippet(boats, "anchors", 3)


def test_a_page_with_the_words_in_its_navigation_alone_shows_them_there(boats):
    assert "Masts Rigging Anchors Harbours" in snippet(boats, "lighthouses anchors", 5)


def test_without_words_a_snippet_begins_where_the_site_stops_repeating_itself(boats):
    with Index.open(boats) as index:
        hits = index.search(Question("site:boats.test")).hits
    assert len(hits) == 10
    for hit in hits:
        assert "Forum Membership" not in hit.snippet
        assert any(word in WORDS for word in hit.snippet.removeprefix("… ").split()[:4])


def test_of_a_site_with_few_pages_nothing_is_known(tmp_path):
    folder = written(tmp_path / "index", [page(number, "Good anchors are heavy.") for number in range(7)])
    with Index.open(folder) as index:
        assert index.templates.of("http://boats.test/articles/1") is None
    assert "Rigging Anchors Harbours" in snippet(folder, "anchors", 3)


def test_folders_at_the_top_of_a_host_are_sites_of_their_own(tmp_path):
    other = "http://boats.test/~mary"
    letters = [Document(f"{other}/{n}", f"Letter {n}", f"Letter {n}\n{filler(100 + n)}") for n in range(12)]
    with Index.open(written(tmp_path / "index", [*PAGES, *letters])) as index:
        assert index.templates.of("http://boats.test/articles/99") is not None
        assert index.templates.of(f"{other}/1") is None
        assert index.templates.of("http://elsewhere.test/articles/1") is None


def test_the_spans_of_a_template_cover_navigation_and_footer_and_little_else(boats):
    raw = PAGES[4].text.encode()
    with Index.open(boats) as index:
        spans = index.templates.of(PAGES[4].url).spans(raw, raw.find(b"\n") + 1)
    covered = " ".join(raw[start:end].decode() for start, end in spans)
    repeated = f"{MENU} {FOOTER}".split()
    assert sum(word in covered for word in repeated) > 0.8 * len(repeated)
    assert sum(word in WORDS for word in covered.split()) < 6


def test_an_index_made_in_steps_or_in_another_order_has_the_same_templates(boats, tmp_path):
    pages = PAGES[::-1]
    in_steps = written(tmp_path / "index", pages, commits=4)
    assert (in_steps / FILE).read_bytes() == (boats / FILE).read_bytes()


def test_a_rebuilt_index_without_a_page_knows_nothing_of_it(tmp_path):
    more = page(12, site="http://boats.test/letters")
    folder = written(tmp_path / "one", [*PAGES, more])
    with Index.write(folder) as index:
        index.remove(more.url)
        index.commit(99, 7)
        index.settle()
    assert (folder / FILE).read_bytes() == (written(tmp_path / "two", PAGES) / FILE).read_bytes()


def test_no_more_pages_of_a_site_are_read_than_are_compared_and_no_more_sites_than_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(site_templates, "LARGEST", 2)
    read = []
    texts = {f"http://{host}.test/{n}": page(n).text.encode() for host in "abc" for n in range(20 + (host < "c"))}
    templates = SiteTemplates(tmp_path)
    templates.compute(texts, lambda url: read.append(url) or texts[url])
    assert len(read) == 2 * site_templates.COMPARED
    assert [bool(templates.of(f"http://{host}.test/0")) for host in "abc"] == [True, True, False]


def test_a_copy_of_an_index_knows_the_templates(boats, tmp_path):
    copy_index(boats, tmp_path / "copy")
    assert "Good anchors are heavy." in snippet(tmp_path / "copy", "anchors", 3)


def test_a_cleared_index_has_forgotten_them_and_an_older_one_without_them_is_read(tmp_path):
    folder = written(tmp_path / "index", PAGES)
    (folder / FILE).unlink()
    assert "Rigging Anchors Harbours" in snippet(folder, "anchors", 5)
    with Index.write(folder) as index:
        index.settle()
        assert index.templates.of(PAGES[0].url)
        index.clear()
        assert index.templates.of(PAGES[0].url) is None
    assert not (folder / FILE).exists()


def test_a_reader_sees_new_templates_once_it_reloads(tmp_path):
    folder = written(tmp_path / "index", PAGES[:6])
    with Index.open(folder) as reader:
        with Index.write(folder) as index:
            for each in PAGES[6:]:
                index.add(each)
            index.commit(2, 7)
            index.settle()
        assert reader.templates.of(PAGES[0].url) is None
        assert reader.reload()
        assert reader.templates.of(PAGES[0].url)


def test_a_damaged_file_is_noticed_and_the_index_made_anew(tmp_path):
    folder = written(tmp_path / "index", PAGES)
    raw = bytearray((folder / FILE).read_bytes())
    raw[-5] ^= 1
    (folder / FILE).write_bytes(raw)
    assert [damage.place for damage in index_damage(folder)] == [str(folder / FILE)]
    with pytest.raises(Unreadable):
        Index.open(folder)
    with Index.write(folder) as index:
        assert len(index) == 0


def test_a_damaged_page_does_not_prevent_that_the_others_are_compared(tmp_path):
    folder = written(tmp_path / "index", PAGES)
    (folder / FILE).unlink()
    pages = folder / "content" / "pages.0"
    raw = bytearray(pages.read_bytes())
    raw[len(raw) // 2] ^= 1
    raw[-3] ^= 1
    pages.write_bytes(raw)
    with Index.write(folder) as index:
        index.settle()
        assert len(list(index.content.problems())) == 2
        assert index.templates.of(PAGES[0].url)


@pytest.mark.parametrize("text", ["", "One line", "a b\n", "x\n" + "é " * 50, "x\n" + "鼬" * 300, "x\n«a» — b …" * 30])
def test_any_text_has_a_snippet(tmp_path, text):
    same = {f"http://a.test/{n}": text.encode() for n in range(9)}
    templates = SiteTemplates(tmp_path)
    templates.compute(same, same.__getitem__)
    if template := templates.of("http://a.test/0"):
        size = len(text.encode())
        assert all(0 <= start <= end <= size for start, end in template.spans(text.encode()))
