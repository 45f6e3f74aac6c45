"""The laboratory: its reports, and the experiments that are running."""

from __future__ import annotations

import pathlib
from mimetypes import guess_type
from typing import Annotated

from fastapi import APIRouter, Path
from fastapi.responses import StreamingResponse

from lycosa.app import experiments as laboratory
from lycosa.app.jobs.catalog import LAB
from lycosa.app.progress_file import progress_in
from lycosa.face.server.dependencies import Name, TheJobs
from lycosa.face.server.documented import Documented
from lycosa.face.server.files import sent

router = APIRouter(tags=["laboratory"])
# A report has its own scripts for its tables and figures: they run only inside it and have no network access.
POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data:; frame-ancestors 'self'"
)


class Running(Documented):
    """The progress of an experiment."""

    stage: str
    done: int
    total: int
    """0 if it is not known."""
    command: str
    began: float


class ExperimentBody(Documented):
    """One folder of the laboratory."""

    name: str
    title: str
    report: bool
    at: float
    crawls: int
    files: list[str]
    running: Running | None


@router.get("/lab")
def experiments(jobs: TheJobs) -> list[ExperimentBody]:
    """All experiments of the laboratory, finished or running, latest first."""
    found = [_about(jobs, entry.name) for entry in jobs.entries() if entry.kind == LAB]
    return sorted(found, key=lambda one: (one.running is None, -one.at))


@router.get("/lab/{name}")
def experiment(jobs: TheJobs, name: Name) -> ExperimentBody:
    """One experiment."""
    return _about(jobs, name)


@router.get("/lab/{name}/{file:path}", response_class=StreamingResponse)
def file(
    jobs: TheJobs,
    name: Name,
    file: Annotated[str, Path(max_length=300, description="report.html, or one of the experiment's files.")],
) -> StreamingResponse:
    """A report, or a figure or table beside it, sandboxed so that it is safe to open."""
    opened = laboratory.open_file(jobs.folder(name, LAB), file)
    return sent(opened, guess_type(file)[0] or "text/plain", {"Content-Security-Policy": POLICY})


def _about(jobs: TheJobs, name: str) -> ExperimentBody:
    folder = jobs.folder(name, LAB)
    return ExperimentBody(name=name, running=running(jobs, folder), **laboratory.about(folder))


def running(jobs: TheJobs, folder: pathlib.Path) -> Running | None:
    """The progress of the work in a folder; None if no process works there."""
    progress = progress_in(folder)
    return Running(**{**progress._asdict(), "command": jobs.pathless(progress.command)}) if progress else None
