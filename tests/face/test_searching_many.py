"""Several collections asked at once, indexes that stay open, seeds found in collections, archived copies."""

import shutil
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from lycosa.app import communities, page_copies
from lycosa.app import search as searching
from lycosa.app.index_pool import FEW, OpenIndexes
from lycosa.app.requests.search import SearchRequest
from lycosa.community.home import Home
from lycosa.community.settings import CommunitySettings
from lycosa.index.index import Index
from lycosa.index.search_types import Document, Question
from lycosa.system.errors import Refused

WOLVES, GARDEN = "http://wolves.test/", "http://garden.test/"
LONG = " ".join(f"Sentence {n} tells of burrow number {n * 37 % 101} and what lives in it by day." for n in range(40))


def page(title, body, links=()):
    listed = "".join(f'<p>See <a href="{url}">{words}</a>.</p>' for url, words in links)
    return f"<html lang=en><head><title>{title}</title></head><body><h1>{title}</h1><p>{body}</p>{listed}</body></html>"


WOLF_PAGES = {
    WOLVES: page("Wolf spiders", "Wolf spiders hunt on the ground.", [
        (f"{WOLVES}night", "wolf spiders at night"), (f"{WOLVES}burrow", "burrows of wolf spiders"),
        (f"{WOLVES}shared", "the shared page"), (f"{WOLVES}nowhere", "tarantulas that sing"),
    ]),
    f"{WOLVES}night": page("Hunting at night", "At night wolf spiders run down their prey. Their eyes shine."),
    f"{WOLVES}burrow": page("Burrows", LONG),
    f"{WOLVES}shared": page("A shared page", "Spiders of the garden and of the heath, wolf spiders among them."),
}  # fmt: skip
GARDEN_PAGES = {
    GARDEN: page("The garden", "A garden with roses, a pond and some spiders.", [
        (f"{GARDEN}copy", "a copy of burrows"), (f"{GARDEN}orb", "orb weavers"), (f"{WOLVES}shared", "a shared page"),
    ]),
    f"{GARDEN}copy": page("Burrows", LONG + " Printed today."),
    f"{GARDEN}orb": page("Orb weavers", "Orb weavers build a web; wolf spiders do not. Gardens are full of them."),
    f"{WOLVES}shared": WOLF_PAGES[f"{WOLVES}shared"],
}  # fmt: skip


@pytest.fixture(scope="module")
def two(collected, tmp_path_factory):
    place = tmp_path_factory.mktemp("two")
    wolves = collected(place / "wolves", WOLF_PAGES, "wolf spiders")
    garden = collected(place / "garden", GARDEN_PAGES, "garden spiders")
    return {"wolves": wolves, "garden": garden}


@pytest.fixture
def indexes():
    kept = OpenIndexes()
    yield kept
    kept.close()


def test_one_answer_over_two_collections_knows_where_each_result_is_from(two):
    found = searching.search_many(two, SearchRequest("wolf spiders"))
    by_url = {hit.url: hit for hit in found.results}
    assert by_url[f"{WOLVES}night"].collection == "wolves"
    assert by_url[f"{GARDEN}orb"].collections == ("garden",)
    assert [hit.score for hit in found.results] == sorted((hit.score for hit in found.results), reverse=True)
    assert found.asked == {"wolves": 4, "garden": 4} and found.exact and not found.remark


def test_a_page_in_both_is_one_result_that_names_both(two):
    found = searching.search_many(two, SearchRequest("shared heath"))
    shared = [hit for hit in found.results if hit.url == f"{WOLVES}shared"]
    assert len(shared) == 1 and set(shared[0].collections) == {"wolves", "garden"}
    assert found.total == len(
        {hit.url for hit in found.results} | {copy.url for hit in found.results for copy in hit.copies}
    )


def test_near_duplicates_fold_across_collections(two):
    found = searching.search_many(two, SearchRequest("sentence burrow"))
    folded = next(hit for hit in found.results if hit.copies)
    urls = {folded.url, *(copy.url for copy in folded.copies)}
    assert urls == {f"{WOLVES}burrow", f"{GARDEN}copy"}
    assert {folded.collection, folded.copies[0].collection} == {"wolves", "garden"}
    apart = searching.search_many(two, SearchRequest("sentence burrow", duplicates=True))
    assert len(apart.results) == len(found.results) + 1


def test_a_page_that_nobody_fetched_is_known_where_others_speak_of_it(two):
    best = searching.search_many(two, SearchRequest("tarantulas sing", by="reference")).results[0]
    assert (best.url, best.fetched, best.collections) == (f"{WOLVES}nowhere", False, ("wolves",))


