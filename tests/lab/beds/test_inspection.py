"""A check says what is in a bed, what is wrong with it and where; it refuses only what nothing can run on."""

from __future__ import annotations

import gzip
import json

import msgspec
import pytest
from typer.testing import CliRunner

from lycosa.core.nouns import Raw
from lycosa.face.cli import app
from lycosa.lab.beds.inspection import BedHub, check
from lycosa.system.errors import Refused
from lycosa.web.source import BedTopic
from lycosa.web.testbed import PAGES, TOPICS, make_bed


def html(words, *links):
    return f"<p>{words}</p>" + "".join(f'<a href="{url}">x</a>' for url in links)


class Garden:
    """A gate, a hub, two flowers behind it and one that nobody links to."""

    answers = {
        "http://a.test/": html("the gate", "/hub", "/weeds", "http://out.test/", "http://out.test/"),
        "http://a.test/hub": html("all flowers", "http://b.test/rose", "http://b.test/old", "/"),
        "http://a.test/weeds": html("weeds", "http://b.test/rose", "/gone"),
        "http://b.test/rose": html("red rose", "http://b.test/tulip"),
        "http://b.test/tulip": html("red tulip"),
        "http://b.test/lonely": html("red tulip"),
        "http://b.test/old": Raw(301, (("Location", "/tulip"),), b""),
        "http://a.test/gone": Raw(410, (), b""),
        "http://a.test/robots.txt": Raw(200, (("Content-Type", "text/plain"),), b"User-agent: *\nDisallow: /cgi/"),
    }
    topics = [
        BedTopic(
            id="flowers",
            keywords="flowers",
            description="red and fragrant",
            examples=("http://a.test/",),
            neighbors=("http://a.test/weeds", "http://b.test/rose"),
            targets=("http://b.test/rose", "http://b.test/old", "http://b.test/lonely", "http://b.test/lost"),
        )
    ]

    def response(self, url):
        found = self.answers.get(url)
        return Raw(200, (("Content-Type", "text/html"),), found.encode()) if isinstance(found, str) else found

    def urls(self):
        return iter(self.answers)


@pytest.fixture
def bed(tmp_path):
    return make_bed(Garden(), tmp_path / "bed").path


def write(bed, *topics):
    (bed / TOPICS).write_bytes(b"".join(msgspec.json.encode(topic) + b"\n" for topic in topics))


def topic(**changes):
    good = {"examples": ("http://a.test/",), "targets": ("http://b.test/rose",), "neighbors": ()}
    return msgspec.structs.replace(Garden.topics[0], **(good | changes))


def test_the_bed_is_described(bed):
    report = check(bed)
    assert (report.pages, report.hosts, report.complete) == (6, 2, True)
    assert (report.links, report.links_inside) == (9, 8)
    assert (report.redirects, report.failures, report.robots, report.repeats) == (1, 1, 1, 1)
    # The gate links to two pages, the hub (by way of a redirect) to three, the weeds and the rose to one.
    assert (report.out_links.mean, report.out_links.median, report.out_links.most) == (7 / 6, 1, 3)
    assert report.in_links.most == 2
    assert report.locality.linked < 0.5


def test_a_topic_is_described(bed):
    (flowers,) = check(bed).topics
    assert (flowers.id, flowers.line, flowers.targets, flowers.described) == ("flowers", 1, 4, True)
    assert flowers.missing_targets == ["http://b.test/lost"]
    assert flowers.seeds_among_targets == ["http://b.test/rose"]
    assert flowers.seeds == {"examples": 1, "neighbors": 2}
    assert flowers.missing_seeds == {"examples": [], "neighbors": []}
    examples, neighbors = flowers.reach["examples"], flowers.reach["neighbors"]
    assert (examples.share, examples.median, examples.furthest) == (0.5, 2, 2)
    assert examples.within == {1: 0.0, 2: 0.5, 3: 0.5}
    assert (neighbors.share, neighbors.median, neighbors.furthest) == (0.5, 0.5, 1)
    assert flowers.hubs[0] == BedHub("http://a.test/hub", 2)
    # The known relevant pages are the gate, rose, tulip and lonely; one of the three links they have stays among them.
    assert flowers.relevant_links == pytest.approx(1 / 3)
    assert flowers.relevant_links_anywhere == pytest.approx(5 / 7)


