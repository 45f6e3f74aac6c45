"""Models whose fields are described by the sentences under them."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Documented(BaseModel):
    """What is said under a field goes into the OpenAPI document."""

    model_config = ConfigDict(use_attribute_docstrings=True)
