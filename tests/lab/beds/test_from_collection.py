"""A recording of a crawl replays any other: what it was told is there, what it never asked for is missing."""

from __future__ import annotations

import asyncio
import json

import pytest

from lycosa.core.nouns import Failure, Moved, Page, Raw, Topic
from lycosa.engine.hunt import Hunt
from lycosa.engine.plan import Budget, Plan
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.lab.beds.from_collection import bed_of_collection
from lycosa.lab.beds.recording import answer_of
from lycosa.store.collection import Collection
from lycosa.system.errors import Refused, SeedsFailed
from lycosa.web.made import Made
from lycosa.web.offline import SourceWeb
from lycosa.web.source import BedTopic
from lycosa.web.testbed import PAGES, TOPICS, Bed, make_bed


def html(words, *links):
    return f"<title>{words}</title><p>{words}</p>" + "".join(f'<a href="{url}">x</a>' for url in links)


class Den:
    """A web in which a crawl meets everything there is to meet."""

    topics = [BedTopic(id="x", keywords="wolf spider", targets=(), examples=("http://a.test/",))]
    answers = {
        "http://a.test/": html("wolf spider", "/one", "/old", "/gone", "/closed", "/pdf", "/none", "/weeds"),
        "http://a.test/one": html("wolf spider one", "/two", "/three"),
        "http://a.test/two": html("wolf spider two dens"),
        "http://a.test/three": html("spider three wolf burrows and webs", "/deep"),
        "http://a.test/deep": html("a wolf spider in the deep"),
        "http://a.test/weeds": html("weeds and grass", "/unasked"),
        "http://a.test/old": Raw(301, (("Location", "/one"),), b""),
        "http://a.test/gone": Raw(410, (), b"gone"),
        "http://a.test/closed": html("closed"),
        "http://a.test/pdf": Raw(200, (("Content-Type", "application/pdf"),), b"%PDF-1.4"),
        "http://a.test/robots.txt": Raw(200, (("Content-Type", "text/plain"),), b"User-agent: *\nDisallow: /closed"),
        "http://a.test/unasked": html("never asked for"),
    }

    def response(self, url):
        found = self.answers.get(url)
        return Raw(200, (("Content-Type", "text/html"),), found.encode()) if isinstance(found, str) else found

    def urls(self):
        return iter(self.answers)


@pytest.fixture(scope="session")
def den(tmp_path_factory):
    return str(make_bed(Den(), tmp_path_factory.mktemp("den") / "bed").path)


def crawl(
    recorded, out, keywords="wolf spider", seeds=("http://a.test/",), strategy="best-first", pages=100, stop=None
):
    plan = Plan(
        topic=Topic(keywords),
        seeds=tuple(seeds),
        strategy=strategy,
        budget=Budget(pages),
        rules=PolitenessRules(delay=0.0),
        workers=1,
        recorded=recorded,
    )
    with Hunt.begin(plan, out) as hunt:
        found = []
        for visit in hunt:
            found.append(visit.url)
            if len(found) == stop:
                break
    return found


def ask(web, *urls):
    async def go():
        return [await web.get(url, 1 << 20) for url in urls]

    return asyncio.run(go())


def test_the_same_strategy_fetches_the_same_pages_again(den, tmp_path):
    before = crawl(den, tmp_path / "c")
    bed_of_collection(tmp_path / "c", tmp_path / "bed", top=3)
    assert crawl(str(tmp_path / "bed"), tmp_path / "again") == before


def test_what_the_crawl_was_told_is_known_and_what_it_never_asked_for_is_not(den, tmp_path):
    crawl(den, tmp_path / "c", pages=6)
    made = bed_of_collection(tmp_path / "c", tmp_path / "bed", top=3)
    held = set(Bed(tmp_path / "bed").source.urls())
    asked = set(Den.answers) - {"http://a.test/robots.txt", "http://a.test/unasked"}
    assert held == asked | {"http://a.test/none"}
    assert (made.pages, made.redirects, made.failures) == (6, 1, 4)
    web = SourceWeb(Bed(tmp_path / "bed").source)
    page, moved, *failures = ask(
        web,
        "http://a.test/two",
        "http://a.test/old",
        "http://a.test/gone",
        "http://a.test/none",
        "http://a.test/closed",
        "http://a.test/pdf",
    )
    assert isinstance(page, Page)
    assert page.raw.body == Den.answers["http://a.test/two"].encode()
    assert isinstance(moved, Moved)
    assert moved.to == "http://a.test/one"
    assert failures == [Failure(f"status {status}") for status in (410, 404, 403, 415)]


