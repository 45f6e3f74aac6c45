"""A run of the tests has its own cache and state: the user's are left alone, and all tests share parsed pages."""

import gc
import io
import os
import shutil
import signal
import sys
import tempfile
from typing import NamedTuple

import pytest

from lycosa.face import cli

pytest_plugins = ["tests.fixtures"]


def pytest_configure(config):
    # A shell starts what runs in its background deaf to Ctrl-C, and so would be every program that a test starts.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(config, "workerinput"):
        return  # a worker of pytest-xdist, which has the variable from the process that started it
    folder = tempfile.mkdtemp(prefix="lycosa-tests-")
    os.environ["XDG_CACHE_HOME"] = os.environ["XDG_STATE_HOME"] = folder
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


def pytest_collection():
    gc.disable()


def pytest_collection_finish():
    # What the modules of all tests hold stays to the end: nobody has to look through it for garbage, again and again.
    gc.freeze()
    gc.enable()


class Done(NamedTuple):
    """What came of a command."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def run(monkeypatch, capsys):
    """A whole command in this process: exit code, output, complaints. `typed` is its standard input."""

    def command(*arguments, cwd=".", typed=""):
        capsys.readouterr()  # what was said before is nothing of its own
        with monkeypatch.context() as patch, pytest.raises(SystemExit) as ended:
            patch.setattr(sys, "argv", ["lycosa", *map(str, arguments)])
            patch.setattr(sys, "stdin", io.StringIO(typed))
            patch.chdir(cwd)
            cli.main()
        return Done(ended.value.code, *capsys.readouterr())

    return command
