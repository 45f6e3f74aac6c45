"""`lycosa seeds` as its users meet it."""

import json

import pytest

import lycosa as api
from lycosa.app.requests.hunt_plan import read_seeds
from lycosa.app.seed_augmentation import better_seeds, described
from lycosa.system.errors import Refused
from lycosa.web.made import Made
from lycosa.web.serving import spawn

WEB = "made:pages=600,topics=3,seed=5"
TOPIC = Made(pages=600, topics=3, seed=5).topics[0]


def test_a_topics_hubs_are_shown_and_written(run, tmp_path):
    file = tmp_path / "seeds.txt"
    done = run("seeds", "--bed", WEB, "--topic", TOPIC.id, "--limit", 4, "--out", file)
    assert done.returncode == 0, done.stderr
    assert f"   1  {TOPIC.examples[0]}\n" in done.stdout
    assert done.stdout.count("  added  ") == 4
    assert "more left out: links to 1 of the seeds only" in done.stdout
    assert f"4 added to {len(TOPIC.examples)} seeds" in done.stdout
    assert f"{len(TOPIC.examples) + 4} start pages in {file}" in done.stdout
    assert read_seeds(file)[:-4] == list(TOPIC.examples)


def test_programs_are_told_everything(run, tmp_path):
    seeds = [word for url in TOPIC.examples for word in ("--seed", url)]
    told = json.loads(run("seeds", *seeds, "--inlinks", WEB, "--leave-out", "hub.test", "--json").stdout)
    assert told["urls"] == [*TOPIC.examples, *told["added"]]
    for one in told["found"]:
        assert one.keys() == {"url", "seeds", "left_out"}
        assert (one["url"] in told["added"]) == (one["left_out"] == "")


def test_what_was_written_is_crawled(tmp_path):
    better_seeds(TOPIC.examples, inlinks=[WEB], limit=3).write(tmp_path / "seeds.txt")
    seeds = read_seeds(tmp_path / "seeds.txt")
    with api.hunt(
        TOPIC.keywords, seeds, replay=WEB, pages=len(seeds), out=tmp_path / "c", strategy="breadth-first"
    ) as hunt:
        assert {visit.url for visit in hunt} == {*seeds}


def test_neighbours_take_the_place_of_the_seeds(run, tmp_path):
    found = better_seeds(bed=WEB, topic=TOPIC.id, neighbours_at=2, limit=5)
    assert len(found.urls) == 5
    assert not {*found.urls} & {*TOPIC.examples}
    done = run("seeds", "--bed", WEB, "--topic", TOPIC.id, "--neighbours", 2, "--limit", 5)
    assert f"5 start pages 2 links upstream of {len(TOPIC.examples)} seeds" in done.stdout
    assert all(url in done.stdout for url in found.urls)


def test_candidates_of_a_source_without_pages_are_fetched_and_mirrors_left_out(run, tmp_path):
    hubs = [one.url for one in better_seeds(TOPIC.examples, inlinks=[WEB], limit=2).added]
    (tmp_path / "vertices.txt").write_text(
        "".join(f"{n}\t{url}\n" for n, url in enumerate((*TOPIC.examples[:2], *hubs)))
    )
    (tmp_path / "edges.txt").write_text("2\t0\n2\t1\n3\t0\n3\t1\n")
    with spawn(WEB) as served:
        (tmp_path / "description.txt").write_text(read(hubs[0], served.proxy))
        arguments = ["--seed", TOPIC.examples[0], "--seed", TOPIC.examples[1], "--inlinks", tmp_path]
        asked = run("seeds", *arguments, "--description", tmp_path / "description.txt", "--proxy", served.proxy)
    assert asked.returncode == 0, asked.stderr
    assert f"is 100% like the description  {hubs[0]}" in asked.stdout
    assert f"  {hubs[1]}" in asked.stdout


def read(url, proxy):
    from lycosa.engine.texts import Texts
    from lycosa.web.http_options import HttpOptions

    with Texts(http=HttpOptions(proxy=proxy)) as texts:
        return texts(url)


def test_a_description_is_a_text_or_a_file(tmp_path):
    (tmp_path / "about.txt").write_text("from a file")
    assert described(str(tmp_path / "about.txt")) == "from a file"
    assert described("solar panels " * 1000) == "solar panels " * 1000


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({}, "no seeds"),
        ({"seeds": ["http://a.test/"]}, "no source of in-links"),
        ({"seeds": ["ftp://a.test/"], "inlinks": [WEB]}, "only http"),
        ({"topic": "x"}, "without a test bed"),
        ({"bed": WEB}, "name one, such as"),
        ({"bed": WEB, "topic": "x"}, "has no topic 'x'"),
        ({"bed": "nowhere", "topic": "x"}, "is not a folder"),
        ({"seeds": ["http://a.test/"], "inlinks": [WEB], "limit": 0}, "limit cannot be 0"),
        ({"seeds": ["http://a.test/"], "inlinks": [WEB], "at_least": 0}, "at least cannot be 0"),
        ({"seeds": ["http://a.test/"], "inlinks": [WEB], "neighbours_at": 99}, "neighbours cannot be 99"),
        ({"seeds": ["http://a.test/"], "inlinks": [WEB], "leave_out": ["no host"]}, "'no host'"),
        ({"seeds": ["http://a.test/"], "inlinks": [WEB], "description": "wolf spiders"}, "only 2 words"),
        ({"bed": WEB, "topic": "tax-consulting", "description": "tax"}, "only 1 word:"),
    ],
)
def test_what_cannot_be_done_is_refused(options, problem):
    with pytest.raises(Refused, match=problem):
        better_seeds(**options)


def test_bad_input_is_one_line(run):
    done = run("seeds", "--seed", "http://a.test/", "--inlinks", "nowhere")
    assert done.returncode == 2
    assert done.stderr.startswith("lycosa: 'nowhere' is not a source of in-links")
    assert done.stderr.count("\n") == 1
