"""The kinds of arrays that the reference index is made of."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.uint32]
"""Of pages, links, URLs or places."""
Keys = NDArray[np.uint64]
"""Of URLs or terms: their hashes."""
Rows = NDArray[np.int64]
Tokens = NDArray[np.int32]
Flags = NDArray[np.bool_]
Arrays = dict[str, NDArray[Any]]
