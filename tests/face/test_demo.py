"""`lycosa demo` in a folder of the user's."""

import json
import os
import signal
import subprocess
import sys


def test_the_demo_hunts_by_three_strategies_and_leaves_collections(run, tmp_path):
    shown = run("demo", "--pages", "30", "--no-open", cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    for word in ("apprentice", "best-first", "breadth-first", "wireless sensor nodes", "Why was this page fetched?"):
        assert word in shown.stdout
    assert "Lycosa is at" not in shown.stdout
    status = json.loads(run("status", "demo/apprentice", "--json", cwd=tmp_path).stdout)
    assert (status["state"], status["pages"]) == ("finished", 30)


def test_the_demo_prints_its_figures_for_programs(run, tmp_path):
    done = run("demo", tmp_path / "new", "--pages", "20", "--json")
    result = json.loads(done.stdout)
    assert [(each["strategy"], each["pages"]) for each in result["hunts"]] == [
        ("apprentice", 20),
        ("best-first", 20),
        ("breadth-first", 20),
    ]
    assert 0 <= result["hunts"][0]["found"] <= result["wanted"]


def test_the_demo_touches_no_folder_that_holds_something(run, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    done = run("demo", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "is not empty" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_the_demo_ends_at_ctrl_c_with_one_line(tmp_path):
    command = [sys.executable, "-m", "lycosa", "demo", "--no-open"]
    demo = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert demo.stdout
    while "apprentice" not in demo.stdout.readline():
        pass
    os.killpg(demo.pid, signal.SIGINT)  # as a terminal does
    _, complaint = demo.communicate(timeout=60)
    assert demo.returncode == 130, complaint
    assert complaint.count("\n") == 1 and "the demo was interrupted" in complaint
