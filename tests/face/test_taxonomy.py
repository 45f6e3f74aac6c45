"""`lycosa taxonomy`, and `lycosa crawl --taxonomy`, as their users meet them."""

import json
from itertools import islice
from pathlib import Path

import pytest

import lycosa as api
from lycosa.app.taxonomies import check, from_odp
from lycosa.engine.taxonomy_files import read_taxonomy, write_taxonomy
from lycosa.store.collection import Collection
from lycosa.system.errors import Refused
from lycosa.web.serving import spawn
from lycosa.web.source_names import open_made

WEB = "made:pages=600,topics=3,seed=5"
TOPIC, OTHER, _ = open_made(WEB).topics
ODP = Path(__file__).resolve().parents[2].parent / "shared" / "testbeds" / "odp" / "content_sample_2013.rdf.u8"


@pytest.fixture
def file(tmp_path):
    """The made web's taxonomy, none of it marked."""
    write_taxonomy(read_taxonomy(WEB), tmp_path / "taxonomy.jsonl")
    return tmp_path / "taxonomy.jsonl"


def crawl(run, out, *arguments):
    wanted = [TOPIC.keywords, "--seed", TOPIC.examples[0], "--strategy", "focused", "--no-index"]
    return run("crawl", *wanted, "--out", out, *arguments)


def test_the_tree_is_shown_with_marks_and_counts(run, file):
    done = run("taxonomy", "check", file, "--good", TOPIC.category)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert any(line.split() == [*TOPIC.category.split(), str(len(TOPIC.examples)), "good"] for line in lines)
    assert lines[-1].startswith("3 categories, ")
    assert lines[-1].endswith(f"good: {TOPIC.category}")


def test_an_example_in_the_wrong_place_is_found_and_put_right(run, file, tmp_path):
    taxonomy = read_taxonomy(str(file))
    stray = TOPIC.examples[2]
    write_taxonomy(taxonomy.refiled({stray: OTHER.category}), file)
    found = check(str(file), inspect=[WEB])
    assert (stray, OTHER.category, TOPIC.category) in [(one.url, one.filed, one.looks_like) for one in found.misfiled]
    assert len(found.read) == sum(1 for _ in taxonomy.filed())
    done = run("taxonomy", "check", file, "--inspect", WEB)
    assert f"{stray} is filed in {OTHER.category}, looks like {TOPIC.category}" in done.stdout
    right = tmp_path / "right.tsv"
    done = run("taxonomy", "check", file, "--refile", f"{stray}={TOPIC.category}", "--inspect", WEB, "--out", right)
    assert done.returncode == 0, done.stderr
    assert f"0 of {len(found.read)} examples look like" in done.stdout
    assert dict(read_taxonomy(str(right)).filed())[stray] == TOPIC.category


def test_programs_are_told_where_any_page_would_be_filed(run, file):
    target = TOPIC.targets[0]
    told = json.loads(run("taxonomy", "check", file, "--inspect", WEB, "--page", target, "--json").stdout)
    assert [(one["url"], one["looks_like"]) for one in told["pages"]] == [(target, TOPIC.category)]
    assert told["misfiled"] == [] == told["unread"] == told["good"]
    assert {category["path"] for category in told["taxonomy"]["categories"]} >= {TOPIC.category}


def test_pages_that_are_not_there_are_refused(file, tmp_path):
    with pytest.raises(Refused, match="is not in made"):
        check(str(file), inspect=[WEB], pages=["http://nowhere.test/"])
    with pytest.raises(Refused, match="nothing to read pages from"):
        check(str(file), pages=[TOPIC.targets[0]])
    with pytest.raises(Refused, match=r"no example of .* is in made"):
        check(str(file), inspect=["made:pages=100,topics=1,seed=77"])
    for nothing in ("nowhere", "http://127.0.0.1:1/{url}"):
        with pytest.raises(Refused, match="there are no pages in"):
            check(str(file), inspect=[nothing], out=tmp_path / "kept.jsonl")
    assert not (tmp_path / "kept.jsonl").exists()


def test_a_bed_is_written_as_a_taxonomy(run, tmp_path):
    done = run("taxonomy", "from-bed", WEB, "--good", TOPIC.category, "--out", tmp_path / "t.tsv")
    assert done.returncode == 0, done.stderr
    assert read_taxonomy(str(tmp_path / "t.tsv")) == read_taxonomy(WEB, [TOPIC.category])


