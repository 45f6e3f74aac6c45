"""Every case of the table of page hints gets its verdict, and the table in the documentation is that of the cases."""

import asyncio
from pathlib import Path

import pytest
from tests.page_cases import CASES, URL, Case

from lycosa.core.judge import make as make_judge
from lycosa.core.nouns import Miss, Raw, Redirect, Ticket, Topic, Where
from lycosa.core.strategy import make
from lycosa.engine.scout import Scout, ScoutOrder
from lycosa.web.offline import SourceWeb

TABLE = Path(__file__).parents[2] / "docs" / "reference" / "page-hints.md"


class OneAnswer:
    def __init__(self, raw):
        self.raw = raw

    def response(self, url):
        return self.raw if url == URL else None

    def urls(self):
        return iter([URL])


class NoArchive:
    def write(self, url, raw, at):
        return Where("w", 0, 1)


def verdict(case: Case) -> str:
    headers = (("Content-Type", "text/html; charset=utf-8"), *case.headers)
    source = OneAnswer(Raw(case.status, headers, case.html.encode()))
    web = SourceWeb(source, indexed=True, lists=True, hints=True)
    topic = Topic("wolf spiders")
    scout = Scout(web, topic, make("breadth-first"), make_judge("cosine"), archive=NoArchive())
    outcome = asyncio.run(scout(ScoutOrder(Ticket(URL), 1 << 20)))
    if isinstance(outcome, Miss):
        return f"missed: {outcome.reason}"
    return "moved" if isinstance(outcome, Redirect) else outcome.withheld


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_verdict_is_right(case):
    assert verdict(case) == case.verdict


def test_the_documentation_has_the_same_table():
    rows = [f"| {case.name} | {case.verdict or 'ordinary page'} |" for case in CASES]
    text = TABLE.read_text()
    assert [line for line in text.splitlines() if line in set(rows)] == rows
