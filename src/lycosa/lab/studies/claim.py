"""A published statement, what was measured of it here, and whether the two agree."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict

from lycosa.core.strategy import strategies
from lycosa.lab.comparison import Comparison, Floats
from lycosa.lab.metric_names import metric_name
from lycosa.lab.phrasing import chance, counted, json_number, listed, number, percent
from lycosa.lab.statistics.standings import rankable
from lycosa.lab.statistics.summary import axis, higher_is_better, unit

Verdict = Literal["agrees", "disagrees", "undecided", "unmeasured"]
VERDICTS: dict[str, str] = {
    "agrees": "agrees",
    "disagrees": "disagrees",
    "undecided": "not distinguishable",
    "unmeasured": "cannot be measured yet",
}
"""The verdicts as people read them; what leans one way without significance is told with its direction."""

MIXED = "mixed"
_WORDS = VERDICTS | {MIXED: MIXED}
_PLURALS = _WORDS | {"agrees": "agree", "disagrees": "disagree", "unmeasured": "not measured"}

Side = tuple[str, str]
"""A round of the study, and the label of a configuration in it."""
ALPHA = 0.05
"""The level of all tests."""
ACCOUNTS = 3
"""Measurements of a claim that are explained one by one."""
STEPS = 50
"""Number of even steps at which a curve over pages is read."""


class Lines(Struct, frozen=True):
    """The curves of one metric that a part of a claim is about, on the topics that all of them have."""

    metric: str
    labels: tuple[str, ...]
    x: Floats
    """Evenly spaced pages, or the n of coverage as they are (evenly spaced on their logarithmic scale)."""
    tables: tuple[Floats, ...]
    """For each side: a row for each topic, a column for each x."""
    left_out: int = 0
    """Topics on which not all sides have the whole curve."""
    topics: tuple[str, ...] = ()
    """The topic of each row."""

    @property
    def static(self) -> bool:
        """Whether x counts the best pages of the pool instead of the fetched ones."""
        return is_static(self.metric)

    def advantage(self, first: int = 0, second: int = 1) -> Floats:
        """By how much one side is better than another, positive for better whatever the metric's direction."""
        difference = self.tables[first] - self.tables[second]
        return difference if higher_is_better(self.metric) else -difference


class Measured(Struct, frozen=True, kw_only=True):
    """A measurement: two figures for each topic, and the test of their difference."""

    what: str
    metric: str
    first: str
    second: str
    """The first is the one that the paper's statement favours."""
    first_mean: float = math.nan
    second_mean: float = math.nan
    difference: float = math.nan
    """The mean advantage of the first: positive where it is better, also where low figures are good."""
    p: float = math.nan
    """One-tailed paired t-test for this advantage, uncorrected."""
    p_against: float = math.nan
    """Likewise for what contradicts the statement, usually an advantage of the second; nan if nothing does."""
    n: int = 0
    """The size of the sample, usually topics."""
    left_out: int = 0
    """Those of them that could not be used."""
    verdict: Verdict = "unmeasured"
    note: str = ""
    mixed: bool = False
    """Whether one half of the statement holds and the other does not; the note says which."""
    account: str = ""
    """Where the difference comes from: on how many topics the first is ahead, and on which it is furthest behind."""
    missing: tuple[str, ...] = ()
    of: str = "topic"
    """What the sample is of."""

    @property
    def told(self) -> str:
        """The verdict in words; without a significant difference, which way it leans."""
        if self.mixed:
            return MIXED
        if self.verdict != "undecided" or not self.difference or math.isnan(self.p):
            return VERDICTS[self.verdict]
        return f"{VERDICTS[self.verdict]}, leaning {'as published' if self.p < 0.5 else 'the other way'}"

    def __str__(self) -> str:
        if self.verdict == "unmeasured":
            return f"{self.what}, {self.first} against {self.second}: needs {listed(self.missing)}"
        means = [number(mean, unit(self.metric)) for mean in (self.first_mean, self.second_mean)]
        told = f"{self.what}: {self.first} {means[0]}, {self.second} {means[1]}"
        told += f"; difference {number(self.difference, unit(self.metric))}, p {chance(self.p)}"
        told += f", {counted(self.n, self.of)}" + (f" ({self.left_out} left out)" if self.left_out else "")
        return told + (f"; {self.note}" if self.note else "")

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        told = {name: json_number(value) if isinstance(value, float) else value for name, value in asdict(self).items()}
        return told | {"missing": list(self.missing)}


class Unmeasurable(Exception):
    """Says what a method lacks to measure anything."""


Method = Callable[[Lines], Measured]
"""Raises Unmeasurable."""


