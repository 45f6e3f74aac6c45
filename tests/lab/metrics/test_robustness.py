"""Robustness: what crawls from either half of the seeds have in common."""

from math import isnan

from lycosa.lab.metrics.robustness import robustness


def test_it_is_the_shared_part_of_all_pages(evidence, track, blank):
    known = evidence(blank, ["abc"])
    # abc and bcd share b and c of a, b, c and d.
    assert robustness(known, track("abc"), track("bcd")) == 2 / 4
    assert robustness(known, track("abc"), track("cab")) == 1
    assert robustness(known, track("ab"), track("cd")) == 0
    assert robustness(known, track("ab"), track("")) == 0


def test_two_empty_crawls_have_no_overlap_to_speak_of(evidence, track, blank):
    assert isnan(robustness(evidence(blank, [""]), track(""), track("")))
