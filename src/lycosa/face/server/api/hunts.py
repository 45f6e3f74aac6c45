"""Hunts: begin them, steer them, see how they stand and what they have found."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import BeforeValidator, Field

from lycosa.app.jobs import CatalogEntry, HuntRequest
from lycosa.app.jobs.feed import Listed
from lycosa.face.server.dependencies import LARGEST, Name, TheDesk
from lycosa.face.server.documented import Documented
from lycosa.face.server.problems import problems
from lycosa.face.server.strict import Payload, only_fields

router = APIRouter(tags=["hunts"])


class BudgetBody(Documented):
    """What a hunt may spend; null is without limit."""

    pages: int | None
    bytes: int | None
    seconds: float | None
    share: float | None
    """Enough is this share of all relevant pages, as far as can be told."""


class More(Payload):
    """What a hunt may have besides."""

    pages: int = Field(0, ge=0, le=10_000_000)
    bytes: int = Field(0, ge=0, le=2**50)
    seconds: float = Field(0.0, ge=0, le=10**9)


class EstimateBody(Documented):
    """How many relevant pages were found, and how many there may be."""

    found: int
    total: int
    low: int
    high: int
    threshold: float
    """The relevance from which a page counts as relevant."""


class JudgedCount(Documented):
    """How many pages people have judged."""

    pages: int
    relevant: int


class Best(Documented):
    """One of the most relevant pages."""

    url: str
    title: str
    relevance: float


class SeedFailureBody(Documented):
    """A seed that brought no page."""

    url: str
    reason: str
    """In the words of the log, such as `no such host` or `status 404`."""
    at: str
    """Where its redirects led, if it had any; the reason is about that URL."""
    problem: str
    fix: str
    """What to do about it."""


class Status(Documented):
    """How a hunt stands, what it was asked for, and what it has come to."""

    name: str
    state: str
    """running, waiting, starting, paused, stopped, finished, interrupted, failed or elsewhere (another process)."""
    problem: str
    fix: str
    ahead: int
    """Where it waits: how many hunts come before it."""
    reason: str
    """Why it came to rest."""
    failures: list[SeedFailureBody]
    """Where it failed because no seed could be fetched: each seed, and why."""
    early: str
    """Why it ended before its budget was spent; empty where it did not."""
    keywords: str
    strategy: str
    settings: dict[str, Any]
    judge: str
    judge_settings: dict[str, Any]
    seeds: list[str]
    on_topic: bool
    delay: float
    within: list[str]
    without: list[str]
    budget: BudgetBody
    began: float
    """When, in seconds since 1970; 0 where it has not yet."""
    seq: int
    """The number of its last event: the stream of events goes on after it."""
    pages: int
    harvest: float
    """The mean relevance of its pages."""
    queued: int
    """Links that wait to be followed."""
    bytes: int
    hosts: int
    leases: int
    visits: int
    redirects: int
    misses: dict[str, int]
    """Links that brought no page, by reason."""
    retries: dict[str, int]
    statuses: dict[int, int]
    estimate: EstimateBody | None
    judged: JudgedCount
    best: list[Best]


def _only_wishes(given: Any) -> Any:
    return only_fields(given, [field.name for field in fields(HuntRequest)])


@router.get("/hunts")
def list_hunts(jobs: TheDesk) -> list[CatalogEntry]:
    """Everything there is: hunts, other collections, communities and laboratory results."""
    return jobs.entries()


@router.post("/hunts", status_code=201, responses=problems(409))
def start(jobs: TheDesk, hunt_request: Annotated[HuntRequest, BeforeValidator(_only_wishes)]) -> Status:
    """Begin a hunt."""
    return _status(jobs, jobs.start(hunt_request))


@router.get("/hunts/{name}")
def status(jobs: TheDesk, name: Name) -> Status:
    """How a hunt stands."""
    return _status(jobs, name)


@router.post("/hunts/{name}/pause", responses=problems(409))
def pause(jobs: TheDesk, name: Name) -> Status:
    """Let a hunt rest for a while; what is under way may still come in."""
    jobs.pause(name)
    return _status(jobs, name)


@router.post("/hunts/{name}/resume", responses=problems(409))
def resume(jobs: TheDesk, name: Name) -> Status:
    """Go on with a hunt that rests."""
    jobs.resume(name)
    return _status(jobs, name)


@router.post("/hunts/{name}/stop", responses=problems(409))
def stop(jobs: TheDesk, name: Name) -> Status:
    """Let a hunt rest for good; it can be resumed all the same."""
    jobs.stop(name)
    return _status(jobs, name)


@router.post("/hunts/{name}/extend", responses=problems(409))
def extend(jobs: TheDesk, name: Name, more: More) -> Status:
    """Let a hunt have so much more, and go on with it unless it is paused."""
    jobs.extend(name, pages=more.pages, bytes=more.bytes, seconds=more.seconds)
    return _status(jobs, name)


@router.get("/hunts/{name}/pages")
def pages(
    jobs: TheDesk,
    name: Name,
    after: Annotated[int, Query(ge=0, le=LARGEST, description="Only pages that came after this event.")] = 0,
    min: Annotated[float, Query(ge=0, le=1, description="The least relevance.")] = 0.0,
    host: Annotated[str, Query(max_length=300, description="Only of this host and those beneath it.")] = "",
    text: Annotated[str, Query(max_length=300, description="Words that title or URL hold.")] = "",
    judged: Annotated[
        Literal["yes", "no"] | None, Query(description="Only pages that somebody has judged, or nobody.")
    ] = None,
    order: Annotated[Literal["relevance", "time"], Query(description="Best or latest first.")] = "relevance",
    start: Annotated[int, Query(ge=0, le=10_000_000, description="How many to pass over.")] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> Listed:
    """Pages of a hunt, best or latest first."""
    return jobs.pages(
        name,
        after,
        min_relevance=min,
        host=host,
        text=text,
        judged=None if judged is None else judged == "yes",
        order=order,
        start=start,
        limit=limit,
    )


def _status(jobs: TheDesk, name: str) -> Status:
    return Status.model_validate(jobs.status(name))
