"""The index of a collection as a whole: real files, real searches."""

import random
from itertools import pairwise

import pytest

from lycosa.index.index import Index
from lycosa.index.index_errors import Busy
from lycosa.index.search_types import BY, Document, Filters, Question
from lycosa.system.errors import Refused

WORDS = [line + tail for line in ("bar", "cel", "dom", "fen", "gul", "hov", "jin", "kel") for tail in "aeiou"]


def page(name, text="", links=(), **more):
    """A page whose text ends with its links, each in a sentence of its own: (url, what is said around «it»)."""
    host = more.pop("host", "one.test")
    url = name if name.startswith("http") else f"http://{host}/{name}"
    said, spans = f"{more.get('title', name)}\n{text} .", []
    for target, words in links:
        before, _, after = words.partition("it")
        start = len(said) + 1 + len(before)
        said += f" {words}."
        spans.append((target if target.startswith("http") else f"http://{host}/{target}", (start, start + 2)))
        assert said[start : start + 2] == "it", after
    return Document(url, **{"title": name, **more}, text=said, links=tuple(spans))


def filler(seed, words=400):
    return " ".join(random.Random(seed).choices(WORDS, k=words))


def written(folder, *documents, settle=True):
    with Index.write(folder) as index:
        for document in documents:
            index.add(document)
        index.commit(len(documents), 7)
        if settle:
            index.settle()


def urls(answer):
    return [hit.url.removeprefix("http://").removeprefix("one.test/") for hit in answer.hits]


SAILING = [
    page("hull", "The hull of a boat carries its mast.", [("mast", "a tall mast is it")], relevance=0.9, at=100.0),
    page("mast", "A mast holds the sails of a boat.", [("unknown", "rigging of a boat is it")], category="Sea/Boats"),
    page("list", "Links.", [("mast", "the mast of a boat is it"), ("hull", "a strong hull is it")], language="de"),
    page("other", "Cooking with butter.", [("http://one.test/unknown", "all rigging is it")], host="two.test"),
]


@pytest.fixture
def sailing(tmp_path):
    written(tmp_path / "index", *SAILING)
    with Index.open(tmp_path / "index") as index:
        yield index


@pytest.mark.parametrize("by", BY)
def test_each_results_parts_add_up_to_its_score(sailing, by):
    answer = sailing.search(Question("boat mast", by))
    assert answer.hits and answer.total >= len(answer.hits)
    for hit in answer.hits:
        assert hit.parts and sum(hit.parts.values()) == pytest.approx(hit.score)
    assert all(one.score >= other.score for one, other in pairwise(answer.hits))


def test_a_hybrid_result_says_all_that_speaks_for_it(sailing):
    first = sailing.search(Question("mast")).hits[0]
    assert first.url == "http://one.test/mast" and set(first.parts) == {
        "content",
        "title",
        "votes",
        "reference",
        "popularity",
    }
    assert first.votes == {"mast": 2} and first.fetched
    assert first.marks and first.snippet[slice(*first.marks[0])].lower() == "mast"


def test_an_exact_title_comes_first_whatever_others_repeat(tmp_path):
    moon = page("moon", filler(1) + " The moon is seen at night.", title="Moon")
    full = page("full", "The full moon. " * 9, title="Full moon - a moon that is full")
    many = [
        page(f"says{n}", filler(n), [("moon", "the moon is it"), ("full", "the full moon is it")]) for n in range(4)
    ]
    written(tmp_path, full, moon, *many)
    with Index.open(tmp_path) as index:
        assert [urls(index.search(Question("moon", by)))[0] for by in ("content", "hybrid")] == ["moon", "moon"]


def test_votes_for_one_word_of_several_are_few(tmp_path):
    dam = page("dam", "Dams hold water.", title="Dam")
    beaver = page("beaver", "A rodent that builds dams.", title="Beaver")
    many = [page(f"says{n}", filler(n), [("dam", "a dam is it")]) for n in range(20)]
    written(tmp_path, dam, beaver, *many)
    with Index.open(tmp_path) as index:
        assert urls(index.search(Question("rodent that builds dams")))[:2] == ["beaver", "dam"]
        assert urls(index.search(Question("dams")))[0] == "dam"


