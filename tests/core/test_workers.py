"""Work is shared among processes without changing what comes out."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from lycosa.core.urls import host_of
from lycosa.core.words import stem
from lycosa.system.errors import Refused
from lycosa.system.process_pool import in_order
from lycosa.web.source_names import open_made


def test_answers_come_in_the_order_of_the_arguments():
    words = [f"{letter}hunting" for letter in "abcdefghijklmnopqrstuvwxyz"]
    assert list(in_order(stem, words, processes=2)) == [stem(word) for word in words]


def test_every_process_hashes_alike():
    urls = [f"http://host-{number}.test/" for number in range(6)]
    sets = {str(hashed) for hashed in in_order(hash, urls, processes=3)}
    again = {str(hashed) for hashed in in_order(hash, urls, processes=1)}
    assert sets == again


def test_a_mistake_in_a_process_is_told_here():
    with pytest.raises(TypeError):
        list(in_order(host_of, ["http://a.test/", None], processes=2))


def test_whoever_stops_asking_stops_the_processes():
    answers = in_order(time.sleep, [0.0, 60.0, 60.0], processes=2)
    next(answers)
    children = [child for child in psutil.Process().children() if "spawn_main" in " ".join(child.cmdline())]
    assert children
    answers.close()  # type: ignore[attr-defined]
    _, alive = psutil.wait_procs(children, timeout=10)
    assert not alive


def test_a_process_that_cannot_begin_says_why():
    with pytest.raises(Refused, match="is not a setting of a made web"):
        list(in_order(stem, ["a", "b"], processes=2, opened=open_made, given=("made:colour=red",)))


def test_ctrl_c_in_a_terminal_is_not_answered_by_starting_processes(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import time\nfrom lycosa.system.process_pool import in_order\nprint('ready', flush=True)\n"
        "try:\n    list(in_order(time.sleep, [60] * 4, processes=4))\nexcept KeyboardInterrupt:\n    print('stopped')\n"
    )
    for pause in (0.02, 0.1, 0.2, 0.4):
        run = subprocess.Popen(
            [sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        assert run.stdout.readline() == "ready\n"
        time.sleep(pause)
        os.killpg(run.pid, signal.SIGINT)
        told, errors = run.communicate(timeout=30)
        assert (told, errors) == ("stopped\n", "")


def test_a_killed_process_is_a_plain_error():
    with pytest.raises(Refused, match="a worker process was killed"):
        list(in_order(signal.raise_signal, [signal.SIGKILL], processes=1))


def test_processes_end_with_a_killed_caller(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import time\nfrom lycosa.system.process_pool import in_order\n"
        "for _ in in_order(time.sleep, [0, 0, 60, 60], processes=2): print('ready', flush=True)\n"
    )
    caller = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE)
    assert caller.stdout.readline() == b"ready\n"
    children = psutil.Process(caller.pid).children()
    caller.kill()
    caller.wait()
    caller.stdout.close()
    _, alive = psutil.wait_procs(children, timeout=10)
    assert children
    assert not alive


def test_a_script_needs_no_main_guard(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from lycosa.system.process_pool import in_order\nfrom lycosa.core.words import stem\n"
        "print('once')\nprint(list(in_order(stem, ['hunting'], processes=2)))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60, env=os.environ)
    assert done.stdout.split() == ["once", "['hunt']"], done.stderr
