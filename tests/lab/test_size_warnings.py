"""Sizes at which a comparison says nothing are told."""

import pytest

from lycosa.lab.grounds import Ground
from lycosa.lab.size_warnings import meaningless_sizes
from lycosa.lab.traits import Traits
from lycosa.web.source import BedTopic


class Small:
    """As much of a world as is looked at."""

    name = "small"
    corpus = range(4000)


TOPIC = Ground(BedTopic("t", "cat", ()), tuple("abcdefghij"), ())


@pytest.mark.parametrize(
    ("pages", "batch", "told"),
    [
        (2000, 256, ""),
        (1280, 256, ""),
        (500, 256, "way takes 256 links at a time: a crawl of 500 pages is only 2.0 such batches, too few to compare"),
        (500, 1, ""),
        (20, 4, ""),
        (19, 1, "crawls of 19 pages are hardly longer than their start pages (up to 10)"),
        (2001, 1, "small has only 4,000 pages: crawls of 2,001 end up with the same ones"),
    ],
)
def test_too_short_and_too_long_crawls_are_told(pages, batch, told):
    found = list(meaningless_sizes(Small(), [TOPIC], {"way": Traits({}, batch=batch)}, pages))
    assert len(found) == bool(told)
    assert not told or found[0].startswith(told)
