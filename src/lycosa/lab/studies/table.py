"""The claims as a table: what the paper says, what was measured here, whether they agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lycosa.lab.latex import escape, tabular
from lycosa.lab.phrasing import listed
from lycosa.lab.report.chapter import Statement
from lycosa.lab.studies.claim import JudgedClaim
from lycosa.lab.tables import write_csv

NOTHING = "–"
"""Shown if nothing could be measured."""
HEAD = ("The paper says", "Here", "Agrees?")


def statements_of(claims: Sequence[JudgedClaim]) -> list[Statement]:
    """The claims as they are shown; each of several measurements says whether it agrees."""
    return [Statement(_says(judged), _here(judged), judged.told, judged.verdict, judged.why) for judged in claims]


def write_claims(claims: Sequence[JudgedClaim], folder: Path, note: str) -> list[Path]:
    """Write claims.csv, a line for each measurement, and claims.tex; the note says how it was tested."""
    table = write_csv(folder / "claims.csv", _COLUMNS, _lines(claims))
    lines = [[escape(row.says), escape("; ".join(row.here)), escape(row.agrees)] for row in statements_of(claims)]
    columns = r"p{0.3\textwidth}p{0.5\textwidth}p{0.14\textwidth}"
    latex = folder / "claims.tex"
    latex.write_text(tabular(HEAD, lines, columns, [note]), encoding="utf-8")
    return [table, latex]


_COLUMNS = (
    *("claim", "place", "published", "claim_verdict", "what", "metric", "first", "second", "first_mean", "second_mean"),
    *("difference", "p", "p_against", "n", "left_out", "verdict", "note", "account", "missing"),
)


def _lines(claims: Sequence[JudgedClaim]) -> Iterator[list[Any]]:
    for judged in claims:
        about = [judged.claim.says, judged.claim.place, judged.claim.published, judged.verdict]
        for each in judged.measured:
            told = each.plain() | {"missing": "; ".join(each.missing)}
            yield [*about, *(told[name] for name in _COLUMNS[len(about) :])]


def _says(judged: JudgedClaim) -> str:
    claim = judged.claim
    return f"{claim.says} ({', '.join(filter(None, (claim.place, claim.published)))})"


def _here(judged: JudgedClaim) -> list[str]:
    """A line for each measurement that could be made, and one for all the others."""
    made = [each for each in judged.measured if each.verdict != "unmeasured"]
    several = len(judged.measured) > 1
    lines = [f"{each} [{each.told}]" if several else str(each) for each in made]
    if (rest := len(judged.measured) - len(made)) and made:
        lines.append(f"{rest} of {len(judged.measured)} measurements need {listed(judged.missing)}")
    return lines or [NOTHING]
