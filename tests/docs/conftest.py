"""The commands of a page are run one after the other in this process, in a folder of their own."""

import shlex

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
