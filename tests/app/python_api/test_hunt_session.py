"""A hunt in Python: loops of every kind, callbacks, item pipelines, tables, notebooks."""

import asyncio
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import lycosa
from lycosa.system.errors import Refused
from lycosa.web.made import Made
from lycosa.web.testbed import make_bed


@pytest.fixture(scope="module")
def practice(tmp_path_factory):
    folder = tmp_path_factory.mktemp("beds") / "practice"
    return folder, make_bed(Made(pages=300, topics=2, seed=7, page_bytes=800), folder).topics[0].id


@pytest.fixture
def begin(practice, tmp_path):
    def begin(pages=20, out="found", **more):
        folder, topic = practice
        return lycosa.hunt(
            bed=folder, topic=topic, pages=pages, out=tmp_path / out, strategy="breadth-first", index=False, **more
        )

    return begin


def state(tmp_path, out="found"):
    status = lycosa.status(tmp_path / out)
    return status.state, status.pages


def test_a_plain_loop_runs_inside_an_event_loop_as_in_a_notebook(begin, tmp_path):
    async def cell():
        with begin() as hunt:
            return [visit.url for visit in hunt]

    assert len(asyncio.run(cell())) == 20
    assert state(tmp_path) == ("finished", 20)


def test_an_asynchronous_loop_yields_the_same_pages_as_a_plain_one(begin):
    async def cell():
        async with begin(out="other") as hunt:
            return [visit.url async for visit in hunt]

    with begin() as hunt:
        plain = [visit.url for visit in hunt]
    assert asyncio.run(cell()) == plain


@pytest.mark.parametrize("plain_with", [False, True])
def test_an_asynchronous_loop_that_is_left_early_can_be_resumed(begin, tmp_path, plain_with):
    async def first():
        hunt = begin()
        if plain_with:
            with hunt:
                async for _ in hunt:
                    break
        else:
            async with hunt:
                async for _ in hunt:
                    break
        while lycosa.status(tmp_path / "found").state == "running":
            await asyncio.sleep(0.01)

    asyncio.run(first())
    assert state(tmp_path)[0] == "stopped"
    with lycosa.resume(tmp_path / "found") as hunt:
        assert len(list(hunt)) == 20 - 1


def test_no_seed_that_can_be_fetched_raises_in_an_asynchronous_loop_too(tmp_path):
    async def cell():
        async with lycosa.hunt(
            "spiders", ["http://nowhere.test/"], replay="made:pages=500", out=tmp_path / "none"
        ) as hunt:
            return [visit async for visit in hunt]

    with pytest.raises(lycosa.SeedsFailed):
        asyncio.run(cell())


def test_callbacks_hear_of_pages_with_their_text_and_html_and_of_misses(begin):
    heard, missed = [], []
    with begin(pages=40) as hunt:

        @hunt.on_page
        def note(page):
            heard.append((page.url, page.title, page.html.css_first("title").text(), page.text, page.links))

        @hunt.on_miss
        async def note_miss(miss):
            missed.append(miss.reason)

        hunt.run()
    assert len(heard) == 40
    url, title, in_html, text, links = heard[0]
    assert title == in_html and title in text
    assert all(link.startswith("http") for link, _ in links) and any(words for _, words in links)
    assert url in {page["url"] for page in lycosa.pages(hunt.collection.folder)}
    assert set(missed) <= {"status 404", "robots"}


