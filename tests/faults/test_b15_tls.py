"""B15: whatever is wrong with a TLS server, the page is a miss whose reason says so and is explained."""

import asyncio
from pathlib import Path

import pytest
from tests.tls_cases import CASES, outcome

from lycosa.core.nouns import Page
from lycosa.web.tls_reasons import ADVICE

OPERATIONS = Path(__file__).parents[2] / "docs" / "reference/operations.md"


@pytest.mark.row("B15")
def test_every_fault_of_tls_has_a_reason_that_is_documented(figure, size, tmp_path):
    rounds, documented = size(1, 10), OPERATIONS.read_text()
    wrong = []
    for name, (_, reason, _) in list(CASES.items()) * rounds:
        found = asyncio.run(outcome(name, tmp_path))
        if reason is None:
            right = isinstance(found, Page)
        else:
            right = getattr(found, "reason", None) == reason and reason in ADVICE and f"`{reason}`" in documented
        wrong += [] if right else [(name, found)]
    asked = len(CASES) * rounds
    reasons = {reason for _, reason, _ in CASES.values()} - {None}
    figure(f"{asked - len(wrong)} of {asked} as documented: {len(CASES)} cases, {len(reasons)} reasons")
    assert wrong == []
