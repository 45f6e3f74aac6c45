"""A recording and somebody's judgement of its pages make a test bed, and what did not fit is told."""

from __future__ import annotations

import gzip
import json
import zipfile
from html import escape
from pathlib import Path
from random import Random

import pytest

from lycosa.core.nouns import Raw
from lycosa.lab.beds.folder import ABOUT, SEEDS, URLS
from lycosa.lab.beds.from_recording import bed_of_directory, bed_of_labels
from lycosa.lab.beds.recorded_pages import SNIFFED, RecordedPages, neighbors
from lycosa.store import warc
from lycosa.system.errors import Refused
from lycosa.web.replay import WarcSource
from lycosa.web.testbed import PAGES, TOPICS, Bed

HEAD = '<?xml version="1.0"?>\n<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/">\n'
HTML = (("Content-Type", "text/html; charset=utf-8"),)


def page(text: str, *links: str) -> Raw:
    anchors = "".join(f'<a href="{link}">a link</a> ' for link in links)
    return Raw(200, HTML, f"<title>{text}</title><p>{text} {anchors}</p>".encode())


def moved(to: str) -> Raw:
    return Raw(301, (("Location", to),), b"")


def record(path: Path, answers: dict[str, Raw]) -> Path:
    path.write_bytes(b"".join(warc.response(url, raw, 0.0) for url, raw in answers.items()))
    return path


def dump(path: Path, lists: dict[str, list[str]]) -> Path:
    entries = "".join(
        f'<Topic r:id="{name}"></Topic>\n'
        + "".join(
            f'<ExternalPage about="{escape(url)}"><d:Title>{name}</d:Title><d:Description>Words of it.</d:Description>'
            f"<topic>{name}</topic></ExternalPage>\n"
            for url in links
        )
        for name, links in lists.items()
    )
    path.write_text(HEAD + entries + "</RDF>\n")
    return path


def trade(tag: str, count: int = 25) -> list[str]:
    return [f"http://{tag}{number}.test/" for number in range(count)]


def web(*tags: str) -> dict[str, Raw]:
    """The pages of some trades, each with a hub that links to all of them, and a portal that links to the hubs."""
    answers = {url: page(f"{tag} goods") for tag in tags for url in trade(tag)}
    answers |= {f"http://hub.test/{tag}": page(f"hub of {tag}", *trade(tag)) for tag in tags}
    answers["http://portal.test/"] = page("portal", *(f"http://hub.test/{tag}" for tag in tags))
    return answers


@pytest.fixture
def content(tmp_path):
    lists = {f"Top/Business/{tag}/Companies": trade(tag) for tag in ("silk", "wool")}
    return dump(tmp_path / "content.rdf.u8", lists)


def test_a_dump_and_a_recording_make_a_bed(tmp_path, content):
    recording = record(tmp_path / "web.warc.gz", web("silk", "wool"))
    built = bed_of_directory(content, tmp_path / "bed", pages=[recording])
    bed = Bed(tmp_path / "bed")
    assert [topic.id for topic in bed.topics] == ["business-silk-companies", "business-wool-companies"]
    assert bed.topics == built.topics
    for topic in bed.topics:
        assert (len(topic.examples), len(topic.targets), topic.neighbors) == (10, 15, ("http://portal.test/",))
        assert all(url in bed.source for url in topic.examples + topic.targets)
    assert (built.pages, built.listed, built.missing, built.left_out, built.warnings) == (53, 50, 0, [], [])
    assert json.loads((tmp_path / "bed" / ABOUT).read_text()) == {
        "made_from": "the Open Directory (business of content.rdf.u8), pages of web.warc.gz",
        "complete": False,
        "warnings": [],
    }
    assert "53 pages, 2 topics" in next(iter(built.lines()))


