"""Commands that are made from requests: every option is there, earlier ones work, and a complaint names the option."""

import pytest
import typer

from lycosa.app.hunts import status
from lycosa.app.requests.hunt import HuntRequest, ResumeRequest
from lycosa.app.requests.option import local_options
from lycosa.app.requests.rounds import RoundsRequest
from lycosa.engine.crawl_recovery import plan_of
from lycosa.face.cli import app
from lycosa.face.cli.request_options import flag
from lycosa.store.collection import Collection
from lycosa.web.made import Made

WEB = "made:pages=300,topics=3,seed=5"
TOPIC = Made(pages=300, topics=3, seed=5).topics[0]


@pytest.fixture
def crawl(run, tmp_path):
    """crawl(...) is a command with a few pages into the folder `c`."""

    def command(*words):
        seed = ("--seed", TOPIC.examples[0])
        return run(
            "crawl", TOPIC.keywords, *seed, "--replay", WEB, "--pages", 3, "--no-index", "--out", tmp_path / "c", *words
        )

    return command


def plan_in(folder):
    with Collection.open(folder) as collection:
        return plan_of(collection)


def options_shown(name):
    command = typer.main.get_command(app).commands[name]  # type: ignore[attr-defined]
    return {option: each for each in command.params for option in (*each.opts, *each.secondary_opts)}


@pytest.mark.parametrize(
    ("name", "kind", "left_out"),
    [
        ("crawl", HuntRequest, {"keywords"}),
        ("resume", ResumeRequest, {"folder"}),
        ("rounds", RoundsRequest, {"keywords", "bytes", "until", "past"}),
    ],
)
def test_every_option_of_a_request_is_one_of_its_command(name, kind, left_out):
    shown = options_shown(name)
    for field in local_options(kind):
        if field.name not in left_out:
            each = shown[flag(field)]
            assert not each.hidden and field.option.help.rstrip(".") in each.help


def test_switches_have_an_opposite():
    shown = options_shown("crawl")
    assert {"--no-robots", "--no-nofollow", "--off-topic", "--no-index", "--no-index-pages"} <= shown.keys()


@pytest.mark.parametrize("value", [7, 0])
def test_an_earlier_option_works_with_a_line_that_names_the_new_one(crawl, tmp_path, value):
    done = crawl("--dice", value)
    assert (done.returncode, done.stderr) == (0, "lycosa: --dice is now called --random-seed\n")
    assert plan_in(tmp_path / "c").seed == value


def test_the_earlier_option_for_a_file_of_seeds_works_with_a_line_that_names_the_new_one(crawl, tmp_path):
    (tmp_path / "seeds.txt").write_text(TOPIC.examples[1])
    done = crawl("--seeds", tmp_path / "seeds.txt")
    assert (done.returncode, done.stderr) == (0, "lycosa: --seeds is now called --seeds-file\n")
    assert plan_in(tmp_path / "c").seeds == tuple(TOPIC.examples[:2])


def test_the_new_options_work_without_a_word(crawl, tmp_path):
    (tmp_path / "seeds.txt").write_text(TOPIC.examples[1])
    done = crawl("--random-seed", 7, "--seeds-file", tmp_path / "seeds.txt")
    assert (done.returncode, done.stderr) == (0, "")
    assert (plan_in(tmp_path / "c").seed, status(tmp_path / "c").pages) == (7, 3)


def test_earlier_options_are_not_in_the_help():
    shown = options_shown("crawl")
    assert shown["--dice"].hidden and shown["--seeds"].hidden and not shown["--seed"].hidden


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("--pages", "-1"), "--pages"),
        (("--until", "1.5"), "--until"),
        (("--per-host", "0"), "--per-host"),
        (("--random-seed", 2**60), "--random-seed"),
        (("--within", "other.test"), "--seed"),
        (("--resolve", "nonsense"), "--resolve"),
        (("--topic", "cats"), "--topic"),
    ],
)
def test_a_refused_value_is_one_line_that_ends_with_its_option(crawl, tmp_path, words, option):
    done = crawl(*words)
    assert done.returncode == 2
    assert done.stderr.startswith("lycosa: ") and done.stderr.endswith(f" ({option})\n")
    assert done.stderr.count("\n") == done.stderr.count("--") == 1
    assert not (tmp_path / "c").exists()
