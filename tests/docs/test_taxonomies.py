"""What taxonomies.md says is true: its commands run, its files can be read, its defaults are those of the code."""

import re
from pathlib import Path

from lycosa.core.registry import options
from lycosa.core.strategy import strategies
from lycosa.engine.taxonomy_files import open_taxonomy

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to/taxonomies.md"
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", PAGE.read_text("utf-8"), re.S)


def test_the_commands_run(shell, tmp_path):
    (example,) = [code for kind, code in BLOCKS if kind == "sh"]
    shell(example)
    assert open_taxonomy(str(tmp_path / "solar.jsonl")).good == ("Solar Panel",)


def test_both_files_are_the_same_taxonomy(tmp_path):
    lines, columns = [code for kind, code in BLOCKS if not kind and "Top/Arts" in code]
    (tmp_path / "lines").write_text(lines, "utf-8")
    (tmp_path / "columns").write_text(columns, "utf-8")
    assert open_taxonomy(str(tmp_path / "lines")) == open_taxonomy(str(tmp_path / "columns"))


def test_the_defaults_of_the_crawler_are_told():
    told = dict(re.findall(r"`(examples|every|words)=(\d+)`", PAGE.read_text("utf-8").replace("`words=0`", "")))
    known = {option.name: str(option.default) for option in options(strategies()["focused"])}
    assert told == {name: known[name] for name in ("examples", "every", "words")}
