"""A test bed folder is a web with topics; what is wrong with one is said with file and line."""

from __future__ import annotations

import asyncio
import gzip
import json
import shutil

import msgspec
import pytest
from warcio.archiveiterator import ArchiveIterator

from lycosa.core.interfaces import Web
from lycosa.core.nouns import Failure, Page, Raw
from lycosa.system.errors import Refused
from lycosa.web import parsed_cache
from lycosa.web.made import Made
from lycosa.web.offline import SourceWeb
from lycosa.web.parsed_pages import META, RECORDS, web_of
from lycosa.web.replay import WarcSource
from lycosa.web.source import BedTopic
from lycosa.web.testbed import PAGES, TOPICS, Bed, make_bed

LIMIT = 1 << 20


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder / "lycosa" / "beds"


class Three:
    """Three pages in a row, a redirect, an error and a closed folder."""

    answers = {
        "http://a.test/": '<title>One</title><p>See <a href="/two">two</a>, <a href="http://b.test/none">none</a></p>',
        "http://a.test/two": '<title>Two</title><a href="http://b.test/old">three</a>',
        "http://b.test/new": "<title>Three</title>",
        "http://b.test/old": Raw(301, (("Location", "/new"),), b""),
        "http://b.test/gone": Raw(410, (), b"gone"),
        "http://b.test/no/x": "<p>closed</p>",
        "http://b.test/robots.txt": Raw(200, (), b"User-agent: *\nDisallow: /no/"),
        "http://b.test/pdf": Raw(200, (("Content-Type", "application/pdf"),), b"%PDF-1.4 binary"),
    }
    topics = [
        BedTopic(
            id="numbers",
            keywords="one two three",
            examples=("http://a.test/",),
            neighbors=("http://a.test/nowhere",),
            targets=("http://b.test/new", "http://b.test/missing"),
        )
    ]

    def response(self, url):
        answer = self.answers.get(url)
        if not isinstance(answer, str):
            return answer
        headers = (("Content-Type", "text/html"), ("ETag", '"e"'), ("Last-Modified", "Sat, 01 Jan 2000 00:00:00 GMT"))
        return Raw(200, headers, answer.encode(), reason="OK")

    def urls(self):
        return iter(self.answers)


@pytest.fixture
def bed(tmp_path):
    return make_bed(Three(), tmp_path / "bed")


def ask(web: Web, *urls, limit=LIMIT):
    async def go():
        return [await web.get(url, limit) for url in urls]

    return asyncio.run(go())


def test_a_made_bed_holds_what_its_web_held(bed):
    assert list(bed.source.urls()) == list(Three.answers)
    assert bed.topics == Three.topics
    assert bed.source.response("http://b.test/gone").body == b"gone"
    assert bed.source.damage == []


def test_pages_redirects_and_failures_come_as_from_the_live_web(bed):
    page, moved, gone, missing, closed, pdf = ask(
        bed.web(),
        "http://a.test/",
        "http://b.test/old",
        "http://b.test/gone",
        "http://b.test/none",
        "http://b.test/no/x",
        "http://b.test/pdf",
    )
    assert (page.title, [link.url for link in page.links]) == ("One", ["http://a.test/two", "http://b.test/none"])
    assert (page.status, page.etag, page.modified[:7]) == (200, '"e"', "Sat, 01")
    assert page.size == len(Three.answers["http://a.test/"])
    assert len(page.digest) == 32
    assert (moved.to, moved.status) == ("http://b.test/new", 301)
    assert [gone, missing, closed] == [Failure("status 410"), Failure("status 404"), Failure("robots", asked=False)]
    assert isinstance(pdf, Failure)


def test_a_closed_url_is_closed_even_where_nothing_is(bed):
    assert ask(bed.web(), "http://b.test/no/nothing") == [Failure("robots", asked=False)]


def test_kept_pages_are_those_that_the_source_gives(bed):
    for context in (False, True):
        plain = ask(SourceWeb(bed.source, context, paths=context, raw=False), *Three.answers)
        assert ask(bed.web(context), *Three.answers) == plain
        assert ask(bed.web(context), *Three.answers) == plain, "from the cache, too"
        raw = ask(SourceWeb(bed.source, context, paths=context), *Three.answers)
        assert ask(bed.web(context, raw=True), *Three.answers) == raw


def test_link_contexts_survive_the_cache(bed):
    bed.web(context=True)
    (page,) = ask(bed.web(context=True), "http://a.test/")
    assert [page.anchor(link) for link in page.links] == ["two", "none"]
    assert page.ring(page.links[0]).split() == ["See", "two", ",", "none"]
    assert page.links[0].path.startswith("body ")


def test_a_page_is_cut_to_the_limit(bed):
    (page,) = ask(bed.web(), "http://a.test/", limit=20)
    assert (page.size, page.links) == (20, [])
    (page,) = ask(bed.web(raw=True), "http://a.test/", limit=20)
    assert page.raw.truncated
    assert len(page.raw.body) == 20