def test_what_is_wrong_with_a_topic_is_told_with_its_line(bed):
    lost = tuple(f"http://b.test/{number}" for number in range(5))
    write(
        bed,
        topic(),
        topic(id="lost", examples=("http://a.test/", *lost)),
        topic(id="gone", neighbors=("http://a.test/gone",)),
        topic(id="aimless", targets=()),
        topic(id="homeless", examples=()),
        topic(id="mute", description=" "),
        topic(id="double", targets=("http://b.test/rose",) * 2),
        topic(id="{braces}", targets=("http://b.test/rose", "http://b.test/lonely")),
        topic(id="itself", targets=("http://a.test/",)),
    )
    assert check(bed).warnings == [
        "topics.jsonl, line 2, lost: http://b.test/0 in examples is not a page of the bed",
        "topics.jsonl, line 2, lost: http://b.test/1 in examples is not a page of the bed",
        "topics.jsonl, line 2, lost: http://b.test/2 in examples is not a page of the bed",
        "topics.jsonl, line 2, lost: the same is true of 2 more",
        "topics.jsonl, line 3, gone: http://a.test/gone in neighbors is not a page of the bed",
        "topics.jsonl, line 4, aimless: it has no targets, so there is nothing to recall",
        "topics.jsonl, line 5, homeless: it has no start pages",
        "topics.jsonl, line 6, mute: it has no description, so precision cannot be measured",
        "topics.jsonl, line 7, double: http://b.test/rose is listed twice",
        "topics.jsonl, line 8, {braces}: some of its 2 targets are beyond reach: 1 from its examples",
        "topics.jsonl, line 9, itself: http://a.test/ is a start page and a target",
    ]


def test_two_targets_that_lead_to_one_page_are_both_in_reach(bed):
    write(bed, topic(targets=("http://b.test/old", "http://b.test/tulip")))
    report = check(bed)
    assert report.topics[0].reach["examples"].share == 1.0
    assert report.warnings == []


def closing(bed, host, path):
    """The same garden with a robots.txt that closes a path of a host."""
    rules = f"User-agent: *\nDisallow: {path}\n".encode()

    class Closed(Garden):
        answers = Garden.answers | {f"http://{host}/robots.txt": Raw(200, (("Content-Type", "text/plain"),), rules)}

    return make_bed(Closed(), bed.with_name("closed")).path


def test_what_robots_txt_closes_is_out_of_reach(bed):
    report = check(closing(bed, "a.test", "/"))
    (flowers,) = report.topics
    assert report.closed == 3
    assert flowers.reach["examples"].share == 0.0
    # The rose is on another host, and the tulip, to which an old address leads, one link from it.
    assert (flowers.reach["neighbors"].share, flowers.reach["neighbors"].furthest) == (0.5, 1)
    assert flowers.closed_seeds == {"examples": ["http://a.test/"], "neighbors": ["http://a.test/weeds"]}
    assert flowers.closed_targets == []
    assert [line for line in report.warnings if "robots" in line] == [
        "topics.jsonl, line 1, flowers: http://a.test/ in examples is closed by robots.txt, so no crawl fetches it",
        "topics.jsonl, line 1, flowers: http://a.test/weeds in neighbors is closed by robots.txt, "
        "so no crawl fetches it",
    ]