def test_the_same_input_makes_the_same_bed(tmp_path, content):
    recording = record(tmp_path / "web.warc.gz", web("silk", "wool"))
    for name in ("one", "two"):
        bed_of_directory(content, tmp_path / name, pages=[recording])
    for file in (PAGES, TOPICS, ABOUT):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_without_pages_the_topics_wait_for_a_crawl(tmp_path, content):
    built = bed_of_directory(content, tmp_path / "bed")
    assert {file.name for file in (tmp_path / "bed").iterdir()} == {TOPICS, ABOUT, SEEDS, URLS}
    urls = [line for line in (tmp_path / "bed" / URLS).read_text().splitlines() if not line.startswith("#")]
    seeds = [line for line in (tmp_path / "bed" / SEEDS).read_text().splitlines() if not line.startswith("#")]
    assert sorted(urls) == sorted(trade("silk") + trade("wool"))
    assert set(seeds) == {url for topic in built.topics for url in topic.examples}
    assert built.pages == 0
    with pytest.raises(Refused, match=r"no pages\.warc\.gz"):
        Bed(tmp_path / "bed")


def test_a_bed_that_waited_is_completed_in_its_place_with_the_same_topics(tmp_path, content):
    draft = bed_of_directory(content, tmp_path / "bed")
    recording = record(tmp_path / "web.warc.gz", web("silk", "wool"))
    built = bed_of_directory(content, tmp_path / "bed", pages=[recording])
    assert [topic.examples for topic in built.topics] == [topic.examples for topic in draft.topics]
    assert {file.name for file in (tmp_path / "bed").iterdir()} == {TOPICS, ABOUT, PAGES}
    assert not list(tmp_path.glob(".*"))


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path, content):
    (tmp_path / "bed").mkdir()
    (tmp_path / "bed" / TOPICS).write_text("somebody's own work")
    with pytest.raises(Refused, match="is not empty"):
        bed_of_directory(content, tmp_path / "bed")
    assert (tmp_path / "bed" / TOPICS).read_text() == "somebody's own work"


def test_nothing_is_left_behind_when_a_bed_cannot_be_made(tmp_path, content):
    recording = record(tmp_path / "web.warc.gz", web("other"))
    with pytest.raises(Refused, match="15 pages are recorded"):
        bed_of_directory(content, tmp_path / "bed", pages=[recording])
    assert sorted(file.name for file in tmp_path.iterdir()) == ["content.rdf.u8", "web.warc.gz"]


def test_links_without_a_page_are_counted_and_the_next_one_moves_up(tmp_path, content):
    answers = web("silk", "wool")
    first = bed_of_directory(content, tmp_path / "first", pages=[record(tmp_path / "all.warc.gz", answers)])
    silk = first.topics[0]
    gone, error, other = silk.examples[0], silk.examples[1], silk.targets[-1]
    del answers[gone]
    answers[error] = Raw(404, HTML, b"gone")
    answers[other] = Raw(200, (("Content-Type", "application/pdf"),), b"%PDF")
    built = bed_of_directory(content, tmp_path / "bed", pages=[record(tmp_path / "less.warc.gz", answers)])
    assert built.topics[0].examples == silk.examples[2:] + silk.targets[:2]
    assert built.topics[0].targets == silk.targets[2:-1]
    assert (built.listed, built.missing) == (50, 3)
    assert "3 of 50 relevant URLs are not in the recording" in list(built.lines())


def test_topics_with_too_few_targets_are_left_out_and_said_so(tmp_path, content):
    answers = {url: raw for url, raw in web("silk", "wool").items() if url not in trade("wool")[14:]}
    built = bed_of_directory(content, tmp_path / "bed", pages=[record(tmp_path / "web.warc.gz", answers)])
    assert [topic.id for topic in built.topics] == ["business-silk-companies"]
    assert built.warnings == ["1 of 2 categories have too few recorded pages and were left out"]


def test_a_link_that_was_redirected_means_the_page_where_it_leads(tmp_path, content):
    answers = web("silk", "wool")
    old = trade("silk")[3]
    answers["https://www.silk3.test/home"] = answers[old]
    answers[old] = moved("https://www.silk3.test/")
    answers["https://www.silk3.test/"] = moved("/home")
    answers["http://loop.test/"] = moved("http://loop.test/")
    built = bed_of_directory(content, tmp_path / "bed", pages=[record(tmp_path / "web.warc.gz", answers)])
    silk = built.topics[0]
    assert "https://www.silk3.test/home" in silk.examples + silk.targets
    assert old not in silk.examples + silk.targets
    assert built.missing == 0
    pages = RecordedPages([tmp_path / "bed"])
    assert pages.inlinks("https://www.silk3.test/home") == ["http://hub.test/silk"]
    assert pages.page("http://loop.test/") is None


