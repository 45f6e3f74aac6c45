"""Ranks: 1 is best, and pages that are equally good share the mean of their places."""

from __future__ import annotations

import numpy as np

from lycosa.lab.comparison import Floats


def ranks(*keys: Floats) -> Floats:
    """The rank of each page by its keys, larger being better and the first key counting most.

    Equal pages share a rank because any order among them (by page number, say) might favour a crawler by accident.
    """
    size = len(keys[0])
    order = np.lexsort([-key for key in reversed(keys)])
    new = np.ones(size, bool)
    for key in keys:
        new[1:] &= key[order][1:] == key[order][:-1]
    new[1:] = ~new[1:]
    starts = np.flatnonzero(new)
    ends = np.append(starts[1:], size)
    found = np.empty(size)
    found[order] = np.repeat((starts + 1 + ends) / 2, ends - starts)
    return found