def test_the_relevance_as_it_is_now_counts(tmp_path):
    pages = [page(name, "Boats on a lake.", relevance=0.5) for name in ("one", "two")]
    written(tmp_path, *pages)
    with Index.open(tmp_path) as index:
        index.relevances.write([("http://one.test/two", 0.9)], 1, 1)
        hits = index.search(Question("boats")).hits
        assert [hit.url[-3:] for hit in hits] == ["two", "one"]
        assert [hit.parts["relevance"] for hit in hits] == pytest.approx([0.045, 0.025])


@pytest.mark.parametrize("by", ["reference", "hybrid"])
def test_what_was_never_fetched_is_found_by_others_words(sailing, by):
    hits = {hit.url: hit for hit in sailing.search(Question("rigging", by)).hits}
    stranger = hits["http://one.test/unknown"]
    assert not stranger.fetched and stranger.host == "one.test" and stranger.votes == {"rigging": 2}
    assert "unknown" not in urls(sailing.search(Question("rigging +cooking", by)))


def test_content_finds_what_pages_say_and_what_links_to_them_are_called(tmp_path):
    written(
        tmp_path,
        page("it", "Nothing."),
        Document("http://b.test/", text="see Grail", links=(("http://a.test/", (4, 9)),)),
    )
    with Index.open(tmp_path) as index:
        assert [(hit.url, set(hit.parts)) for hit in index.search(Question("grail", "content")).hits] == [
            ("http://b.test/", {"content"}),
            ("http://a.test/", {"anchors"}),
        ]


def test_filters_hold_for_every_result(sailing):
    def found(**filters):
        return urls(sailing.search(Question("boat mast hull rigging", filters=Filters(**filters))))

    here = {"hull", "mast", "list", "unknown"}
    assert set(found()) == set(found(hosts=("test",))) == {*here, "two.test/other"}
    assert set(found(hosts=("one.test",))) == here and found(hosts=("two.test",)) == ["two.test/other"]
    # Nothing but its host is known of a page that was never fetched.
    assert found(categories=("sea",)) == ["mast"] and found(relevance=0.5) == ["hull"] and found(since=50.0) == ["hull"]
    assert found(languages=("de",)) == ["list"]
    assert urls(sailing.search(Question("boat host:two.test"))) == []


def test_a_word_that_must_not_be_there_is_not(sailing):
    assert urls(sailing.search(Question("boat -mast"))) == []
    assert set(urls(sailing.search(Question("boat -sails")))) == {"hull", "list"}


def test_filters_alone_are_a_question(sailing):
    assert set(urls(sailing.search(Question("host:one.test")))) == {"hull", "mast", "list"}


@pytest.fixture
def mirrored(tmp_path):
    text = filler(1)
    documents = [page(f"p{n}", f"{text} {filler(50 + n, 6)} kelpie", host=f"h{n}.test") for n in range(3)]
    documents.append(page("alone", f"{filler(2)} kelpie"))
    documents += [page(f"short{n}", f"kelpie {n}") for n in range(3)]
    written(tmp_path, *documents)
    with Index.open(tmp_path) as index:
        yield index


@pytest.mark.parametrize("by", ["content", "hybrid"])
def test_twins_are_folded_into_the_best_of_them(mirrored, by):
    hits = mirrored.search(Question("kelpie", by)).hits
    groups = sorted(tuple(sorted((hit.url, *hit.twins))) for hit in hits)
    assert [len(group) for group in groups] == [3, 1, 1, 1, 1]
    assert {url.split("/")[-1] for url in groups[0]} == {"p0", "p1", "p2"}
    everything = mirrored.search(Question("kelpie", by, twins=True))
    assert len(everything.hits) == everything.total == 7 and not any(hit.twins for hit in everything.hits)


def test_pages_of_results_follow_each_other(mirrored):
    whole = urls(mirrored.search(Question("kelpie")))
    assert [urls(mirrored.search(Question("kelpie", limit=2, start=start))) for start in (0, 2, 4, 6)] == [
        whole[:2],
        whole[2:4],
        whole[4:],
        [],
    ]


def test_many_twins_do_not_hide_the_others(tmp_path):
    text = filler(3)
    documents = [page(f"copy{n}", f"kelpie kelpie {text}", title="kelpie", host=f"h{n}.test") for n in range(150)]
    written(tmp_path, *documents, *(page(f"other{n}", f"{filler(9 + n)} kelpie") for n in range(5)), settle=False)
    with Index.open(tmp_path) as index:
        hits = index.search(Question("kelpie")).hits
        assert len(hits) == 6 and max(len(hit.twins) for hit in hits) == 149


