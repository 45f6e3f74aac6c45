"""What crawls cost."""

from math import isnan

import numpy as np
import pytest

from lycosa.lab.metrics.cost import body_bytes, cpu_per_page, pages


def test_pages_bytes_and_processor_time_of_a_crawl(evidence, track, blank):
    known = evidence(blank, ["abc"], sizes={"a": 100, "b": 50, "c": 7})
    crawl = track("cab", cpu=0.006)
    assert pages(known, crawl) == 3
    assert body_bytes(known, crawl, np.array([1, 2, 3, 9])).tolist() == [7, 107, 157, 157]
    assert cpu_per_page(known, crawl) == pytest.approx(2.0)  # 6 ms for three pages


def test_a_crawl_without_pages_costs_nothing(evidence, track, blank):
    known = evidence(blank, [""])
    assert pages(known, track("")) == 0
    assert body_bytes(known, track(""), np.array([5])).tolist() == [0]
    assert isnan(cpu_per_page(known, track("")))