def test_small_leaves_are_hunted_from_their_neighbors(tmp_path):
    content = dump(tmp_path / "content.rdf.u8", {"Top/Arts/silk": trade("silk", 8)})
    recording = record(tmp_path / "web.warc.gz", web("silk"))
    built = bed_of_directory(content, tmp_path / "bed", select="leaves", pages=[recording])
    (topic,) = built.topics
    assert sorted(topic.targets) == sorted(topic.examples) == trade("silk", 8)
    assert topic.neighbors == ("http://portal.test/",)


def test_neighbors_are_drawn_from_the_pages_two_links_upstream(tmp_path):
    answers = {"http://a.test/": page("example"), "http://b.test/": page("target")}
    for number in range(30):
        answers[f"http://one.test/{number}"] = page("one", "http://a.test/")
        for second in range(3):
            answers[f"http://two.test/{number}-{second}"] = page("two", f"http://one.test/{number}")
    answers["http://b.test/"] = page("target", "http://one.test/1")
    pages = RecordedPages([record(tmp_path / "web.warc.gz", answers)])
    shunned = {"http://a.test/", "http://b.test/"}
    found = neighbors(pages, ["http://a.test/"], shunned, Random(1))
    assert len(set(found)) == 10
    assert all(url.startswith("http://two.test/") for url in found)
    assert found == neighbors(pages, ["http://a.test/"], shunned, Random(1))
    everything = neighbors(pages, ["http://a.test/"], shunned, Random(1), size=1000)
    assert len({url.partition("-")[0] for url in everything}) == 20
    assert len(neighbors(pages, ["http://a.test/"], shunned, Random(1), size=1000, width=100)) == 90


def test_several_recordings_complete_each_other(tmp_path):
    one = {"http://a.test/": Raw(503, HTML, b"busy"), "http://b.test/": page("first"), "http://c.test/": page("c")}
    two = {"http://a.test/": page("a", "http://b.test/"), "http://b.test/": page("second")}
    pages = RecordedPages([record(tmp_path / "one.warc.gz", one), record(tmp_path / "two.warc.gz", two)])
    assert len(pages) == 3
    assert pages.text("http://b.test/").startswith("first")
    assert pages.inlinks("http://b.test/") == ["http://a.test/"]
    assert pages.response("http://a.test/").status == 200


def test_only_what_matters_of_an_answer_goes_into_the_bed(tmp_path):
    zipped = gzip.compress(page("packed goods").body)
    head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nX-Odd: \xe9\r\n\r\n".encode(
        "latin-1"
    )
    block = head + zipped
    record(tmp_path / "rest.warc.gz", {
        "http://picture.test/": Raw(200, (("Content-Type", "image/png"),), b"\x89PNG" + bytes(50_000)),
        "http://a.test/robots.txt": Raw(200, (("Content-Type", "text/plain"),), b"User-agent: x\n" * 1000),
    })  # fmt: skip
    plain = (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n"
        b"WARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: http://a.test/\r\n"
        b"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n" % len(block)
    )
    (tmp_path / "a.warc").write_bytes(plain + block + b"\r\n\r\n")
    labels = tmp_path / "labels.csv"
    labels.write_text(
        "url,topic,description\nhttp://a.test/,goods,words\nhttp://b.test/,goods,\nhttp://c.test/,goods,\n"
    )
    record(tmp_path / "more.warc.gz", {f"http://{name}.test/": page(name) for name in "bc"})
    recordings = [tmp_path / name for name in ("rest.warc.gz", "a.warc", "more.warc.gz")]
    bed_of_labels(recordings, labels, tmp_path / "bed", least_targets=1)
    source = WarcSource(tmp_path / "bed" / PAGES)
    raw = source.response("http://a.test/")
    assert b"packed goods" in raw.body
    assert [name for name, _ in raw.headers] == ["Content-Type", "X-Odd", "Content-Length"]
    assert len(source.response("http://picture.test/").body) == SNIFFED
    assert len(source.response("http://a.test/robots.txt").body) == 14_000


