"""Refuses parameters and fields that are not known, so that nothing a client sends is silently ignored."""

from __future__ import annotations

import json
from typing import Any

from fastapi import Request
from fastapi.dependencies.utils import get_flat_params
from fastapi.params import Query
from pydantic import ConfigDict, model_validator
from pydantic_core import PydanticCustomError

from lycosa.app.near_names import unknown_name
from lycosa.face.server.documented import Documented
from lycosa.system.errors import Code, Refused

PREFIX = "/api"
"""The path prefix of the REST interface."""
UNKNOWN = "unknown_name"
"""The type of the Pydantic error that carries the refusal."""


class Unrecognised(Refused):
    """A request contains a parameter or field that is not known."""

    code = Code.UNKNOWN_NAME


class Payload(Documented):
    """A request body; fields other than those of the model are refused."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _only_known(cls, given: Any) -> Any:
        return only_fields(given, cls.model_fields)


def only_fields(given: Any, known: Any) -> Any:
    """Return `given` if all of its fields are known; a value that is not an object is left to other validators."""
    for name in given if isinstance(given, dict) else ():
        if name not in known:
            problem, fix = unknown_name("field", str(name), known)
            raise PydanticCustomError(UNKNOWN, "{problem}: {fix}", {"problem": problem, "fix": fix})
    return given


async def only_known(request: Request) -> None:
    """Refuse parameters and fields that the route does not have; every route of the REST interface depends on it."""
    about = _operation(request)
    parameters = [each["name"] for each in about.get("parameters", ()) if each["in"] == "query"]
    # Earlier names of parameters are not in the document.
    former = [
        each.alias for each in get_flat_params(request.scope["route"].dependant) if isinstance(each.field_info, Query)
    ]
    for name in request.query_params:
        if name not in parameters and name not in former:
            raise Unrecognised(*unknown_name("parameter", name, parameters), field=name)
    if "requestBody" not in about and request.method not in ("GET", "HEAD"):
        for name in _fields(await request.body()):
            raise Unrecognised(*unknown_name("field", name, ()), field=name)


def _operation(request: Request) -> dict[str, Any]:
    """The OpenAPI operation of the requested route."""
    path = request.scope["route"].path_format
    # Some versions of FastAPI give the path without the router's prefix.
    paths: dict[str, Any] = request.app.openapi()["paths"]
    found: dict[str, Any] = paths[path if path in paths else PREFIX + path][request.method.lower()]
    return found


def _fields(body: bytes) -> list[str]:
    """The fields of a body where none is expected; a body that is not an object has none."""
    try:
        given = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        return []
    return list(given) if isinstance(given, dict) else []
