"""The inside of a hunt: the best waiting links, hosts, misses, the harvest, spiders and paths."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from lycosa.app.insight import questions
from lycosa.app.insight.shapes import Curve, FrontierView, Hosts, Misses, Paths, SpiderPath, Spiders
from lycosa.face.server.dependencies import TheHunt
from lycosa.face.server.problems import problems

router = APIRouter(tags=["insight"])

_PATIENCE = 5.0
"""Seconds that a request waits for a large crawl to be read before it answers that it is not ready."""

Limit = Annotated[int, Query(ge=1, le=1000, description="How many at most.")]


@router.get("/hunts/{name}/frontier")
def frontier(
    hunt: TheHunt, limit: Annotated[int, Query(ge=1, le=200, description="How many at most.")] = 30
) -> FrontierView:
    """The best links that wait to be followed, with the page each was found on and its anchor text."""
    return questions.frontier(hunt, limit, patience=_PATIENCE)


@router.get("/hunts/{name}/hosts")
def hosts(hunt: TheHunt, limit: Limit = 100) -> Hosts:
    """The hosts with the most pages: how many pages, how relevant, and how many could not be fetched."""
    return questions.hosts(hunt, limit)


@router.get("/hunts/{name}/misses")
def misses(hunt: TheHunt, limit: Limit = 100) -> Misses:
    """Why pages could not be fetched, with examples."""
    return questions.misses(hunt, limit)


@router.get("/hunts/{name}/curve")
def curve(hunt: TheHunt, points: Annotated[int, Query(ge=1, le=2000, description="How many at most.")] = 300) -> Curve:
    """The harvest and the estimated recall, page by page."""
    return questions.curve(hunt, points)


@router.get("/hunts/{name}/spiders")
def spiders(hunt: TheHunt) -> Spiders:
    """The family of spiders of an InfoSpiders hunt, living and dead; empty for other strategies."""
    return questions.spiders(hunt, patience=_PATIENCE)


@router.get("/hunts/{name}/spiders/{number}", responses=problems(409))
def spider(
    hunt: TheHunt,
    number: Annotated[int, Path(ge=1, le=2**31, description="The spider's number.")],
    limit: Annotated[int, Query(ge=1, le=5000, description="Pages of its path, the last ones.")] = 500,
) -> SpiderPath:
    """One spider, with its keywords and the pages it visited."""
    return questions.spider(hunt, number, limit, patience=_PATIENCE)


@router.get("/hunts/{name}/paths")
def paths(hunt: TheHunt, limit: Annotated[int, Query(ge=1, le=3000, description="Pages at most.")] = 1000) -> Paths:
    """The pages as a tree: each below the page whose link led to it; only the most relevant if there are many."""
    return questions.paths(hunt, limit)
