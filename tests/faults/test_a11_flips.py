"""A11: a changed bit in any file of a collection is told, harmless or repaired, and never another value in silence."""

from collections import Counter
from random import Random

import flips
import pytest

SOUND = (flips.TOLD, flips.REPAIRED, flips.HARMLESS)


@pytest.fixture(scope="module")
def collections(tmp_path_factory):
    return flips.make_collections(tmp_path_factory.mktemp("flips"))


@pytest.mark.row("A11")
def test_no_changed_bit_is_read_back_in_silence(figure, size, collections, tmp_path):
    """Half of the flips in a collection that was closed, half in one as kill -9 leaves it."""
    half, chance = size(8, 500), Random(13)
    done = [flip for state in collections for flip in flips.flips(collections[state], half, chance, tmp_path / state)]
    count = Counter(flip.verdict for flip in done)
    wrong = [flip for flip in done if flip.verdict not in SOUND]
    said = ", ".join(f"{count[verdict]} {verdict}" for verdict in SOUND)
    figure(f"{len(wrong)} of {len(done)} wrong in silence or with a traceback; {said}")
    assert len(done) == 2 * half
    assert not wrong


def test_what_cannot_be_made_anew_is_named_and_all_else_is_made_anew(collections, tmp_path):
    for bit, found, right in flips.mended(collections["rested"], 6, Random(3), tmp_path):
        lost = [damage for damage in found.damages if damage not in found.repaired]
        if found.sound:
            assert right, bit
        else:
            # Only an event itself cannot be made anew; its page of the file is told too.
            assert any(", event " in damage.place for damage in lost), (bit, lost)
            assert all(damage.place.startswith("log.sqlite") for damage in lost), (bit, lost)
