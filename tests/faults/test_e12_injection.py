"""E12: what strangers write is data in questions, terminals, logs, spreadsheets and lines of JSON."""

import csv
import json
import re

import pytest
from sites import Sites, html, reply

import lycosa
from lycosa.system.errors import Refused

TITLES = (
    "=cmd|'/c calc'!A1",
    "+1+1",
    "-2+3",
    "@SUM(1)",
    "\x1b]0;owned\x07 spider",
    "\x1b[2J\x1b[31m spider",
    "spider\r\nFAKE LOG LINE finished",
    "spider\u2028next\u2029line",
    "\x9b31m spider",
    "spider\x08\x08\x08\x7f",
    '"; DROP TABLE events; --',
)
QUESTIONS = (
    "' OR 1=1 --",
    '"; DROP TABLE pages; --',
    "title:spider) OR (1:1",
    "spider\x00'",
    "spider NEAR/0 *",
    "{!x}",
    "%' --",
)
STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@pytest.mark.row("E12")
def test_nothing_that_strangers_write_acts(figure, run, tmp_path):
    pages = {
        f"a.test/{n}": html(title, f"http://a.test/{n + 1}", text=f"spider {title}") for n, title in enumerate(TITLES)
    }
    pages["a.test/\x1b[31m"] = reply("spider", "404 \x1b[31mNot\x07 Found")
    with Sites(pages) as sites:
        how = {"pages": 50, "delay": 0.0, "proxy": sites.proxy, "strategy": "breadth-first"}
        with lycosa.hunt("spider", ["http://a.test/0"], out=tmp_path / "c", **how) as hunt:
            assert sum(1 for _ in hunt) == len(TITLES)
    effective = []
    for arguments in (
        ["status", tmp_path / "c"],
        ["search", tmp_path / "c", "spider"],
        ["why", tmp_path / "c", "http://a.test/3"],
    ):
        _, out, complaints = run(*arguments)
        effective += [(arguments[0], found) for found in STEERING.findall(out + complaints)]
        effective += [(arguments[0], "a line") for line in out.splitlines() if line.startswith("FAKE LOG LINE")]
    assert run("export", tmp_path / "c", tmp_path / "c.csv")[0] == 0
    with (tmp_path / "c.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    effective += [("csv", cell) for row in rows for cell in row if cell[:1] in ("=", "+", "-", "@", "\t", "\r")]
    assert run("export", tmp_path / "c", tmp_path / "c.jsonl")[0] == 0
    lines = (tmp_path / "c.jsonl").read_bytes().split(b"\n")
    assert len([json.loads(line) for line in lines if line]) == len(TITLES)
    for question in QUESTIONS:
        try:
            found = lycosa.search(tmp_path / "c", question).results
        except Refused:
            continue
        if len(found) >= len(TITLES) and "spider" not in question:
            effective.append(("search", question))
    assert run("status", tmp_path / "c")[0] == 0
    figure(f"{len(effective)} effective of {len(TITLES)} titles in 5 outputs and {len(QUESTIONS)} questions")
    assert not effective
