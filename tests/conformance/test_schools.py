"""On a recorded web with labelled topics our crawlers find what independent ones found.

All that looks at the schools bed stands here: neighbours are run by the same process, and the bed is parsed once.
"""

import asyncio
import importlib.util
from pathlib import Path

import pytest

from lycosa.core.nouns import Page
from lycosa.index import near_duplicates
from lycosa.index.near_duplicates import fingerprint
from lycosa.lab.comparison import ORACLE
from lycosa.lab.world import World
from lycosa.web.testbed import TASKS, Bed

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("schools", ROOT / "bench" / "schools.py")
schools = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(schools)

pytestmark = [
    pytest.mark.skipif(not schools.SCHOOLS.exists(), reason="needs the schools test bed beside the project"),
    pytest.mark.timeout(600),  # some seconds of crawls on two cores, more beside other tests
]


PAGES, POINTS = 200, 2
"""Crawled by every test run, from the examples, and how many of the reference figures that reaches; the rest by
`make slow`."""


@pytest.fixture(scope="module")
def results():
    with pytest.MonkeyPatch.context() as patch:
        # Every process reads the whole bed before it crawls: for crawls as short as these one is enough.
        patch.setattr("lycosa.lab.experiment.cores", lambda: 1)
        return schools.measure(["breadth-first", "best-first"], tasks=["examples"], pages=PAGES)


@pytest.fixture(scope="module")
def ceiling():
    return schools.measure([ORACLE])


@pytest.fixture(scope="module")
def slow_results():
    return schools.measure(["breadth-first", "best-first", "random", "dom"])


def is_the_reference(results, task, crawler, figures=None):
    apart = schools.APART.get(crawler, 0.03)
    known = schools.REFERENCE[task, crawler][:figures]
    assert results[task, crawler].figures[:figures] == pytest.approx(known, abs=apart)


def test_every_page_of_the_schools_bed_can_be_had():
    bed = Bed(schools.SCHOOLS)
    assert len(bed.topics) == 24
    urls, web = list(bed.source.urls()), bed.web()
    assert len(urls) == 5232

    async def every_page():
        return [await web.get(url, 1 << 20) for url in urls]

    assert all(isinstance(page, Page) and page.text for page in asyncio.run(every_page()))
    for topic in bed.topics:
        assert not {*topic.examples, *topic.neighbors, *topic.targets, *topic.described} - set(urls)


def test_on_the_schools_bed_only_articles_under_two_names_are_folded():
    shelf = World(str(schools.SCHOOLS)).parsed
    texts = [shelf.text(row) for row in range(shelf.pages)]
    groups = near_duplicates.folded([fingerprint(text) for text in texts], [9000] * len(texts), len(texts))
    several = [group for group in groups if len(group) > 1]
    assert 10 <= len(several) <= 20
    for group in several:
        words = [set(texts[row].split()) for row in group]
        assert len(words[0] & words[1]) > 0.85 * len(words[0] | words[1])


@pytest.mark.parametrize("crawler", ["breadth-first", "best-first"])
def test_target_recall_is_that_of_the_reference_crawlers(results, crawler):
    assert schools.POINTS[:POINTS][-1] == PAGES
    is_the_reference(results, "examples", crawler, POINTS)


@pytest.mark.parametrize("task", TASKS)
def test_the_ceiling_is_that_of_the_reference_oracle(ceiling, task):
    is_the_reference(ceiling, task, ORACLE)


@pytest.mark.slow
@pytest.mark.parametrize(("task", "crawler"), [key for key in schools.REFERENCE if key[1] != ORACLE])
def test_so_it_is_to_the_end_and_that_of_the_others(slow_results, task, crawler):
    is_the_reference(slow_results, task, crawler)
