"""Linkage quality: keywords on the page first, PageRank among equals."""

import numpy as np
import pytest

from lycosa.lab.metrics import METRICS
from lycosa.lab.metrics.evidence import Evidence, Haul
from lycosa.lab.metrics.linkage import linkage_rank

TEXTS = {"a": "cat", "b": "cat dog", "c": "cat cat cat", "d": "owl"}
LINKS = {"a": "c", "b": "c", "d": "ac"}


@pytest.fixture
def known(evidence):
    return evidence(TEXTS, ["abcd"], links=LINKS, keywords="cats dogs")


def test_distinct_keywords_count_before_pagerank(known):
    # b holds both keywords, however unpopular; a and c hold one (three times is still one), and c, which three pages
    # link to, has more PageRank than a; d holds none.
    assert linkage_rank(known).tolist() == [3, 1, 2, 4]


def test_mean_rank_and_coverage_go_by_that_rank(known, track):
    found = METRICS["rank_linkage"].measure(known, track("acd"), np.array([1, 2, 3]))
    assert found == pytest.approx([3, 5 / 2, 9 / 3])
    # The best are b, c, a, d.
    found = METRICS["coverage_linkage"].measure(known, track("acd"), np.array([1, 2, 3, 4]))
    assert found == pytest.approx([0, 1 / 2, 2 / 3, 3 / 4])


def test_pagerank_is_over_the_crawls_of_all_topics(known, track):
    # This topic fetched only a and c, another one also d, which links to both, but not b, which links to c.
    haul = Haul(known.corpus, [track("ac"), track("d")])
    here = Evidence(known.corpus, known.topic, [track("ac")], 10, haul)
    assert haul.pages.tolist() == [0, 2, 3]
    # By hand, with n = 3, d = .85 and c dangling: x_d = .05 + .85/3 x_c, x_a = x_d + .425 x_d, all together 1.
    x_d = (0.05 + 0.85 / 3) / (1 + 0.85 / 3 * 2.425)
    assert here.pagerank == pytest.approx([1.425 * x_d, 1 - 2.425 * x_d])
