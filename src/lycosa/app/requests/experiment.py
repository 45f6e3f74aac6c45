"""Requests to the laboratory: compare configurations, or repeat a paper's experiment."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from lycosa.app.requests.option import Option, Request

_TOPICS = "Topic ids, separated by commas or repeated, or a number of topics."
_MISSING = "Maximum share of requested pages missing from a recorded crawl; above it, nothing is ranked."


class TestBed(Request, frozen=True, kw_only=False):
    """The field that is given by position."""

    bed: Annotated[str, Option("Test bed, or made web such as made:pages=2000,topics=12,seed=1.")]


class ExperimentRequest(TestBed, frozen=True, kw_only=True):
    """Which configurations to compare, on which topics, and how."""

    strategies: Annotated[
        Sequence[str],
        Option(
            "Configuration: NAME, NAME:option=value, or a grid NAME:option=a|b|c.",
            each="strategy",
            unset="all strategies",
        ),
    ] = ()
    tasks: Annotated[Sequence[str], Option("Start pages: examples or neighbors.", each="task", unset="examples")] = ()
    pages: Annotated[int, Option("Maximum pages per crawl.", low=1)] = 1000
    topics: Annotated[Sequence[str], Option(_TOPICS, unset="all")] = ()
    repeats: Annotated[
        int,
        Option(
            "Repeats with other random seeds, averaged; crawls without randomness run once.",
            low=1,
            formerly=("seeds",),
        ),
    ] = 1
    subsets: Annotated[
        int,
        Option(
            "Sets of start pages per topic, averaged: all of them, then random halves and their complements.", low=1
        ),
    ] = 1
    reference: Annotated[str, Option("Configuration that all others are tested against.", unset="the first one")] = ""
    all_pairs: Annotated[bool, Option("Test every pair of configurations instead.")] = False
    workers: Annotated[int, Option("Requests under way at the same time, in virtual time.", low=1)] = 1
    delay: Annotated[
        float, Option("Pause after each request to a host, in virtual time.", low=0, below=math.inf, unit="seconds")
    ] = 0.0
    out: Annotated[Path | None, Option("Folder for finished crawls and the report.", unset="lab-BED")] = None
    robustness: Annotated[bool, Option("Also crawl from each half of the start pages and compare the two crawls.")] = (
        False
    )
    capacity: Annotated[int | None, Option("Maximum links in a frontier.", low=1)] = None
    processes: Annotated[int | None, Option("Worker processes.", low=1, unset="one per CPU core")] = None
    missing: Annotated[float, Option(_MISSING, low=0, high=1)] = 0.2
    report: Annotated[bool, Option("Write a report with figures and tables.")] = True


class StudyName(Request, frozen=True, kw_only=False):
    """The field that is given by position."""

    name: Annotated[str, Option("Study to run; without a name, the studies are listed.")] = ""


class StudyRequest(StudyName, frozen=True, kw_only=True):
    """Which paper's experiment to repeat, and at which size."""

    bed: Annotated[str | None, Option("Test bed or made web to use instead of the study's own made web.")] = None
    pages: Annotated[
        int | None,
        Option("Maximum pages per crawl; for symbiosis, per collection (MAX_IN_INDEX).", low=1),
    ] = None
    topics: Annotated[Sequence[str], Option(_TOPICS, unset="all")] = ()
    repeats: Annotated[int | None, Option("Repeats with other random seeds, averaged.", low=1, formerly=("seeds",))] = (
        None
    )
    full: Annotated[bool, Option("Use the size of the published experiment; may take an hour.")] = False
    out: Annotated[Path | None, Option("Folder for finished crawls and the report.", unset="study-NAME")] = None
    processes: Annotated[int | None, Option("Worker processes.", low=1, unset="one per CPU core")] = None
    missing: Annotated[float, Option(_MISSING, low=0, high=1)] = 0.2
