"""Scopes: try out which rule lets a URL in, or keeps it out, before anything is fetched."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Response
from msgspec.structs import replace

from lycosa.app.answers.scope import ScopeAnswer
from lycosa.app.requests.option import check_remote
from lycosa.app.requests.scope import ScopeTestRequest
from lycosa.app.scope_check import tested
from lycosa.face.server.answer_models import answer_model, answered
from lycosa.face.server.dependencies import TheHunt
from lycosa.face.server.request_models import FromFields

Scoped = Annotated[ScopeTestRequest, FromFields(), Body()]
Verdicts = answer_model(ScopeAnswer)
router = APIRouter(tags=["hunts"])


@router.post("/scope", response_model=Verdicts)
def test_scope(request: Scoped) -> Response:
    """Test URLs with a scope: nothing is fetched and nothing begun."""
    check_remote(request)
    return answered(tested(request))


@router.post("/hunts/{name}/scope", response_model=Verdicts)
def test_scope_of_hunt(folder: TheHunt, request: Scoped) -> Response:
    """Test URLs with the scope of a hunt, and with the other options of the request as changes of it."""
    check_remote(request)
    return answered(tested(replace(request, collection=folder)))
