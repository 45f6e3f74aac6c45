"""The command line as its users meet it: whole commands, in processes of their own where that matters."""

import errno
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from lycosa.app.hunts import hunt
from lycosa.app.requests.hunt_plan import read_seeds
from lycosa.face import cli
from lycosa.face.cli.live_view import View
from lycosa.web.made import Made
from lycosa.web.serving import spawn

WEB = "made:pages=600,topics=3,seed=5"
TOPIC = Made(pages=600, topics=3, seed=5).topics[0]


def quietly(*arguments):
    """A command in this process that has to succeed, for what the tests of a module share."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()), pytest.raises(SystemExit) as ended:
        patch.setattr(sys, "argv", ["lycosa", *map(str, arguments)])
        cli.main()
    assert ended.value.code == 0


@pytest.fixture(scope="module")
def bed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("beds") / "bed"
    quietly("bed", "make", folder, "--pages", 300, "--topics", 3, "--seed", 5)
    return folder


@pytest.fixture(scope="module")
def collection(bed, tmp_path_factory):
    folder = tmp_path_factory.mktemp("collections") / "c"
    topic = json.loads((bed / "topics.jsonl").read_text().splitlines()[0])["id"]
    quietly("crawl", "--bed", bed, "--topic", topic, "--pages", 40, "--out", folder, "--json")
    return folder


@pytest.fixture(scope="module")
def served():
    """The made web over HTTP, for tests that want nothing special of it."""
    with spawn(WEB) as served:
        yield served


@pytest.fixture(scope="module")
def slow():
    """The same web, where everything takes a second."""
    with spawn(WEB, latency=(1.0, 1.0)) as served:
        yield served


def test_a_bed_is_made_checked_and_crawled_in_virtual_time(run, bed, collection):
    checked = json.loads(run("bed", "check", bed, "--json").stdout)
    assert checked["pages"] >= 300
    assert len(checked["topics"]) == 3
    assert "reach" in run("bed", "check", bed).stdout
    report = json.loads(run("status", collection, "--json").stdout)
    assert (report["pages"], report["state"], report["reason"]) == (40, "finished", "budget spent: pages")


def test_status_and_why_are_for_people_too(run, collection):
    best = json.loads(run("status", collection, "--json").stdout)["best"]
    shown = run("status", collection).stdout
    assert "finished: budget spent: pages" in shown
    assert best[0]["url"] in shown
    told = run("why", collection, best[0]["url"]).stdout
    assert "a seed" in told
    assert "rank" in told
    path = json.loads(run("why", collection, best[0]["url"], "--json").stdout)["path"]
    assert path[-1]["url"] == best[0]["url"]


def test_resume_goes_on_with_a_larger_budget(run, bed, tmp_path):
    topic = json.loads((bed / "topics.jsonl").read_text().splitlines()[0])["id"]
    folder = tmp_path / "c"
    run("crawl", "--bed", bed, "--topic", topic, "--pages", 20, "--out", folder)
    done = run("resume", folder, "--pages", 30)
    assert done.returncode == 0
    assert "30 pages in" in done.stdout
    whole = tmp_path / "whole"
    run("crawl", "--bed", bed, "--topic", topic, "--pages", 30, "--out", whole)
    assert urls(folder) == urls(whole)


def urls(folder):
    with sqlite3.connect(f"file:{folder}/log.sqlite?mode=ro", uri=True) as log:
        found = [url for (url,) in log.execute("SELECT url FROM pages ORDER BY seq")]
    log.close()
    return found


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet", ".warc.gz", ".wacz", ""])
def test_export_by_suffix(run, collection, tmp_path, suffix):
    target = tmp_path / f"pages{suffix}"
    done = run("export", collection, target, "--min-relevance", 0.5)
    assert done.returncode == 0, done.stderr
    assert target.exists()
    count = int(done.stdout.split()[0])
    assert 0 < count < 40


def test_strategies_lists_every_strategy_with_its_options(run):
    listed = run("strategies").stdout
    assert all(name in listed for name in ("breadth-first", "best-first", "best-n-first", "random"))
    assert "n=256" in listed
    assert "figure 1" in run("strategies", "best-n-first").stdout
    assert json.loads(run("strategies", "--json").stdout)["best-n-first"]["options"][0]["name"] == "n"


def test_a_crawl_over_http_says_plainly_how_it_goes(run, served, tmp_path):
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("# known pages\n" + "\n".join(TOPIC.examples) + "\n")
    how = ["--seeds-file", seeds, "--pages", 30, "--delay", 0, "--proxy", served.proxy]
    done = run("crawl", TOPIC.keywords, *how, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "30/30 pages" in done.stdout
    folder = "-".join(TOPIC.keywords.lower().split())
    assert f"30 pages in {folder}" in done.stdout


BAD = [
    (["crawl", "spiders"], "no seeds: give at least one URL to start from, or name a source that finds some, such as "),
    (["crawl", "--seed", "http://a.test/"], "no keywords: say in a few words"),
    (["crawl", "the of and", "--seed", "http://a.test/"], "keywords"),
    (["crawl", "spiders", "--seed", "http://"], "http://"),
    (["crawl", "spiders", "--seed", "ftp://a.test/"], "ftp://a.test/"),
    (["crawl", "spiders", "--seeds-file", "missing.txt"], "seeds file missing.txt cannot be read"),
    (
        ["crawl", "spiders", "--seed", "http://a.test/", "--strategy", "worst"],
        "unknown strategy 'worst': choose",
    ),
    (["crawl", "spiders", "--seed", "http://a.test/", "--set", "x=1"], "has no option 'x'"),
    (
        ["crawl", "spiders", "--seed", "http://a.test/", "--set", "x"],
        "'x' is not NAME=VALUE: write NAME=VALUE (--set)",
    ),
    (["crawl", "spiders", "--seed", "http://a.test/", "--pages", "-5"], "pages cannot be -5: give 0 or more (--pages)"),
    (
        ["crawl", "spiders", "--seed", "http://a.test/", "--workers", "0"],
        "workers cannot be 0: give 1 or more (--workers)",
    ),
    (
        ["crawl", "spiders", "--seed", "http://a.test/", "--delay", "-1"],
        "delay cannot be -1.0: give 0 or more (--delay)",
    ),
    (
        ["crawl", "spiders", "--seed", "http://a.test/", "--proxy", "nonsense"],
        "'nonsense' is not the address of a proxy",
    ),
    (["crawl", "spiders", "--seed", "http://a.test/", "--allow", "10.0.0.0/99"], "10.0.0.0/99"),
    (["crawl", "spiders", "--seed", "http://a.test/", "--within", "a.test/x"], "'a.test/x' is not a host"),
    (["crawl", "spiders", "--seed", "http://a.test/", "--within", ".b.test"], "a.test/ is outside of .b.test"),
    (["crawl", "spiders", "--seed", "http://a.test/", "--without", "a.test"], "a.test/ is at an excluded host"),
    (["crawl", "spiders", "--seed", "http://a.test/", "--out", "/dev/null/x"], "/dev/null/x"),
    (["crawl", "spiders", "--seed", "http://a.test/", "--speed", "9"], "No such option"),
    (["crawl", "spiders", "--seed", "http://a.test/", "--pages", "many"], "--pages"),
    (["crawl", "--bed", "nowhere", "--topic", "x"], "nowhere is not a folder"),
    (["crawl", "--topic", "x", "--seed", "http://a.test/"], "name the test bed too (--topic)"),
    (["crawl", "spiders", "--replay", "nowhere", "--seed", "http://a.test/"], "nowhere"),
    (["resume", "."], "is not a collection: name the folder of a collection"),
    (["status", "nowhere"], "nowhere is not a collection"),
    (["why", ".", "http://a.test/"], "is not a collection"),
    (["export", ".", "x.jsonl"], "is not a collection"),
    (["strategies", "worst"], "unknown strategy 'worst'"),
    (["bed", "check", "."], "is not a test bed"),
    (["bed", "serve", "nowhere"], "nowhere"),
    (["fly"], "No such command"),
]


@pytest.mark.parametrize(("arguments", "line"), BAD, ids=[" ".join(arguments) for arguments, _ in BAD])
def test_bad_input_is_one_line_and_exit_code_2(run, tmp_path, arguments, line):
    if arguments[0] == "crawl" and "--proxy" not in arguments:
        # Should it be taken for good input, nothing may leave loopback.
        arguments = [*arguments, "--proxy", "http://127.0.0.1:9"]
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 2, done.stdout + done.stderr
    assert line in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("lycosa: ")
    assert list(tmp_path.iterdir()) == []


def test_an_error_is_one_printable_line(run, tmp_path):
    done = run("bed", "check", "no\nbed\x1b[31m", cwd=tmp_path)
    assert done.stderr.startswith("lycosa: no bed [31m is not a folder: ")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


def test_bytes_that_are_no_text_are_one_line(tmp_path):
    command = [sys.executable, "-m", "lycosa", "crawl", "\udcff pump", "--seed", "http://a.test/"]
    command += ["--proxy", "http://127.0.0.1:9"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert done.returncode == 2 and "is no text: write it in UTF-8" in done.stderr
    assert done.stderr.count("\n") == 1


def test_what_goes_wrong_with_a_file_names_it(monkeypatch, capsys):
    monkeypatch.setattr(cli, "get_command", lambda _: lambda **_: Path("/dev/null/x").read_text())
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    assert capsys.readouterr().err == "lycosa: /dev/null/x cannot be read or written: Not a directory\n"


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (
            errno.EMFILE,
            "this machine is short of file descriptors: raise `ulimit -n`, or use fewer workers; ",
        ),
        (errno.ECONNREFUSED, "the system refused something (ECONNREFUSED: Connection refused): try again"),
    ],
)
def test_what_the_system_refuses_is_not_taken_for_the_output(monkeypatch, capsys, number, said):
    def refuse(**_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(cli, "get_command", lambda _: refuse)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    complaint = capsys.readouterr().err
    assert complaint.startswith(f"lycosa: {said}") and complaint.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device to write to")
def test_an_output_that_takes_nothing_is_said_in_one_line():
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "lycosa", "strategies"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (
        2,
        "lycosa: the output cannot be written (No space left on device): send it elsewhere\n",
    )


def test_what_needs_a_collection_says_what_else_is_wrong_with_it(run, bed, collection, tmp_path):
    cases = [
        (["crawl", "spiders", "--seed", "http://a.test/", "--out", collection], "already holds a collection"),
        (["crawl", "spiders", "--seed", "http://a.test/", "--out", bed], "is not empty"),
        (["crawl", "--bed", bed], "name one, such as "),
        (["crawl", "--bed", bed, "--topic", "x"], "has no topic 'x'"),
        (["crawl", "--bed", bed, "--topic", TOPIC.id, "--task", "x"], "unknown value 'x' for task"),
        (["export", collection, tmp_path / "pages.doc"], ".jsonl"),
        (["why", collection, "http://nowhere.test/"], "is not in this collection"),
    ]
    for arguments, line in cases:
        done = run(*arguments, cwd=tmp_path)
        assert done.returncode == 2, arguments
        assert line in done.stderr
        assert done.stderr.count("\n") == 1


def test_a_newer_log_is_left_alone(run, collection, tmp_path):
    copy = tmp_path / "copy"
    subprocess.run(["cp", "-r", collection, copy], check=True)
    log = sqlite3.connect(copy / "log.sqlite")
    log.execute("UPDATE meta SET value = 99 WHERE key = 'version'")
    log.commit()
    log.close()
    before = (copy / "log.sqlite").read_bytes()
    done = run("resume", copy)
    assert done.returncode == 2
    assert "newer" in done.stderr
    assert (copy / "log.sqlite").read_bytes() == before


def interrupted(folder, proxy, signals, *options, pause=0.3, **more):
    process = subprocess.Popen(
        [sys.executable, "-m", "lycosa", "crawl", TOPIC.keywords, *(f"--seed={url}" for url in TOPIC.examples)]
        + ["--pages=500", "--delay=0", f"--proxy={proxy}", f"--out={folder}", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        **more,
    )
    deadline = time.monotonic() + 100
    while time.monotonic() < deadline and not (Path(folder) / "log.sqlite").exists():
        time.sleep(0.05)
    while time.monotonic() < deadline and len(urls(folder)) < 5:
        time.sleep(0.05)
    for _ in range(signals):
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(pause)
    output, _ = process.communicate(timeout=100)
    return process.returncode, output


def test_ctrl_c_stops_cleanly_and_resume_goes_on(run, tmp_path):
    with spawn(WEB, latency=(0.05, 0.1)) as served:
        code, output = interrupted(tmp_path / "c", served.proxy, 1, "--no-index")
        assert code == 130
        assert f"go on with: lycosa resume {tmp_path / 'c'}" in output
        assert "Traceback" not in output
        report = json.loads(run("status", tmp_path / "c", "--json").stdout)
        assert report["state"] == "stopped"
        done = run("resume", tmp_path / "c", "--pages", report["pages"] + 10)
    assert done.returncode == 0
    assert f"{report['pages'] + 10} pages in" in done.stdout


def test_a_second_ctrl_c_stops_at_once(run, tmp_path):
    # Two hosts that never answer would hold up a clean stop for longer than this test may take.
    with spawn(WEB, faults=("*/*[0-9]*=silent:seconds=60",)) as served:
        code, output = interrupted(tmp_path / "c", served.proxy, 2, "--timeout=1000", "--no-index")
    assert code == 130
    assert "Traceback" not in output
    assert json.loads(run("status", tmp_path / "c", "--json").stdout)["state"] == "stopped"


@pytest.mark.parametrize("signals", [1, 2])
def test_ctrl_c_while_pages_are_read_before_the_crawl(run, served, slow, tmp_path, signals):
    left = tmp_path / "c" / "reading-killed"
    how = [
        "--judge=centroid",
        "--delay=0",
        "--pages=5",
        "--no-index",
        f"--out={tmp_path / 'c'}",
        *(f"--seed={u}" for u in TOPIC.examples),
    ]
    command = [sys.executable, "-m", "lycosa", "crawl", TOPIC.keywords, *how, f"--proxy={slow.proxy}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(400):
        if any((tmp_path / "c").glob("reading-*")):
            break
        time.sleep(0.05)
    time.sleep(0.5)
    assert "holds no crawl yet: wait" in run("status", tmp_path / "c").stderr
    for _ in range(signals):
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
    _, said = process.communicate(timeout=100)
    assert process.returncode == 130
    line = "lycosa: stopped before the crawl began: begin it again, in the same folder if you like\n"
    assert said in (line, "")[:signals]  # the second may come when the first has been obeyed, just before the line
    left.mkdir()
    assert run("crawl", TOPIC.keywords, *how, f"--proxy={served.proxy}").returncode == 0
    assert not left.exists()


def test_reading_before_the_crawl_is_shown(tmp_path):
    with hunt(TOPIC.keywords, TOPIC.examples, out=tmp_path / "c", replay=WEB, pages=3, judge="centroid") as running:
        view, shown, on = View(running), [], running._on

        def look():
            going = on()
            shown.append(view.line())
            return going

        running._on = look
        assert len(list(running)) == 3
        total = len(TOPIC.examples)
        assert shown[0] == f"1 of {total} pages read that must be known before the crawl begins"
        assert view.line().startswith("3/3 pages")


def test_a_reader_who_has_enough_is_no_error(collection):
    for arguments in (["status", collection], ["strategies", "--json"]):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(
            [sys.executable, "-m", "lycosa", *map(str, arguments)], stdout=writer, stderr=subprocess.PIPE, timeout=60
        )
        os.close(writer)
        assert (done.returncode, done.stderr) == (0, b"")


def test_private_seeds_are_refused_before_anything_is_made(run, tmp_path):
    done = run("crawl", "spiders", "--seed", "http://localhost:8000/", cwd=tmp_path)
    assert done.returncode == 2
    assert "http://localhost:8000/ is not on the public Internet: allow localhost explicitly" in done.stderr
    assert done.stderr.endswith(" (--allow)\n")
    assert list(tmp_path.iterdir()) == []


def test_a_seeds_file_may_have_a_mark_comments_and_notes(tmp_path):
    seeds = tmp_path / "seeds.txt"
    seeds.write_bytes(b"\xef\xbb\xbfhttp://a.test/x#part  # a note\r\n\r\n# all\r\nhttp://b.test/\r\n")
    assert read_seeds(seeds) == ["http://a.test/x#part", "http://b.test/"]


def test_what_a_server_says_cannot_steer_the_terminal(tmp_path):
    folder = tmp_path / "c"
    with hunt(TOPIC.keywords, TOPIC.examples, out=folder, pages=1, replay=WEB) as running:
        list(running)
        running.crawl.tally.misses["\x1b]0;PWNED\x07"] += 1
        assert not any("\x1b" in line for line in View(running).summary())
