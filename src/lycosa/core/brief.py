"""The brief: what a strategy is told when a crawl begins."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from lycosa.core.nouns import Topic
from lycosa.core.priors import Priors


class Brief(NamedTuple):
    """What a strategy is given when a crawl begins; it gives no access to web, store, clock or oracle."""

    topic: Topic
    seeds: Sequence[str]
    rng: Random
    priors: Priors = Priors()
