"""A report knows what an earlier one wrote in its place, and takes away nothing else."""

import json

import pytest

from lycosa.lab.report.write import LIST, replace_files


@pytest.fixture
def put(tmp_path):
    """Put files of these names into the report's folder."""

    def put(*names):
        for name in names:
            (tmp_path / "lab" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "lab" / name).write_text(name)
        return tmp_path / "lab"

    return put


def names(folder):
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*")} - {LIST}


def test_what_is_no_longer_written_is_removed_with_the_folder_it_leaves_empty(put):
    folder = put(
        "figures/a.svg", "figures/b.png", "tables/examples/a.csv", "tables/neighbors/a.tex", "tables/claims.csv"
    )
    everything = sorted(name for name in names(folder) if "." in name)
    replace_files(folder, everything)
    replace_files(folder, ["figures/a.svg", "tables/examples/a.csv"])
    assert names(folder) == {"figures", "figures/a.svg", "tables", "tables/examples", "tables/examples/a.csv"}
    replace_files(folder, everything)
    assert json.loads((folder / LIST).read_text()) == everything


def test_what_no_report_wrote_is_left_alone(put):
    folder = put("figures/a.svg", "figures/mine.svg", "tables/examples/a.csv", "tables/examples/mine.csv", "notes.txt")
    replace_files(folder, ["figures/a.svg", "tables/examples/a.csv"])
    replace_files(folder, [])
    left = {"figures", "figures/mine.svg", "tables", "tables/examples", "tables/examples/mine.csv", "notes.txt"}
    assert names(folder) == left


@pytest.mark.parametrize(
    "name", ["../mine.svg", "figures/../../mine.svg", "figures/out.svg", "out/mine.svg", "report.html", "crawls/a.png"]
)
def test_a_list_reaches_nothing_outside_and_nothing_that_no_report_writes(put, name):
    folder = put("../mine.svg", "../elsewhere/mine.svg", "figures/a.svg", "report.html", "crawls/a.png")
    (folder / "figures" / "out.svg").symlink_to(folder.parent / "mine.svg")
    (folder / "out").symlink_to(folder.parent / "elsewhere")
    (folder / LIST).write_text(json.dumps([name, "figures", "figures/", ""]))
    before = {file: file.read_text() for file in folder.parent.rglob("*") if file.is_file() and file.name != LIST}
    replace_files(folder, [])
    assert {file: file.read_text() for file in before} == before
    assert (folder / name).exists()


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b'["\xff"]', b'["figures/a\x00.svg"]'])
def test_a_list_that_cannot_be_read_removes_nothing(put, content):
    folder = put("figures/a.svg")
    (folder / LIST).write_bytes(content)
    replace_files(folder, ["tables/claims.csv"])
    assert "figures/a.svg" in names(folder)
    assert json.loads((folder / LIST).read_text()) == ["tables/claims.csv"]
