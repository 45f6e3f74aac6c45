"""Small crawls of a made web, at rest: one of agents, one of a single queue."""

from __future__ import annotations

import pytest

import lycosa
from lycosa.app.insight import questions
from lycosa.web.made import Made

SHAPE = {"pages": 900, "topics": 3, "seed": 5, "page_bytes": 2000}
WEB = "made:" + ",".join(f"{name}={value}" for name, value in SHAPE.items())
TOPIC = Made(**SHAPE).topics[0]
HASTY = {"theta": 1, "cost": 0.15}
"""Options with which agents of this web are born and die often."""


def _begin(folder, strategy="best-first", pages=150, **more):
    return lycosa.hunt(
        TOPIC.keywords, TOPIC.examples, out=folder, replay=WEB, pages=pages, strategy=strategy, index=False, **more
    )


@pytest.fixture
def begin():
    """begin(folder, strategy, pages, ...) begins a crawl of the made web."""
    return _begin


@pytest.fixture
def hasty():
    """Options of agents that are born and die often."""
    return HASTY


@pytest.fixture(scope="session")
def plain(tmp_path_factory):
    """A best-first crawl of 150 pages."""
    folder = tmp_path_factory.mktemp("insight") / "plain"
    with _begin(folder) as hunt:
        list(hunt)
    return folder


@pytest.fixture(scope="session")
def agents(tmp_path_factory):
    """A crawl of InfoSpiders of 300 pages."""
    folder = tmp_path_factory.mktemp("insight") / "agents"
    with _begin(folder, "infospiders", 300, settings=HASTY) as hunt:
        list(hunt)
    return folder


@pytest.fixture(autouse=True)
def let_go():
    yield
    questions.close()
