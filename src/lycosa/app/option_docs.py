"""The documentation of a strategy or a judge and of its options, for lists and forms."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
import threading
from itertools import pairwise
from typing import Any

from lycosa.core.registry import Named, options

SAID = {"use_attribute_docstrings": True}
"""As `__pydantic_config__` of a dataclass: the docstrings under its fields go into the OpenAPI document."""


# Python 3.11 fails if two threads parse at the same time.
_parsing = threading.Lock()


def describe(kind: type[Named]) -> dict[str, Any]:
    """What a strategy or a judge is, and its options."""
    said = field_docs(kind)
    return {
        "summary": (kind.__doc__ or "").strip(),
        "about": (sys.modules[kind.__module__].__doc__ or "").strip(),
        "options": [
            {
                "name": option.name,
                "type": str(option.type),
                "default": option.default,
                "help": said.get(option.name, ""),
            }
            for option in options(kind)
        ],
    }


def field_docs(kind: type) -> dict[str, str]:
    """The docstring under each field of a class in the source, by the name of the field."""
    said: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        try:
            with _parsing:
                tree = ast.parse(textwrap.dedent(inspect.getsource(each)))
        except (OSError, TypeError, SyntaxError):
            continue  # built-in classes have no source
        body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
        for option, below in pairwise(body):
            match option, below:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                    said[name] = " ".join(text.split())
    return said