def test_a_target_that_robots_txt_closes_is_told_and_no_way_leads_past_it(bed):
    closed = closing(bed, "b.test", "/rose")
    write(closed, topic(targets=("http://b.test/rose", "http://b.test/tulip"), neighbors=("http://a.test/weeds",)))
    report = check(closed)
    (flowers,) = report.topics
    # The hub knows the tulip's old address; the weeds know only the rose.
    assert (flowers.reach["examples"].share, flowers.reach["neighbors"].share) == (0.5, 0.0)
    assert report.warnings == [
        "topics.jsonl, line 1, flowers: http://b.test/rose in targets is closed by robots.txt, so no crawl fetches it",
        "topics.jsonl, line 1, flowers: some of its 2 targets are beyond reach: 0 from its examples, "
        "1 from its neighbors",
    ]
    told = CliRunner().invoke(app, ["bed", "check", str(closed)]).stdout
    assert "6 on 2 hosts, 1 of them closed by robots.txt" in told


def test_damage_and_what_the_maker_said_are_warnings(bed):
    path = bed / PAGES
    path.write_bytes(path.read_bytes()[:-30])
    (bed / "bed.json").write_text('{"made_from": "a dream", "complete": false, "warnings": ["do not trust it"]}')
    report = check(bed)
    assert (report.made_from, report.complete) == ("a dream", False)
    assert report.warnings[0].startswith("pages.warc.gz, byte ")
    assert report.warnings[1] == "do not trust it"


def test_what_nothing_can_run_on_is_refused(bed, tmp_path):
    with pytest.raises(Refused, match="is not a folder"):
        check(tmp_path / "nowhere")
    write(bed, topic(targets=()), topic(id="b", examples=("http://a.test/gone",)))
    with pytest.raises(Refused, match="no topic can be run: one needs a start page and a target"):
        check(bed)
    (bed / TOPICS).write_text('\n{"id": ')
    with pytest.raises(Refused, match=r"topics\.jsonl, line 2: "):
        check(bed)
    write(bed, topic())
    (bed / PAGES).write_bytes(gzip.compress(b"no"))
    with pytest.raises(Refused, match="contains no recorded page"):
        check(bed)
    (bed / PAGES).unlink()
    with pytest.raises(Refused, match=f"it has no {PAGES}"):
        check(bed)


def test_a_made_web_is_checked_without_a_folder_and_has_its_targets_in_reach():
    report = check("made:pages=600,topics=6,page_bytes=1500")
    assert report.pages > 600
    assert report.locality.linked > 2 * report.locality.random
    for made in report.topics:
        assert made.line == 0
        assert not made.missing_targets
        assert not any(made.missing_seeds.values())
        assert min(reach.share for reach in made.reach.values()) > 0.98
        assert made.relevant_links > 3 * made.relevant_links_anywhere


def test_of_a_large_web_links_are_estimated(monkeypatch):
    exact = check("made:pages=600,topics=6,page_bytes=1500")
    monkeypatch.setattr("lycosa.lab.beds.inspection.LOOKED_AT", 200)
    estimated = check("made:pages=600,topics=6,page_bytes=1500")
    assert estimated.links == pytest.approx(exact.links, rel=0.15)
    assert estimated.links_inside / estimated.links == pytest.approx(exact.links_inside / exact.links, abs=0.03)
    assert check("made:pages=600,topics=6,page_bytes=1500") == estimated


def test_the_command_prints_a_table_and_is_strict_when_asked(bed):
    plain, strict = (CliRunner().invoke(app, ["bed", "check", str(bed), *more]) for more in ([], ["--strict"]))
    assert (plain.exit_code, strict.exit_code) == (0, 1)
    assert "6 on 2 hosts" in plain.stdout
    assert "50% of the targets in reach; 0%, 50%, 50% within 1, 2, 3 links" in plain.stdout
    assert "warning: topics.jsonl, line 1, flowers: http://b.test/lost in targets is not a page" in plain.stdout
    write(bed, topic())
    assert CliRunner().invoke(app, ["bed", "check", str(bed), "--strict"]).exit_code == 0
    told = json.loads(CliRunner().invoke(app, ["bed", "check", str(bed), "--json"]).stdout)
    assert told["topics"][0]["reach"]["examples"]["within"] == {"1": 0.0, "2": 1.0, "3": 1.0}
