"""`lycosa judge`: a person says which pages are relevant, while the crawl runs or when it does not."""

from __future__ import annotations

import json as json_format
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rich.text import Text
from typer import Argument, Option

from lycosa.app.wording import on_topic, printable
from lycosa.core.nouns import Judgement
from lycosa.face.cli.terminal import Terminal
from lycosa.system.errors import check_range

if TYPE_CHECKING:
    from lycosa.app.judging import JudgingQuestion, Sitting

_MORE = 2000
"""Characters of a page's text that are shown when the person asks for more."""
_NO_USE = "strategy {} does not learn from judgements; they are kept, and what counts as relevant is told from them"
_HELP = "y relevant, n not, s skip, o more of the page, u undo, q quit"

Say = Callable[[str], None]


def judge(
    folder: Annotated[Path, Argument(help="Collection.")],
    answers: Annotated[
        list[str] | None, Argument(help="Judgements, as URL=y or URL=n; without any, you are asked.")
    ] = None,
    withdraw: Annotated[
        list[str] | None, Option(help="Withdraw the judgement of this page; repeatable.", metavar="URL")
    ] = None,
    list: Annotated[int | None, Option(help="Only list this many of the pages most worth judging.")] = None,
    json: Annotated[bool, Option("--json", help="Print only one JSON object.")] = False,
) -> None:
    """Judge pages, starting with those that teach the crawl most."""
    from lycosa.app import judging

    console = Terminal()

    def say(line: str) -> None:
        console.print(Text(printable(line)), soft_wrap=True)

    check_range("list", list, 1)
    if answers or withdraw:
        said = [*map(judging.parse, answers or ()), *(Judgement(url, None) for url in withdraw or ())]
        done = judging.judge(folder, said)
        counts = {"judged": len(answers or ()), "taken back": len(withdraw or ())}
        what = ", ".join(f"{count:,} {word}" for word, count in counts.items() if count)
        when = "the crawl takes it in" if done["running"] else "taken in when the crawl goes on"
        print(json_format.dumps(done)) if json else say(f"{what}; {when}")
    elif list is not None or json:
        found = judging.doubts(folder, list or 10)
        if json:
            print(json_format.dumps(found))
            return
        for page in found["doubts"]:
            show(judging.JudgingQuestion(**page), say)
        if not found["doubts"]:
            say("nothing is to be judged")
    else:
        with judging.Sitting(folder) as sitting:
            sit(sitting, say)


def sit(sitting: Sitting, say: Say) -> None:
    """Ask until no page is left or the person quits; answers are lines of standard input."""
    if not sitting.learns:
        say(_NO_USE.format(sitting.crawl_reader.plan.strategy))
    question = sitting.question()
    say(_HELP if question else "nothing is to be judged yet")
    while question:
        show(question, say)
        word = _heard(question, sitting, say)
        if word == "q":
            break
        if word == "u":
            url = sitting.undo()
            say("what about this one, then?" if url else "nothing to undo")
            question = sitting.about(url) if url else question
            continue
        if word == "s":
            sitting.skip(question.url)
        else:
            sitting.answer(question.url, word == "y")
        question = sitting.question()
        if question is None:
            say("nothing more is to be judged")
    say(f"{sitting.given:,} judged")


def _heard(question: JudgingQuestion, sitting: Sitting, say: Say) -> str:
    """The first valid answer; the end of the input counts as q."""
    while True:
        if sys.stdin.isatty():
            print("relevant? ", end="", flush=True)
        line = sys.stdin.readline()
        word = line.strip().lower()[:1]
        if not line:
            return "q"
        if word == "o":
            say(" ".join(sitting.text(question.url).split())[:_MORE] or "its text is not there")
        elif word in ("y", "n", "s", "u", "q"):
            return word
        else:
            say(_HELP)


def show(question: JudgingQuestion, say: Say) -> None:
    """Show a page to be judged, in a few lines of plain text."""
    say("")
    say(question.title or "(no title)")
    say(f"  {question.url}")
    found = "a seed"
    if len(question.path) > 1:
        by = f" by the link «{' '.join(question.anchor.split())[:80]}»" if question.anchor else ""
        found = f"found on {question.path[-2]}{by}, {len(question.path) - 1} links from a seed"
    say(f"  {on_topic(question.relevance)}, {found}")
    for sentence in question.excerpt:
        say(f"    {sentence}")
