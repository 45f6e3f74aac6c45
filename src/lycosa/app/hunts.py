"""What can be done with a hunt: begin, resume, status, why, export; command line and Python API only call these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from lycosa.app.answers.hunt import BestPage, BudgetAnswer, Hop, HuntStatus, JudgedCount, ReaderAnswer
from lycosa.app.estimates import described, too_early
from lycosa.app.hunt_ending import early, ended_early, failed_seeds, remedies_of
from lycosa.app.option_docs import describe as describe
from lycosa.app.python_api.hunt_session import HuntSession
from lycosa.app.python_api.page_table import PageTable
from lycosa.app.rendering_costs import rendering_answer
from lycosa.app.requests.hunt import HuntRequest, ResumeRequest, flattened
from lycosa.app.requests.hunt_plan import folder_name, make_plan
from lycosa.app.requests.option import takes
from lycosa.app.requests.scope import rules_of
from lycosa.app.requests.search import YES_OR_NO, ExportRequest
from lycosa.app.scope_words import never_fetched, ranked
from lycosa.app.score_words import reasons
from lycosa.core.events import Began, Estimated, KeptOut, Leased, Missed, Redirected, Stopped, Visited
from lycosa.core.urls import page_url
from lycosa.engine.archived import archived
from lycosa.engine.crawl_recovery import plan_of
from lycosa.engine.plan import Budget, Plan
from lycosa.engine.seed_failures import seed_failures
from lycosa.store.collection import Collection
from lycosa.store.known_pages import KnownPages
from lycosa.store.log import Log
from lycosa.store.rows import LogEntry, PageRow
from lycosa.system.errors import Code, Refused

if TYPE_CHECKING:
    from lycosa.store.export import Exported


@takes(HuntRequest, flattened)
def hunt(request: HuntRequest) -> HuntSession:
    """Begin a hunt in a new folder; iterate over it for its visits."""
    return HuntSession.begin(make_plan(request), Path(request.out or folder_name(request)))


def continued(request: ResumeRequest, **changes: Any) -> HuntSession:
    """Continue the hunt in a folder; `changes` are further fields of its plan."""
    folder = Path(request.folder)
    refuse_generation(folder)
    with Collection.open(folder) as collection:
        plan = plan_of(collection)
    budget = plan.budget
    changes["budget"] = Budget(
        # As at the start of a crawl, 0 pages means no limit.
        budget.pages if request.pages is None else request.pages or None,
        request.bytes or budget.bytes,
        request.seconds or budget.seconds,
        budget.share if request.until is None else request.until,
    )
    if network := {name: value for name in ("proxy", "ca", "access") if (value := getattr(request, name))}:
        changes["http"] = plan.http.changed(network)
    if (scope := rules_of(request, plan.scope)) != plan.scope:
        changes["scope"] = scope
    changes |= {name: value for name in ("workers", "outage") if (value := getattr(request, name)) is not None}
    return HuntSession.resume(folder, **changes)


@takes(ResumeRequest)
def resume(request: ResumeRequest) -> HuntSession:
    """Continue the hunt in a folder, with a new budget, proxy or CA file if given."""
    return continued(request)


def refuse_generation(folder: Path) -> None:
    """Refuse to crawl in a generation of a community, because generations never change."""
    from lycosa.app.communities import is_community

    home = folder.resolve().parent.parent
    if folder.resolve().parent.name == "generations" and is_community(home):
        raise Refused(
            f"{folder} is a generation of the community {home}", "refresh the community", code=Code.NOT_ALLOWED
        )


def status(folder: str | Path, *, best: int = 10) -> HuntStatus:
    """The state of a crawl, while it runs or after."""
    with Collection.open(Path(folder)) as collection:
        plan, log = plan_of(collection), collection.log
        counts: dict[str, Any] = {**log.counts()}
        stopped, leased, began = log.last(Stopped), log.last(Leased), log.last(Began)
        estimated, judged = log.last(Estimated), collection.inbox.in_force()
        known, kept_out = KnownPages(log, judged), log.last(KeptOut)
        found = HuntStatus(
            links_outside=ranked(kept_out.event.links) if kept_out else {},
            name=collection.folder.name,
            folder=str(collection.folder),
            queued=leased.event.queued if leased else 0,
            began=began.at if began else 0.0,
            seq=counts.pop("events"),
            estimate=described(estimated.event.estimate) if estimated else None,
            too_early="" if estimated else too_early(counts["pages"]),
            judged=JudgedCount(
                pages=len(judged),
                relevant=sum(bool(judgement.relevant) for judgement in judged.values()),
                by=dict(Counter(judgement.origin for judgement in judged.values())),
            ),
            reader=_reader(plan, collection.folder),
            rendering=rendering_answer(counts.pop("rendering"), counts["pages"]),
            best=[_best(row, known) for row in islice(_findable(log, known), best)],
            **counts,
            **asked_for(plan),
        )
        if stopped and began and stopped.seq > began.seq:
            found.state, found.reason = stopped.event.state, stopped.event.reason
            found.queued, found.left_out = stopped.event.queued, dict(stopped.event.left_out)
            if found.state == "failed":
                found.failures = failed_seeds(seed_failures(log, plan))
            if ended_early(stopped.event, plan):
                found.remedies = remedies_of(found, renders=plan.render.wanted)
                found.early = early(found, found.remedies)
        if collection.running():
            # Even if the crawl has stopped, its process may still be busy with the index.
            found.state, found.reason = "running", found.reason or _waits_for(log)
        return found


def _reader(plan: Plan, folder: Path) -> ReaderAnswer | None:
    """What a judge who reads has done, if the hunt has one."""
    judge = plan.make_judge()
    if not judge.reads:
        return None
    from lycosa.judge.llm import Llm
    from lycosa.store.reader_calls import ReaderCalls

    assert isinstance(judge, Llm)
    calls = ReaderCalls(folder)
    return ReaderAnswer(
        model=judge.model, calls=calls.asked, budget=judge.calls, unusable=calls.unusable, problem=calls.problem
    )


def _findable(log: Log, known: KnownPages) -> Iterator[PageRow]:
    """The pages that are not withheld, best first."""
    for row in known.best_first(log):
        visit = log.visit_of(row.url)
        if visit is None or not visit.event.visit.withheld:
            yield row


def _best(row: PageRow, known: KnownPages) -> BestPage:
    shown = known.of(row)
    return BestPage(url=row.url, title=row.title, relevance=shown.relevance, known=shown.known, judge_score=row.score)


def asked_for(plan: Plan) -> dict[str, Any]:
    """The fields of a HuntStatus that say what a hunt was asked for."""
    return {
        "keywords": plan.topic.keywords,
        "intent": plan.topic.intent,
        "strategy": plan.strategy,
        "settings": plan.settings,
        "judge": plan.judge,
        "judge_settings": plan.judge_settings,
        "seeds": plan.seeds,
        "on_topic": bool(plan.topic.examples),
        "examples": plan.topic.examples,
        "delay": plan.rules.delay,
        "within": plan.rules.within,
        "without": plan.rules.without,
        "scope": to_builtins(plan.scope),
        "sites": to_builtins(plan.sites),
        "budget": budget_answer(plan.budget),
    }


def budget_answer(budget: Budget) -> BudgetAnswer:
    """A budget as an answer."""
    return BudgetAnswer(pages=budget.pages, bytes=budget.bytes, seconds=budget.seconds, until=budget.share)


def _waits_for(log: Log) -> str:
    """What a running crawl waits for, if there was an outage since the last page."""
    visited = log.last(Visited)
    reasons = [
        entry.event.miss.reason
        for entry in log.read(visited.seq if visited else 0, [Missed])
        if isinstance(entry.event, Missed) and entry.event.miss.ours
    ]
    return f"waiting: {reasons[-1]}" if reasons else ""


def why(folder: str | Path, url: str) -> list[Hop]:
    """The path from a seed to a URL: for each hop its anchor, score, score parts, rank when picked, and outcome."""
    from lycosa.app.communities import current_collection

    with current_collection(folder) as place, Collection.open(place) as collection:
        wanted = page_url(url)
        began = collection.log.last(Began)
        judge = str(began.event.plan.get("judge", "")) if began else ""
        known = KnownPages(collection.log, collection.inbox.in_force())
        path: list[Hop] = []
        hop: str | None = wanted
        while hop is not None and all(hop != done.url for done in path):
            lease = collection.log.lease_of(hop)
            if lease is None:
                if not path:
                    raise never_fetched(collection, wanted)
                break
            path.append(_hop(collection, lease, known, judge))
            hop = lease.event.ticket.via
        return path[::-1]


def _hop(collection: Collection, leased: LogEntry[Leased], known: KnownPages, judge: str) -> Hop:
    lease = leased.event
    ticket = lease.ticket
    hop = Hop(
        url=ticket.url,
        via=ticket.via,
        anchor=_anchor(collection, ticket.via, ticket.url) if ticket.via else None,
        score=ticket.score,
        parts=dict(lease.parts),
        reasons=reasons(lease.parts),
        rank=lease.rank,
        queued=lease.queued,
        picked_at=leased.at,
    )
    for entry in collection.log.outcomes_of(ticket.url):
        match entry.event:
            case Visited(visit=visit) if visit.out_of_scope:
                hop.outcome, hop.title = f"not kept, out of the scope: {visit.out_of_scope}", visit.title
            case Visited(visit=visit) as event:
                hop.outcome, hop.title, hop.judge_score, hop.judge = "page", visit.title, visit.relevance, judge
                hop.withheld = visit.withheld
                row = collection.log.page(visit.url)
                hop.relevance, hop.known = known.shown(visit.url, row.relevance if row else event.shown)
            case Redirected(redirect=redirect):
                hop.outcome = f"redirected to {redirect.to}"
            case Missed(miss=miss):
                hop.outcome = f"missed: {miss.reason}"
    return hop


def _anchor(collection: Collection, via: str, url: str) -> str | None:
    """The anchor text of a link, read again from the archived page that holds it."""
    visit = collection.log.visit_of(via)
    if visit is None or visit.event.visit.where is None:
        return None
    page = archived(collection.repository, via, visit.event.visit.where, context=True)
    texts = [" ".join(page.anchor(link).split()) for link in page.links if link.url == url]
    return max(texts, key=len, default=None)


def pages(folder: str | Path, *, min_relevance: float | None = None, text: bool = False) -> PageTable:
    """The pages of a collection or community as a table, best first; `.to_pandas()` and others make a data frame."""
    return PageTable(folder, min_relevance=min_relevance, text=text)


def export_request(folder: str | Path, target: str | Path, request: ExportRequest, progress: Any = None) -> Exported:
    """As `export`, with the conditions of a request."""
    return export(
        folder,
        target,
        min_relevance=request.min_relevance,
        host=request.host,
        text=request.text,
        judged=YES_OR_NO.get(request.judged),
        progress=progress,
    )


def export(
    folder: str | Path,
    target: str | Path,
    *,
    min_relevance: float | None = None,
    host: str = "",
    text: str = "",
    judged: bool | None = None,
    progress: Any = None,
) -> Exported:
    """Write the pages of a collection or community to a file or folder, in the format of its suffix; says how many.

    The conditions are those of the list of pages: a host with its subdomains, words of title or URL, and whether a
    person has judged them.
    """
    from lycosa.app.communities import current_collection
    from lycosa.store.export import export as export_pages
    from lycosa.store.page_selection import Conditions
    from lycosa.web.parse import parse

    with current_collection(folder) as place, Collection.open(place) as collection:
        return export_pages(
            collection, target, parse, conditions=Conditions(min_relevance, host, text, judged), progress=progress
        )