def test_an_error_in_a_callback_ends_the_loop_and_the_hunt_goes_on_later(begin, tmp_path):
    with begin() as hunt:
        hunt.on_page(lambda page: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            hunt.run()
    with lycosa.resume(tmp_path / "found") as hunt:
        hunt.run()
    assert state(tmp_path)[1] >= 20 - 1


class OnlyOnTopic:
    """Written as for Scrapy."""

    def __init__(self):
        self.told = []

    def open_spider(self, spider):
        self.told.append(("open", spider.plan.topic.keywords))

    def process_item(self, item, spider):
        if "systems" not in item["title"].lower():
            raise lycosa.DropItem("about something else")
        return item | {"seen": True}

    def close_spider(self, spider):
        self.told.append("close")


class Counts:
    """Written as for the latest Scrapy: no spider, coroutines."""

    items = 0

    async def process_item(self, item):
        await asyncio.sleep(0)
        type(self).items += 1
        return item


def test_items_go_through_pipelines_as_in_scrapy(begin, tmp_path):
    Counts.items = 0
    first = OnlyOnTopic()
    target = tmp_path / "items.jsonl"
    with begin() as hunt:
        counted = hunt.pipe(
            lambda page: {"url": page.url, "title": page.title + (" systems" if len(page.text) % 2 else "")},
            first,
            Counts,
            lycosa.JsonLines(target),
        )
        hunt.run()
    written = [json.loads(line) for line in target.read_text().splitlines()]
    assert counted.kept == len(written) == Counts.items
    assert counted.kept + counted.dropped == 20 and counted.dropped > 0
    assert all(item["seen"] for item in written)
    assert first.told[-1] == "close" and first.told[0][0] == "open"


@dataclass
class Heading:
    text: str


def test_one_page_may_give_several_items_or_none(begin, tmp_path):
    with begin(pages=5) as hunt:
        counted = hunt.pipe(
            lambda page: (Heading(word) for word in page.title.split()[:2]), lycosa.JsonLines(tmp_path / "i")
        )
        none = hunt.pipe(lambda page: None)
        hunt.run()
    assert counted.kept == len((tmp_path / "i").read_text().splitlines()) == 10
    assert none.kept == none.dropped == 0
    assert set(json.loads((tmp_path / "i").read_text().splitlines()[0])) == {"text"}


def test_what_is_no_pipeline_is_refused_before_the_hunt(begin):
    with begin() as hunt:
        with pytest.raises(Refused, match="not a pipeline"):
            hunt.pipe(str, object())
        with pytest.raises(Refused, match=r"nothing\.Here cannot be imported"):
            hunt.pipe(str, "nothing.Here")


def test_a_pipeline_file_that_cannot_be_written_is_one_line(begin, tmp_path):
    with begin() as hunt:
        hunt.pipe(str, lycosa.JsonLines(tmp_path / "no" / "such.jsonl"))
        with pytest.raises(Refused, match="cannot write"):
            hunt.run()


def test_the_pages_are_a_table_in_pandas_polars_and_arrow(begin):
    import pandas
    import polars
    import pyarrow

    with begin() as hunt:
        hunt.run()
    table = lycosa.pages(hunt.collection.folder, text=True)
    rows = list(table)
    assert len(rows) == 20
    frame, fast, arrow = table.to_pandas(), table.to_polars(), table.to_arrow()
    assert list(frame.columns) == fast.columns == arrow.column_names == table.columns
    assert list(frame["url"]) == fast["url"].to_list() == arrow["url"].to_pylist() == [row["url"] for row in rows]
    assert frame["text"].str.len().min() > 0
    assert frame["fetched"].dt.tz is not None and fast["fetched"].dtype.is_temporal()
    # Any library that reads Arrow takes the table as it is.
    assert polars.DataFrame(table)["url"].to_list() == pyarrow.table(table)["url"].to_pylist()
    assert isinstance(frame, pandas.DataFrame)


def test_an_empty_collection_is_an_empty_table_with_the_same_columns(begin):
    with begin() as hunt:
        table = hunt.pages()
        assert list(table.to_pandas().columns) == table.to_polars().columns == table.columns
        assert len(table.to_arrow()) == 0


def test_a_table_of_a_folder_that_is_no_collection_is_refused(tmp_path):
    with pytest.raises(Refused):
        lycosa.pages(tmp_path)
    with pytest.raises(Refused, match="min relevance"):
        lycosa.pages(tmp_path, min_relevance=3)


def test_a_notebook_shows_what_was_found_and_no_markup_of_strangers(begin, monkeypatch):
    with begin() as hunt:
        assert "has not begun" in repr(hunt)
        hunt.run()
        assert "finished hunt" in repr(hunt) and "20 of 20 pages" in repr(hunt)
        assert hunt._repr_html_().count("<tr>") == 1 + 10
    from lycosa.app.python_api.page_table import table_html

    assert "<script>" not in table_html([{"title": "<script>alert(1)</script>"}], ("title",))


OWN = """
from dataclasses import dataclass
from lycosa import Strategy, Ticket, register

@register("own")
@dataclass
class Own(Strategy):
    def learn(self, visit):
        return [Ticket(url, 0.5, via=visit.url) for url in visit.links]
"""


def test_a_strategy_in_the_current_folder_is_found_by_every_process(practice, tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(OWN)
    folder, topic = practice
    command = "import sys; sys.path.pop(0); from lycosa.face.start import main; main()"
    arguments = [
        "crawl",
        "--bed",
        str(folder),
        "--topic",
        topic,
        "--pages",
        "5",
        "--strategy",
        "mine:Own",
        "--out",
        "o",
    ]
    done = subprocess.run(
        [sys.executable, "-c", command, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    assert lycosa.status("o").pages == 5


def test_a_strategy_that_is_nowhere_says_where_to_start(tmp_path):
    with pytest.raises(Refused) as refused:
        lycosa.hunt("spiders", ["http://a.test/"], replay="made:pages=500", strategy="absent:Own", out=tmp_path / "o")
    assert "start in the folder of the file" in refused.value.fix
    assert not Path(tmp_path / "o").exists()
