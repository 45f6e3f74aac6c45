"""`lycosa scope test`, and the tables of single sites in lycosa.toml, with exit codes and one-line errors."""

import json
from pathlib import Path

import pytest

import lycosa
from lycosa.engine.crawl_recovery import plan_of
from lycosa.engine.scope.scope_rules import SiteRules
from lycosa.store.collection import Collection
from lycosa.web.made import Made

WEB = "made:pages=300,topics=3,seed=5"
TOPIC = Made(pages=300, topics=3, seed=5).topics[0]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """An empty folder, and a user without a file."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)


def test_each_url_is_told_with_its_rule_and_the_exit_code_says_whether_all_are_inside(run):
    words = ("--include", "example.org/docs/*", "--exclude", "*/tag/*", "--without", "ads.test")
    code, out, err = run("scope", "test", "example.org/docs/a", "http://example.org/docs/tag/b", "ads.test", *words)
    assert (code, err) == (1, "")
    assert [" ".join(line.split()) for line in out.splitlines()] == [
        "in https://example.org/docs/a it matches the pattern example.org/docs/*",
        "out http://example.org/docs/tag/b it matches the excluded pattern */tag/*",
        "out https://ads.test/ its host is to be left alone",
    ]
    assert run("scope", "test", "example.org/docs/a", *words).returncode == 0
    assert run("scope", "test", "anything.test").stdout.endswith("no rule keeps it out\n")


def test_json_has_the_same_and_so_has_python(run):
    done = run("scope", "test", "a.test", "a.test/b", "--include", "*/b", "--json")
    assert done.returncode == 1 and (told := json.loads(done.stdout))["outside"] == 1
    assert told["urls"] == [
        {
            "url": "https://a.test/",
            "inside": False,
            "rule": "include",
            "because": "it matches none of the patterns to include",
        },
        {"url": "https://a.test/b", "inside": True, "rule": "include */b", "because": "it matches the pattern */b"},
    ]
    found = lycosa.check_scope(["a.test", "a.test/b"], include=["*/b"])
    assert [each.inside for each in found] == [False, True]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("a.test", "--exclude", "re:("), "lycosa: 're:(' is not a pattern (missing ): ():"),
        (
            ("a.test", "--exclude", "a.test"),
            "lycosa: 'a.test' is not a pattern (no URL is so short): write a.test/*",
        ),
        (("mailto:me@a.test",), "lycosa: 'mailto:me@a.test' cannot be crawled: only http:// and https:// URLs can"),
        (("a.test", "--collection", "nowhere"), "lycosa: nowhere is not a collection: name the folder of a collection"),
        (("a.test", "--site", "a.test"), "lycosa: 'a.test' is not HOST=KEY=VALUE,KEY=VALUE: write"),
        (
            ("a.test", "--site", "a.test=depth"),
            "lycosa: a.test=depth cannot be read: write it like",
        ),
        (("a.test", "--site", "a.test=deep=2"), "lycosa: unknown key 'deep' for the site a.test: use one of: types,"),
        ((), "lycosa: Missing argument 'urls': see `lycosa scope test --help`"),
    ],
)
def test_what_is_wrong_is_one_line_with_the_fix(run, words, said):
    code, out, err = run("scope", "test", *words)
    assert (code, out) == (2, "") and err.startswith(said) and err.count("\n") == 1


def crawled(run, *words):
    """The plan of a short crawl on the command line."""
    done = run(
        "crawl", TOPIC.keywords, "--seed", TOPIC.examples[0], "--replay", WEB, "--pages", 3, "--out", "out", *words
    )
    assert done.returncode == 0, done.stderr
    with Collection.open(Path("out")) as collection:
        return plan_of(collection)


SITES = """[crawl]
exclude = ["*/never/*"]

[site."Example.ORG"]
delay = 5
exclude = ["*/tag/*", "re:[?&]q=\\\\d"]

[site."docs.example.org:8080"]
index_pages = true
after = "2024"
"""


def test_the_tables_of_sites_apply_to_a_crawl_and_are_kept_with_it(run, tmp_path):
    (tmp_path / "config" / "lycosa").mkdir(parents=True)
    (tmp_path / "config" / "lycosa" / "lycosa.toml").write_text('[site."example.org"]\ndelay = 1\ndepth = 4\n')
    Path("lycosa.toml").write_text(SITES)
    plan = crawled(run)
    assert plan.sites == {
        "example.org": SiteRules(delay=5.0, depth=4, exclude=("*/tag/*", r"re:[?&]q=\d")),
        "docs.example.org:8080": SiteRules(index_pages=True, after="2024"),
    }
    assert plan.scope.exclude == ("*/never/*",)
    done = run("scope", "test", "example.org/never/", "example.org/tag/1", "a.test/never/", "--json")
    assert [each["inside"] for each in json.loads(done.stdout)["urls"]] == [True, False, False]
    Path("lycosa.toml").unlink()
    assert run("scope", "test", "example.org/tag/1", "--collection", "out").returncode == 1
    assert lycosa.status("out").sites["example.org"]["depth"] == 4


def test_on_the_command_line_a_site_is_written_as_in_the_file(run):
    Path("lycosa.toml").write_text('[site."a.test"]\ndelay = 5\n')
    words = ("--site", 'b.test=depth = 2, include=["*.pdf"]', "--site", "c.test={delay = 0}")
    assert crawled(run, *words).sites == {
        "b.test": SiteRules(depth=2, include=("*.pdf",)),
        "c.test": SiteRules(delay=0),
    }


def test_config_shows_the_tables_of_sites_with_their_places(run):
    Path("lycosa.toml").write_text(SITES)
    rows = json.loads(run("config", "--json").stdout)["options"]
    shown = {(row["command"], row["option"]): (row["value"], row["from"]) for row in rows}
    assert shown["site example.org", "delay"] == (5, "lycosa.toml:5")
    assert shown["site docs.example.org:8080", "after"] == ("2024", "lycosa.toml:10")
    assert not [key for key in shown if key[1] == "sites"]
    assert "site example.org delay 5 lycosa.toml:5" in " ".join(run("config", "crawl").stdout.split())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[site."a b"]\ndelay = 1\n', "line 1: 'a b' is not a host: name a host such as example.org"),
        ('[site."a.test"]\ndealy = 1\n', "line 1: unknown key 'dealy' for the site a.test: use one of: types,"),
        ('\n[site."a.test"]\nexclude = ["re:("]\n', "line 2: a.test: 're:(' is not a pattern (missing ): ():"),
        ('[site."a.test"]\ndelay = "1"\n', "line 1: a.test: Expected float | null, got str"),
        ("[site]\ndelay = 1\n", 'line 1: a site must be a table: write [site."example.org"]'),
        ('[sites."a.test"]\ndelay = 1\n', "line 1: unknown table 'sites': did you mean 'site'?"),
    ],
)
def test_a_wrong_table_of_a_site_is_one_line_that_names_file_and_line(run, text, said):
    Path("lycosa.toml").write_text(text)
    code, out, err = run("crawl", "spiders", "--replay", WEB, "--seed", "http://a.test/", "--out", "out")
    assert (code, out) == (2, "") and err.startswith(f"lycosa: lycosa.toml, {said}") and err.count("\n") == 1
    assert not Path("out").exists()