@pytest.mark.skipif(not ODP.exists(), reason="the Open Directory excerpts are not here")
def test_an_open_directory_dump_is_written_as_a_taxonomy(run, tmp_path):
    done = run(
        "taxonomy",
        "from-odp",
        ODP,
        "--under",
        "Top/Arts",
        "--depth",
        3,
        "--examples",
        4,
        "--out",
        tmp_path / "odp.jsonl",
    )
    assert done.returncode == 0, done.stderr
    taxonomy = read_taxonomy(str(tmp_path / "odp.jsonl"))
    assert taxonomy.categories[0].path == "Top"
    animation = next(category for category in taxonomy.categories if category.path == "Top/Arts/Animation")
    assert animation.examples[0] == "http://www.awn.com/"
    assert max(len(category.examples) for category in taxonomy.categories) == 4
    assert "pages left out: enough examples" in done.stdout
    marked = ["taxonomy", "from-odp", ODP, "--out", tmp_path / "odp.tsv", "--good"]
    assert run(*marked, "Top/Nothing").returncode == 2
    assert not (tmp_path / "odp.tsv").exists()
    assert run(*marked, "Top/Arts/Animation").returncode == 0
    assert read_taxonomy(str(tmp_path / "odp.tsv")).good == ("Top/Arts/Animation",)
    with pytest.raises(Refused, match="lists nothing below Top/Nothing"):
        from_odp(ODP, under="Top/Nothing")


BAD = {
    "no taxonomy": ([], "there is no taxonomy"),
    "none good": (["--taxonomy", "FILE"], "is marked as good"),
    "unknown good": (["--taxonomy", "FILE", "--good", "Top/Nothing"], "no category 'Top/Nothing'"),
    "refiled nowhere": (
        ["--taxonomy", "FILE", "--good", TOPIC.category, "--refile", "http://x.test/=A"],
        "not an example of",
    ),
    "a missing parent": (["--taxonomy", "ORPHAN", "--good", "A/B"], "line 1: A/B has no parent A"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_taxonomy_is_refused_before_the_first_fetch(run, file, tmp_path, name):
    arguments, message = BAD[name]
    (tmp_path / "orphan.tsv").write_text("A/B\thttp://one.test/\nC\thttp://two.test/\n")
    places = {"FILE": str(file), "ORPHAN": str(tmp_path / "orphan.tsv")}
    # No web at all: the first request would be refused, and told as a miss.
    done = crawl(run, tmp_path / "c", *[places.get(word, word) for word in arguments])
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "c").exists()


def pages_of(served):
    return [f"http://{host}{path}" for _, host, path in served.asked() if path != "/robots.txt"]


def test_over_http_the_examples_are_read_first_and_the_crawl_can_be_resumed(run, file, tmp_path):
    log = tmp_path / "asked.log"
    how = ["--taxonomy", file, "--good", TOPIC.category, "--delay", 0, "--workers", 1, "--set", "every=10"]
    with spawn(WEB, log=str(log)) as served:
        done = crawl(run, tmp_path / "c", *how, "--proxy", served.proxy, "--pages", 15)
        assert done.returncode == 0, done.stderr
        asked = pages_of(served)
        done = run("resume", tmp_path / "c", "--pages", 40, "--proxy", served.proxy)
        assert done.returncode == 0, done.stderr
        again = pages_of(served)[len(asked) :]
    examples = {url for url, _ in read_taxonomy(str(file)).filed()}
    assert set(asked[: len(examples)]) == examples
    assert len(again) < 40
    with Collection.open(tmp_path / "c") as collection:
        visited = [row.url for row in collection.log.pages(order="time")]
    assert len(visited) == 40
    replay = {"replay": WEB, "taxonomy": str(file), "good": [TOPIC.category], "settings": {"every": 10}}
    with api.hunt(
        TOPIC.keywords, TOPIC.examples[:1], strategy="focused", pages=40, out=tmp_path / "r", index=False, **replay
    ) as hunt:
        assert visited == [visit.url for visit in hunt]


def test_a_hunt_left_in_the_middle_goes_on_with_the_same_pages(file, tmp_path):
    options = {"strategy": "focused", "replay": WEB, "pages": 60, "settings": {"every": 7}, "index": False}
    options |= {"taxonomy": str(file), "good": [TOPIC.category]}
    seeds = TOPIC.examples[:1]
    with api.hunt(TOPIC.keywords, seeds, out=tmp_path / "whole", **options) as hunt:
        whole = [visit.url for visit in hunt]
    with api.hunt(TOPIC.keywords, seeds, out=tmp_path / "c", **options) as hunt:
        part = [visit.url for visit in islice(hunt, 31)]
    # The file may be gone or changed by then: what was read of it is kept.
    file.unlink()
    with api.resume(tmp_path / "c") as hunt:
        assert part + [visit.url for visit in hunt] == whole
    parts = [api.why(tmp_path / "whole", url)[-1].parts for url in whole[1:]]
    assert all("relevance of the linking page, R(p)" in found for found in parts)
    assert any("linked by a top hub" in found for found in parts)
