"""Estimates of how many relevant pages exist, from one crawl or from the overlap of several crawls of one topic."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from msgspec.structs import asdict, replace

from lycosa.app.answers.hunt import CrawlShare, EstimateAnswer, EstimateReport
from lycosa.core.nouns import Estimate
from lycosa.engine.capture_recapture import between, interval
from lycosa.engine.crawl import Crawl
from lycosa.engine.crawl_recovery import catch_up, plan_of, priors_of, recall
from lycosa.store.collection import Collection
from lycosa.system.errors import Code, Refused, check_range

_PAGES = 50
"""Pages that a crawl must have before anything can be estimated."""


def estimate(folders: Sequence[str | Path], relevant: float | None = None) -> EstimateReport:
    """How many relevant pages were found, and how many there may be in all; `relevant` is the least probability.

    One collection is estimated from its own links. Several are treated as samples of the same pages (capture and
    recapture): their overlap tells how many pages all of them missed.
    """
    check_range("relevant", relevant, above=0, high=1)
    with ExitStack() as stack:
        opened = [stack.enter_context(Collection.open(Path(folder))) for folder in folders]
        if len(opened) == 1:
            found = within(opened[0], relevant)
            if found is None:
                pages = opened[0].log.page_count()
                problem = f"it is too early to tell for {opened[0].folder}: {too_early(pages)}"
                fix = f"crawl at least {_PAGES} pages" if pages < _PAGES else "crawl more pages, or judge some of them"
                raise Refused(problem, fix, code=Code.EMPTY)
            return EstimateReport(folders=[str(folders[0])], **asdict(described(found)))
        return _across(opened, relevant)


def within(collection: Collection, relevant: float | None = None) -> Estimate | None:
    """The estimate of one crawl; None while it is too early to say."""
    if relevant is None:
        crawl = _recalled(collection)
    else:
        # Another threshold changes every count, so no checkpoint can be used.
        crawl = Crawl(replace(plan_of(collection), relevant=relevant), lambda event, at: None)
        crawl.prepare(priors_of(collection))
        catch_up(crawl, collection, 0)
    assert crawl.census
    return crawl.census.estimate()


def described(found: Estimate) -> EstimateAnswer:
    """An estimate as an answer, rounded to whole pages."""
    return EstimateAnswer(
        found=found.found,
        total=round(found.total),
        low=round(found.low),
        high=round(found.high),
        threshold=found.threshold,
    )


def worded(found: EstimateAnswer) -> str:
    """An estimate in words."""
    span = f"90 % interval {found.low:,} to {found.high:,}"
    return f"{found.found:,} found, about {found.total:,} in all ({span})"


def too_early(pages: int) -> str:
    """Why there is no estimate of a crawl with so many pages."""
    if pages < _PAGES:
        return f"an estimate needs at least {_PAGES} pages, and there {'is' if pages == 1 else 'are'} {pages:,}"
    return "too few of its pages are on topic so far"


def _across(collections: Sequence[Collection], relevant: float | None) -> EstimateReport:
    plans = [plan_of(collection) for collection in collections]
    if len({collection.folder.resolve() for collection in collections}) < len(collections):
        fix = "name different crawls of the same topic"
        raise Refused("one of the collections is named twice", fix, code=Code.BAD_VALUE, field="folders")
    for collection, plan in zip(collections, plans, strict=True):
        if plan.topic.keywords != plans[0].topic.keywords:
            keywords = plans[0].topic.keywords
            problem = f"{collection.folder} hunts {plan.topic.keywords!r}, but {collections[0].folder} {keywords!r}"
            raise Refused(problem, "name crawls of the same topic", code=Code.CONTRADICTION, field="folders")
    thresholds = [relevant or _threshold(collection) for collection in collections]
    # A page is relevant if any crawl says so, because judges may differ; a person's judgement overrides them.
    good = {
        row.url
        for collection, threshold in zip(collections, thresholds, strict=True)
        for row in collection.log.pages(min_relevance=threshold)
    }
    judged = {url: relevant for collection in collections for url, relevant in collection.inbox.all().items()}
    good = {url for url in good if judged.get(url, True)} | {url for url, relevant in judged.items() if relevant}
    catches = [{row.url for row in collection.log.pages()} & good for collection in collections]
    unseen = between(catches)
    found = len(good)
    low, high = interval(found, unseen)
    total = Estimate(found, found + unseen.number, low, high, min(thresholds))
    crawls = [
        CrawlShare(folder=str(collection.folder), strategy=plan.strategy, found=len(caught), threshold=threshold)
        for collection, plan, caught, threshold in zip(collections, plans, catches, thresholds, strict=True)
    ]
    return EstimateReport(
        folders=[crawl.folder for crawl in crawls],
        crawls=crawls,
        shared=len(set.intersection(*catches)),
        **asdict(described(total)),
    )


def _threshold(collection: Collection) -> float:
    census = _recalled(collection).census
    assert census
    return census.threshold


def _recalled(collection: Collection) -> Crawl:
    crawl = Crawl(plan_of(collection), lambda event, at: None)
    recall(crawl, collection, priors_of(collection))
    return crawl