def labelled(tmp_path: Path, text: str, name: str = "labels.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def rows(*tags: str) -> str:
    return "url,topic\n" + "".join(f"{url},{tag} goods\n" for tag in tags for url in trade(tag))


def test_labels_and_a_recording_make_a_bed(tmp_path):
    recording = record(tmp_path / "web.warc.gz", web("silk", "wool"))
    labels = labelled(tmp_path, rows("silk", "wool"))
    built = bed_of_labels([recording], labels, tmp_path / "bed", complete=True)
    silk, _ = Bed(tmp_path / "bed").topics
    assert (silk.id, silk.category, silk.keywords) == ("silk-goods", "silk goods", "silk goods")
    # 25 pages: a third, at most ten, as examples; a quarter of the other sixteen describe.
    assert (len(silk.examples), len(silk.described), len(silk.targets)) == (9, 4, 12)
    assert sorted(silk.examples + silk.described + silk.targets) == sorted(trade("silk"))
    assert silk.neighbors == ("http://portal.test/",)
    assert silk.description.split().count("silk") == 8  # in the title and the text of each
    about = json.loads((tmp_path / "bed" / ABOUT).read_text())
    assert (about["made_from"], about["complete"]) == ("web.warc.gz, labelled by labels.csv", True)
    assert (built.pages, built.listed, built.missing) == (53, 50, 0)


def test_a_wacz_package_will_do(tmp_path):
    inner = record(tmp_path / "web.warc.gz", web("silk"))
    with zipfile.ZipFile(tmp_path / "web.wacz", "w") as package:
        package.write(inner, "archive/web.warc.gz")
    built = bed_of_labels([tmp_path / "web.wacz"], labelled(tmp_path, rows("silk")), tmp_path / "bed")
    assert built.pages == 27


def test_keywords_and_descriptions_may_be_given(tmp_path):
    recording = record(tmp_path / "web.warc.gz", web("silk", "wool"))
    labels = labelled(
        tmp_path,
        "".join(json.dumps({"url": url, "topic": "s", "keywords": ["silk", "cloth"]}) + "\n" for url in trade("silk"))
        + "".join(json.dumps({"url": url, "topic": "w"}) + "\n" for url in trade("wool")),
        "labels.jsonl",
    )
    topics = labelled(tmp_path, 'topic;description;keywords\ns;"fine; shiny";\nw;warm;wool cloth\n', "topics.csv")
    bed_of_labels([recording], labels, tmp_path / "bed", topics=topics)
    silk, wool = Bed(tmp_path / "bed").topics
    assert (silk.keywords, silk.description, silk.described) == ("silk cloth", "fine; shiny", ())
    assert (wool.keywords, wool.description) == ("wool cloth", "warm")
    assert (len(silk.examples), len(silk.targets)) == (9, 16)


def test_labels_of_pages_that_are_not_recorded_are_counted(tmp_path):
    recording = record(tmp_path / "web.warc.gz", web("silk"))
    labels = labelled(tmp_path, rows("silk", "wool") + "http://silk0.test,silk goods\nhttp://no.test/,silk goods\n")
    built = bed_of_labels([recording], labels, tmp_path / "bed")
    assert [topic.id for topic in built.topics] == ["silk-goods"]
    assert (built.listed, built.missing) == (51, 26)
    assert built.left_out == ["wool-goods: 0 of 25 pages are recorded, which leaves 0 targets"]


def test_a_topic_nobody_recorded_makes_no_bed(tmp_path):
    recording = record(tmp_path / "web.warc.gz", web("silk"))
    with pytest.raises(Refused, match="no topic has 5 targets in the recording"):
        bed_of_labels([recording], labelled(tmp_path, rows("wool")), tmp_path / "bed")
    assert not (tmp_path / "bed").exists()


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("l.csv", "page,topic\nhttp://a.test/,x\n", "line 1: there is no column url"),
        ("l.csv", "url,topic\nhttp://a.test/,x\nmailto:me,x\n", "line 3: 'mailto:me' is not an http URL"),
        ("l.csv", "url,topic\nhttp://a.test/,x\n\nhttp://b.test/,\n", "line 4: there is no topic"),
        ("l.csv", "url,topic\nhttp://a.test/,x,y,z\n", "line 2: 4 cells in 2 columns"),
        ("l.csv", 'url,topic\nhttp://a.test/,"x"y\n', "line 2: "),
        ("l.csv", "url,topic,keywords\nhttp://a.test/,x,a\nhttp://b.test/,x,b\n", "line 3: other keywords for 'x'"),
        ("l.csv", "url,topic\n", "holds no rows"),
        ("l.csv", "", "line 1: there is no column url"),
        ("l.csv", "u" * 131_073 + ",topic\nhttp://a.test/,x\n", "line 1: field larger than field limit"),
        ("l.jsonl", '{"url": "http://a.test/", "topic": "x"}\n{"url": \n', "line 2: "),
        ("l.jsonl", '{"url": "http://a.test/", "topic": "x"}\n\n{"topic": "x"}\n', "line 3: there is no url"),
        ("l.jsonl", '{"url": "http://a.test/", "topic": "x"}\n["http://a.test/", "x"]\n', "line 2: "),
    ],
)
def test_wrong_labels_are_refused_with_file_and_line(tmp_path, name, text, problem):
    recording = record(tmp_path / "web.warc.gz", web("silk"))
    with pytest.raises(Refused) as refused:
        bed_of_labels([recording], labelled(tmp_path, text, name), tmp_path / "bed")
    assert str(tmp_path / name) in refused.value.problem
    assert problem in refused.value.problem


