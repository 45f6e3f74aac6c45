"""Tools made from requests: every option of a request becomes an argument of the tool."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Annotated, Any, TypeVar

from lycosa.app.requests.option import Request, remote_options
from lycosa.face.server.request_models import info_of, type_of

T = TypeVar("T")


def takes_request(kind: type[Request], leave_out: Sequence[str] = ()) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Replace the parameter `request` of a tool by the options that other machines may set, except some."""

    def decorate(method: Callable[..., T]) -> Callable[..., T]:
        options = [field for field in remote_options(kind) if field.name not in leave_out]
        declared = inspect.signature(method, eval_str=True)
        itself, request, *rest = declared.parameters.values()
        assert request.name == "request"

        @wraps(method)
        def call(self: Any, **given: Any) -> T:
            own = {each.name: given.pop(each.name) for each in rest if each.name in given}
            return method(self, kind(**given), **own)

        @wraps(method)
        async def call_later(self: Any, **given: Any) -> Any:
            result: Any = call(self, **given)
            return await result

        # The server of tools only awaits functions that are declared so.
        tool: Callable[..., Any] = call_later if inspect.iscoroutinefunction(method) else call

        made = [
            inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if info_of(field).is_required() else field.default,
                annotation=Annotated[type_of(field), info_of(field)],
            )
            for field in options
        ]
        own = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in rest]
        tool.__signature__ = declared.replace(parameters=[itself, *made, *own])  # type: ignore[attr-defined]
        tool.__annotations__ = {each.name: each.annotation for each in (*made, *own)}
        tool.__annotations__["return"] = declared.return_annotation
        return tool

    return decorate
