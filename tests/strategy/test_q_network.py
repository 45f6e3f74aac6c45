"""The Q-network: its gradient is the real one, it learns, and its copy stays behind until it is renewed."""

from random import Random

import msgspec
import numpy as np
import pytest

from lycosa.strategy.q_network import QNetwork, _forward


def inputs(count=40, seed=1):
    return np.random.default_rng(seed).random((count, 4))


def test_one_step_goes_down_the_slope_of_the_error():
    network = QNetwork(4, Random(1), rate=1e-4)
    rows, targets = inputs(), inputs()[:, 0] * 2

    def error(weights):
        return float(((_forward(weights, rows)[-1][:, 0] - targets) ** 2).mean())

    before = [each.copy() for each in network._weights]
    slopes = []
    for place, weights in enumerate(before):
        slope = np.zeros_like(weights)
        for at in np.ndindex(weights.shape):
            shifted = [each.copy() for each in before]
            shifted[place][at] += 1e-6
            slope[at] = (error(shifted) - error(before)) / 1e-6
        slopes.append(slope)
    network.train(rows, targets)
    for slope, mean in zip(slopes, network._means, strict=True):
        assert mean / (1 - 0.9) == pytest.approx(np.clip(slope, -1, 1), abs=1e-4)
    assert error(network._weights) < error(before)


def test_it_learns_a_function_that_is_not_linear():
    network = QNetwork(4, Random(2), rate=0.01)
    rows = inputs(500)
    targets = np.where(rows[:, 0] > 0.5, rows[:, 1], 1 - rows[:, 1])
    before = float(((network.values(rows) - targets) ** 2).mean())
    dice = np.random.default_rng(3)
    for _ in range(1500):
        some = dice.integers(0, 500, 60)
        network.train(rows[some], targets[some])
    assert float(((network.values(rows) - targets) ** 2).mean()) < before / 10


def test_the_copy_stays_as_it_was_until_it_is_renewed():
    network = QNetwork(4, Random(1), rate=0.01)
    rows = inputs()
    first = network.values(rows)
    assert network.values(rows, copy=True).tolist() == first.tolist()
    network.train(rows, np.ones(len(rows)))
    assert network.values(rows, copy=True).tolist() == first.tolist() != network.values(rows).tolist()
    network.renew()
    assert network.values(rows, copy=True).tolist() == network.values(rows).tolist()


def test_the_dice_decide_where_it_begins_and_a_checkpoint_where_it_goes_on():
    network, again, other = (QNetwork(4, Random(seed), rate=0.01) for seed in (1, 1, 2))
    rows = inputs()
    assert network.values(rows).tolist() == again.values(rows).tolist() != other.values(rows).tolist()
    for _ in range(5):
        network.train(rows, np.ones(len(rows)))
    other.load(msgspec.msgpack.decode(msgspec.msgpack.encode(network.save())))
    for each in (network, other):
        each.train(rows, np.zeros(len(rows)))
    assert network.values(rows).tolist() == other.values(rows).tolist()
    assert network.values(rows, copy=True).tolist() == other.values(rows, copy=True).tolist()
