"""Pages and texts as vectors of term weights, tf factor times inverse document frequency over a pool of pages."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from lycosa.lab.comparison import Floats


class Vectors:
    """The pages of a pool as vectors: w_kp = factor_kp * ln(|pool| / df_k), never written out."""

    def __init__(self, factors: csr_array) -> None:
        size, stems = factors.shape
        frequency = np.bincount(factors.indices, minlength=stems)
        # A stem on no page of the pool has no weight: it cannot tell its pages apart.
        self._idf = np.log(np.divide(size, frequency, out=np.ones(stems), where=frequency > 0))
        self._factors = factors
        self._lengths = np.sqrt(like(factors, factors.data**2) @ self._idf**2)

    def cosine(self, text: csr_array) -> Floats:
        """sim(d, p) of a text, given as one row of factors, to each page; 0 where one of them has no weight."""
        vector = np.zeros(len(self._idf))
        vector[text.indices] = text.data * self._idf[text.indices]
        return cosine(self._factors @ (vector * self._idf), float(np.linalg.norm(vector)), self._lengths)


def cosine(dots: Floats, length: float, lengths: Floats) -> Floats:
    """Cosines from dot products and lengths; 0 where a length is."""
    product = length * lengths
    return np.minimum(1.0, np.divide(dots, product, out=np.zeros(len(dots)), where=product > 0))


def like(counts: csr_array, data: Floats) -> csr_array:
    """A matrix with other numbers at the same places."""
    return csr_array((data, counts.indices, counts.indptr), shape=counts.shape)


def augmented(counts: csr_array, most: int | NDArray[np.integer] | None = None) -> csr_array:
    """0.5 + 0.5 tf / max tf wherever tf > 0; max tf is that of the row, or `most` where stems are left out of it."""
    if most is None:
        lengths = np.diff(counts.indptr)
        held = lengths > 0  # reduceat knows no empty rows
        most = np.repeat(np.maximum.reduceat(counts.data, counts.indptr[:-1][held]), lengths[held])
    return like(counts, 0.5 + 0.5 * counts.data / most)


def logarithmic(counts: csr_array) -> csr_array:
    """1 + ln tf wherever tf > 0."""
    return like(counts, 1 + np.log(counts.data))
