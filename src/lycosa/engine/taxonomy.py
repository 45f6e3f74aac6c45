"""Taxonomies as users keep them: a file of categories with example pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lycosa.core.errors import Refused
from lycosa.core.taxonomy import Taxonomy


def open_taxonomy(file: str, good: Sequence[str] = (), refiled: Mapping[str, str] = {}) -> Taxonomy:
    """The taxonomy in a file, with the user's marks and corrections."""
    raise Refused(f"{file} cannot be read", "taxonomies are not read yet")
