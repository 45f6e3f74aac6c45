"""Found seeds on a terminal: a table, and the question which of them to leave out."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from rich.text import Text

from lycosa.app.answers.page import FoundSeeds
from lycosa.app.requests.hunt_plan import all_of_them
from lycosa.app.wording import counted, printable
from lycosa.face.cli.terminal import Terminal
from lycosa.system.errors import Interrupted

_TITLE = 60
_range = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?")


def show(found: FoundSeeds, console: Terminal) -> None:
    """The found seeds with their numbers, titles and reasons."""
    width = len(str(len(found.seeds)))
    for number, seed in enumerate(found.seeds, 1):
        title = f"{' '.join(seed.title.split())[:_TITLE]}: " if seed.title.strip() else ""
        console.print(Text(printable(f"{number:>{width}}  {seed.url}")), soft_wrap=True)
        console.print(Text(printable(f"{'':>{width}}  {title}{seed.reason}"), style="dim"), soft_wrap=True)
    queries = "".join(f", then for «{query}»" for query in found.queries[1:])
    line = f"{counted(len(found.seeds), 'place')} to begin, found by {', '.join(found.asked)}{queries}"
    console.print(Text(printable(line)), soft_wrap=True)
    for remark in found.remarks:
        console.print(Text(printable(remark), style="yellow"), soft_wrap=True)


def choose(found: FoundSeeds, console: Terminal, *, ask: bool) -> Sequence[str]:
    """Show the found seeds and, if somebody is there to be asked, let them leave some out."""
    show(found, console)
    if not ask or not found.seeds or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return all_of_them(found)
    while True:
        try:
            typed = input("Numbers to leave out, such as 2 5-7; Enter begins, q ends: ").strip()
        except EOFError:
            typed = "q"
        if typed.lower() == "q":
            raise Interrupted("nothing was begun", "")
        left_out = numbers_in(typed, len(found.seeds))
        if left_out is not None:
            return [seed.url for number, seed in enumerate(found.seeds, 1) if number not in left_out]
        console.print(f"Give numbers from 1 to {len(found.seeds)}.")


def numbers_in(typed: str, most: int) -> set[int] | None:
    """The numbers in a line such as `2 5-7`; None if it says something else."""
    found: set[int] = set()
    for part in typed.replace(",", " ").split():
        match = _range.fullmatch(part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= most:
            return None
        found.update(range(first, last + 1))
    return found
