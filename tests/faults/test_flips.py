"""A changed bit in any file of a collection is told, harmless or repaired: never another value in silence."""

import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import flips

SOUND = {flips.TOLD, flips.HARMLESS, flips.REPAIRED}


@pytest.fixture(scope="module")
def collections(tmp_path_factory):
    return flips.make_collections(tmp_path_factory.mktemp("flips"))


@pytest.mark.parametrize("count", [30, pytest.param(500, marks=[pytest.mark.slow, pytest.mark.timeout(3600)])])
@pytest.mark.parametrize("state", ["rested", "killed"])
def test_no_changed_bit_is_read_back_in_silence(collections, state, count, tmp_path):
    done = list(flips.flips(collections[state], count, Random(13), tmp_path))
    print(Counter(flip.verdict for flip in done))
    assert [flip for flip in done if flip.verdict not in SOUND] == []


def test_what_cannot_be_made_anew_is_named_and_all_else_is_made_anew(collections, tmp_path):
    for bit, found, right in flips.mended(collections["rested"], 6, Random(3), tmp_path):
        lost = [damage for damage in found.damages if damage not in found.repaired]
        assert right if found.sound else all("event" in damage.problem + damage.place for damage in lost), (bit, lost)
