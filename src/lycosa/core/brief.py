"""The brief: what a strategy is told when a crawl begins."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from lycosa.core.nouns import Topic
from lycosa.core.priors import Priors

if TYPE_CHECKING:
    # numpy takes a while to import, and most commands make no crawl.
    from lycosa.core.page_model import PageModel


class Brief(NamedTuple):
    """What a strategy is given when a crawl begins; it gives no access to web, store, clock or oracle."""

    topic: Topic
    seeds: Sequence[str]
    rng: Random
    priors: Priors = Priors()
    pages: PageModel | None = None
    """The page model of the crawl, to be read only; a strategy that `reads_pages` is always given one.

    A page is in it before `learn` is called, a judgement before `judged` or `withdrawn` is.
    """
