"""lycosa.toml and `lycosa config`: what comes before what, what is refused and where, and what is never shown."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from lycosa.engine.crawl_recovery import plan_of
from lycosa.face.cli import _with_only, config_file, tables, whole_command
from lycosa.store.collection import Collection
from lycosa.web.made import Made
from lycosa.web.proxies import VARIABLE as PROXY

WEB = "made:pages=300,topics=3,seed=5"
TOPIC = Made(pages=300, topics=3, seed=5).topics[0]


@pytest.fixture
def write(tmp_path, monkeypatch):
    """write(folder=..., user=...) writes the file of the folder, where the test is now, and that of the user."""
    home, here = tmp_path / "config", tmp_path / "here"
    (home / "lycosa").mkdir(parents=True)
    here.mkdir()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    monkeypatch.delenv(PROXY, raising=False)
    monkeypatch.chdir(here)

    def files(folder=None, user=None):
        for place, text in ((here, folder), (home / "lycosa", user)):
            if text is not None:
                (place / "lycosa.toml").write_text(text)

    return files


def given(*words):
    """The parameters with which a command would run."""
    group: Any = get_command(_with_only([words[0]]))
    config_file.apply(group, list(words), tables())
    command, rest = group, list(words)
    while rest and rest[0] in getattr(command, "commands", {}):
        command = command.commands[rest.pop(0)]
    return command.make_context("lycosa", rest).params


@pytest.fixture
def shown(run):
    """shown("crawl") has the options of `lycosa config crawl`, by name, as (value, place)."""

    def options(*words):
        code, out, err = run("config", *words, "--json")
        assert (code, err) == (0, "")
        return {(row["command"], row["option"]): (row["value"], row["from"]) for row in json.loads(out)["options"]}

    return options


# What comes before what


def test_the_folder_comes_before_the_user_and_both_before_the_default(write, shown, tmp_path):
    write("[crawl]\npages = 20\n", "[crawl]\npages = 10\ndelay = 3\n")
    params = given("crawl", "spiders")
    assert (params["pages"], params["delay"], params["reach"]) == (20, 3.0, 16)
    options = shown("crawl")
    assert options["crawl", "pages"] == (20, "lycosa.toml:2")
    assert options["crawl", "delay"] == (3, f"{tmp_path}/config/lycosa/lycosa.toml:3")
    assert options["crawl", "reach"] == (16, "default")


def test_the_command_line_comes_before_the_files(write):
    write("[crawl]\npages = 20\nrobots = false\nwithin = ['a.test', 'b.test']\n")
    params = given("crawl", "spiders")
    assert (params["pages"], params["robots"], list(params["within"])) == (20, False, ["a.test", "b.test"])
    params = given("crawl", "spiders", "--pages", "5", "--robots", "--within", "c.test")
    assert (params["pages"], params["robots"], list(params["within"])) == (5, True, ["c.test"])


def test_the_environment_comes_before_the_files_and_after_the_command_line(write, shown, monkeypatch):
    write(user='[crawl]\nproxy = "http://file.test:1"\n')
    assert given("crawl", "spiders")["proxy"] == "http://file.test:1"
    assert shown("crawl")["crawl", "proxy"][0] == "****"
    monkeypatch.setenv(PROXY, "http://environment.test:1")
    assert given("crawl", "spiders")["proxy"] == "http://environment.test:1"
    assert given("crawl", "spiders", "--proxy", "http://typed.test:1")["proxy"] == "http://typed.test:1"
    assert shown("crawl")["crawl", "proxy"] == ("****", f"environment ({PROXY})")


def test_a_file_of_the_user_alone_is_enough_and_none_is_needed(write, shown):
    assert given("crawl", "spiders")["pages"] == 500 and shown() == {}
    write(user="[crawl]\npages = 10\n")
    assert given("crawl", "spiders")["pages"] == 10


def test_a_command_of_a_family_has_a_table_of_its_own(write, shown):
    write("[community.refresh]\nmax-pages = 7\n")
    assert given("community", "refresh", "club")["max_pages"] == 7
    assert shown() == {("community refresh", "max_pages"): (7, "lycosa.toml:2")}
    assert given("community", "init", "club").get("max_pages") != 7


def test_a_hunt_is_made_with_the_values_of_the_file(write, run):
    write(f'[crawl]\nreplay = "{WEB}"\npages = 3\nindex = false\nseeds = ["{TOPIC.examples[0]}"]\nstrategy = "dom"\n'
          "[crawl.settings]\nalpha = 0.5\n")  # fmt: skip
    done = run("crawl", TOPIC.keywords, "--out", "c")
    assert (done.returncode, done.stderr) == (0, "")
    with Collection.open(Path("c")) as collection:
        plan = plan_of(collection)
    assert (plan.budget.pages, plan.strategy, plan.index) == (3, "dom", False)
    assert {name: float(value) for name, value in plan.settings.items()} == {"alpha": 0.5}


@pytest.mark.parametrize(
    "text",
    [
        "[crawl.settings]\nalpha = 0.5\nnames = 'x'\non = true\n",
        "[crawl]\nsettings = { alpha = 0.5, names = 'x', on = true }\n",
        "[crawl]\nsettings.alpha = 0.5\nsettings.names = 'x'\nsettings.on = true\n",
        "[crawl]\nsettings = ['alpha=0.5', 'names=x', 'on=true']\n",
    ],
)
def test_a_table_sets_the_options_of_a_strategy(write, text):
    write(text)
    assert [each.lower() for each in given("crawl", "spiders")["settings"]] == ["alpha=0.5", "names=x", "on=true"]


def test_one_text_is_a_list_of_one(write):
    write("[crawl]\nwithin = 'a.test'\n")
    assert list(given("crawl", "spiders")["within"]) == ["a.test"]


# What is refused


CRAWL = ("crawl", "spiders", "--seed", TOPIC.examples[0], "--replay", WEB, "--out", "c")


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("[crawl]\n\npages = 'many'\n", 3, "pages has the wrong type: give a whole number"),
        ("[crawl]\npages = 2.5\n", 2, "pages has the wrong type: give a whole number"),
        ("[crawl]\npages = true\n", 2, "pages has the wrong type: give a whole number"),
        ("[crawl]\ndelay = 'long'\n", 2, "delay has the wrong type: give a number"),
        ("[crawl]\nrobots = 'no'\n", 2, "robots has the wrong type: give true or false"),
        ("[crawl]\nrobots = 0\n", 2, "robots has the wrong type: give true or false"),
        ("[crawl]\nstrategy = 1\n", 2, "strategy has the wrong type: give a text in quotes"),
        ("[crawl]\nwithin = [1, 2]\n", 2, "within has the wrong type: give a list of texts"),
        ("[crawl]\ncontact = ['me:s3cret@a.test']\n", 2, "contact has the wrong type: give a text in quotes"),
        ("[crawl]\nseeds = 2026-01-01\n", 2, "seeds has the wrong type: give a list of texts"),
        ("[crawl]\n# pags\npags = 3\n", 3, "unknown key 'pags': did you mean 'pages'?"),
        ("[crawl]\nkeywords = 'x'\n", 2, "unknown key 'keywords': "),
        ("[crawl]\njson = true\n", 2, "unknown key 'json': "),
        ("[crawl]\nname = 'x'\n", 2, "unknown key 'name': "),
        ("[crawl]\ndice = 3\n", 2, "unknown key 'dice': "),
        ("crawl = 3\n", 1, "'crawl' must be a table: write [crawl] above its keys"),
        # The line is that of the right table, whatever else has such a key.
        ("[resume]\npages = 3\n\n[crawl]\npages = 'x'\n", 5, "pages has the wrong type"),
        ("[crawl]\nreplay = 'made:pages=5'\npages = 'x'\n", 3, "pages has the wrong type"),
        ("[resume]\npages = 3\n[crawl]\ndelay = 1\n'pages' = 'x'\n", 5, "pages has the wrong type"),
        ("resume.pages = 3\ncrawl.pages = 'x'\n", 2, "pages has the wrong type"),
        ("resume = { pages = 3 }\ncrawl = { delay = 1, pages = 'x' }\n", 2, "pages has the wrong type"),
    ],
)
def test_what_a_file_cannot_say_is_one_line_with_its_place(write, run, text, line, problem):
    write(text)
    code, out, err = run(*CRAWL)
    assert (code, out) == (2, "")
    assert err.startswith(f"lycosa: lycosa.toml, line {line}: {problem}") and err.count("\n") == 1
    assert "s3cret" not in err and not Path("c").exists()
    assert run("config", "crawl").returncode == 2


@pytest.mark.parametrize(
    ("text", "line"), [("[crawl\n", 1), ("[crawl]\npages = \n", 2), ("[crawl]\npages = 1\npages = 2\n", 3)]
)
def test_what_is_no_toml_is_one_line_with_its_place(write, run, text, line):
    write(text)
    for words in (CRAWL, ("config",)):
        code, out, err = run(*words)
        assert (code, out) == (2, "")
        assert err.startswith("lycosa: lycosa.toml is not valid TOML (") and err.count("\n") == 1
        assert f"line {line}" in err


def test_the_place_is_named_for_the_file_of_the_user_too(write, run, tmp_path):
    write(user="[crawl]\npages = 'x'\n")
    assert run(*CRAWL).stderr.startswith(f"lycosa: {tmp_path}/config/lycosa/lycosa.toml, line 2: pages has")


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("[crawl]\npages = 3\n[crwal]\npages = 3\n", 3, "unknown table 'crwal': did you mean 'crawl'?"),
        ("pages = 3\n", 1, "unknown table 'pages': "),
        ("[community.refrsh]\nmax_pages = 3\n", 1, "unknown table 'community.refrsh': did you mean"),
    ],
)
def test_a_table_of_no_command_is_one_line_with_its_place(write, run, text, line, problem):
    write(text)
    for words in (("config",), ("config", "crawl"), CRAWL):
        code, out, err = run(*words)
        assert (code, out) == (2, ""), words
        assert err.startswith(f"lycosa: lycosa.toml, line {line}: {problem}") and err.count("\n") == 1


def test_every_command_has_a_table():
    named = {" ".join(path) for path, _ in config_file.commands(whole_command())}
    assert named == {f"{name} {below}".strip() for name, several in tables().items() for below in several or [""]}


def test_a_file_that_cannot_be_read_is_one_line(write, run):
    Path("lycosa.toml").write_bytes(b"[crawl]\ncontact = '\xff\xfe'\n")
    code, out, err = run(*CRAWL)
    assert (code, out) == (2, "") and err.startswith("lycosa: lycosa.toml cannot be read (") and err.count("\n") == 1
    Path("lycosa.toml").unlink()
    Path("lycosa.toml").mkdir()
    assert run(*CRAWL).stderr.startswith("lycosa: lycosa.toml cannot be read (")


def test_a_value_out_of_bounds_is_refused_as_if_it_were_typed(write, run):
    write("[crawl]\npages = -1\n")
    code, _, err = run(*CRAWL)
    assert (code, err) == (
        2,
        "lycosa: pages cannot be -1: give 0 or more (--pages)\n",
    )


def test_help_and_version_do_not_need_the_file(write, run):
    write("not toml")
    assert run("--version").returncode == run("--help").returncode == 0


# What is shown


def test_config_lists_files_and_what_they_set(write, run, tmp_path):
    write("[crawl]\npages = 20\nwithin = ['a.test']\n\n[crawl.settings]\nalpha = 0.5\n")
    code, out, err = run("config")
    assert (code, err) == (0, "")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[:2] == [f"{tmp_path}/config/lycosa/lycosa.toml (not there)", "lycosa.toml"]
    assert lines[2] == "command option value from"
    assert "crawl pages 20 lycosa.toml:2" in lines and "crawl within ['a.test'] lycosa.toml:3" in lines
    assert any(line.startswith("crawl settings {'alpha': 0.5} lycosa.toml:5") for line in lines)
    assert "reach" not in out


def test_config_of_a_command_lists_all_of_its_options(write, shown, run):
    options = shown("crawl")
    assert options["crawl", "strategy"] == ("apprentice", "default") and options["crawl", "proxy"] == (None, "default")
    assert {command for command, _ in options} == {"crawl"}
    assert ("crawl", "random_seed") in options and not [name for _, name in options if "former" in name]
    assert ("community refresh", "max_pages") in shown("community", "refresh")
    assert "No option is set there" in run("config").stdout
    code, out, err = run("config", "crwal")
    assert (code, out) == (2, "") and "did you mean 'crawl'?" in err


def test_secrets_are_never_shown(write, run, monkeypatch):
    write(user='[crawl]\nproxy = "http://me:s3cret@a.test:1"\n[serve]\ntoken = "s3cret"\n')
    monkeypatch.setenv("LYCOSA_TOKEN", "s3cret")
    for words in ((), ("crawl",), ("serve",), ("--json",), ("serve", "--json")):
        done = run("config", *words)
        assert done.returncode == 0 and "s3cret" not in done.stdout + done.stderr
        assert "****" in done.stdout


def test_json_names_the_files_and_each_option_with_its_place(write, run, tmp_path):
    write("[search]\nby = 'content'\n")
    told = json.loads(run("config", "--json").stdout)
    assert told["files"] == [f"{tmp_path}/config/lycosa/lycosa.toml", "lycosa.toml"]
    assert told["options"] == [{"command": "search", "option": "by", "value": "content", "from": "lycosa.toml:2"}]


# What a file may not do


@pytest.mark.parametrize("key", ["proxy", "ca", "browser"])
def test_who_can_listen_in_or_which_program_runs_is_not_decided_by_a_folder(write, run, key):
    write(f'[crawl]\n{key} = "http://s3cret.test:1"\n')
    code, _, err = run("crawl", "spiders", "--replay", WEB)
    assert code == 2 and "s3cret" not in err
    assert err.startswith(f"lycosa: lycosa.toml, line 2: {key} can only be set in the file of a user")


def test_a_file_of_another_user_is_refused(write, run):
    write("[crawl]\npages = 3\n")
    Path("lycosa.toml").chmod(0o666)
    code, _, err = run("judges")
    assert code == 2 and "could have been written by another user" in err and err.count("\n") == 1


@pytest.mark.parametrize(
    "text",
    [f"[crawl]\npages = {'9' * 5000}\n", f"[crawl]\npages = 0x{'f' * 5000}\n", "[" * 20_000, "[crawl]\ndelay = nan\n"],
    ids=["digits", "hexadecimal", "deep", "nan"],
)
def test_a_strange_file_is_one_line(write, run, text):
    write(text)
    code, _, err = run("crawl", "spiders", "--replay", WEB, "--seed", "http://a.test/")
    assert code == 2 and err.count("\n") == 1 and len(err) < 500


def test_what_is_no_file_is_refused_and_what_is_not_there_is_not_missed(write, run, monkeypatch):
    os.mkfifo("lycosa.toml")
    assert run("judges").stderr == "lycosa: lycosa.toml is not a file: remove it, or rename it\n"
    Path("lycosa.toml").unlink()
    monkeypatch.setenv("XDG_CONFIG_HOME", "/dev/null")
    assert run("judges").returncode == 0


def test_help_is_shown_beside_a_broken_file(write, run):
    write("broken")
    assert "Usage" in run("crawl", "--help").stdout
