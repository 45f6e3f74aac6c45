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
from lycosa.system.errors import Code, Refused

MEDIA_TYPE = "application/problem+json"


class Problem(BaseModel):
    """What is wrong and what to do about it (RFC 9457), with the field of the request that is at fault."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: Code
    field: str = ""
    fix: str = ""
    problem: str
    """The same as `detail`. Deprecated: version 0.1 had only this and `fix`."""


_MEANING = {
    400: "The request cannot be fulfilled.",
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
_CODES = {404: Code.NOT_FOUND, 413: Code.OUT_OF_RANGE, 429: Code.TOO_MANY, 503: Code.TOO_MANY}
"""The code of an answer for which nobody has named one; what is not listed is not allowed."""
EVERYWHERE = (400, 401, 403, 404, 405, 422, 429)
"""Error statuses that any route may answer with."""
CHANGING = (413, 415, 503)
"""Further error statuses of routes that take a body."""


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The declaration of a route's error answers, for the OpenAPI document."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"model": Problem, "description": _MEANING[status], "content": dict(content)} for status in statuses
    }


def told(
    status: int,
    problem: str,
    fix: str = "",
    headers: dict[str, str] | None = None,
    *,
    code: Code | None = None,
    field: str = "",
) -> JSONResponse:
    """An answer that says what is wrong."""
    body = Problem(
        title=_MEANING.get(status, "It failed.").rstrip("."),
        status=status,
        detail=_whole(problem),
        code=code or _CODES.get(status, Code.NOT_ALLOWED),
        field=_whole(field),
        fix=_whole(fix),
        problem=_whole(problem),
    )
    return JSONResponse(body.model_dump(mode="json"), status, headers=headers, media_type=MEDIA_TYPE)


def _whole(text: str) -> str:
    """Text without lone surrogates, which cannot be encoded."""
    return text.encode("utf-8", "replace").decode()


def tell_problems(app: FastAPI, show: Callable[[Request, int, str, str], Response]) -> None:
    """Make an app answer with problems instead of failing; browsers get a page made by `show`."""

    def answer(request: Request, status: int, problem: str, fix: str, **more: Any) -> Response:
        if request.url.path.startswith("/api/") or "text/html" not in request.headers.get("accept", ""):
            return told(status, problem, fix, **more)
        return show(request, status, problem, fix)

    @app.exception_handler(Refused)
    def refused(request: Request, error: Refused) -> Response:
        status = next((status for kind, status in _STATUS.items() if isinstance(error, kind)), 400)
        pathless = request.app.state.jobs.pathless
        said = pathless(error.problem), pathless(error.fix)
        return answer(request, status, *said, code=error.code, field=error.field)

    @app.exception_handler(RequestValidationError)
    def invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        # If the body is not JSON, all that is known is the position of the error.
        place = "" if first["type"] == "json_invalid" else ".".join(str(part) for part in first["loc"][1:])
        if first["type"] == UNKNOWN:
            said = first["ctx"]
            problem = f"{place}: {said['problem']}" if place else said["problem"]
            return answer(request, 422, problem, said["fix"], code=Code.UNKNOWN_NAME, field=place)
        code = Code.MISSING if first["type"] == "missing" else Code.BAD_VALUE
        problem = f"{place or first['loc'][0]}: {first['msg']}"
        return answer(request, 422, problem, "see /api/openapi.json for what is expected", code=code, field=place)

    @app.exception_handler(HTTPException)
    def failed(request: Request, error: HTTPException) -> Response:
        fix = "see /api/openapi.json for what there is"
        return answer(request, error.status_code, str(error.detail), fix, headers=dict(error.headers or {}))
