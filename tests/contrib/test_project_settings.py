"""What a project may wish, and what is refused in one line."""

from pathlib import Path

import pytest
from scrapy.settings import Settings

from lycosa.contrib.scrapy.project_settings import ProjectSettings, read
from lycosa.system.errors import Refused


def project(**settings):
    return read(Settings({f"LYCOSA_{name.upper()}": value for name, value in settings.items()}))


def test_keywords_are_enough():
    assert project(keywords="wolf spiders").strategy == "apprentice"


def test_options_of_a_strategy_may_be_given_as_a_dict_or_on_a_command_line():
    assert project(keywords="wolf", strategy="dom", settings={"alpha": 0.5}).make_strategy().alpha == 0.5
    assert project(keywords="wolf", strategy="dom", settings='{"alpha": "0.5"}').make_strategy().alpha == 0.5


@pytest.mark.parametrize("strategy", ["context-graph", "focused"])
def test_a_strategy_that_must_read_first_is_refused_with_those_that_need_not(strategy):
    with pytest.raises(Refused, match=f"{strategy}.*choose one of: .*apprentice, best-first") as problem:
        project(keywords="wolf spiders", strategy=strategy)
    assert strategy not in problem.value.fix


@pytest.mark.parametrize("judge", ["naive-bayes", "linear", "tfidf", "taxonomy"])
def test_a_judge_that_must_read_first_is_refused_with_those_that_need_not(judge):
    with pytest.raises(Refused, match=f"{judge}.*choose one of: cosine"):
        project(keywords="wolf spiders", judge=judge)


def test_who_would_read_the_start_pages_first_does_without_them():
    seeds = ["https://a.test/"]
    assert project(keywords="wolf spiders", strategy="tids").topic(seeds).examples == ()
    assert project(keywords="wolf spiders", strategy="dom").topic(seeds).examples == ("https://a.test/",)
    assert project(keywords="wolf spiders", strategy="dom", on_topic=False).topic(seeds).examples == ()


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({}, "there is no topic: set LYCOSA_KEYWORDS"),
        ({"keywords": "the of"}, "contain no topic"),
        ({"keywords": "wolf", "strategy": "nonsense"}, "unknown strategy 'nonsense': choose one of"),
        ({"keywords": "wolf", "strategy": "dom", "settings": {"x": 1}}, "has no option 'x'"),
        ({"keywords": "wolf", "reach": 0}, "LYCOSA_REACH = 0 is too small: give at least 1"),
    ],
)
def test_nonsense_is_refused_in_one_line(settings, line):
    with pytest.raises(Refused, match=line) as problem:
        project(**settings)
    assert "\n" not in str(problem.value)


def test_every_setting_is_documented_with_its_default():
    text = (Path(__file__).resolve().parents[2] / "docs" / "how-to/scrapy.md").read_text()
    for name in ProjectSettings._fields:
        default = ProjectSettings._field_defaults.get(name)
        shown = f'`"{default}"`' if isinstance(default, str) else f"`{default}`" if default is not None else ""
        assert f"| `LYCOSA_{name.upper()}` | {shown}".rstrip() in text
