"""The laboratory as its users meet it: whole commands, in processes of their own where that is the point."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

from lycosa.web.made import Made
from lycosa.web.testbed import TOPICS, make_bed

WEB = "made:pages=500,topics=4,seed=3,page_bytes=2000"
TWO = ("--strategy", "best-first", "--strategy", "random")
ONE_WORKER = ("--processes", 1)


@pytest.fixture(scope="module")
def bed(tmp_path_factory):
    return make_bed(Made(300, 3, 5), tmp_path_factory.mktemp("beds") / "bed").path


def changed(bed, folder, **facts):
    """A copy of the bed in which every topic is changed by these facts; returns its topics."""
    shutil.copytree(bed, folder)
    topics = [json.loads(line) | facts for line in (bed / TOPICS).read_text().splitlines()]
    (folder / TOPICS).write_text("\n".join(map(json.dumps, topics)))
    return topics


def test_json_is_the_contract_and_nothing_else(run, tmp_path):
    command = ("lab", "run", WEB, *TWO, "--pages", 120, "--out", tmp_path / "lab", "--no-report", "--json", *ONE_WORKER)
    done = run(*command)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {"bed", "task", "pages", "strategies", "tests"} <= found.keys()
    assert (found["task"], found["pages"]) == ("examples", 120)
    assert list(found["strategies"]) == ["best-first", "random", "oracle"]
    best = found["strategies"]["best-first"]
    assert list(best["target_recall"]) == ["100", "120"]
    assert {"target_recall_auc", "precision", "harvest_rate", "oracle_share"} <= best.keys()
    assert 0 < best["oracle_share"] < 1
    pair = next(test for test in found["tests"] if test["metric"] == "target_recall_auc")
    assert (pair["better"], pair["worse"], pair["n"]) == ("best-first", "random", 4)
    assert not (tmp_path / "lab" / "report.html").exists()


def test_json_has_every_topic_requests_and_what_was_asked_for(run, tmp_path):
    options = ("--subsets", 2, "--workers", 4, "--delay", 0.5, "--reference", "random", "--topics", 2)
    command = ("lab", "run", WEB, *TWO, "--strategy", "breadth-first", "--pages", 40, *options)
    done = run(*command, "--out", tmp_path / "lab", "--no-report", "--json", *ONE_WORKER)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [found[name] for name in ("subsets", "workers", "delay", "reference")] == [2, 4, 0.5, "random"]
    assert list(found["by_topic"]) == found["topics"]
    for metric in ("target_recall_auc", "oracle_share_requests", "hours"):
        rows = [ways["best-first"][metric] for ways in found["by_topic"].values()]
        assert found["strategies"]["best-first"][metric] == pytest.approx(sum(rows) / 2, abs=2e-6)
    best = found["strategies"]["best-first"]
    assert best["requests"] > 40 and 0 < best["oracle_share_requests"] < 1 and best["target_recall_hours"]
    assert {frozenset((test["better"], test["worse"])) for test in found["tests"]} == {
        frozenset(("random", other)) for other in ("best-first", "breadth-first")
    }
    assert found["nofollow"].keys() == {"links", "share", "pages"} and found["nofollow"]["links"] > 0
    every = json.loads(
        run(*command[:-6], "--all-pairs", "--out", tmp_path / "lab", "--no-report", "--json", *ONE_WORKER)[1]
    )
    assert every["reference"] is None
    assert len({frozenset((test["better"], test["worse"])) for test in every["tests"]}) == 3


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--reference", "dom"), "the reference 'dom' is not among the configurations"),
        (("--reference", "random", "--all-pairs"), "every pair is tested, so there is no reference"),
        (("--subsets", 0), "subsets"),
        (("--workers", 0), "workers"),
        (("--delay", -1), "delay"),
        (("--delay", "inf"), "delay"),
    ],
)
def test_bad_conditions_are_refused_in_one_line(run, tmp_path, options, problem):
    code, _, err = run("lab", "run", WEB, *TWO, *options, "--out", tmp_path / "lab")
    assert code == 2
    assert problem in err and "Traceback" not in err
    assert not (tmp_path / "lab").exists()


def test_two_tasks_are_two_objects_in_one(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = ("lab", "run", WEB, *TWO, "--task", "examples", "--task", "neighbors", "--topics", 2, "--pages", 30)
    _, out, _ = run(*command, "--no-report", "--json", *ONE_WORKER)
    found = json.loads(out)
    assert [found["tasks"][task]["task"] for task in ("examples", "neighbors")] == ["examples", "neighbors"]
    assert len(found["tasks"]["neighbors"]["topics"]) == 2
    assert (tmp_path / "lab-made" / "crawls").is_dir()


def test_a_run_is_a_table_words_and_a_report_and_the_second_one_crawls_nothing(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = ("lab", "run", WEB, "--strategy", "best-n-first:n=4|64", "--pages", 60, "--out", "lab", "--seeds", 2)
    code, out, err = run(*command, *ONE_WORKER)
    assert code == 0, err
    for told in ("best-n-first:n=4 ", "best-n-first:n=64", "oracle", " of the wanted pages (", "report: lab/"):
        assert told in out
    assert out.splitlines()[0] == f"{WEB}, starting from examples, means over 4 topics"
    page = (tmp_path / "lab" / "report.html").read_text()
    assert "lycosa lab run" in page
    assert {file.suffix for file in (tmp_path / "lab").rglob("*.*")} >= {".svg", ".png", ".csv", ".tex", ".track"}
    made = {file: file.stat().st_mtime_ns for file in (tmp_path / "lab" / "crawls").iterdir()}
    assert f"{run(*command, '--no-report')[1]}report: lab/report.html\n" == out
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / "lab" / "crawls").iterdir()} == made


@pytest.fixture
def odd_bed(bed, tmp_path):
    """The bed with topics that have no neighbors, one of them with commas in its id."""
    topics = changed(bed, tmp_path / "odd", neighbors=[])
    topics[1]["id"] = "wool, silk, 2"
    (tmp_path / "odd" / TOPICS).write_text("\n".join(map(json.dumps, topics)))
    return tmp_path / "odd"


@pytest.mark.parametrize(
    ("second", "line"),
    [("neighbours", "unknown task 'neighbours'"), ("neighbors", "no topic of odd can be hunted from its neighbors")],
)
def test_all_tasks_are_checked_before_anything_is_crawled(run, odd_bed, tmp_path, second, line):
    tasks = ("--task", "examples", "--task", second)
    code, _, err = run("lab", "run", odd_bed, *TWO, *tasks, "--pages", 10, "--out", tmp_path / "lab")
    assert code == 2
    assert line in err
    assert not (tmp_path / "lab").exists()


def test_an_id_may_have_commas(run, odd_bed, tmp_path):
    command = ("lab", "run", odd_bed, *TWO, "--pages", 10, "--out", tmp_path / "lab", "--no-report", "--json")
    _, out, _ = run(*command, "--topics", "wool, silk, 2", *ONE_WORKER)
    assert json.loads(out)["topics"] == ["wool, silk, 2"]


def test_a_recorded_crawl_is_not_ranked_where_it_lacks_too_much(run, bed, tmp_path):
    collection, recorded = tmp_path / "c", tmp_path / "bed"
    topic = json.loads((bed / TOPICS).read_text().splitlines()[0])["id"]
    code, _, err = run("crawl", "--bed", bed, "--topic", topic, "--pages", 60, "--out", collection, "--json")
    assert code == 0, err
    code, _, err = run("bed", "from-collection", collection, "--out", recorded, "--top", 20)
    assert code == 0, err
    command = ("lab", "run", recorded, *TWO, "--pages", 40, "--out", tmp_path / "lab", "--no-report", "--json")
    code, out, err = run(*command, *ONE_WORKER)
    assert code == 2
    assert "no ranking: " in err
    assert "--missing" in err
    found = json.loads(out)
    assert (found["tests"], found["ranked"]) == ([], False)
    assert found["missing_share"] > 0.2
    code, out, _ = run(*command, "--missing", 1)
    assert code == 0
    assert json.loads(out)["ranked"]


def test_a_bed_of_labels(run, bed, tmp_path):
    topics = [json.loads(line) for line in (bed / TOPICS).read_text().splitlines()]
    rows = [f"{url},{topic['category']}" for topic in topics for url in (*topic["targets"], *topic["examples"])]
    (tmp_path / "labels.csv").write_text("\n".join(["url,topic", *rows]))
    code, out, err = run(
        *("bed", "from-warc", bed / "pages.warc.gz", "--labels", tmp_path / "labels.csv"),
        *("--out", tmp_path / "labelled", "--complete", "--json"),
    )
    assert code == 0, err
    assert len(json.loads(out)["topics"]) == 3
    assert run("bed", "check", tmp_path / "labelled")[0] == 0


def test_a_directory_without_pages_waits_for_them(run, tmp_path, monkeypatch):
    entries = "".join(
        f'<ExternalPage about="http://maker-{n}.test/"><d:Title>Maker {n}</d:Title><d:Description>Makes chips.'
        "</d:Description><topic>Top/Games/Gambling/Equipment/Manufacturers</topic></ExternalPage>"
        for n in range(25)
    )
    (tmp_path / "content.rdf").write_text(
        '<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/" '
        f'xmlns="http://dmoz.org/rdf/">{entries}</RDF>'
    )
    monkeypatch.chdir(tmp_path)
    code, out, err = run("bed", "from-odp", "content.rdf", "--out", "my odp")
    assert code == 0, err
    assert "1 topics" in out
    advice = out.splitlines().index("The bed has topics and no pages yet. Record them, for example with")
    words = shlex.split(out.splitlines()[advice + 1])
    assert words[:2] == ["lycosa", "crawl"]
    assert (tmp_path / words[words.index("--seeds-file") + 1]).is_file()
    (topic,) = [json.loads(line) for line in (tmp_path / "my odp" / TOPICS).read_text().splitlines()]
    assert (topic["keywords"], len(topic["examples"]), len(topic["targets"])) == (
        "Gambling Equipment Manufacturers",
        10,
        15,
    )


def test_a_study_puts_the_paper_beside_what_was_measured(run, bed, tmp_path):
    _, listed, _ = run("lab", "study")
    assert "business-intelligence: " in listed
    assert "exploration: " in listed
    changed(bed, tmp_path / "lonely", neighbors=[])  # so the report has one chapter instead of two
    command: tuple[object, ...] = (
        "lab",
        "study",
        "exploration",
        "--bed",
        tmp_path / "lonely",
        "--pages",
        30,
        "--topics",
        1,
    )
    command += ("--seeds", 1, "--out", tmp_path / "study", *ONE_WORKER)
    code, out, err = run(*command)
    assert code == 0, err
    assert "Pant, Srinivasan & Menczer 2002" in out
    assert "here: " in out
    assert "What the paper says" in (tmp_path / "study" / "report.html").read_text()
    found = json.loads(run(*command, "--json")[1])
    assert {claim["verdict"] for claim in found["claims"]} <= {"agrees", "disagrees", "undecided", "unmeasured"}
    undecided = [claim for claim in found["claims"] if claim["verdict"] == "undecided"]
    assert undecided and all(claim["why"][-1].startswith("Possible reason: ") for claim in undecided)
    assert "why: Possible reason: " in out


SEED = Made(300, 3, 5).topics[0].examples[:1]
BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "no topics": ({TOPICS: None}, "it has no topics.jsonl"),
    "no pages": ({"pages.warc.gz": None}, "it has no pages.warc.gz"),
    "bad line": ({TOPICS: '{"id": "a", "keywords": "k", "targets": []}\n{"id"'}, "topics.jsonl, line 2: "),
    "no seed in it": (
        {TOPICS: '{"id": "a", "keywords": "k", "targets": ["http://x.test/"], "examples": ["http://x.test/"]}'},
        "no topic of bed can be hunted from its examples",
    ),
    "no targets": (
        {TOPICS: json.dumps({"id": "a", "keywords": "k", "targets": [], "examples": SEED})},
        "no topic of bed can be hunted from its examples: topic a is left out: it has no targets",
    ),
    "no recording": ({"pages.warc.gz": "nonsense"}, "contains no recorded page"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_bed_is_one_line_and_exit_code_2(run, bed, tmp_path, monkeypatch, name):
    files, line = BROKEN[name]
    (tmp_path / "bed").mkdir()
    for file in bed.iterdir():
        (tmp_path / "bed" / file.name).write_bytes(file.read_bytes())
    for file, text in files.items():
        (tmp_path / "bed" / file).unlink()
        if text is not None:
            (tmp_path / "bed" / file).write_text(text)
    monkeypatch.chdir(tmp_path)
    code, _, err = run("lab", "run", "bed", "--strategy", "best-first")
    assert code == 2
    assert line in err
    assert len(err.splitlines()) == 1


BAD = [
    (("lab", "run", "nowhere"), "nowhere is not a folder"),
    (("lab", "run", "made:colour=red"), "'colour=red' is not a setting of a made web"),
    (("lab", "run", WEB, "--strategy", "worst-first"), "unknown strategy 'worst-first': choose one of"),
    (("lab", "run", WEB, "--strategy", "best-n-first:m=3"), "has no option 'm': its options: n"),
    (("lab", "run", WEB, "--strategy", "best-n-first:n=many"), "takes int, not 'many'"),
    (("lab", "run", WEB, "--strategy", "random", "--strategy", "random"), "random is named twice"),
    (("lab", "run", WEB, "--task", "targets"), "unknown task 'targets': choose one of: examples, neighbors"),
    (("lab", "run", WEB, "--topics", "cooking"), "has no topic 'cooking': choose one of"),
    (("lab", "run", WEB, "--topics", "99"), "99 topics cannot be chosen: give 1 to 4: made:"),
    (("lab", "run", WEB, "--topics", "9" * 5000), "9 topics cannot be chosen: give 1 to 4: made:"),
    (("lab", "run", WEB, "--topics", ", ,"), "', ,' names no topic: give ids, or a number up to 4"),
    (("lab", "run", WEB, "--pages", "0"), "pages cannot be 0: give 1 or more (--pages)"),
    (("lab", "run", WEB, "--pages", "99999999999"), "give at most 2,147,483,647 (--pages)"),
    (("lab", "run", WEB, "--repeats", "-1"), "repeats cannot be -1: give 1 or more (--repeats)"),
    (("lab", "run", WEB, "--missing", "3"), "missing cannot be 3.0: give 0 to 1 (--missing)"),
    (("lab", "run", WEB, "--out", "/dev/null/x"), "/dev/null/x/crawls cannot be written"),
    (("lab", "study", "cold-fusion"), "unknown study 'cold-fusion': choose one of: business-intelligence"),
    (("lab", "study", "exploration", "--bed", "nowhere"), "nowhere is not a folder"),
    (("bed", "from-odp", "none.rdf", "--out", "x"), "none.rdf"),
    (("bed", "from-warc", "none.warc", "--labels", "none.csv", "--out", "x"), "none.csv"),
    (("bed", "from-collection", "none", "--out", "x"), "none"),
]


@pytest.mark.parametrize(("arguments", "line"), BAD, ids=[" ".join(arguments)[:80] for arguments, _ in BAD])
def test_bad_input_is_one_line_and_exit_code_2(run, tmp_path, monkeypatch, arguments, line):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*arguments)
    assert line in err
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1


def test_ctrl_c_ends_a_run_and_keeps_what_is_finished(tmp_path):
    command = (
        "lab",
        "run",
        WEB,
        *TWO,
        "--seeds",
        200,
        "--pages",
        200,
        "--out",
        tmp_path / "lab",
        "--no-report",
        *ONE_WORKER,
    )
    run = subprocess.Popen(
        [sys.executable, "-m", "lycosa", *map(str, command)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ,
    )
    crawls = tmp_path / "lab" / "crawls"
    until = time.monotonic() + 60
    while time.monotonic() < until and not (crawls.is_dir() and len(list(crawls.glob("*.track"))) > 12):
        time.sleep(0.05)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=100)
    assert run.returncode == 130
    assert "Traceback" not in errors
    kept = len(list(crawls.glob("*.track")))
    assert 12 < kept < 4 * 202