def test_facets_count_each_page_once_and_filters_hold_for_all(two):
    found = searching.search_many(two, SearchRequest("spiders", facets=True))
    assert found.facets.pop("year").keys() == {str(time.gmtime().tm_year)}
    assert found.facets == {
        "host": {"wolves.test": 3, "garden.test": 2},
        "category": {},
        "lang": {"en": 5},
        "type": {"html": 5},
    }
    only = searching.search_many(two, SearchRequest("spiders", filters=["host=garden.test"]))
    assert only.results and all(hit.host == "garden.test" for hit in only.results)


def test_a_single_collection_answers_as_before(two):
    alone = searching.search(two["wolves"], "wolf spiders")
    found = searching.search_many([two["wolves"]], SearchRequest("wolf spiders"))
    assert [(hit.url, hit.score) for hit in found.results] == [(hit.url, hit.score) for hit in alone.results]
    assert {hit.collection for hit in found.results} == {"wolves"} and found.total == alone.total


def index_of(folder, documents):
    with Index.write(folder) as index:
        for document in documents:
            index.add(document)
        index.commit(1, 1)
        index.settle()


def test_a_word_is_as_rare_as_in_all_collections_together(tmp_path):
    """A word that is rare in one collection only would lift its pages above those of a collection about it."""
    about = [Document(f"http://a.test/{n}", "Kelpies", f"Kelpie lore number {n}, kelpie tales.") for n in range(40)]
    beside = [Document(f"http://b.test/{n}", "Ponds", f"Ponds and what lives there, part {n}.") for n in range(40)]
    beside.append(Document("http://b.test/x", "Ponds", "Ponds, and once a kelpie was seen, they say, in the reeds."))
    for name, documents in (("about", about), ("beside", beside)):
        index_of(tmp_path / name, documents)
    from lycosa.index.search import search_all

    with Index.open(tmp_path / "about") as one, Index.open(tmp_path / "beside") as other:
        joint = search_all([one, other], Question("kelpie", limit=50))
        place = [hit.url for hit in joint.answer.hits].index("http://b.test/x")
        assert place == 40
        assert joint.answer.total == 41 and joint.exact


def test_no_result_is_on_two_pages_and_none_is_missing(tmp_path):
    documents = [
        Document(f"http://h{n % 7}.test/{n}", f"Page {n}", f"Otter {'otter ' * (n % 13)} river bank {n} {n * 7}.")
        for n in range(180)
    ]
    index_of(tmp_path / "a", documents[:120])
    index_of(tmp_path / "b", documents[60:])
    from lycosa.index.search import search_all

    with Index.open(tmp_path / "a") as one, Index.open(tmp_path / "b") as other:
        seen, start, more = [], 0, True
        while more:
            joint = search_all([one, other], Question("otter", start=start, limit=10))
            seen += [url for hit in joint.answer.hits for url in (hit.url, *hit.twins)]
            more, start = joint.more, start + 10
            assert joint.answer.total == 180
    assert len(seen) == len(set(seen)) == 180


def test_a_damaged_or_empty_collection_does_not_spoil_the_others(two, tmp_path):
    damaged, empty = tmp_path / "damaged", tmp_path / "nothing"
    shutil.copytree(two["garden"], damaged)
    (damaged / "log.sqlite").write_bytes(b"no database at all" * 100)
    empty.mkdir()
    found = searching.search_many({**two, "damaged": damaged, "nothing": empty}, SearchRequest("wolf spiders"))
    assert found.results and set(found.asked) == set(two)
    assert set(found.left_out) == {"damaged", "nothing"}
    assert "damaged could not be asked" in found.remark and str(tmp_path) not in found.remark
    with pytest.raises(Refused):
        searching.search_many({"damaged": damaged}, SearchRequest("wolf spiders"))


def test_an_index_that_breaks_while_it_is_asked_is_left_out(two, monkeypatch):
    whole = Index.open

    def broken(folder):
        index = whole(folder)
        if "garden" in str(folder):
            index.content.find = lambda *_: (_ for _ in ()).throw(RuntimeError("panic"))
        return index

    monkeypatch.setattr(Index, "open", broken)
    found = searching.search_many(two, SearchRequest("wolf spiders"))
    assert set(found.asked) == {"wolves"} and "panic" in found.left_out["garden"]


