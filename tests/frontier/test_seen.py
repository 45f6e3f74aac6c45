"""The seen set is a set, at eight bytes a key."""

import sys
from random import Random

from lycosa.frontier.seen import Seen


def test_it_agrees_with_a_set_through_several_settlements():
    rng = Random(1)
    seen, truth = Seen(), set()
    for _ in range(100):
        keys = [rng.getrandbits(18) << 40 for _ in range(2000)]
        seen.update(keys[:1000])
        for key in keys[1000:]:
            seen.add(key)
        truth.update(keys)
    assert len(seen) == len(truth)
    probes = [rng.getrandbits(18) << 40 for _ in range(1000)] + [0, 2**64 - 1]
    assert seen.among(probes) == truth & set(probes)
    assert [probe in seen for probe in probes] == [probe in truth for probe in probes]


def test_it_survives_saving():
    seen = Seen()
    seen.update([1, 2**63, 2**64 - 1])
    again = Seen(seen.save())
    assert again.among([1, 2, 2**63, 2**64 - 1]) == {1, 2**63, 2**64 - 1}
    again.add(2)
    assert len(again) == 4


def test_a_million_keys_take_about_eight_megabytes():
    rng = Random(2)
    seen = Seen()
    seen.update(rng.getrandbits(64) for _ in range(1_000_000))
    assert len(seen) == 1_000_000
    held = seen._old.nbytes + sys.getsizeof(seen._young) + 32 * len(seen._young)
    assert held < 14_000_000
