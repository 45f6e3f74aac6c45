"""What the documentation says is true: its examples run, its links lead somewhere, its commands exist."""

import json
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import typer

import lycosa
from lycosa.app.finders import finder
from lycosa.core import strategy
from lycosa.core.judge import judges
from lycosa.core.registry import options as options_of
from lycosa.core.strategy import strategies
from lycosa.face.cli import app
from lycosa.lab.metrics import METRICS
from lycosa.strategy.apprentice.promise import PARTS
from lycosa.web.made import Made
from lycosa.web.serving import spawn

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("bench/*.md")])
FAMILIES = {
    "bed": "how-to/testbeds.md",
    "lab": "reference/laboratory.md",
    "taxonomy": "how-to/taxonomies.md",
    "community": "how-to/community.md",
    "words": "reference/judges.md",
    "scope": "how-to/scope.md",
}
"""Commands with commands below them, and where they are documented."""
ELSEWHERE = FAMILIES | {"seeds": "how-to/seeds.md", "rounds": "how-to/rounds.md", "judges": "reference/judges.md"}
ELSEWHERE |= dict.fromkeys(("search", "similar", "hubs", "votes", "index"), "how-to/search.md")
ELSEWHERE["check"] = "reference/operations.md"
ELSEWHERE["config"] = "how-to/configuration.md"
ELSEWHERE["community refresh"] = "explanation/refresh.md"
ELSEWHERE |= {"map": "how-to/maps.md", "serve": "how-to/server.md", "mcp": "how-to/agents.md"}
ELSEWHERE |= {"companion": "how-to/companion.md", "config": "how-to/configuration.md"}
"""Where those commands are documented that are not in crawling.md."""
BLOCK = re.compile(r"(?:<!-- run(?:: (?P<file>\S+))? -->\n)?```(?P<kind>\w*)\n(?P<code>.*?)```", re.S)


def blocks(page, kind, run=False):
    text = page.read_text()
    for found in BLOCK.finditer(text):
        marked = found.group().startswith("<!-- run")
        if found["kind"] == kind and (marked or not run):
            yield found["file"], found["code"]


@pytest.fixture
def last_command_of(shell):
    """Run the commands of a page; what the last of them printed."""

    def last(page):
        ((_, example),) = blocks(page, "sh", run=True)
        return shell(example)[-1]

    return last


@cache
def commands():
    """Every command of the command line with its options, except earlier names of them."""
    found = {}

    def walk(command, name):
        below = getattr(command, "commands", None)
        if below:
            for key, value in below.items():
                walk(value, f"{name} {key}".strip())
        if not below or (name and command.invoke_without_command):
            shown = [param for param in command.params if not getattr(param, "hidden", False)]
            found[name] = {option for param in shown for option in [*param.opts, *param.secondary_opts]}

    walk(typer.main.get_command(app), "")
    return found


def test_the_python_examples_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    space = {}
    for _, code in blocks(ROOT / "docs" / "how-to/python.md", "python", run=True):
        exec(compile(code, "python.md", "exec"), space)
    printed = capsys.readouterr().out
    assert "budget spent: pages" in printed
    assert "no seeds - give at least one" in printed
    assert (tmp_path / "systems.jsonl").stat().st_size > 0


def test_the_strategy_example_hunts_in_virtual_time_and_over_http(tmp_path, monkeypatch):
    (name, code), _ = blocks(ROOT / "docs" / "tutorials/own-strategy.md", "python", run=True)
    assert len(code.splitlines()) < 40
    (tmp_path / name).write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    # It registers itself, and tests that come later are not to find it.
    monkeypatch.setattr(strategy._registry, "_kinds", strategies())
    web = "made:pages=600,topics=3,seed=5"
    topic = Made(pages=600, topics=3, seed=5).topics[0]

    def crawl(out, **how):
        hunt = lycosa.hunt(
            topic.keywords,
            topic.examples,
            strategy="anchors:Anchors",
            settings={"alpha": "0.3"},
            pages=40,
            delay=0.0,
            workers=1,
            out=tmp_path / out,
            **how,
        )
        with hunt:
            return [visit.url for visit in hunt]

    virtual = crawl("virtual", replay=web)
    with spawn(web) as served:
        assert crawl("http", proxy=served.proxy) == virtual
    last = lycosa.why(tmp_path / "http", virtual[-1])[-1]
    assert set(last.parts) == {"page", "anchor"}
    assert last.score == pytest.approx(0.3 * last.parts["page"] + 0.7 * last.parts["anchor"])


