"""Answers as JSON: their models for the OpenAPI document follow from the declared structs."""

from __future__ import annotations

import types
from functools import cache, reduce
from operator import or_
from typing import Any, get_args, get_origin

import msgspec
from fastapi import Response
from msgspec import Struct
from pydantic import BaseModel, Field, create_model

from lycosa.app.option_docs import field_docs


def answered(answer: Struct | list[Any], status: int = 200) -> Response:
    """An answer as an HTTP response; numbers that JSON cannot represent become null."""
    return Response(msgspec.json.encode(answer), status, media_type="application/json")


@cache
def answer_model(kind: type[Struct]) -> type[BaseModel]:
    """The model of an answer, with the docstrings under its fields as descriptions."""
    docs = field_docs(kind)
    fields: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        info = Field(..., description=docs.get(field.name) or None)
        fields[field.encode_name] = (_type(field.type), info)
    made: type[BaseModel] = create_model(kind.__name__, __doc__=kind.__doc__, **fields)
    return made


def _type(kind: Any) -> Any:
    """A type in which structs are replaced by their models, and any number may be null."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        return answer_model(kind)
    if kind is float:
        return float | None
    parts: tuple[Any, ...] = tuple(part if part is ... else _type(part) for part in get_args(kind))
    if isinstance(kind, types.UnionType):
        return reduce(or_, parts)
    return get_origin(kind)[parts] if parts else kind
