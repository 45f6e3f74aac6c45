"""Preparation before the first ticket: everything that strategy and judge must know is read once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from msgspec.structs import replace

from lycosa.core.events import Visited
from lycosa.core.inlinks import Inlinks
from lycosa.core.nouns import Topic, Visit
from lycosa.core.priors import Background, LinksTo, PageReading, Priors, ReadPages, Student, Usual, Want
from lycosa.engine.archived import archived
from lycosa.engine.plan import Plan, Sources
from lycosa.store.collection import Collection
from lycosa.system.errors import Code, Refused

Reader = Callable[[Sequence[str]], Awaitable[dict[str, PageReading | None]]]
"""Reads pages; the result is by requested URL, None for those that cannot be fetched."""


class Preparation:
    """Asks strategy and judge what they need to know until nothing is lacking.

    They are only asked, never used: brain and scouts have strategies and judges of their own, prepared with the priors.
    """

    def __init__(
        self,
        topic: Topic,
        students: Sequence[Student],
        priors: Priors,
        inlinks: Inlinks | None = None,
        background: Callable[[], Background] | None = None,
    ) -> None:
        self.topic = topic
        self.students = students
        self.priors = priors
        self.inlinks = inlinks
        self.background = background

    def lacking(self) -> list[Want]:
        """What is still unknown; raises Refused for what no source can answer."""
        if self.priors.taxonomy is None and any(student.taxonomy for student in self.students):
            raise _unknown("there is no taxonomy", "name a file of categories", "taxonomy")
        for student in self.students:
            if student.by_example and not self.topic.examples:
                problem = f"{student.name} learns from pages that are about the topic, and there are none"
                raise _unknown(problem, "give pages about the topic as seeds", "seeds")
        wants = dict.fromkeys(want for student in self.students for want in student.study(self.topic, self.priors))
        lacking = [want for want in wants if self.priors.lacks(want)]
        for want in lacking:
            if isinstance(want, LinksTo) and self.inlinks is None:
                problem = f"the pages that link to {want.url} are not known"
                raise _unknown(problem, "name a source of in-links", "inlinks")
            if isinstance(want, Usual) and self.background is None:
                fix = "name pages for the background, or earlier crawls"
                raise _unknown("the frequencies of words are not known", fix, "background")
        return lacking

    async def complete(self, read: Reader) -> Priors:
        """Read and look up everything that is lacking; returns the complete priors."""
        priors = self.priors
        while lacking := self.lacking():
            limits: dict[str, int] = {}
            for want in lacking:
                if isinstance(want, LinksTo):
                    limits[want.url] = max(want.limit, limits.get(want.url, 0))
            for limit in dict.fromkeys(limits.values()):
                assert self.inlinks
                urls = [url for url, most in limits.items() if most == limit]
                found = self.inlinks.of_all(urls, limit)
                priors.inlinks |= {url: tuple(found.get(url, ())) for url in urls}
            if wanted := [want.url for want in lacking if isinstance(want, ReadPages)]:
                priors.readings |= await read(wanted)
            if any(isinstance(want, Usual) for want in lacking):
                assert self.background
                priors.background = self.background()
        return priors

    def close(self) -> None:
        """Close the source of in-links."""
        if self.inlinks:
            self.inlinks.close()


def _unknown(problem: str, fix: str, field: str) -> Refused:
    return Refused(problem, fix, code=Code.NEEDS_KNOWLEDGE, field=field)


def prepare(plan: Plan, known: Priors | None = None) -> Preparation:
    """The preparation of a plan; reads the files now, and refuses what is impossible before the first fetch."""
    sources = plan.sources
    if (sources.good or sources.refiled) and not sources.taxonomy:
        what, field = ("good categories", "good") if sources.good else ("categories for examples", "refiled")
        problem = f"{what} were given without a taxonomy"
        raise Refused(problem, "name a file of categories", code=Code.CONTRADICTION, field=field)
    priors = replace(known or Priors(), past=past_visits(sources.past))
    if sources.taxonomy:
        from lycosa.engine.taxonomy_files import open_taxonomy

        priors.taxonomy = open_taxonomy(sources.taxonomy, sources.good, sources.refiled)
    inlinks = None
    if sources.inlinks:
        from lycosa.engine.inlink_sources import open_inlinks

        inlinks = open_inlinks(sources.inlinks)
    preparation = Preparation(
        plan.topic, (plan.make_strategy(), plan.make_judge()), priors, inlinks, _background(sources)
    )
    try:
        preparation.lacking()
    except BaseException:
        preparation.close()
        raise
    return preparation


def _background(sources: Sources) -> Callable[[], Background] | None:
    named = (sources.background,) if sources.background else sources.past
    if not named:
        return None
    from lycosa.engine.background import count_pages
    from lycosa.web.source_names import is_made

    if not is_made(named[0]) and not Path(named[0]).exists():
        field = "background" if sources.background else "past"
        fix = "name a collection, a test bed or a recording"
        raise Refused(f"the background {named[0]} does not exist", fix, code=Code.NOT_FOUND, field=field)
    return lambda: count_pages(named)


def past_visits(folders: Sequence[str]) -> tuple[Visit, ...]:
    """The pages of earlier crawls, each as it was last seen."""
    visits: dict[str, Visit] = {}
    for folder in folders:
        with Collection.open(Path(folder)) as collection:
            for entry in collection.log.read(kinds=(Visited,)):
                assert isinstance(entry.event, Visited)
                visits[entry.event.visit.url] = replace(entry.event.visit, sense=None)
    return tuple(visits.values())


def first_archived(folders: Sequence[str], read: Reader) -> Reader:
    """A reader that takes pages from earlier crawls and passes only the rest to `read`."""

    async def both(urls: Sequence[str]) -> dict[str, PageReading | None]:
        found = _archived(folders, urls)
        rest = [url for url in urls if url not in found]
        return {**found, **(await read(rest) if rest else {})}

    return both


def _archived(folders: Sequence[str], urls: Sequence[str]) -> dict[str, PageReading | None]:
    found: dict[str, PageReading | None] = {}
    with ExitStack() as stack:
        # The latest crawl comes first.
        opened = [stack.enter_context(closing(Collection.open(Path(folder)))) for folder in reversed(folders)]
        for url in urls:
            for collection in opened:
                row = collection.log.page(url)
                if row and row.where:
                    page = archived(collection.repository, url, row.where)
                    found[url] = PageReading(page.text, page.title, tuple(link.url for link in page.links))
                    break
    return found
