"""Nothing that a client says is dropped in silence: a parameter or field that nobody knows is refused."""

from __future__ import annotations

import json
from typing import Any

from fastapi import Request
from pydantic import ConfigDict, model_validator
from pydantic_core import PydanticCustomError

from lycosa.app.near_names import unknown_name
from lycosa.face.server.documented import Documented
from lycosa.system.errors import Code, Refused

PREFIX = "/api"
"""Where the REST interface is."""
UNKNOWN = "unknown_name"
"""The kind of error with which Pydantic passes it on."""


class Unrecognised(Refused):
    """A request with a name in it that nobody knows."""

    code = Code.UNKNOWN_NAME


class Payload(Documented):
    """What a request brings in its body; it has these fields and no others."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _only_known(cls, given: Any) -> Any:
        return only_fields(given, cls.model_fields)


def only_fields(given: Any, known: Any) -> Any:
    """What was given, where it has no field but those known; anything but an object is left to others."""
    for name in given if isinstance(given, dict) else ():
        if name not in known:
            problem, fix = unknown_name("field", str(name), known)
            raise PydanticCustomError(UNKNOWN, "{problem}: {fix}", {"problem": problem, "fix": fix})
    return given


async def only_known(request: Request) -> None:
    """Refuse what the route that is asked has no use for; a dependency of every route of the REST interface."""
    about = _operation(request)
    parameters = [each["name"] for each in about.get("parameters", ()) if each["in"] == "query"]
    for name in request.query_params:
        if name not in parameters:
            raise Unrecognised(*unknown_name("parameter", name, parameters))
    if "requestBody" not in about and request.method not in ("GET", "HEAD"):
        for name in _fields(await request.body()):
            raise Unrecognised(*unknown_name("field", name, ()))


def _operation(request: Request) -> dict[str, Any]:
    """What the OpenAPI document says of the route."""
    path = request.scope["route"].path_format
    # Some versions of FastAPI tell the path as its router has it.
    paths: dict[str, Any] = request.app.openapi()["paths"]
    found: dict[str, Any] = paths[path if path in paths else PREFIX + path][request.method.lower()]
    return found


def _fields(body: bytes) -> list[str]:
    """The fields of a body where none is expected; one that is no object has none."""
    try:
        given = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        return []
    return list(given) if isinstance(given, dict) else []
