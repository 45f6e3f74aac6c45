"""Relevance in bytes: what is certain stays certain, and what nobody would notice is left alone."""

from lycosa.core.rejudging import NOTICED, STEPS, UNKNOWN, changes, unpacked


def test_a_byte_is_a_probability_or_nothing():
    assert [unpacked(byte) for byte in (0, 1, STEPS // 2, STEPS, UNKNOWN)] == [0.0, 0.005, 0.5, 1.0, None]


def test_only_noticeable_changes_are_noted():
    before = [0.5, 0.5, None, None, 0.5]
    step = int(NOTICED * STEPS)
    packed = bytes([100 + step - 1, 100 + step, 100, UNKNOWN, UNKNOWN])
    assert dict(changes(before, packed)) == {1: 0.5 + NOTICED, 2: 0.5}


def test_what_is_certain_is_noted_however_near_it_was():
    assert dict(changes([0.99, 0.01, 1.0, 0.0], bytes([STEPS, 0, STEPS, 0]))) == {0: 1.0, 1: 0.0}


def test_the_last_byte_is_that_of_the_last_page():
    assert dict(changes([0.1, 0.1, 0.1], bytes([100]))) == {2: 0.5}
    assert dict(changes([0.1], bytes([20, 40, 100]))) == {0: 0.5}