def test_a_page_added_again_replaces_itself(tmp_path):
    written(tmp_path, *SAILING, page("hull", "Now it is about cheese.", [("mast", "cheese is it")]))
    with Index.open(tmp_path) as index:
        assert len(index) == 4
        assert "hull" not in urls(index.search(Question("boat")))
        assert urls(index.search(Question("cheese"))) == ["hull", "mast"]


def test_a_removed_page_and_what_it_said_are_gone(tmp_path):
    written(tmp_path, *SAILING)
    with Index.write(tmp_path) as index:
        index.remove("http://one.test/mast")
        index.remove("http://never.test/")
        index.commit(9, 9)
        index.settle()
        assert len(index) == 3 and not index.holds("http://one.test/mast")
        found = index.search(Question("mast", "hybrid")).hits
        assert [hit.fetched for hit in found if hit.url == "http://one.test/mast"] == [False]
        assert index.votes("http://one.test/unknown") and index.inlinks("http://one.test/unknown") == [
            "http://two.test/other"
        ]


def test_an_index_reopened_answers_the_same(tmp_path):
    def answers(index):
        return [index.search(Question(text, by)) for text in ("boat", "mast hull", "rigging") for by in BY]

    with Index.write(tmp_path) as index:
        for document in SAILING:
            index.add(document)
        index.commit(4, 2)
        index.settle()
        before = answers(index)
    with Index.open(tmp_path) as index:
        assert answers(index) == before and index.progress == (4, 2)


def test_the_order_of_adding_does_not_matter(tmp_path):
    documents = [
        page(f"p{n}", "boat " * (n % 3) + filler(n % 5, 300), [(f"p{n // 2}", "boat is it")]) for n in range(1, 40)
    ]
    written(tmp_path / "one", *documents)
    written(tmp_path / "two", *reversed(documents))
    with Index.open(tmp_path / "one") as one, Index.open(tmp_path / "two") as two:
        for by in BY:
            first, second = one.search(Question("boat", by, 40)), two.search(Question("boat", by, 40))
            assert urls(first) == urls(second)
            assert [hit.twins for hit in first.hits] == [hit.twins for hit in second.hits]


def test_a_reader_beside_a_writer_sees_what_is_committed_when_it_looks_again(tmp_path):
    written(tmp_path, SAILING[0])
    with Index.open(tmp_path) as reader, Index.write(tmp_path) as writer:
        assert not reader.reload()
        writer.add(SAILING[1])
        assert len(reader) == 1 and urls(reader.search(Question("sails"))) == []
        writer.commit(2, 2)
        assert urls(reader.search(Question("sails"))) == []
        assert reader.reload() and reader.progress == (2, 2)
        assert urls(reader.search(Question("sails"))) == ["mast"]
        writer.settle()
        assert reader.reload() and not reader.reload()
        assert "popularity" in reader.search(Question("sails")).hits[0].parts


def test_only_one_writes_at_a_time(tmp_path):
    with Index.write(tmp_path), pytest.raises(Busy):
        Index.write(tmp_path)
    Index.write(tmp_path).close()


def test_what_was_not_committed_is_forgotten(tmp_path):
    with Index.write(tmp_path) as index:
        index.add(SAILING[0])
    with Index.open(tmp_path) as index:
        assert len(index) == 0 and index.progress == (0, 0)
        assert index.search(Question("hull")).hits == []


@pytest.mark.parametrize(
    ("by", "expected"),
    [("content", {"says", "links"}), ("reference", {"says", "told"}), ("hybrid", {"says", "links", "told"})],
)
def test_a_phrase_must_be_said_by_the_page_or_of_it_whatever_else_is_asked(tmp_path, by, expected):
    written(
        tmp_path,
        page("says", "A red boat with an old mast."),
        page("not", "A boat that is red. A mast that is old."),
        page("links", "", [("not", "a boat is it"), ("told", "the red boat is it"), ("says", "a boat is it")]),
        page("told", "Nothing of the kind."),
    )
    with Index.open(tmp_path) as index:
        assert set(urls(index.search(Question('boat "red boat"', by=by)))) == expected
        assert urls(index.search(Question('boat "boat red"', by=by))) == []


