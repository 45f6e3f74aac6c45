"""Judging: people's judgements of pages, and the pages that are most worth judging."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from lycosa.face.server.dependencies import Name, TheJobs
from lycosa.face.server.documented import Documented
from lycosa.face.server.strict import Payload

router = APIRouter(tags=["hunts"])


class JudgementBody(Payload):
    """A person's judgement of a page."""

    url: str = Field(min_length=1, max_length=10_000)
    relevant: bool | None
    """null withdraws the earlier judgement of the page."""


class Judgements(Payload):
    """Several judgements: all are recorded, or none if one of the URLs is not a page of the hunt."""

    judgements: list[JudgementBody] = Field(min_length=1, max_length=1000)


class JudgedBody(Documented):
    """What was recorded."""

    judged: list[JudgementBody]
    running: bool
    """Whether the hunt runs and learns from them at once; otherwise it learns when it is resumed."""


class JudgingQuestionBody(Documented):
    """A page to be judged, with what a person needs to judge it."""

    url: str
    title: str
    relevance: float | None
    """How likely it is on topic, from 0 to 1; null while nothing is known."""
    path: list[str]
    """The pages from a seed to this one."""
    anchor: str
    """The anchor text of the link by which it was found."""
    excerpt: list[str]
    """Sentences about the keywords."""


class DoubtsBody(Documented):
    """The pages whose judgement would teach the hunt most."""

    learns: bool
    """Whether the strategy learns from judgements."""
    doubts: list[JudgingQuestionBody]


@router.post("/hunts/{name}/judgements")
def judge(jobs: TheJobs, name: Name, said: Judgements) -> JudgedBody:
    """Judge pages as relevant or not, or withdraw a judgement; the last judgement of a page counts."""
    heard = jobs.judge(name, [(each.url, each.relevant) for each in said.judgements])
    return JudgedBody.model_validate(heard)


@router.get("/hunts/{name}/doubts")
def doubts(jobs: TheJobs, name: Name, limit: Annotated[int, Query(ge=1, le=20)] = 5) -> DoubtsBody:
    """The pages whose judgement would teach the hunt most."""
    return DoubtsBody.model_validate(jobs.doubts(name, limit))
