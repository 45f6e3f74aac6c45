"""Requests as REST bodies, query parameters and arguments of tools: their schemas follow from the declared options."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from functools import cache
from typing import Annotated, Any, TypeVar

from fastapi import Query, Response
from fastapi import Request as HttpRequest
from fastapi.routing import APIRoute
from msgspec import NODEFAULT
from pydantic import BaseModel, Field, GetCoreSchemaHandler, create_model
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, core_schema

from lycosa.app.requests.option import Request, RequestField, remote_options
from lycosa.face.server.strict import Payload
from lycosa.system.errors import Code, Refused

R = TypeVar("R", bound=Request)
_FORMER = "former_"
"""Begins the names of parameters that take earlier names, because some of those are words of Python, such as `in`."""


class FromFields:
    """Marks a parameter that is a request, so that it is read from JSON: `Annotated[HuntRequest, FromFields()]`."""

    def __get_pydantic_core_schema__(self, source: type[Request], handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(
            lambda body: source(**{name: getattr(body, name) for name in body.model_fields_set}),
            handler.generate_schema(model_of(source)),
        )


@cache
def model_of(kind: type[Request]) -> type[BaseModel]:
    """The model of a request with the options that other machines may set; unknown fields are refused."""
    fields: dict[str, Any] = {field.name: (type_of(field), info_of(field)) for field in remote_options(kind)}
    made: type[BaseModel] = create_model(kind.__name__, __base__=Payload, __doc__=kind.__doc__, **fields)
    return made


class FormerNamesRoute(APIRoute):
    """A route whose answers have a Warning header if the request used an earlier name."""

    def get_route_handler(self) -> Callable[[HttpRequest], Coroutine[Any, Any, Response]]:
        """The handler of the route."""
        handler = super().get_route_handler()

        async def handle(request: HttpRequest) -> Response:
            response = await handler(request)
            for warning in getattr(request.state, "warnings", ()):
                response.headers.append("Warning", warning)
            return response

        return handle


def from_query(kind: type[R]) -> Callable[..., R]:
    """A dependency that reads a request from the query of a URL; earlier names work, with a Warning header."""
    options = remote_options(kind)
    former = {old: field for field in options for old in field.option.formerly}

    def read(http_request: HttpRequest, **given: Any) -> R:
        values = {field.name: given[field.name] for field in options}
        used = [old for old in former if old in http_request.query_params]
        for old in used:
            if (new := former[old].single) in http_request.query_params:
                raise Refused(
                    f"{old} is the earlier name of {new}", f"give only {new}", code=Code.CONTRADICTION, field=new
                )
        values |= {former[old].name: given[_FORMER + old] for old in used}
        http_request.state.warnings = [f'299 lycosa "{old} is now called {former[old].single}"' for old in used]
        return kind(**values)

    own = list(inspect.signature(read, eval_str=True).parameters.values())[:1]
    made = [_parameter(field.name, field, field.single) for field in options]
    made += [_parameter(_FORMER + old, field, old, include_in_schema=False) for old, field in former.items()]
    read.__signature__ = inspect.Signature([*own, *made])  # type: ignore[attr-defined]
    return read


def _parameter(name: str, field: RequestField, alias: str, **more: Any) -> inspect.Parameter:
    info = info_of(field)
    query = Query(alias=alias, description=info.description, json_schema_extra=info.json_schema_extra, **more)
    needed = field.option.required_remotely and not field.option.formerly
    kind = list[str] if field.is_list else type_of(field)
    default = [] if field.is_list else inspect.Parameter.empty if needed else field.default
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, query])


def type_of(field: RequestField) -> Any:
    """The type of a field as JSON has it."""
    return field.type | None if field.optional else field.type


def info_of(field: RequestField) -> FieldInfo:
    """Default, description and bounds of a field. The request checks the bounds; here they are only described."""
    option = field.option
    bounds = {
        "minimum": option.low if option.remote_low is None else option.remote_low,
        "maximum": option.high if option.remote_high is None else option.remote_high,
        "exclusiveMinimum": option.above,
        "exclusiveMaximum": option.below,
        "maxItems" if field.is_list else "maxProperties" if field.is_table else "maxLength": option.max_length or None,
        "enum": [*option.choices, *([None] if field.optional else [])] if option.choices else None,
    }
    default = ... if field.default is NODEFAULT or option.required_remotely else field.default
    shown = f"{option.help} Default: {option.unset}." if option.unset else option.help
    if field.is_list:
        shown += " Several may be given."
    extra: dict[str, Any] = {name: bound for name, bound in bounds.items() if bound is not None}
    info: FieldInfo = Field(default, description=shown, json_schema_extra=extra)
    return info