def test_a_topics_file_names_known_topics(tmp_path):
    recording = record(tmp_path / "web.warc.gz", web("silk"))
    topics = labelled(tmp_path, "topic,keywords\nsilk goods,silk\nwool,wool\n", "topics.csv")
    with pytest.raises(Refused, match="line 3: no page is labelled 'wool'"):
        bed_of_labels([recording], labelled(tmp_path, rows("silk")), tmp_path / "bed", topics=topics)


def test_files_that_are_not_there_are_refused(tmp_path, content):
    recording = record(tmp_path / "web.warc.gz", web("silk"))
    for call in (
        lambda: bed_of_directory(tmp_path / "no.rdf", tmp_path / "bed"),
        lambda: bed_of_directory(content, tmp_path / "bed", structure=tmp_path / "no.rdf"),
        lambda: bed_of_directory(content, tmp_path / "bed", pages=[tmp_path / "no.warc.gz"]),
        lambda: bed_of_directory(content, tmp_path / "bed", select="everything"),
        lambda: bed_of_labels([recording], tmp_path / "no.csv", tmp_path / "bed"),
        lambda: bed_of_labels([], labelled(tmp_path, rows("silk")), tmp_path / "bed"),
        lambda: bed_of_labels([recording], labelled(tmp_path, rows("silk")), tmp_path / "bed", examples=0),
    ):
        with pytest.raises(Refused):
            call()
        assert not (tmp_path / "bed").exists()


def test_a_damaged_recording_gives_what_it_can_and_says_so(tmp_path, content):
    recording = record(tmp_path / "web.warc.gz", web("silk", "wool"))
    recording.write_bytes(recording.read_bytes()[:-40])
    built = bed_of_directory(content, tmp_path / "bed", pages=[recording])
    assert any(line.startswith("damaged: web.warc.gz") for line in built.warnings)
    assert "2 topics have no neighbors: nothing recorded is two links upstream of their examples" in built.warnings


def test_every_step_tells_how_far_it_is(tmp_path, content):
    recording = record(tmp_path / "web.warc.gz", web("silk", "wool"))
    told = []
    bed_of_directory(content, tmp_path / "bed", pages=[recording], progress=lambda *step: told.append(step))
    size = content.stat().st_size
    assert told == [("reading pages", 53, 53), (f"reading {content.name}", size, size), ("writing pages", 53, 53)]
