"""The digest of a strategy changes with its code, wherever that is written, and with nothing else."""

from __future__ import annotations

import sysconfig

import pytest

from lycosa.lab.comparison import Configuration
from lycosa.lab.traits import _ask, _open, traits_of
from lycosa.system.process_pool import pool

STRATEGY = "from lycosa import Strategy\n{}\nclass Mine(Strategy):\n    def learn(self, visit):\n        {}\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.fixture
def code():
    """The digest of a strategy in a module of this test: asked of copies of one process, as traits_of() does."""
    with pool(1, _open) as workers:

        def ask(strategy):
            (entrant,) = workers.submit(_ask, [Configuration(strategy, strategy)]).result()  # type: ignore[misc]
            return entrant.code

        yield ask


def changed(file):
    file.write_text(file.read_text() + "\n# changed\n")


def write(folder, files):
    for name, text in files.items():
        path = folder / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.mark.parametrize(
    "how",
    [
        ("from scores import score", "return ()"),
        ("", "import scores"),
        ("import importlib; scores = importlib.import_module('sco' + 'res')", "return ()"),
    ],
    ids=["at the top", "in a function", "by a name made up"],
)
def test_the_code_changes_with_what_a_strategy_imports(folder, code, how):
    texts = {"mine": STRATEGY.format(*how), "scores": "from deeper import score", "deeper": "score = 1", "other": ""}
    write(folder, texts)
    seen = [code("mine:Mine")]
    for name in ("mine", "scores", "deeper"):
        changed(folder / f"{name}.py")
        seen.append(code("mine:Mine"))
    assert len(set(seen)) == 4
    changed(folder / "other.py")
    assert code("mine:Mine") == seen[-1]


def test_a_package_is_followed_into_its_corners(folder, code):
    files = {
        "__init__": "",
        "mine": STRATEGY.format("from . import near\nfrom .sub.far import score", "return ()"),
        "near": "",
        "wide": "",
        "alone": "",
        "sub/__init__": "",
        "sub/far": "from .. import wide\nscore = 1",
    }
    write(folder / "pack", files)
    names = files.keys() - {"alone"}
    seen = [code("pack.mine:Mine")]
    for name in names:
        changed(folder / "pack" / f"{name}.py")
        seen.append(code("pack.mine:Mine"))
    assert len(set(seen)) == len(names) + 1
    changed(folder / "pack" / "alone.py")
    assert code("pack.mine:Mine") == seen[-1]


def test_the_code_changes_with_the_class_that_a_strategy_builds_on(folder, code):
    base, mine = "from lycosa import Strategy\nclass Base(Strategy): pass\n", "from base import Base as Mine\n"
    write(folder, {"base": base, "mine": mine + "class Own(Mine): pass\n"})
    before = [code("mine:Mine"), code("mine:Own")]
    changed(folder / "base.py")
    assert not {code("mine:Mine"), code("mine:Own")} & {*before}


def test_what_cannot_be_found_or_read_is_left_to_whoever_needs_it(folder, code):
    write(folder, {"mine": STRATEGY.format("", "import nowhere.at.all, broken"), "broken": "def ("})
    assert code("mine:Mine")


def test_strategies_of_the_house_differ_by_their_files():
    names = ("best-first", "best-n-first", "breadth-first", "random")
    codes = [entrant.code for entrant in traits_of([Configuration(name, name) for name in names])]
    assert len(set(codes)) == 4
    assert traits_of([Configuration("best-first", "best-first")])[0].code == codes[0]


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A place for installed packages, and a strategy in one that uses another."""
    monkeypatch.setenv("PYTHONUSERBASE", str(tmp_path))
    place = tmp_path / "lib" / f"python{sysconfig.get_python_version()}" / "site-packages"
    place.mkdir(parents=True)
    monkeypatch.syspath_prepend(place)
    mine = STRATEGY.format("import tools, hunters.ideas", "return ()")
    write(place, {"hunters/__init__": "", "hunters/mine": mine, "hunters/ideas": "", "tools": ""})
    for name in ("hunters", "tools"):
        distribution = place / f"{name}-1.0.dist-info"
        distribution.mkdir()
        (distribution / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (distribution / "top_level.txt").write_text(name)
    return place


def test_installed_packages_count_by_their_version_and_the_strategy_s_own_by_its_text(installed, code):
    seen = [code("hunters.mine:Mine")]
    for name in ("hunters/mine", "hunters/ideas"):
        changed(installed / f"{name}.py")
        seen.append(code("hunters.mine:Mine"))
    for name in ("hunters", "tools"):
        metadata = installed / f"{name}-1.0.dist-info" / "METADATA"
        metadata.write_text(metadata.read_text().replace("1.0", "1.1"))
        seen.append(code("hunters.mine:Mine"))
    assert len(set(seen)) == 5
    changed(installed / "tools.py")
    assert code("hunters.mine:Mine") == seen[-1]
