"""Pages that searches must not find are counted and explained, and are not shown among the best."""

import pytest

import lycosa
from lycosa.face.cli.live_view import View

HOME, HIDDEN = "http://a.test/", "http://a.test/hidden"
HUNTERS = "<title>Wolf spiders</title><body>Wolf spiders are spiders that hunt at night. "
WEB = {
    HOME: HUNTERS + "<a href='/hidden'>more wolf spiders</a>",
    HIDDEN: "<meta name=robots content=noindex>" + HUNTERS + "They carry their young on their backs.",
}


@pytest.fixture
def folder(collected, tmp_path):
    return collected(tmp_path / "c", WEB, "wolf spider", [HOME])


def test_the_best_pages_of_a_hunt_are_pages_that_searches_find(folder, run):
    assert lycosa.status(folder).withheld == {"noindex": 1}
    assert [page.url for page in lycosa.status(folder).best] == [HOME]
    assert HIDDEN not in run("status", folder).stdout


def test_why_says_that_a_page_is_withheld_and_for_what_reason(folder, run):
    assert [hop.withheld for hop in lycosa.why(folder, HIDDEN)] == ["", "noindex"]
    assert run("why", folder, HIDDEN).stdout.count("withheld from searches and exports: noindex") == 1


def test_a_running_hunt_counts_withheld_pages_and_lists_none_of_them(folder, tmp_path):
    with lycosa.hunt("wolf spider", [HOME], replay=str(folder), out=tmp_path / "again") as hunt:
        view = View(hunt)
        for visit in hunt:
            view.saw(visit)
        assert view.line().startswith("2/500 pages (1 withheld), ")
        assert [page.url for page in view.best_pages()] == [HOME]
