"""Shows results, hubs and votes in a terminal, or as plain lines if there is none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from rich.console import Console
from rich.text import Text

from lycosa.app.answers.page import VoteTable
from lycosa.app.answers.search import SearchAnswer, SearchResult
from lycosa.app.wording import counted, on_topic, page_numbers, printable
from lycosa.core.words import stem
from lycosa.index.query_parser import ask
from lycosa.index.search_types import Question, Ranked, Voter

_FOUND = "bold yellow"
_FACETS = 8
"""Hosts and categories that are listed with their counts."""
_COPIES = 3
"""Near-duplicates that are listed for a result."""
_TITLE = 60
"""Characters of a title in a table."""
_word = re.compile(r"\w+")


class SearchView:
    """Prints the answers of an index to a console."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def answer(self, answer: SearchAnswer, start: int = 0, voters: Mapping[str, Sequence[Voter]] | None = None) -> None:
        """Print results, best first; with `voters`, also why each is ranked where it is."""
        for place, hit in enumerate(answer.results, start + 1):
            self._hit(place, hit)
            if voters is not None:
                self._why(hit, voters.get(hit.url, ()))
            self._line()
        for name, counts in answer.facets.items():
            if counts:
                self._facet(name, counts)

    def summary(self, question: Question, answer: SearchAnswer) -> None:
        """Print the totals; they come at the end, where a reader looks."""
        if answer.remark:
            self._line(Text(printable(answer.remark), style="yellow"))
        if answer.corrected:
            shown = (printable(answer.corrected), "bold")
            self._line(Text.assemble("showing results for ", shown, "; --verbatim searches what you typed"))
        if answer.suggestion:
            self._line(Text.assemble("did you mean ", (printable(answer.suggestion), "bold"), "?"))
        pages = sum(answer.asked.values())
        first, last = question.start + 1, question.start + len(answer.results)
        if answer.results:
            folded = sum(len(hit.copies) for hit in answer.results)
            line = f"{first:,} to {last:,} of {answer.total:,} in {answer.took_ms:.1f} ms"
            if folded:
                line += ", near-duplicates folded"
            if len(answer.results) == question.limit and last + folded < answer.total:
                line += f"; more: --page {last // question.limit + 1}"
            self._line(Text(line))
        elif question.start and answer.total:
            self._line(Text(f"no more: {answer.total:,} in all"))
        elif not pages:
            self._line(Text("nothing can be found yet: the index holds no page"))
        else:
            self._line(
                Text(f"nothing found among {counted(pages, 'page')} in {answer.took_ms:.1f} ms; {advice(question)}")
            )

    def hubs(self, hubs: Sequence[Ranked], authorities: Sequence[Ranked]) -> None:
        """Print hubs and authorities as two tables, one below the other."""
        self._ranked("hubs: they link to the pages that matter", "links to", hubs)
        self._line()
        self._ranked("authorities: the hubs link to them", "linked by", authorities)

    def votes(self, found: VoteTable, term: str) -> None:
        """Print the vote table of a page, and the pages that voted."""
        self._line(Text(printable(found.url), style="cyan"))
        if not found.fetched:
            self._line(Text("never fetched, known from others' words", style="dim"))
        if not found.votes:
            self._line(Text("nobody in this collection refers to it in words"))
            return
        self._line(Text(f"{'votes':>7}  term", style="bold"))
        for vote in found.votes:
            self._line(Text(f"{vote.votes:>7,}  {printable(vote.term)}"))
        self._line()
        if not found.voters:
            self._line(Text(f"nobody uses «{printable(term)}» for it"))
            return
        self._line(Text(f"who says «{printable(term)}»" if term else "who says so", style="bold"))
        words = [term] if term else [vote.term for vote in found.votes]
        for voter in found.voters:
            self._voter(Voter(voter.url, voter.context, voter.title), words, 2)

    def _hit(self, place: int, hit: SearchResult) -> None:
        title = _flat(hit.title) or ("(no title)" if hit.fetched else "(never fetched)")
        self._line(Text.assemble((f"{place:>3}  ", "dim"), (title, "bold")))
        self._line(Text(printable(hit.url), style="cyan"), 5)
        self._line(Text(printable(about(hit)), style="dim"), 5)
        if hit.snippet:
            snippet = Text(printable(hit.snippet))
            if hit.pages:
                snippet.append(f"  {page_numbers(hit.pages)}", "dim")
            for begin, end in hit.marks:
                snippet.stylize(_FOUND, begin, end)
            self._paragraph(snippet, 5)
        if hit.copies:
            more = f" and {len(hit.copies) - _COPIES:,} more" if len(hit.copies) > _COPIES else ""
            some = ", ".join(copy.url for copy in hit.copies[:_COPIES])
            self._line(Text(printable(f"also at {some}{more}"), style="dim"), 5)

    def _why(self, hit: SearchResult, voters: Iterable[Voter]) -> None:
        parts = ", ".join(f"{name} {value:.3f}" for name, value in sorted(hit.parts.items(), key=_size))
        self._line(Text(printable(f"score {hit.score:.3f}{f': {parts}' if parts else ''}")), 5)
        if hit.votes:
            said = ", ".join(f"«{term}» by {count:,}" for term, count in hit.votes.items())
            self._line(Text(printable(f"votes: {said}")), 5)
        for voter in voters:
            self._voter(voter, hit.votes, 7)

    def _voter(self, voter: Voter, terms: Iterable[str], indent: int) -> None:
        self._line(Text(printable(voter.url), style="dim"), indent)
        stems = {stem(word) for term in terms for word in _word.findall(term.lower())}
        context = Text(_flat(voter.context))
        for found in _word.finditer(context.plain):
            if stem(found.group().lower()) in stems:
                context.stylize(_FOUND, *found.span())
        self._paragraph(context, indent + 2)

    def _facet(self, name: str, counts: Mapping[str, int]) -> None:
        most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        listed = ", ".join(f"{value or '(none)'} ×{count:,}" for value, count in most[:_FACETS])
        more = f", {len(counts) - _FACETS:,} more" if len(counts) > _FACETS else ""
        self._line(Text.assemble((f"by {name}  ", "bold"), printable(listed + more)))

    def _ranked(self, heading: str, links: str, rows: Sequence[Ranked]) -> None:
        self._line(Text(heading, style="bold"))
        if not rows:
            self._line(Text("none"), 2)
            return
        self._line(Text(f"{'score':>8}  {links:>9}  page", style="dim"))
        for row in rows:
            title = _flat(row.title)
            self._line(
                Text.assemble(
                    (f"{row.score:>8.3f}", "green"),
                    f"  {row.links:>9,}  ",
                    f"{title[:_TITLE]}  " if title else "",
                    (printable(row.url), "cyan"),
                )
            )

    def _line(self, text: Text | None = None, indent: int = 0) -> None:
        """Print a line without wrapping it: a wrapped URL cannot be clicked, and grep works on lines."""
        self.console.print(Text(" " * indent).append_text(text or Text()), soft_wrap=True)

    def _paragraph(self, text: Text, indent: int) -> None:
        """Print text wrapped to the terminal's width, or as one line if there is no terminal."""
        wide = self.console.width - indent if self.console.is_terminal else 0
        for line in text.wrap(self.console, wide) if wide > 20 else [text]:
            line.rstrip()
            self._line(line, indent)


def about(hit: SearchResult) -> str:
    """What is known about a result besides its text."""
    if not hit.fetched:
        return "never fetched, known from others' words"
    day = f"fetched {datetime.fromtimestamp(hit.at, UTC):%Y-%m-%d}" if hit.at else ""
    facts = (hit.host, day, on_topic(hit.relevance, hit.known), hit.language, hit.category)
    return " · ".join(filter(None, facts))


def advice(question: Question) -> str:
    """Advice for a query that found nothing."""
    tries = ["fewer or other words"]
    if question.filters.any:
        tries.append("no --filter")
    if ask(question.text).filters.any:
        tries.append("no filter in the query")
    if question.by != "hybrid":
        tries.append("--by hybrid")
    return f"try {', '.join(tries)}"


def _size(part: tuple[str, float]) -> float:
    return -part[1]


def _flat(text: str) -> str:
    """Text from a web page, on one line."""
    return " ".join(printable(text).split())