def test_collections_of_one_name_are_told_apart(two, tmp_path):
    shutil.copytree(two["wolves"], tmp_path / "wolves")
    found = searching.search_many([two["wolves"], tmp_path / "wolves"], SearchRequest("wolf spiders"))
    assert set(found.asked) == {str(two["wolves"]), str(tmp_path / "wolves")}
    with pytest.raises(Refused):
        searching.search_many([], SearchRequest("wolf spiders"))


def test_open_indexes_see_what_was_committed_deleted_or_crawled_since(two, collected, tmp_path, indexes):
    folder = tmp_path / "growing"
    collected(folder, WOLF_PAGES, "wolf spiders", pages=2)
    with indexes.asking(folder) as index:
        assert len(index) == 2
        first = index
    with indexes.asking(folder) as index:
        assert index is first
    shutil.rmtree(folder / "index")
    with indexes.asking(folder) as index:
        assert len(index) == 2 and index is not first
        first = index
    searching.make_index(folder, anew=True)
    with indexes.asking(folder) as index:
        assert len(index) == 2 and index.search(Question("wolf spiders")).hits


def test_open_indexes_are_few_and_shared_by_threads(two, tmp_path):
    indexes = OpenIndexes(kept=1)
    troubles = []

    def ask(folders):
        try:
            for _ in range(15):
                assert searching.search_many(folders, SearchRequest("wolf spiders"), opening=indexes.open).results
        except BaseException as trouble:
            troubles.append(trouble)

    turned = dict(reversed(two.items()))
    threads = [threading.Thread(target=ask, args=(folders,)) for folders in (two, turned, two, turned)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not troubles and not any(thread.is_alive() for thread in threads)
    indexes.close()


@pytest.fixture
def shelf(two, tmp_path):
    """More collections than stay open however large they are."""
    folders = {f"copy-{number}": tmp_path / f"copy-{number}" for number in range(FEW + 8)}
    for number, folder in enumerate(folders.values()):
        shutil.copytree(list(two.values())[number % 2], folder)
    return folders


def files():
    return sum(str(path.resolve()).endswith((".seg", "pages.0")) for path in Path("/proc/self/fd").iterdir())


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files cannot be counted here")
def test_however_many_are_asked_at_once_all_answer_and_few_stay_open(shelf):
    before, kept = files(), 5
    indexes = OpenIndexes(kept)
    for _ in range(2):
        found = searching.search_many(shelf, SearchRequest("wolf spiders"), opening=indexes.open)
        assert set(found.asked) == set(shelf) and not found.left_out
        assert files() - before <= 2 * kept
    indexes.close()
    assert files() == before


def test_all_stay_open_where_there_is_room(shelf, indexes):
    def asked():
        with ExitStack() as stack:
            return [stack.enter_context(indexes.open(folder)) for folder in shelf.values()]

    assert all(one is other for one, other in zip(asked(), asked(), strict=True))


@pytest.fixture
def community(two, tmp_path):
    home = Home.create(tmp_path / "club", CommunitySettings(max_in_index=100))
    grow(home, two["wolves"])
    return home


def grow(home, collection):
    with home.changing():
        folder = home.next_folder()
        shutil.copytree(collection, folder, dirs_exist_ok=True)
        searching.make_index(folder)
        home.swap(folder, "refresh")


def test_another_generation_of_a_community_is_noticed_and_the_old_one_may_go(two, community, indexes):
    with indexes.asking(community.folder) as index:
        assert index.holds(f"{WOLVES}night")
    grow(community, two["garden"])
    with indexes.asking(community.folder) as index:
        assert index.holds(f"{GARDEN}orb") and not index.holds(f"{WOLVES}night")
    deleted, left = communities.forget(community.folder, 1)
    assert len(deleted) == 1 and not left


def test_a_community_remembers_only_where_it_is_switched_on_and_nobody_says_private(two, community):
    folders = {"club": community.folder, "garden": two["garden"]}
    searching.search_many(folders, SearchRequest("night hunters"))
    searching.search_many(folders, SearchRequest("my secret", private=True))
    searching.search_many(folders, SearchRequest("night hunters", page=2))
    asked = communities.questions(community.folder)
    assert [one["text"] for one in asked["questions"]] == ["night hunters"] and asked["asked"] == 1
    assert searching.remembers(community.folder) and not searching.remembers(two["garden"])


def test_seeds_are_answers_and_hubs_of_several_collections(two):
    seeds = searching.seeds_from(two, "wolf spiders", limit=6)
    assert len({seed.url for seed in seeds}) == len(seeds)
    assert any("hub" in seed.reason for seed in seeds) and any("result 1" in seed.reason for seed in seeds)
    assert {seed.collection for seed in seeds} == set(two)
    assert searching.seeds_from([two["wolves"]], "nothing of the kind whatsoever xyzzy") == []
    with pytest.raises(Refused):
        searching.seeds_from([two["wolves"]], "   ")


ATTACKS = """<title>&lt;script&gt;alert(1)&lt;/script&gt;</title><base href="http://evil.test/base/">
<script>alert(2)</script><style>*{background:url(http://evil.test/css)}</style><link rel=stylesheet href=//evil.test/l>
<meta http-equiv=refresh content="0;url=http://evil.test/"><img src=http://evil.test/img onerror=alert(3)>
<iframe src=http://evil.test/frame></iframe><form action=http://evil.test/form><input name=a><button>go</button></form>
<svg onload=alert(4)><script>alert(5)</script></svg><math><mtext><table><mglyph><style><img src=x onerror=alert(6)>
</style></mglyph></table></mtext></math><p onclick=alert(7) style="background:url(http://evil.test/s)">Spiders kept</p>
<a href="javascript:alert(8)">bad</a> <a href="next?a=1&b=2" ping=http://evil.test/ping>good</a>
<table><tr><td colspan=2 background=http://evil.test/b>cell</td></tr></table><!-- comment -->
<video poster=http://evil.test/v src=http://evil.test/v2></video><object data=http://evil.test/o></object>"""


def test_an_archived_copy_keeps_words_tables_and_links_and_nothing_else(collected, tmp_path):
    url = "http://attack.test/"
    folder = collected(tmp_path / "attacks", {url: f"<html><body>{ATTACKS}</body></html>"})
    shown = page_copies.shown(folder, url, "spider", "dark")
    body = shown.partition("<body>")[2]
    assert "<mark>Spiders</mark> kept" in body and '<td colspan="2">cell</td>' in body
    assert 'href="http://evil.test/base/next?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">good</a>' in body
    for never in (
        "<script",
        "alert(",
        "<style",
        "<img",
        "<iframe",
        "<form",
        "<input",
        "<svg",
        "<meta",
        "<link",
        "onclick",
    ):
        assert never not in body
    assert "javascript:" not in shown and "style=" not in body and "comment" not in body and "ping=" not in body
    assert "<title>&lt;script&gt;" in shown and 'class="dark"' in shown
    assert body.count("evil.test") == 1


def test_plain_text_and_hostile_pages_are_shown_as_text(collected, tmp_path):
    plain, deep, binary = "http://odd.test/plain", "http://odd.test/deep", "http://odd.test/paper.pdf"
    start = page("Odd pages", "Odd", [(plain, "plain"), (deep, "deep"), (binary, "a paper")])
    pages = {
        "http://odd.test/": start,
        plain: "<b>5 < 6</b> & more",
        deep: "<div>" * 30_000 + "bottom",
        binary: b"%PDF-1",
    }
    types = {plain: "text/plain", binary: "application/pdf"}
    folder = collected(tmp_path / "odd", pages, types=types)
    assert "<pre>&lt;b&gt;5 &lt; 6&lt;/b&gt; &amp; more</pre>" in page_copies.shown(folder, plain)
    assert "<pre>bottom</pre>" in page_copies.shown(folder, deep)
    assert page_copies.text_of(folder, plain)[1] == "<b>5 < 6</b> & more"
    with pytest.raises(Refused, match="could not be fetched"):
        page_copies.shown(folder, binary)
    with pytest.raises(Refused, match="never fetched"):
        page_copies.about(folder, "http://odd.test/nowhere")


def test_a_long_page_is_cut_and_says_so(collected, tmp_path):
    url = "http://long.test/"
    folder = collected(tmp_path / "long", {url: page("Long", "spider silk " * 100_000)})
    shown = page_copies.shown(folder, url)
    assert len(shown) < page_copies.LONGEST + 10_000 and "only its beginning is shown" in shown
    assert page_copies.about(folder, url).cut


def test_words_are_marked_in_text_only():
    html = '<a href="http://x.test/spider?a=&quot;spider>">Spiders &amp; a spider\'s web</a> <b>amp</b>'
    marked = page_copies.highlighted(html, ["spider", "amp"])
    assert marked.startswith(
        '<a href="http://x.test/spider?a=&quot;spider>"><mark>Spiders</mark> &amp; a <mark>spider</mark>'
    )
    assert "<b><mark>amp</mark></b>" in marked
