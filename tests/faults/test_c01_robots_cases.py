"""C1: robots.txt is read as Google's own cases and the RFC say."""

import base64
import json
import random
from pathlib import Path

import pytest

from lycosa.web.robots_txt import read

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "conformance" / "robots-google" / "robots_cases.json"


@pytest.mark.row("C1")
def test_robots_txt_is_read_as_google_and_the_rfc_say(figure, size):
    if not DATA.is_file():
        pytest.skip("the conformance data lies beside the repository, in ../shared")
    right = {True: 0, False: 0}
    cases = json.loads(DATA.read_text())
    for case in cases:
        body = base64.b64decode(case["robots_txt_b64"])
        right[case["google_specific"]] += read(body, case["user_agent"]).allows(case["url"]) == case["allowed"]
    # Nothing that may stand in such a file is an error.
    dice, read_all = random.Random(1), 0
    for _ in range(size(500, 20_000)):
        spoilt = bytearray(base64.b64decode(dice.choice(cases)["robots_txt_b64"]) or b"User-agent: *\nDisallow: /*a$")
        for _ in range(dice.randrange(1, 9)):
            spoilt[dice.randrange(len(spoilt))] = dice.randrange(256)
        read(bytes(spoilt), "Lycosa", canonical_urls=True).allows("http://a.test/a?b=%2A")
        read_all += 1
    figure(
        f"{sum(right.values())} of {len(cases)} cases, {right[False]} of 72 of the RFC; "
        f"{read_all} damaged files, 0 errors"
    )
    assert right == {False: 72, True: 68}
