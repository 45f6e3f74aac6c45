"""B17: what a server sends beyond its answer is never taken for the answer to the next request."""

import asyncio
from itertools import product

import pytest
from tests.surplus import ANSWERS, SURPLUS, WAYS, mixed_up


@pytest.mark.row("B17")
def test_no_surplus_on_a_kept_connection_becomes_another_page(figure, size):
    # Every answer with every surplus in every way; the quick check takes one in five.
    cases = list(product(ANSWERS.values(), SURPLUS.values(), WAYS))[:: size(5, 1)]
    rounds = size(2, 40)
    wrong = asyncio.run(count(cases, rounds))
    figure(f"{wrong} of {len(cases) * rounds:,} pages mixed up, {len(cases)} kinds of surplus")
    assert wrong == 0


async def count(cases, rounds):
    return sum([await mixed_up(answer, surplus, way, rounds) for answer, surplus, way in cases])