def test_a_cleared_index_is_empty_for_good(tmp_path):
    written(tmp_path, *SAILING)
    with Index.write(tmp_path) as index:
        index.clear()
        assert len(index) == 0 and index.progress == (0, 0) and index.search(Question("boat")).hits == []
    with Index.open(tmp_path) as index:
        assert index.urls() == [] and index.hubs() == ([], [])


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        *(("state.json", said) for said in ('{"version": 0}', "{", "[]", '{"version": "x"}')),
        *((name, "not what it was") for name in ("content/meta.json", "references/list.json", "references/*.seg")),
    ],
)
def test_an_index_that_cannot_be_read_is_refused_to_readers_and_made_anew_by_writers(tmp_path, name, damage):
    written(tmp_path, *SAILING)
    next(tmp_path.glob(name)).write_text(damage)
    with pytest.raises(Refused, match="rebuild its index"):
        Index.open(tmp_path)
    with Index.write(tmp_path) as index:
        assert len(index) == 0 and index.progress == (0, 0)


def test_a_folder_without_an_index_is_refused_and_left_as_it_is(tmp_path):
    with pytest.raises(Refused, match="is not an index"):
        Index.open(tmp_path / "nowhere")
    assert list(tmp_path.iterdir()) == []


HOSTILE = [
    *(
        '"',
        '"""',
        '"unbalanced mast',
        "mast AND (",
        "*",
        "* ? ~",
        "title:",
        "host:",
        "-",
        "+",
        "-mast",
        ":",
        "[a TO",
        "\\",
    ),
    *(
        "\0\x07\x1b[31mmast",
        "a" * 100_000,
        "mast " * 10_000,
        " ".join(f"w{n}" for n in range(10_000)),
        "\ud800 mast",
        "🙂",
    ),
    *(
        "",
        " ",
        "the of and",
        "after:never",
        "relevance:nan mast",
        "host:*.test mast",
        "lang:" + "x" * 5000,
        "mast^99999",
    ),
    *("/.*/", "mast\nhull\r\t", "ＭＡＳＴ", "e\u0301" * 50, "' OR 1=1 --", "<script>", "mast AND NOT hull OR", '+"-"'),
]


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:12]))
def test_no_question_is_an_error(sailing, text, by):
    answer = sailing.search(Question(text, by, facets=True))
    for hit in answer.hits:
        assert sum(hit.parts.values()) == pytest.approx(hit.score)


@pytest.mark.parametrize(
    "question",
    [Question("mast", "magic"), Question("mast", limit=0), Question("mast", start=-1), Question("a", limit=10**9)],
)
def test_what_cannot_be_answered_is_refused_in_a_line(sailing, question):
    with pytest.raises(Refused):
        sailing.search(question)


def test_described_says_how_well_others_words_fit(sailing):
    described = sailing.described("boat rigging")
    assert described["http://one.test/unknown"] == 1.0 and 0 < described["http://one.test/mast"] < 1


def test_voters_are_named_with_their_titles(sailing):
    assert {(voter.url, voter.title) for voter in sailing.voters("http://one.test/unknown", "rigging")} == {
        ("http://one.test/mast", "mast"),
        ("http://two.test/other", "other"),
    }


def test_hubs_link_to_what_a_topic_is_about(tmp_path):
    leaves = [page(f"boat{n}", "A boat.", [("menu", "look at it")], host=f"h{n}.test") for n in range(4)]
    hub = page("hub", "Boats.", [(leaf.url, "a boat is it") for leaf in leaves])
    others = [page(f"soup{n}", "A soup.", [("http://one.test/menu", "it")], host=f"s{n}.test") for n in range(20)]
    written(tmp_path, *leaves, hub, *others, page("soups", "Soups.", [(other.url, "it") for other in others]))
    with Index.open(tmp_path) as index:
        hubs, authorities = index.hubs("boat")
        assert hubs[0].url == hub.url and hubs[0].links == 4 and hubs[0].title == "hub"
        assert {each.url for each in authorities[:4]} == {leaf.url for leaf in leaves}
        assert index.hubs()[0][0].url == "http://one.test/soups"
        assert index.hubs("nothing of the kind") == ([], [])


def test_similar_pages_are_of_the_same_words(tmp_path):
    documents = [page(f"p{n}", f"{filler(n // 2, 60)} {filler(100 + n, 30)}") for n in range(8)]
    written(tmp_path, *documents, settle=False)
    with Index.open(tmp_path) as index:
        answer = index.similar("http://one.test/p0", 3)
        assert "p0" not in urls(answer) and len(answer.hits) <= 3
        assert all(sum(hit.parts.values()) == pytest.approx(hit.score) for hit in answer.hits)
        with pytest.raises(Refused, match="not in the index"):
            index.similar("http://one.test/never")
