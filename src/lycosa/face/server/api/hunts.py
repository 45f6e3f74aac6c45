"""Hunts: start them, control them, see their state and the pages they found."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends
from msgspec.structs import asdict
from pydantic import Field

from lycosa.app.jobs import CatalogEntry
from lycosa.app.jobs.feed import Listed
from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.option import check_lengths
from lycosa.app.requests.search import PagesRequest
from lycosa.face.server.dependencies import Name, TheJobs
from lycosa.face.server.documented import Documented
from lycosa.face.server.problems import problems
from lycosa.face.server.request_models import FormerNamesRoute, FromFields, from_query
from lycosa.face.server.strict import Payload

router = APIRouter(tags=["hunts"], route_class=FormerNamesRoute)


class BudgetBody(Documented):
    """The budget of a hunt; null means no limit."""

    pages: int | None
    bytes: int | None
    seconds: float | None
    share: float | None
    """The hunt ends when it has found this share of all relevant pages, by its own estimate."""


class More(Payload):
    """An addition to a hunt's budget."""

    pages: int = Field(0, ge=0, le=10_000_000)
    bytes: int = Field(0, ge=0, le=2**50)
    seconds: float = Field(0.0, ge=0, le=10**9)


class EstimateBody(Documented):
    """How many relevant pages were found, and an estimate of how many there are."""

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
    """A seed that gave no page."""

    url: str
    reason: str
    """In the words of the log, such as `no such host` or `status 404`."""
    at: str
    """The URL that its redirects led to, if any; the reason is about that URL."""
    problem: str
    fix: str
    """What to do about it."""


class Status(Documented):
    """The state of a hunt, what it was asked for, and its results so far."""

    name: str
    state: str
    """running, waiting, starting, paused, stopped, finished, interrupted, failed or elsewhere (another process)."""
    problem: str
    fix: str
    ahead: int
    """How many hunts are before it in the queue, if it waits."""
    reason: str
    """Why it stopped running."""
    failures: list[SeedFailureBody]
    """If it failed because no seed could be fetched: each seed, and why."""
    early: str
    """Why it ended before its budget was spent; empty if it did not."""
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
    """When it began, in seconds since 1970; 0 if it has not begun."""
    seq: int
    """The number of its last event: follow the event stream from there."""
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
    """Numbers of links that gave no page, by reason."""
    retries: dict[str, int]
    statuses: dict[int, int]
    estimate: EstimateBody | None
    judged: JudgedCount
    best: list[Best]


@router.get("/hunts")
def list_hunts(jobs: TheJobs) -> list[CatalogEntry]:
    """Everything there is: hunts, other collections, communities and laboratory results."""
    return jobs.entries()


@router.post("/hunts", status_code=201, responses=problems(409))
def start(jobs: TheJobs, request: Annotated[HuntRequest, FromFields(), Body()]) -> Status:
    """Start a hunt."""
    return _status(jobs, jobs.start(request))


@router.get("/hunts/{name}")
def status(jobs: TheJobs, name: Name) -> Status:
    """The state of a hunt."""
    return _status(jobs, name)


@router.post("/hunts/{name}/pause", responses=problems(409))
def pause(jobs: TheJobs, name: Name) -> Status:
    """Pause a hunt; fetches in progress may still complete."""
    jobs.pause(name)
    return _status(jobs, name)


@router.post("/hunts/{name}/resume", responses=problems(409))
def resume(jobs: TheJobs, name: Name) -> Status:
    """Resume a hunt that is not running."""
    jobs.resume(name)
    return _status(jobs, name)


@router.post("/hunts/{name}/stop", responses=problems(409))
def stop(jobs: TheJobs, name: Name) -> Status:
    """Stop a hunt for good; it can still be resumed."""
    jobs.stop(name)
    return _status(jobs, name)


@router.post("/hunts/{name}/extend", responses=problems(409))
def extend(jobs: TheJobs, name: Name, more: More) -> Status:
    """Add to a hunt's budget, and continue it unless it is paused."""
    jobs.extend(name, pages=more.pages, bytes=more.bytes, seconds=more.seconds)
    return _status(jobs, name)


@router.get("/hunts/{name}/pages")
def pages(jobs: TheJobs, name: Name, request: Annotated[PagesRequest, Depends(from_query(PagesRequest))]) -> Listed:
    """Pages of a hunt, best or latest first."""
    check_lengths(request)
    options = asdict(request)
    judged = {"yes": True, "no": False}.get(options.pop("judged"))
    return jobs.pages(name, judged=judged, **options)


def _status(jobs: TheJobs, name: str) -> Status:
    return Status.model_validate(jobs.status(name))