def test_only_what_the_web_did_counts_as_an_answer():
    assert [answer_of(f"status {status}").status for status in (404, 410, 204, 304)] == [404, 410, 204, 304]
    assert answer_of("no such host").reason == "no such host"
    for ours in ("scout lost", "scout failed: MemoryError", "proxy unreachable", "proxy status 502", "host full"):
        assert answer_of(ours) is None


def test_a_passing_fault_that_never_passed_is_final_in_the_recording():
    for fault in ("status 503", "status 429", "timeout", "connection refused", "host given up"):
        assert (answer_of(fault).status, answer_of(fault).reason) == (404, fault)


def test_the_topic_is_what_the_crawl_was_after(den, tmp_path):
    crawl(den, tmp_path / "c", seeds=("http://a.test/old", "http://a.test/none", "http://a.test/"))
    made = bed_of_collection(tmp_path / "c", tmp_path / "bed", relevant=0.1)
    (topic,) = Bed(tmp_path / "bed").topics
    assert made.topics == [topic]
    assert (topic.id, topic.keywords) == ("wolf-spider", "wolf spider")
    assert topic.examples == ("http://a.test/old", "http://a.test/")
    # Neither the seeds nor the page that a seed leads to, nor what is about something else.
    found = {*topic.targets, *topic.described}
    assert found == {f"http://a.test/{name}" for name in ("two", "three", "deep")}


def test_a_quarter_of_the_relevant_pages_describe_and_are_no_targets(tmp_path):
    web = "made:pages=600,topics=4,seed=2"
    topic = Made(pages=600, topics=4, seed=2).topics[0]
    crawl(web, tmp_path / "c", topic.keywords, topic.examples, pages=120)
    (first,) = bed_of_collection(tmp_path / "c", tmp_path / "a", top=20).topics
    (same,) = bed_of_collection(tmp_path / "c", tmp_path / "b", top=20).topics
    (other,) = bed_of_collection(tmp_path / "c", tmp_path / "d", top=20, seed=2).topics
    assert (len(first.targets), len(first.described)) == (15, 5)
    assert not {*first.targets} & {*first.described, *first.examples}
    assert len(first.description) > 500
    assert first == same
    assert first.described != other.described


