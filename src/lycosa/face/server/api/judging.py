"""Judging: what people say of pages, and which pages they are best asked about."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from lycosa.face.server.dependencies import Name, TheDesk
from lycosa.face.server.documented import Documented
from lycosa.face.server.strict import Payload

router = APIRouter(tags=["hunts"])


class JudgementBody(Payload):
    """A person's word on a page."""

    url: str = Field(min_length=1, max_length=10_000)
    relevant: bool | None
    """null takes back what was said of the page before."""


class Judgements(Payload):
    """Several of them: all are put down, or none where one is about no page of the hunt."""

    judgements: list[JudgementBody] = Field(min_length=1, max_length=1000)


class JudgedBody(Documented):
    """What was put down."""

    judged: list[JudgementBody]
    running: bool
    """Whether the hunt runs, and takes it in at once; otherwise it does when it is resumed."""


class JudgingQuestionBody(Documented):
    """A page to be judged, and what a person wants to know of it."""

    url: str
    title: str
    relevance: float
    path: list[str]
    """The pages from a seed to this one."""
    anchor: str
    """The words of the link by which it was found."""
    excerpt: list[str]
    """Sentences about the keywords."""


class DoubtsBody(Documented):
    """The pages whose judgement would teach most."""

    learns: bool
    """Whether the strategy makes anything of judgements."""
    doubts: list[JudgingQuestionBody]


@router.post("/hunts/{name}/judgements")
def judge(jobs: TheDesk, name: Name, said: Judgements) -> JudgedBody:
    """Say which pages are relevant and which are not, or take that back: the last word on a page counts."""
    heard = jobs.judge(name, [(each.url, each.relevant) for each in said.judgements])
    return JudgedBody.model_validate(heard)


@router.get("/hunts/{name}/doubts")
def doubts(jobs: TheDesk, name: Name, limit: Annotated[int, Query(ge=1, le=20)] = 5) -> DoubtsBody:
    """The pages whose judgement would teach most."""
    return DoubtsBody.model_validate(jobs.doubts(name, limit))
