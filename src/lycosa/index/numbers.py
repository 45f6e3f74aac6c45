"""The types of the arrays in an index."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.uint32]
"""Numbers of pages, links, URLs or places."""
Keys = NDArray[np.uint64]
"""Hashes of URLs or terms."""
Rows = NDArray[np.int64]
Tokens = NDArray[np.int32]
Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ids = NDArray[np.integer]
Arrays = dict[str, NDArray[Any]]
