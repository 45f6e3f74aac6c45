"""The days for programs: plain data, and tables with a line for each day and for each result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import to_builtins

from lycosa.lab.phrasing import json_number
from lycosa.lab.symbiosis.days import Simulated
from lycosa.lab.symbiosis.days_report import Found, over
from lycosa.lab.symbiosis.measures import Measures
from lycosa.lab.tables import write_csv


def plain(simulated: Simulated, found: Found) -> dict[str, Any]:
    """The days, for JSON."""
    return {
        "settings": to_builtins(simulated.simulation),
        "topics": [topic.id for topic in simulated.topics],
        "pool": simulated.pool,
        "weeks": len(simulated.weeks),
        "bookmarks": [week.bookmarks for week in simulated.weeks],
        "days": {label: list(_plain_days(mine)) for label, mine in found.items()},
        "repeated": {label: [to_builtins(each) for each in mine.repeated] for label, mine in found.items()},
    }


def _plain_days(mine: Measures) -> Iterator[dict[str, Any]]:
    precision, alone = over(mine.precision), over(mine.alone)
    per_cost, similarity = over(mine.per_cost), mine.similarity.mean(axis=0)
    for day in range(mine.size.shape[1]):
        told = {
            "precision": precision[0][day],
            "error": precision[1][day],
            "left_alone": alone[0][day],
            "per_cost": per_cost[0][day],
            "size": mine.size[:, day].mean(),
            "cost": mine.cost[:, day].mean(),
            "similarity": similarity[day],
            "similarity_ratio": (mine.similarity[:, day] / mine.similarity[:, 0]).mean(),
            "similarity_left_alone": mine.similarity_alone[:, day].mean(),
            "fetched": mine.fetched[:, day].mean(),
        }
        yield {"day": day + 1} | {name: json_number(float(value)) for name, value in told.items()}


def write_days(simulated: Simulated, found: Found, folder: Path) -> list[Path]:
    """Write days.csv, a line for each system, week and day, and answers.csv, a line also for each query."""
    days = ("system", "week", "day", "pages", "cost", "P", "P_left_alone", "S", "S_left_alone", "fetched")
    answers = ("system", "week", "day", "question", "topic", "P", "P_left_alone")
    return [
        write_csv(folder / "days.csv", days, _days(found)),
        write_csv(folder / "answers.csv", answers, _answers(simulated, found)),
    ]


def _days(found: Found) -> Iterator[Sequence[Any]]:
    for label, mine in found.items():
        for week, day in np.ndindex(mine.size.shape):
            means = [float(each[week, day].mean()) for each in (mine.cost, mine.precision, mine.alone)]
            similar = [float(each[week, day]) for each in (mine.similarity, mine.similarity_alone)]
            told = [f"{value:.6g}" for value in (*means, *similar)]
            yield label, week + 1, day + 1, int(mine.size[week, day]), *told, int(mine.fetched[week, day])


def _answers(simulated: Simulated, found: Found) -> Iterator[Sequence[Any]]:
    for label, mine in found.items():
        for week, day, place in np.ndindex(mine.precision.shape):
            each = simulated.weeks[week].asked[day][place]
            values = [f"{table[week, day, place]:.1f}" for table in (mine.precision, mine.alone)]
            yield label, week + 1, day + 1, each.text, each.topic, *values