class ClaimPart(Struct, frozen=True):
    """One measurement that a claim needs: on which metric of which configurations, and by which method."""

    metric: str
    sides: tuple[Side, ...]
    method: Method

    def measure(self, comparisons: Mapping[str, Comparison]) -> Measured:
        """The measurement on the comparisons, by round; unmeasured if something it needs is missing."""
        labels = self._labels()
        missing = tuple(dict.fromkeys(lack for side in self.sides for lack in _lacks(comparisons, side)))
        if not missing:
            lines = self._lines(comparisons, labels)
            try:
                if lines.tables[0].size:
                    return self.method(lines)
                missing = (f"topics with {metric_name(self.metric)}",)
            except Unmeasurable as lack:
                missing = (str(lack),)
        return Measured(
            what=metric_name(self.metric), metric=self.metric, first=labels[0], second=labels[1], missing=missing
        )

    def _labels(self) -> tuple[str, ...]:
        """The configurations, with their round if that tells them apart."""
        labels = [label for _, label in self.sides]
        if len(set(labels)) == len(labels):
            return tuple(labels)
        return tuple(f"{label} ({round_})" for round_, label in self.sides)

    def _lines(self, comparisons: Mapping[str, Comparison], labels: tuple[str, ...]) -> Lines:
        rounds = [comparisons[round_] for round_, _ in self.sides]
        shared = [topic for topic in rounds[0].topics if all(topic in each.topics for each in rounds)]
        found = [
            _curves(comparison, label, self.metric) for comparison, (_, label) in zip(rounds, self.sides, strict=True)
        ]
        x = found[0][0]
        tables = [
            table[[comparison.topics.index(topic) for topic in shared]]
            for comparison, (_, table) in zip(rounds, found, strict=True)
        ]
        known = np.all([np.isfinite(table).all(axis=1) for table in tables], axis=0)
        names = tuple(topic for topic, whole in zip(shared, known, strict=True) if whole)
        return Lines(self.metric, labels, x, tuple(table[known] for table in tables), int((~known).sum()), names)


class Claim(Struct, frozen=True):
    """A statement of a paper in our words."""

    says: str
    place: str
    """Section and figure; with the paper's name where it is another one than the study's."""
    parts: tuple[ClaimPart, ...] = ()
    """Empty if the study has its own measurements."""
    published: str = ""
    """The published figure."""
    reason: str = ""
    """Why it may turn out differently here; shown unless it agrees."""

    def judge(self, comparisons: Mapping[str, Comparison]) -> JudgedClaim:
        """Measure everything that the claim asks for."""
        return JudgedClaim(self, [part.measure(comparisons) for part in self.parts])


class JudgedClaim(Struct, frozen=True):
    """A claim with what was measured."""

    claim: Claim
    measured: list[Measured]

    @property
    def verdict(self) -> Verdict:
        """A claim agrees if all parts do; one part is enough to disagree, at a level divided among the parts."""
        verdicts = {each.verdict for each in self.measured}
        level = ALPHA / max(1, len(self.measured))
        if any(each.verdict == "disagrees" and each.p_against < level for each in self.measured):
            return "disagrees"
        if not verdicts or "unmeasured" in verdicts:
            return "unmeasured"
        return "agrees" if verdicts == {"agrees"} else "undecided"

    @property
    def missing(self) -> list[str]:
        """What is missing to measure all of it."""
        return list(dict.fromkeys(lack for each in self.measured for lack in each.missing))

    @property
    def told(self) -> str:
        """The verdict in words."""
        told = self.measured[0].told if len(self.measured) == 1 else VERDICTS[self.verdict]
        if len(self.measured) > 1:
            found = [MIXED if each.mixed else each.verdict for each in self.measured]
            if self.verdict == "undecided":
                words = {"disagrees": "not confirmed", "agrees": "agrees in part", MIXED: MIXED}
                told = next((word for each, word in words.items() if each in found), told)
            counts = {each: found.count(each) for each in _PLURALS if each in found}
            told += f" ({', '.join(f'{n} {(_WORDS if n == 1 else _PLURALS)[each]}' for each, n in counts.items())})"
        return f"{told}: needs {listed(self.missing)}" if self.verdict == "unmeasured" else told

    @property
    def why(self) -> list[str]:
        """Why it does not agree: where the differences come from, and what is different here; empty if it agrees."""
        if self.verdict in ("agrees", "unmeasured"):
            return []
        against = [each for each in self.measured if each.verdict == "disagrees"]
        lean = [each for each in self.measured if each.verdict == "undecided"]
        told = [each.account for each in against or lean if each.account]
        shown = [*told[:ACCOUNTS], *([f"and {len(told) - ACCOUNTS} more"] * (len(told) > ACCOUNTS))]
        return [*shown, *([f"Possible reason: {self.claim.reason}"] if self.claim.reason else [])]

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "says": self.claim.says,
            "place": self.claim.place,
            "published": self.claim.published,
            "verdict": self.verdict,
            "told": self.told,
            "why": self.why,
            "missing": self.missing,
            "measured": [each.plain() for each in self.measured],
        }


def is_static(metric: str) -> bool:
    """Whether a metric's curve is over the best pages of the pool, not over the fetched ones."""
    return metric.startswith("coverage")


def _lacks(comparisons: Mapping[str, Comparison], side: Side) -> Iterator[str]:
    """What is missing for one side."""
    round_, label = side
    comparison = comparisons.get(round_)
    if comparison is None:
        yield round_
    elif not rankable(comparison):
        yield f"a recording that lacks at most {percent(comparison.limit)} of the wanted pages"
    strategy = label.partition(":")[0]
    known = label in comparison.arms if comparison else strategy in strategies()
    if not known:
        yield f"the strategy {strategy}"


def _curves(comparison: Comparison, label: str, metric: str) -> tuple[Floats, Floats]:
    """A configuration's curves at even steps; no rows if it was not measured."""
    columns = np.array(axis(comparison, metric), np.float64)
    table = comparison.arms[label].curves.get(metric, np.full((len(comparison.topics), len(columns)), np.nan))
    if is_static(metric):
        return columns, table
    steps = np.linspace(columns[-1] / STEPS, columns[-1], STEPS)
    return steps, np.array([np.interp(steps, columns, row) for row in table]).reshape(len(table), STEPS)
