"""Word vectors in memory: one vector per stem, so that the vector of a text is the sum of those of its words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lycosa.core.words import separated, sequence_of


def unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    """A vector with length 1 in the same direction; a vector of zeros stays as it is."""
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector


class WordVectors:
    """The vectors of some stems; a longer vector counts more in a text."""

    def __init__(self, words: Sequence[str], vectors: NDArray[np.float32]) -> None:
        self.words = words
        self.vectors = vectors
        self._row = {word: row for row, word in enumerate(words)}

    def of_text(self, text: str, longest: int) -> NDArray[np.float64]:
        """The vector of the first terms of a text, with length 1; zeros if none of them is known."""
        return self.of_stems(sequence_of(separated(text))[:longest])

    def of_stems(self, stems: Sequence[str]) -> NDArray[np.float64]:
        """The vector of some stems, with length 1; zeros if none of them is known."""
        rows = [row for stem in stems if (row := self._row.get(stem)) is not None]
        return unit(self.vectors[rows].sum(axis=0, dtype=np.float64))
