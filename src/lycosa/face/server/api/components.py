"""Strategies and judges: which there are, and what can be set about them."""

from __future__ import annotations

from fastapi import APIRouter

from lycosa.app import components
from lycosa.app.components import Component

router = APIRouter(tags=["hunts"])


@router.get("/strategies")
def strategies() -> list[Component]:
    """The ways of hunting."""
    return components.strategies()


@router.get("/judges")
def judges() -> list[Component]:
    """Who can say how relevant a page is."""
    return components.judges()