def test_the_cache_is_used_and_never_trusted(bed, cache):
    bed.web()
    (shelf,) = cache.iterdir()
    made = (shelf / META).stat().st_ino
    bed.web()
    assert (shelf / META).stat().st_ino == made
    for file in (META, RECORDS, "keys.bin"):
        (shelf / file).write_bytes(b"nonsense")
        assert ask(bed.web(), "http://a.test/")[0].title == "One"
        assert [each.name for each in cache.iterdir()] == [shelf.name]


def test_many_processes_fill_the_same_shelf_as_one(bed, cache, monkeypatch):
    alone = ask(bed.web(), *Three.answers)
    shutil.rmtree(cache)
    monkeypatch.setattr(parsed_cache, "ALONE", 0)
    assert ask(bed.web(), *Three.answers) == alone


def test_a_shelf_alone_answers_as_its_source_does(bed):
    for context in (False, True):
        shelf = parsed_cache.open_parsed(str(bed.path / PAGES), context)
        asked = [*Three.answers, "http://b.test/no/x", "http://b.test/none"]
        assert ask(web_of(shelf), *asked) == ask(SourceWeb(bed.source, context, paths=context, raw=False), *asked)


def test_another_recording_has_another_shelf(bed, cache):
    bed.web()
    path = bed.path / PAGES
    path.write_bytes(path.read_bytes() * 2)
    bed.web()
    assert len(list(cache.iterdir())) == 2


def test_a_bed_works_where_no_cache_can_be_written(bed, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null/no")
    assert ask(bed.web(), "http://a.test/")[0].title == "One"


def test_topics_are_found_by_id_and_seeds_by_task(bed):
    assert bed.topic("numbers").keywords == "one two three"
    assert bed.seeds("numbers", "examples") == ("http://a.test/",)
    assert bed.seeds(bed.topic("numbers"), "neighbors") == ("http://a.test/nowhere",)
    with pytest.raises(Refused, match="no topic 'letters': choose one of: numbers"):
        bed.topic("letters")
    with pytest.raises(Refused, match="unknown task 'targets'"):
        bed.seeds("numbers", "targets")


def test_urls_of_topics_are_canonical(tmp_path, bed):
    line = {"id": "x", "keywords": "y", "targets": ["HTTP://B.test:80/%6eew"], "examples": ["http://a.test"]}
    (bed.path / TOPICS).write_text(json.dumps(line))
    topic = Bed(bed.path).topics[0]
    assert (topic.targets, topic.examples) == (("http://b.test/new",), ("http://a.test/",))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"id": "a", "keywords": "k", "targets": []}\n{"id": ', "topics.jsonl, line 2: "),
        ('{"id": "a", "targets": []}', "line 1: .*keywords"),
        ('\n\n{"id": "a", "keywords": 7, "targets": []}', "line 3: .*Expected `str`"),
        ('{"id": "a", "keywords": "k", "targets": ["mailto:x"]}', "line 1: 'mailto:x' in targets is not an http URL"),
        ('{"id": "a", "keywords": "k", "targets": []}\n' * 2, "line 2: a second topic 'a'"),
        ("\n", "contains no topic"),
        ("\udcff", "line 1: "),
    ],
)
def test_broken_topics_are_refused_with_file_and_line(bed, text, says):
    (bed.path / TOPICS).write_text(text, errors="surrogateescape")
    with pytest.raises(Refused, match=says):
        Bed(bed.path)


def test_what_is_no_bed_is_refused(tmp_path, bed):
    with pytest.raises(Refused, match="is not a folder"):
        Bed(tmp_path / "none")
    with pytest.raises(Refused, match=f"has no {PAGES}"):
        Bed(tmp_path)
    (bed.path / PAGES).write_bytes(gzip.compress(b"no"))
    with pytest.raises(Refused, match="contains no recorded page"):
        Bed(bed.path).web()


def test_a_bed_is_never_written_over_something(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(Refused, match="is not empty"):
        make_bed(Three(), tmp_path)
    with pytest.raises(Refused, match="cannot be written"):
        make_bed(Three(), "/dev/null/bed")


def test_the_same_web_makes_the_same_bed(tmp_path):
    beds = [make_bed(Three(), tmp_path / name).path for name in "ab"]
    for name in (PAGES, TOPICS):
        assert (beds[0] / name).read_bytes() == (beds[1] / name).read_bytes()


def test_a_made_bed_is_valid_warc(bed):
    with (bed.path / PAGES).open("rb") as file:
        records = [(record.rec_type, record.rec_headers["WARC-Target-URI"]) for record in ArchiveIterator(file)]
    assert records == [("response", url) for url in Three.answers]


def test_a_recording_of_a_made_web_gives_the_same_pages(tmp_path):
    made = Made(600, 6)
    bed = make_bed(made, tmp_path / "bed")
    urls = list(made.urls())[::7]
    direct = ask(SourceWeb(made, context=True), *urls)
    recorded = ask(SourceWeb(WarcSource(bed.path / PAGES), context=True), *urls)
    for page, again in zip(direct, recorded, strict=True):
        if isinstance(page, Failure):
            assert again == page
            continue
        assert msgspec.structs.replace(page, raw=None) == msgspec.structs.replace(again, raw=None)
        assert page.raw.body == again.raw.body
        if isinstance(page, Page):
            assert page.text
