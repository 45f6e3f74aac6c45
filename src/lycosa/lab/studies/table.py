"""The claims as a table: what the paper says, what was measured here, whether they agree."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from lycosa.lab.latex import escape, tabular
from lycosa.lab.phrasing import listed
from lycosa.lab.report.chapter import Statement
from lycosa.lab.studies.claim import VERDICTS, JudgedClaim

NOTHING = "–"
"""Shown if nothing could be measured."""
HEAD = ("The paper says", "Here", "Agrees?")


def statements_of(claims: Sequence[JudgedClaim]) -> list[Statement]:
    """The claims as they are shown; each of several measurements says whether it agrees."""
    return [Statement(_says(judged), _here(judged), judged.told, judged.verdict) for judged in claims]


def write_claims(claims: Sequence[JudgedClaim], folder: Path, note: str) -> list[Path]:
    """Write claims.csv, a line for each measurement, and claims.tex; the note says how it was tested."""
    folder.mkdir(parents=True, exist_ok=True)
    table, latex = folder / "claims.csv", folder / "claims.tex"
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, _COLUMNS, extrasaction="ignore")
        writer.writeheader()
        for judged in claims:
            about = {"claim": judged.claim.says, "place": judged.claim.place, "published": judged.claim.published}
            for each in judged.measured:
                writer.writerow(
                    about | {"claim_verdict": judged.verdict} | each.plain() | {"missing": "; ".join(each.missing)}
                )
    lines = [[escape(row.says), escape("; ".join(row.here)), escape(row.agrees)] for row in statements_of(claims)]
    columns = r"p{0.3\textwidth}p{0.5\textwidth}p{0.14\textwidth}"
    latex.write_text(tabular(HEAD, lines, columns, [note]), encoding="utf-8")
    return [table, latex]


_COLUMNS = (
    *("claim", "place", "published", "claim_verdict", "what", "metric", "first", "second", "first_mean", "second_mean"),
    *("difference", "p", "n", "left_out", "verdict", "note", "missing"),
)


def _says(judged: JudgedClaim) -> str:
    claim = judged.claim
    return f"{claim.says} ({', '.join(filter(None, (claim.place, claim.published)))})"


def _here(judged: JudgedClaim) -> list[str]:
    """A line for each measurement that could be made, and one for all the others."""
    made = [each for each in judged.measured if each.verdict != "unmeasured"]
    several = len(judged.measured) > 1
    lines = [f"{each} [{VERDICTS[each.verdict]}]" if several else str(each) for each in made]
    if (rest := len(judged.measured) - len(made)) and made:
        lines.append(f"{rest} of {len(judged.measured)} measurements need {listed(judged.missing)}")
    return lines or [NOTHING]
