"""Tree-Frontier: leaves are split where rewards differ, and every link that waits is in one of them."""

from random import Random

import msgspec
import numpy as np
import pytest

from lycosa.strategy.tree_frontier import STEPS, TreeFrontier, WaitingLinks


def row(*values):
    return np.array(values, np.uint8)


def grown(count=300, waiting=400, seed=3):
    """A tree in which links with a large second feature pay off, and those with a large first one if not."""
    dice, tree, links = Random(seed), TreeFrontier(3, split=5, depth=6), WaitingLinks(3)
    for n in range(waiting):
        features = row(*(dice.randrange(STEPS + 1) for _ in range(3)))
        tree.add(links.add(f"u{n}", features, None), features)
    for _ in range(count):
        features = row(*(dice.randrange(STEPS + 1) for _ in range(3)))
        tree.learn(features, float(features[1] > 6 or features[0] > 8), links.features)
    return tree, links


def test_a_leaf_is_split_where_the_variance_of_rewards_falls_most():
    tree = TreeFrontier(2, split=5, depth=3)
    waiting = np.zeros((2, 2), np.uint8)
    waiting[0], waiting[1] = row(0, 1), row(0, 9)
    tree.add(0, waiting[0])
    tree.add(1, waiting[1])
    for value, reward in ((1, 0.0), (2, 0.0), (8, 1.0), (9, 1.0)):
        tree.learn(row(5, value), reward, waiting)
        assert tree.leaves == 1, "four experiences are too few"
    tree.learn(row(5, 3), 0.0, waiting)
    assert tree.leaves == 2
    assert tree._nodes[0][:2] == (1, 3)
    assert sorted(tree.sample(Random(1))) == [0, 1], "they are in different leaves now"


def test_nothing_is_split_if_all_rewards_are_the_same_or_no_feature_differs():
    tree = TreeFrontier(2, split=5, depth=3)
    for n in range(20):
        tree.learn(row(n % 10, 1), 1.0, np.zeros((0, 2), np.uint8))
    assert tree.leaves == 1
    other = TreeFrontier(2, split=5, depth=3)
    for n in range(20):
        other.learn(row(4, 4), float(n % 2), np.zeros((0, 2), np.uint8))
    assert other.leaves == 1


def test_the_split_is_the_best_of_all_by_brute_force():
    dice = Random(8)
    tree = TreeFrontier(3, split=40, depth=1)
    known = []
    for _ in range(40):
        features = row(*(dice.randrange(STEPS + 1) for _ in range(3)))
        known.append((features, dice.random() + (features[2] > 4)))
        tree.learn(*known[-1], np.zeros((0, 3), np.uint8))
    rewards = np.array([reward for _, reward in known])

    def spread(feature, value):
        left = np.array([features[feature] <= value for features, _ in known])
        sides = [rewards[left], rewards[~left]]
        return sum(len(side) * side.var() for side in sides) if all(map(len, sides)) else np.inf

    best = min((spread(feature, value), feature, value) for feature in range(3) for value in range(STEPS))
    assert tree._nodes[0][:2] == best[1:]


def test_every_link_waits_in_exactly_one_leaf_and_can_be_removed():
    tree, links = grown()
    assert tree.leaves > 5
    waiting = [link for node in tree._nodes if not isinstance(node, tuple) for link in node.waiting]
    assert sorted(waiting) == list(range(400))
    for link in range(0, 400, 2):
        tree.remove(link)
        links.remove(link)
    tree.remove(0)
    waiting = [link for node in tree._nodes if not isinstance(node, tuple) for link in node.waiting]
    assert sorted(waiting) == list(range(1, 400, 2))
    assert all(tree._nodes[at].waiting[place] == link for link, (at, place) in tree._place.items())


def test_a_random_link_of_each_leaf_is_drawn():
    tree, _ = grown()
    drawn = [tuple(tree.sample(Random(seed))) for seed in range(50)]
    assert {len(each) for each in drawn} == {tree.leaves}
    assert len(set(drawn)) > 40
    assert tree.sample(Random(7)) == tree.sample(Random(7))


def test_depth_is_limited():
    tree, _ = grown(count=2000)
    assert max(node.depth for node in tree._nodes if not isinstance(node, tuple)) <= 6


@pytest.mark.parametrize("count", [3, 300])
def test_it_survives_a_checkpoint(count):
    tree, links = grown(count)
    again, others = TreeFrontier(3, split=5, depth=6), WaitingLinks(3)
    again.load(msgspec.msgpack.decode(msgspec.msgpack.encode(tree.save())))
    others.load(msgspec.msgpack.decode(msgspec.msgpack.encode(links.save())))
    for each, waiting in ((tree, links), (again, others)):
        dice = Random(9)
        for n in range(60):
            features = row(*(dice.randrange(STEPS + 1) for _ in range(3)))
            each.learn(features, float(features[2] > 5), waiting.features)
            each.add(waiting.add(f"new{n}", features, None), features)
    assert again.save() == tree.save()
    assert others.save() == links.save()
    assert again.sample(Random(2)) == tree.sample(Random(2))


def test_numbers_of_links_that_left_are_used_again():
    links = WaitingLinks(2)
    numbers = [links.add(f"u{n}", row(n % 10, 1), [n]) for n in range(3000)]
    assert numbers == list(range(3000))
    links.remove(7)
    assert links.add("new", row(3, 3), [1]) == 7
    assert (links.urls[7], links.features[7].tolist()) == ("new", [3, 3])