def test_the_seeds_examples_run(shell, aside, capsys, monkeypatch):
    page = ROOT / "docs" / "how-to/seeds.md"
    printed = []
    for kind, example in blocks(page, "sh", run=True):
        example = example.replace("8095", aside.port)
        if kind == "aside":
            aside(example)
        else:
            printed += shell(example)
    assert "5 places to begin, found by lycosa at 127.0.0.1:" in printed[2]
    assert "50 pages in panels" in printed[3]
    assert len(json.loads(printed[-1])["added"]) == 5
    first, second = (code for _, code in blocks(page, "python", run=True))
    # It registers itself, and tests that come later are not to find it.
    monkeypatch.setattr(finder._registry, "_kinds", finder.finders())
    exec(compile(first, "seeds.md", "exec"), {"__name__": "seeds"})
    assert capsys.readouterr().out.splitlines() == [
        f"https://example.org/insects/{word}" for word in ("wolf", "spiders")
    ]
    exec(compile(second, "seeds.md", "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_the_search_examples_run(last_command_of, capsys):
    done = last_command_of(ROOT / "docs" / "how-to/search.md")
    assert json.loads(done)["results"]
    space = {}
    for _, code in blocks(ROOT / "docs" / "how-to/search.md", "python", run=True):
        exec(compile(code, "search.md", "exec"), space)
    assert len(capsys.readouterr().out.splitlines()) == 18


def test_the_community_examples_run(last_command_of, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = ROOT / "docs" / "how-to/community.md"
    ((name, bookmarks),) = blocks(page, "html", run=True)
    Path(name).write_text(bookmarks)
    done = last_command_of(page)
    assert json.loads(done)[0]["pages"] == 200
    ((_, code),) = blocks(page, "python", run=True)
    exec(compile(code, "community.md", "exec"), {})
    assert capsys.readouterr().out.splitlines()[1:] == ["audit deadline", "100 pages"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", text):
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), target
        if anchor:
            heads = re.findall(r"^#+ (.+)$", file.read_text(), re.M)
            assert anchor in {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}, target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_shown_exists(page):
    known = commands()
    for _, code in blocks(page, "sh"):
        for line in code.splitlines():
            words = shlex.split(line, comments=True)
            if words and words[0].endswith("lycosa"):
                several = [" ".join(words[1:end]) for end in (4, 3)]
                name = next((each for each in several if each in known), "")
                name = name or (several[1] if words[1] in FAMILIES else words[1])
                assert name in known, line
                for word in words:
                    if word.startswith("--"):
                        assert word.partition("=")[0] in known[name], line


def test_every_option_is_documented():
    for name, options in commands().items():
        page = ELSEWHERE.get(name) or ELSEWHERE.get(name.split()[0], "how-to/command-line.md")
        text = (ROOT / "docs" / page).read_text()
        assert f"lycosa {name}" in text, name
        for option in options:
            if option.startswith("--") and option not in ("--help", "--robots", "--nofollow", "--index"):
                shown = option in text or option.replace("--no-", "--") in text
                assert shown, f"lycosa {name} {option}"


def test_every_metric_is_documented():
    text = (ROOT / "docs" / "reference/laboratory.md").read_text()
    assert [metric.key for metric in METRICS.values() if f"`{metric.key}` | {metric.meaning} |" not in text] == []


def test_the_laboratory_example_compares(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    ((_, code),) = blocks(ROOT / "docs" / "reference/laboratory.md", "python", run=True)
    exec(compile(code, "laboratory.md", "exec"), {})
    assert "Three ways of hunting were compared on 3 topics" in capsys.readouterr().out


def test_every_strategy_is_documented():
    text = (ROOT / "docs" / "reference/strategies.md").read_text()
    ours = [name for name, kind in strategies().items() if kind.__module__.startswith("lycosa.")]
    assert [name for name in ours if f"`{name}`" not in text] == []


def test_every_part_of_a_score_is_explained():
    text = (ROOT / "docs" / "reference/strategies.md").read_text()
    assert [part for part in PARTS if f"| `{part}` | " not in text] == []


def test_every_judge_is_documented_with_its_options():
    text = (ROOT / "docs" / "reference/judges.md").read_text()
    for name, kind in judges().items():
        (line,) = re.findall(rf"^\| `{name}` \| .*$", text, re.M)
        assert all(f"`{option.name}=" in line for option in options_of(kind)), name


def test_the_judges_examples_run(last_command_of):
    done = last_command_of(ROOT / "docs" / "reference/judges.md")
    assert "linear" in json.loads(done)


def test_the_judge_example_judges_in_virtual_time_and_over_http(tmp_path, monkeypatch):
    ((name, code),) = blocks(ROOT / "docs" / "reference/judges.md", "python", run=True)
    (tmp_path / name).write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    web = "made:pages=600,topics=3,seed=5"
    topic = Made(pages=600, topics=3, seed=5).topics[0]

    def crawl(out, **how):
        how = {"judge": "wordy:Wordy:words=300", "pages": 30, "delay": 0.0, "workers": 1, **how}
        with lycosa.hunt(topic.keywords, topic.examples, out=tmp_path / out, **how) as hunt:
            return [(visit.url, visit.relevance) for visit in hunt]

    virtual = crawl("virtual", replay=web)
    with spawn(web) as served:
        assert crawl("http", proxy=served.proxy) == virtual


def test_the_whole_python_api_is_documented():
    text = (ROOT / "docs" / "how-to/python.md").read_text() + (ROOT / "docs" / "reference/strategies.md").read_text()
    assert [
        name
        for name in ("hunt", "resume", "status", "why", "export", "search", "open_index", "Refused", "Strategy")
        if name not in text
    ] == []


def test_generated_parts_are_up_to_date():
    done = subprocess.run([sys.executable, ROOT / ".ci" / "reference", "--check"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")
