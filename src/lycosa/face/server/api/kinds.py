"""Strategies and judges: which there are, and what can be set about them."""

from __future__ import annotations

from fastapi import APIRouter

from lycosa.face.desk import kinds
from lycosa.face.desk.kinds import Kind

router = APIRouter(tags=["hunts"])


@router.get("/strategies")
def strategies() -> list[Kind]:
    """The ways of hunting."""
    return kinds.strategies()


@router.get("/judges")
def judges() -> list[Kind]:
    """Who can say how relevant a page is."""
    return kinds.judges()
