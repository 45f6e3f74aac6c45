"""The page as a file: complete in itself, and nothing in it is markup that was not meant to be."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from lycosa.lab.metrics import METRICS
from lycosa.lab.report.figures import IMPORTANCE, STATIC_DYNAMIC, TRAJECTORIES
from lycosa.lab.report.page import html, names_of
from lycosa.lab.report.table_views import AT_END, COST, HOURS, REQUESTS, WHOLE
from lycosa.lab.statistics.pairwise_tests import TESTED

SECTIONS = [
    *("findings", "table", "trajectories", "static-dynamic", "tests", "topics", "wins", "path", "cost", "measured"),
    *("reproduce", "warnings"),
]


class Parsed(HTMLParser):
    """Every element with its attributes, and the text of the page."""

    def __init__(self, page):
        super().__init__()
        self.elements, self.text, self.open = [], [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self.open.append(tag)

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        if not {"script", "style"} & set(self.open):
            self.text.append(data)

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture
def page(report):
    return report.read_text(encoding="utf-8")


def test_every_section_is_there_in_its_order(page):
    parsed = Parsed(page)
    assert [section["id"] for section in parsed.all("section")] == SECTIONS
    assert [link["href"] for link in parsed.all("a") if link["href"].startswith("#")][1:13] == [
        f"#{s}" for s in SECTIONS
    ]


def test_the_page_asks_nobody_for_anything(page):
    parsed = Parsed(page)
    for tag, attributes in parsed.elements:
        assert tag not in {"iframe", "object", "embed", "img", "video", "audio", "source", "base", "form"}
        assert not {"src", "srcset", "action", "poster", "data", "background", "xlink:href"} & attributes.keys()
        if tag == "link":
            assert attributes == {"rel": "icon", "href": "data:,"}
        if tag == "a":
            assert attributes["href"].startswith(("#", "figures/", "tables/", "http://host.test/"))
    style = re.search("<style>(.*?)</style>", page, re.S)[1]
    script = re.search("<script>(.*?)</script>", page, re.S)[1]
    assert not re.search(r"@import|url\(|image-set|@font-face", style)
    assert not re.search(r"fetch|XMLHttpRequest|WebSocket|import|sendBeacon|EventSource|location", script)
    assert all(found.startswith("#") for found in re.findall(r"url\(([^)]*)\)", page))


def test_every_metric_that_the_page_names_is_defined_in_it(page):
    parsed = Parsed(page)
    defined = {term["id"].removeprefix("metric-") for term in parsed.all("dt") if "id" in term}
    assert defined == METRICS.keys(), "all were measured in this report"
    told = [*WHOLE, *REQUESTS, *HOURS, *AT_END, *COST, *TESTED, *TRAJECTORIES, *IMPORTANCE, *STATIC_DYNAMIC]
    assert set(told) <= defined
    assert "Difficulty is what the ways lose against the oracle" in page


def test_a_policy_forbids_whatever_might_have_slipped_in(page):
    policy = next(meta["content"] for meta in Parsed(page).all("meta") if "http-equiv" in meta)
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-")
    assert "unsafe-eval" not in policy and "http" not in policy.replace("http-equiv", "")


def test_the_numbers_that_can_be_read_at_the_pointer_are_the_comparisons(chapter, few_plots):
    made = chapter(without=few_plots)
    panel = next(each for each in Parsed(html([made])).all("div") if "data-plot" in each)
    plot = json.loads(panel["data-plot"])
    assert plot["x"] == made.comparison.points
    arms = [made.comparison.oracle, *made.comparison.arms.values()]
    assert [line["way"] for line in plot["lines"]] == [-1, 0, 1]
    for line, arm in zip(plot["lines"], arms, strict=True):
        curves = arm.curves["target_recall"]
        assert line["y"] == pytest.approx(curves.mean(axis=0).tolist(), rel=1e-3)
        assert line["e"] == pytest.approx((curves.std(axis=0, ddof=1) / np.sqrt(len(curves))).tolist(), rel=1e-3)


def test_the_tables_say_what_the_findings_and_tests_say(page):
    text = " ".join(Parsed(page).text)
    for told in ("Two ways of hunting", "Starting from examples", "Starting from neighbours", "lycosa lab run schools"):
        assert told in text
    assert "Of the URLs that the crawls asked for these shares are not in the world: " in text
    assert "look out" in text and "One warning" in text
    assert "target recall@N = |T ∩ C_N| / |T|" in text


def test_hostile_names_are_text_everywhere(hostile_report):
    page = hostile_report.read_text(encoding="utf-8")
    parsed = Parsed(page)
    text = "".join(parsed.text)
    assert len(parsed.all("script")) == 1 and not parsed.all("img")
    assert not any(key.startswith("on") for _, attributes in parsed.elements for key in attributes)
    assert not any(link.get("href", "").startswith("javascript:") for link in parsed.all("a"))
    assert text.count("<script>alert(1)</script>") > 10
    assert text.count('"><img src=x onerror=alert(1)>') > 10
    assert text.count("{{ 7 * 7 }}{% raw %}${x}") > 10
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", page)


def test_a_page_says_what_cannot_be_compared(chapter):
    alone = html([chapter(labels=("best-first",), topics=1, pages=10, paths=[])])
    sections = [section["id"] for section in Parsed(alone).all("section")]
    assert sections == [section for section in SECTIONS if section not in ("wins", "path")]
    assert "No tests: they need two ways on the same topics." in alone
    assert "The command of this run is not known." in alone


def test_ids_are_unique_even_where_two_chapters_have_the_same_task(chapter, few_plots):
    two = [chapter(labels=("a",), topics=1, pages=3, without=few_plots) for _ in range(2)]
    two[1].title = "With augmented seeds"
    found = [attributes["id"] for _, attributes in Parsed(html(two)).elements if "id" in attributes]
    assert len(found) == len(set(found))
    assert names_of(two) == ["examples-1", "examples-2"]


def test_what_is_not_seen_can_be_heard(page):
    parsed = Parsed(page)
    pictures = [svg for svg in parsed.all("svg") if svg.get("role") == "img"]
    assert len(pictures) == 2 * (7 + 6 + 4 + 2 + 4 + 1)
    assert all(svg["aria-label"] for svg in pictures)
    assert any(
        re.fullmatch(r"Target recall over pages fetched; at 20: oracle .*", svg["aria-label"]) for svg in pictures
    )
    assert all("role" in svg or svg.get("aria-hidden") == "true" for svg in parsed.all("svg"))
    assert all("scope" in head for head in parsed.all("th"))
