"""Numbers and lists in sentences, and numbers in JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence

_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number(value: float, unit: str = "") -> str:
    """Three decimals for shares and scores, fewer for larger figures; a dash for nan."""
    if not math.isfinite(value):
        return "–"
    size, fraction = abs(value), unit in ("share", "score")
    if not size and not fraction:
        return "0"
    decimals = 3 if fraction or size < 1 else 2 if size < 10 else 1 if size < 100 else 0
    told = f"{size:,.{decimals}f}"
    if not told.strip("0.") and size >= 1e-6:
        told = f"{size:.{math.ceil(-math.log10(size))}f}"  # one significant digit says more than zeros
    return f"−{told}" if value < 0 and told.strip("0.") else told


def percent(share: float) -> str:
    """A share in percent, without decimals from one percent on."""
    return f"{share:.0%}" if abs(share) >= 0.0095 or share == 0 else f"{share:.1%}"


def chance(p: float) -> str:
    """A p-value with its relation, to as many digits as are meaningful: "= 0.012", "< 0.001"."""
    if math.isnan(p):
        return "unknown"
    if p < 0.001:
        return "< 0.001"
    return f"= {p:.2g}" if p < 0.995 else "= 1"


def counted(count: int, noun: str) -> str:
    """«1 topic», «24 topics»."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def duration(seconds: float) -> str:
    """«45 seconds», «12.5 minutes», «3.2 hours»."""
    for size, unit in ((3600, "hour"), (60, "minute")):
        if seconds >= 2 * size:
            told = f"{seconds / size:,.1f}".removesuffix(".0")
            return f"{told} {unit}s"
    return counted(round(seconds), "second")


def spelled(count: int) -> str:
    """Small numbers as words."""
    return _SMALL[count] if 0 <= count < len(_SMALL) else f"{count:,}"


def listed(items: Sequence[str], last: str = "and") -> str:
    """«a», «a and b», «a, b and c»."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}"


def about(value: float) -> str:
    """A number of pages to two digits."""
    digits = max(0, math.floor(math.log10(value)) - 1) if value >= 1 else 0
    return f"{round(value, -digits):,.0f}"


def capital(sentence: str) -> str:
    """With a capital first letter, the rest as it is."""
    return sentence[:1].upper() + sentence[1:]


def json_number(value: float, digits: int = 6) -> float | None:
    """A number for JSON, which has neither nan nor infinity: they are null."""
    return round(value, digits) if math.isfinite(value) else None
