"""The commands of a page are run one after the other in this process, in a folder of their own."""

import shlex
import socket
import subprocess
import sys
import time

import pytest


@pytest.fixture
def shell(run, tmp_path, monkeypatch):
    """Run each line of an example; what each of them printed."""

    def lines(example):
        monkeypatch.chdir(tmp_path)
        printed = []
        for line in example.splitlines():
            program, *arguments = shlex.split(line)
            assert program == "lycosa", line
            code, said, complaints = run(*arguments)
            assert code == 0, (line, complaints)
            printed.append(said)
        return printed

    return lines


class Aside:
    """Runs a command of an example beside the others, on a free port."""

    def __init__(self, folder):
        self._folder = folder
        self._running = []
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = str(free.getsockname()[1])

    def __call__(self, line):
        program, *arguments = shlex.split(line)
        assert program == "lycosa", line
        self._running.append(subprocess.Popen([sys.executable, "-m", "lycosa", *arguments], cwd=self._folder))
        for _ in range(600):
            try:
                return socket.create_connection(("127.0.0.1", int(self.port))).close()
            except OSError:
                time.sleep(0.1)
        raise AssertionError(f"nobody listens: {line}")

    def close(self):
        for process in self._running:
            process.terminate()
            process.wait(30)


@pytest.fixture
def aside(tmp_path):
    running = Aside(tmp_path)
    yield running
    running.close()
