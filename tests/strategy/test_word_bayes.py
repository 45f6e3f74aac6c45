"""Naive Bayes over words in fields, worked out by hand."""

from math import log

import msgspec
import numpy as np
import pytest

from lycosa.strategy.word_bayes import WordBayes

FIELDS = (slice(0, 2), slice(2, 3))


def test_a_word_counts_in_its_field_and_once_for_each_example():
    bayes = WordBayes(2, FIELDS)
    bayes.add(np.array([5, 5, 9]), 1)
    bayes.add(np.array([5, 6, 0]), 0)
    bayes.add(np.array([6, 0, 9]), 0)
    logs = bayes.evidence(np.array([[5, 0, 9]]))[0]
    assert logs[0].tolist() == pytest.approx([log(2 / 4), log(2 / 4)])
    assert logs[1].tolist() == pytest.approx([log(2 / 3), log(2 / 3)])
    assert bayes.evidence(np.array([[9, 0, 5]])).any() == False  # noqa: E712
    assert bayes.priors().tolist() == pytest.approx([log(3 / 5), log(2 / 5)])


def test_probabilities_are_bayes_own_and_sum_to_one():
    bayes = WordBayes(2, FIELDS)
    for _ in range(3):
        bayes.add(np.array([1, 0, 0]), 0)
    bayes.add(np.array([1, 2, 0]), 1)
    found = bayes.posteriors(np.array([[1, 2, 0], [0, 0, 0]]))
    good, bad = (2 / 6) * (2 / 3) * (2 / 3), (4 / 6) * (4 / 5) * (1 / 5)
    assert found[0].tolist() == pytest.approx([bad / (good + bad), good / (good + bad)])
    assert found.sum(axis=1).tolist() == pytest.approx([1, 1])
    assert found[1].tolist() == pytest.approx([4 / 6, 2 / 6])


def test_words_that_occurred_too_seldom_say_nothing():
    bayes = WordBayes(2, FIELDS, least=2)
    bayes.add(np.array([1, 2, 0]), 0)
    bayes.add(np.array([1, 0, 0]), 1)
    assert bayes.evidence(np.array([[2, 0, 0]])).tolist() == [[[0, 0], [0, 0]]]
    assert bayes.evidence(np.array([[1, 0, 0]]))[0, :, 0].tolist() == pytest.approx([log(2 / 3), log(2 / 3)])


def test_what_was_learned_survives_a_checkpoint():
    bayes, again = WordBayes(3, FIELDS), WordBayes(3, FIELDS)
    for n in range(50):
        bayes.add(np.array([n, n % 7, n % 3]), n % 3)
    again.load(msgspec.msgpack.decode(msgspec.msgpack.encode(bayes.save())))
    rows = np.array([[n, n % 5, n % 2] for n in range(60)])
    assert again.posteriors(rows).tolist() == bayes.posteriors(rows).tolist()
