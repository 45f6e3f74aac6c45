"""`lycosa companion`: the extension can be found, and copied to where a browser may read it."""

import json

from lycosa.face.cli.companion import EXTENSION


def files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_it_shows_the_folder_and_how_to_load_it(run):
    done = run("companion")
    assert str(EXTENSION) in done.stdout
    assert "chrome://extensions" in done.stdout and "about:debugging" in done.stdout
    assert json.loads(run("companion", "--json").stdout)["folder"] == str(EXTENSION)


def test_a_copy_has_the_same_files_and_can_be_renewed(run, tmp_path):
    copy = tmp_path / "browser" / "extension"
    for _ in range(2):
        assert json.loads(run("companion", "--out", copy, "--json").stdout)["folder"] == str(copy)
        assert files(copy) == files(EXTENSION)
        (copy / "panel.js").write_text("old")


def test_a_folder_that_holds_something_else_is_left_alone(run, tmp_path):
    (tmp_path / "manifest.json").write_text("{}")
    done = run("companion", "--out", tmp_path)
    assert done.returncode == 2 and "is not empty" in done.stderr
    assert (tmp_path / "manifest.json").read_text() == "{}"
    assert run("companion", "--out", tmp_path / "manifest.json").returncode == 2
