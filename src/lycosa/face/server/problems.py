"""Errors as HTTP answers: one problem, one fix, and never a traceback."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import Response

from lycosa.app.jobs import Conflict, Unknown
from lycosa.face.server.strict import UNKNOWN, Unrecognised
from lycosa.system.errors import Refused


class Problem(BaseModel):
    """What is wrong, and what to do about it."""

    problem: str
    fix: str = ""


_MEANING = {
    400: "What was asked for is not possible.",
    401: "A token is needed.",
    403: "Asked from a foreign page or by a foreign name.",
    404: "There is nothing of that name.",
    405: "This cannot be done here.",
    409: "It is not in a state for that.",
    413: "The request is too large.",
    415: "The body must be JSON.",
    422: "A value is missing or of the wrong kind, or a name is unknown.",
    429: "Too many calls in a short time.",
    503: "Too much at the same time; Retry-After says when to ask again.",
}
_STATUS = {Unknown: 404, Conflict: 409, Unrecognised: 422}
EVERYWHERE = (400, 401, 403, 404, 405, 422, 429)
"""Error statuses that any route may answer with."""
CHANGING = (413, 415, 503)
"""Further error statuses of routes that take a body."""


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The declaration of a route's error answers, for the OpenAPI document."""
    # The content type is given because a route that answers with another type still reports problems as JSON.
    json: dict[str, Any] = {"application/json": {}}
    return {status: {"model": Problem, "description": _MEANING[status], "content": dict(json)} for status in statuses}


def told(status: int, problem: str, fix: str = "", headers: dict[str, str] | None = None) -> JSONResponse:
    """An answer that says what is wrong and what to do."""
    safe = {"problem": _whole(problem), "fix": _whole(fix)}
    return JSONResponse(safe, status, headers=headers)


def _whole(text: str) -> str:
    """Text without lone surrogates, which cannot be encoded."""
    return text.encode("utf-8", "replace").decode()


def tell_problems(app: FastAPI, show: Callable[[Request, int, str, str], Response]) -> None:
    """Make an app answer with problems instead of failing; browsers get a page made by `show`."""

    def answer(request: Request, status: int, problem: str, fix: str, headers: dict[str, str]) -> Response:
        if request.url.path.startswith("/api/") or "text/html" not in request.headers.get("accept", ""):
            return told(status, problem, fix, headers)
        return show(request, status, problem, fix)

    @app.exception_handler(Refused)
    def refused(request: Request, error: Refused) -> Response:
        status = next((status for kind, status in _STATUS.items() if isinstance(error, kind)), 400)
        plainly = request.app.state.jobs.plainly
        return answer(request, status, plainly(error.problem), plainly(error.fix), {})

    @app.exception_handler(RequestValidationError)
    def invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        if first["type"] == UNKNOWN:
            within = ".".join(str(part) for part in first["loc"][1:])
            said = first["ctx"]
            return answer(request, 422, f"{within}: {said['problem']}" if within else said["problem"], said["fix"], {})
        place = ".".join(str(part) for part in first["loc"][1:]) or str(first["loc"][0])
        return answer(request, 422, f"{place}: {first['msg']}", "see /api/openapi.json for what is expected", {})

    @app.exception_handler(HTTPException)
    def failed(request: Request, error: HTTPException) -> Response:
        fix = "see /api/openapi.json for what there is"
        return answer(request, error.status_code, str(error.detail), fix, dict(error.headers or {}))
