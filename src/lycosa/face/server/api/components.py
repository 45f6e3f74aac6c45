"""Strategies, judges and requests: which ones there are, and their options."""

from __future__ import annotations

from fastapi import APIRouter

from lycosa.app import components
from lycosa.app.components import Component, RequestOption

router = APIRouter(tags=["hunts"])


@router.get("/strategies")
def strategies() -> list[Component]:
    """The strategies, with their options."""
    return components.strategies()


@router.get("/judges")
def judges() -> list[Component]:
    """The judges, with their options."""
    return components.judges()


@router.get("/options")
def options() -> dict[str, list[RequestOption]]:
    """The options of each kind of request, as other programs may set them."""
    return components.request_options()
