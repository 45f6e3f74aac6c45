"""Requests as REST bodies, query parameters and arguments of tools: their schemas follow from the declared options."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec import NODEFAULT
from pydantic import BaseModel, Field, GetCoreSchemaHandler, create_model
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, core_schema

from lycosa.app.requests.option import Request, RequestField, remote_options
from lycosa.face.server.strict import Payload


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


def type_of(field: RequestField) -> Any:
    """The type of a field as JSON has it."""
    return field.type | None if field.optional else field.type


def info_of(field: RequestField) -> FieldInfo:
    """Default, description and bounds of a field. The request checks the bounds; here they are only described."""
    option = field.option
    bounds = {
        "minimum": option.low,
        "maximum": option.high,
        "exclusiveMinimum": option.above,
        "exclusiveMaximum": option.below,
        "maxItems" if field.is_list else "maxProperties" if field.is_table else "maxLength": option.longest or None,
        "enum": list(option.choices) or None,
    }
    default = ... if field.default is NODEFAULT or option.needed else field.default
    shown = f"{option.help} Default: {option.unset}." if option.unset else option.help
    if field.is_list:
        shown += " Several may be given."
    extra: dict[str, Any] = {name: bound for name, bound in bounds.items() if bound is not None}
    info: FieldInfo = Field(default, description=shown, json_schema_extra=extra)
    return info
