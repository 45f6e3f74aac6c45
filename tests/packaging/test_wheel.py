"""The wheel contains all files of the package, and its commands run from it alone."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from a copy of the source without asking any index."""
    try:
        enough = int(version("setuptools").split(".")[0]) >= 77
    except PackageNotFoundError:
        enough = False
    if not enough:
        pytest.skip("setuptools 77 or newer is not here: make setup installs it")
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    # Not in place: an earlier build/ would add its files to the wheel.
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-index", "--no-build-isolation"]
    done = subprocess.run([*command, "--wheel-dir", folder, source], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (file,) = folder.glob("lycosa-*.whl")
    return ZipFile(file)


@pytest.fixture(scope="module")
def unpacked(wheel, tmp_path_factory):
    """The folder of the unpacked wheel."""
    folder = tmp_path_factory.mktemp("unpacked")
    wheel.extractall(folder)
    return folder


@pytest.fixture
def lycosa(unpacked, tmp_path):
    """Runs a command of the unpacked wheel in an empty folder; returns what it printed."""

    def run(*arguments):
        environment = {**os.environ, "PYTHONPATH": str(unpacked), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "lycosa", *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_every_file_of_the_package_is_in_the_wheel_and_nothing_else(wheel):
    files = [path for path in (ROOT / "src" / "lycosa").rglob("*") if path.is_file()]
    expected = {path.relative_to(ROOT / "src").as_posix() for path in files if "__pycache__" not in path.parts}
    assert {
        "lycosa/py.typed",
        "lycosa/lab/report/page.html",
        "lycosa/face/server/templates/hunt.html",
        "lycosa/face/server/static/lib/dom.js",
        "lycosa/face/extension/manifest.json",
        "lycosa/face/extension/icons/128.png",
    } <= expected
    assert {name for name in wheel.namelist() if ".dist-info/" not in name} == expected
    assert any(name.endswith("/licenses/LICENSE") for name in wheel.namelist())


def test_the_wheel_knows_its_version_and_its_demo(lycosa):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert lycosa("--version") == f"lycosa {project['version']}\n"
    assert "--no-open" in lycosa("demo", "--help")


def test_the_extension_of_the_wheel_can_be_loaded(lycosa, unpacked):
    found = json.loads(lycosa("companion", "--json"))
    assert Path(found["folder"]) == unpacked / "lycosa" / "face" / "extension"
    assert (Path(found["folder"]) / "manifest.json").is_file()
    assert lycosa("--version") == f"lycosa {found['version']}\n"
