"""Models whose fields are described by the docstrings under them."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Documented(BaseModel):
    """A model whose field docstrings become descriptions in the OpenAPI document."""

    model_config = ConfigDict(use_attribute_docstrings=True)
