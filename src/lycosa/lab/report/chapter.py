"""What a report is made of: chapters, each about a comparison, and a paper's statements."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from lycosa.lab.comparison import Comparison
from lycosa.lab.metrics.metric import Metric
from lycosa.lab.report.crawl_graph import Crawled
from lycosa.lab.report.figures import Figure
from lycosa.lab.statistics.pairwise_tests import Test


class Chapter(Struct):
    """A comparison with its findings and tests, usually of one task."""

    comparison: Comparison
    tests: Sequence[Test] = ()
    findings: Sequence[str] = ()
    paths: Sequence[Crawled] = ()
    """Crawls whose paths are drawn."""
    title: str = ""
    """By default made from the task."""
    figures: Sequence[Figure] = ()
    """Figures of this chapter only, shown before all others."""
    metrics: Sequence[Metric] = ()
    """Metrics of this chapter only; the page defines them beside all others that were measured."""


class Statement(Struct, frozen=True):
    """A published statement beside what was measured here."""

    says: str
    here: Sequence[str]
    """A line for each measurement."""
    agrees: str
    """Whether they agree, in words."""
    verdict: str
    """agrees, disagrees, or anything else for neither."""
    why: Sequence[str] = ()
    """Why they do not agree, a line each."""


class Statements(Struct, frozen=True):
    """The statements of a paper, for the report of a study."""

    paper: str
    scale: str
    """How large its experiment was, and how large this one."""
    rows: Sequence[Statement]
    missing: Sequence[str] = ()
    """What the paper had and we do not."""
    note: str = ""
    """How the paper tested, and how it is tested here."""