def test_the_same_collection_makes_the_same_bed_byte_for_byte(den, tmp_path):
    crawl(den, tmp_path / "c")
    first, _ = (bed_of_collection(tmp_path / "c", tmp_path / name, top=3) for name in "ab")
    for name in (PAGES, TOPICS, "bed.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    told, topic, _ = first.lines()
    assert told.endswith("a: 7 pages, 1 redirects, 4 URLs known to be no page")
    assert topic == "wolf-spider: 1 examples, 3 targets"


def test_targets_may_come_from_a_list(den, tmp_path):
    crawl(den, tmp_path / "c")
    (tmp_path / "list").write_text("# mine\nhttp://a.test/weeds  # not by the judge\nhttp://nowhere.test/\n\n")
    made = bed_of_collection(tmp_path / "c", tmp_path / "bed", targets=tmp_path / "list")
    assert made.topics[0].targets == ("http://a.test/weeds",)
    assert made.warnings == ["1 of the 2 listed URLs are not pages of the collection"]
    (tmp_path / "list").write_text("\nmailto:x")
    with pytest.raises(Refused, match="list, line 2: 'mailto:x' is not an http URL"):
        bed_of_collection(tmp_path / "c", tmp_path / "other", targets=tmp_path / "list")


def test_a_bed_says_where_it_is_from_and_whom_it_favours(den, tmp_path):
    crawl(den, tmp_path / "c", strategy="breadth-first", stop=4)
    made = bed_of_collection(tmp_path / "c", tmp_path / "bed", top=2)
    about = json.loads((tmp_path / "bed" / "bed.json").read_text())
    assert about["complete"] is False
    assert about["made_from"] == "collection c (breadth-first, 4 pages)"
    assert about["warnings"] == made.warnings
    unfinished, favour = made.warnings
    assert "was not finished" in unfinished
    assert "favours breadth-first" in favour


def test_crawls_for_the_same_keywords_are_one_topic_and_others_another(den, tmp_path):
    crawl(den, tmp_path / "a", pages=4)
    crawl(den, tmp_path / "b", pages=4, strategy="breadth-first", seeds=("http://a.test/weeds", "http://a.test/three"))
    crawl(den, tmp_path / "c", keywords="weeds", pages=3, seeds=("http://a.test/",))
    made = bed_of_collection([tmp_path / name for name in "abc"], tmp_path / "bed", relevant=0.1)
    assert [topic.id for topic in made.topics] == ["wolf-spider", "weeds"]
    assert made.topics[0].examples == ("http://a.test/", "http://a.test/weeds", "http://a.test/three")
    assert "http://a.test/deep" in made.topics[0].targets
    held = list(Bed(tmp_path / "bed").source.urls())
    assert len(held) == len(set(held)) == made.pages + made.redirects + made.failures
    assert "best-first and breadth-first" in made.warnings[-1]


def test_a_page_beats_what_another_crawl_was_told_at_its_url(den, tmp_path):
    class Later(Den):
        answers = Den.answers | {"http://a.test/gone": html("wolf spider back again")}

    later = make_bed(Later(), tmp_path / "later").path
    crawl(den, tmp_path / "a")
    crawl(str(later), tmp_path / "b")
    bed_of_collection([tmp_path / "a", tmp_path / "b"], tmp_path / "bed", top=9)
    assert Bed(tmp_path / "bed").source.response("http://a.test/gone").status == 200


def test_damaged_pages_are_left_out_and_told(den, tmp_path):
    crawl(den, tmp_path / "c")
    (file,) = (tmp_path / "c" / "pages").glob("*.warc.gz")
    with Collection.open(tmp_path / "c") as collection:
        where = collection.log.page("http://a.test/weeds").where
    data = bytearray(file.read_bytes())
    data[where.offset + where.length // 2] ^= 0xFF
    file.write_bytes(data)
    made = bed_of_collection(tmp_path / "c", tmp_path / "bed", top=2)
    assert made.warnings[0].startswith("1 pages are damaged or gone")
    assert "http://a.test/weeds" not in Bed(tmp_path / "bed").source


def test_what_cannot_be_a_bed_is_refused_and_leaves_nothing(den, tmp_path):
    with pytest.raises(Refused, match="is not a collection"):
        bed_of_collection(tmp_path, tmp_path / "bed")
    Collection.create(tmp_path / "empty").close()
    with pytest.raises(Refused, match="holds no crawl"):
        bed_of_collection(tmp_path / "empty", tmp_path / "bed")
    with pytest.raises(SeedsFailed):
        crawl(den, tmp_path / "pageless", seeds=("http://a.test/gone",))
    with pytest.raises(Refused, match="holds no page"):
        bed_of_collection(tmp_path / "pageless", tmp_path / "bed")
    crawl(den, tmp_path / "c", keywords="spider burrows")
    with Collection.open(tmp_path / "c", write=True), pytest.raises(Refused, match="a crawl is writing to"):
        bed_of_collection(tmp_path / "c", tmp_path / "bed")
    with pytest.raises(Refused, match=r"has no target: .* the best page has a relevance of 0\.\d+"):
        bed_of_collection(tmp_path / "c", tmp_path / "bed", relevant=1.0)
    for wrong in ({"relevant": 0.0}, {"top": 0}, {"top": 1, "relevant": 0.5}):
        with pytest.raises(Refused):
            bed_of_collection(tmp_path / "c", tmp_path / "bed", **wrong)
    assert {path.name for path in tmp_path.iterdir()} == {"empty", "pageless", "c"}
    with pytest.raises(Refused, match="is not empty"):
        bed_of_collection(tmp_path / "c", tmp_path / "empty")
    assert not (tmp_path / "empty" / TOPICS).exists()
