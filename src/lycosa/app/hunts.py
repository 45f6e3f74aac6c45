"""What can be done with a hunt: begin, resume, status, why, export; command line and Python API only call these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from msgspec.structs import replace

from lycosa.app.estimates import described
from lycosa.app.hunt_ending import early, plainly
from lycosa.app.option_docs import describe as describe
from lycosa.core.events import Began, Estimated, Leased, Missed, Redirected, Stopped, Visited
from lycosa.core.nouns import Topic
from lycosa.core.registry import named
from lycosa.core.urls import host_of, page_url
from lycosa.core.urls import seed as seed_url
from lycosa.engine.archived import archived
from lycosa.engine.crawl_recovery import plan_of
from lycosa.engine.hunt import Hunt
from lycosa.engine.plan import Budget, Plan, Sources
from lycosa.engine.politeness.host_rules import Politeness, PolitenessRules
from lycosa.engine.seed_failures import seed_failures
from lycosa.store.collection import Collection
from lycosa.store.log import Log
from lycosa.system.errors import Code, Refused
from lycosa.web.http_options import HttpOptions

if TYPE_CHECKING:
    from lycosa.store.export import Exported


def make_plan(
    keywords: str = "",
    seeds: Sequence[str] = (),
    *,
    pages: int | None = 1000,
    bytes: int | None = None,
    seconds: float | None = None,
    share: float | None = None,
    strategy: str = "apprentice",
    settings: Mapping[str, Any] | None = None,
    judge: str = "cosine",
    sources: Mapping[str, Any] | None = None,
    on_topic: bool = True,
    delay: float | None = None,
    workers: int | None = None,
    within: Sequence[str] = (),
    without: Sequence[str] = (),
    rules: Mapping[str, Any] | None = None,
    http: Mapping[str, Any] | None = None,
    bed: str | Path | None = None,
    topic: str | None = None,
    task: str = "examples",
    replay: str | None = None,
    **rest: Any,
) -> Plan:
    """A plan from what a person would say; everything that is left out has a sensible default.

    `bed` with `topic` replays a test bed in virtual time, `replay` any other recorded or made web; by default neither
    has delays or parallel requests. `on_topic` says whether the seeds are examples of the topic or only places to
    start. `within` names the hosts that the hunt stays in, `without` those that it never asks, as in PolitenessRules.
    `judge` may have options, as NAME:option=value. `sources` are the fields of Sources: inlinks, past, background,
    taxonomy, good, refiled. `rest` are further fields of Plan: processes, reach, capacity, body, retries, hops, seed,
    patience, checkpoint, index.
    """
    recorded = ""
    if bed is not None:
        from lycosa.web.testbed import Bed

        opened = Bed(bed)
        if topic is None:
            some = ", ".join(found.id for found in opened.topics[:6])
            raise Refused(
                "a test bed has many topics",
                f"name one with --topic, such as {some}",
                code=Code.MISSING,
                field="topic",
            )
        found = opened.topic(topic)
        keywords = keywords or found.keywords
        seeds = seeds or opened.seeds(found, task)
        on_topic = on_topic and task == "examples"
        recorded = str(Path(bed).resolve())
    elif topic is not None:
        raise Refused(
            f"--topic {topic} says nothing without a test bed", "add --bed DIR", code=Code.CONTRADICTION, field="topic"
        )
    elif replay is not None:
        recorded = replay if replay.startswith("made") else str(Path(replay).resolve())
    if not keywords.strip():
        raise Refused("no keywords", "say in a few words what to hunt for", code=Code.MISSING, field="keywords")
    virtual = bool(recorded)
    chosen = tuple(dict.fromkeys(seed_url(url) for url in seeds))
    options = HttpOptions(**(http or {}))
    rest_of_hosts = delay if delay is not None else (0.0 if virtual else 1.0)
    scope = {"within": tuple(within), "without": tuple(without)}
    politeness = PolitenessRules(**{"delay": rest_of_hosts, **scope, **(rules or {})})
    _check_scope(chosen, politeness)
    if not virtual:
        _check_addresses(chosen, options)
    judge, judge_settings = named(judge)
    return Plan(
        topic=Topic(keywords, topic or "", chosen if on_topic else ()),
        seeds=chosen,
        strategy=strategy,
        settings=dict(settings or {}),
        judge=judge,
        judge_settings=judge_settings,
        sources=Sources(**(sources or {})),
        budget=Budget(pages, bytes, seconds, share),
        rules=politeness,
        workers=workers if workers is not None else (1 if virtual else 16),
        http=options,
        recorded=recorded,
        **rest,
    )


def _check_scope(seeds: Sequence[str], rules: PolitenessRules) -> None:
    """Refuse seeds outside the scope of the crawl, because they would never be fetched."""
    politeness, stays = Politeness(rules), Politeness(replace(rules, without=()))
    for url in seeds:
        host = host_of(url)
        if stays.outside(host):
            fix = f"add --within {host}, or leave the seed out"
            hosts = ", ".join(rules.within[:3]) + (", ..." if len(rules.within) > 3 else "")
            raise Refused(f"the seed {url} is outside of {hosts}", fix, code=Code.OUT_OF_SCOPE, field="seeds")
        if politeness.outside(host):
            raise Refused(
                f"the seed {url} is at a host to leave alone",
                "leave out the seed or its --without",
                code=Code.OUT_OF_SCOPE,
                field="seeds",
            )


def _check_addresses(seeds: Sequence[str], options: HttpOptions) -> None:
    """Refuse seeds that the address guard would block, before the folder is made."""
    from lycosa.web.address_guard import AddressGuard

    guard = AddressGuard((*options.allow, *options.resolve))
    for url in seeds if "*" not in options.resolve else ():
        if guard.refuses_host(host_of(url)):
            name = urlsplit(url).hostname
            raise Refused(
                f"{url} is not on the public Internet",
                f"add --allow {name} if it is meant",
                code=Code.PRIVATE_ADDRESS,
                field="seeds",
            )


def hunt(keywords: str = "", seeds: Sequence[str] = (), *, out: str | Path, **wishes: Any) -> Hunt:
    """Begin a hunt in a new folder; iterate over it for its visits. `wishes` are options of `make_plan`."""
    return Hunt.begin(make_plan(keywords, seeds, **wishes), Path(out))


def resume(
    folder: str | Path,
    *,
    pages: int | None = None,
    bytes: int | None = None,
    seconds: float | None = None,
    share: float | None = None,
    proxy: str | None = None,
    ca: str | None = None,
    **changes: Any,
) -> Hunt:
    """Continue the hunt in a folder, with a new budget, proxy or CA file if given; `changes` are fields of Plan."""
    refuse_generation(Path(folder))
    collection = Collection.open(Path(folder))
    try:
        plan = plan_of(collection)
    finally:
        collection.close()
    budget = plan.budget
    # As at the start of a crawl, 0 pages means no limit.
    wanted = budget.pages if pages is None else pages or None
    changes["budget"] = Budget(
        wanted, bytes or budget.bytes, seconds or budget.seconds, budget.share if share is None else share
    )
    if given := {name: value for name, value in (("proxy", proxy), ("ca", ca)) if value}:
        changes["http"] = replace(plan.http, **given)
    return Hunt.resume(folder, **changes)


def refuse_generation(folder: Path) -> None:
    """Refuse to crawl in a generation of a community, because generations never change."""
    from lycosa.app.communities import is_community

    home = folder.resolve().parent.parent
    if folder.resolve().parent.name == "generations" and is_community(home):
        fix = f"renew it with `lycosa community refresh {home}`"
        raise Refused(f"{folder} is a generation of the community {home}", fix, code=Code.NOT_ALLOWED)


def status(folder: str | Path, *, best: int = 10) -> dict[str, Any]:
    """The state of a crawl, while it runs or after."""
    collection = Collection.open(Path(folder))
    try:
        plan, log = plan_of(collection), collection.log
        counts = log.counts()
        stopped, leased, began = log.last(Stopped), log.last(Leased), log.last(Began)
        estimated, judged = log.last(Estimated), collection.inbox.all()
        state, reason, queued = "interrupted", "", leased.event.queued if leased else 0
        failures: list[dict[str, str]] = []
        hint = ""
        if stopped and began and stopped.seq > began.seq:
            state, reason, queued = stopped.event.state, stopped.event.reason, stopped.event.queued
            if state == "failed":
                failures = plainly(seed_failures(log, plan))
            hint = early(stopped.event, plan.budget, counts["pages"], counts["misses"])
        if collection.running():
            # Even if the crawl has stopped, its process may still be busy with the index.
            state, reason = "running", reason or _waits_for(log)
        return {
            "folder": str(collection.folder),
            "state": state,
            "reason": reason,
            "failures": failures,
            "early": hint,
            "keywords": plan.topic.keywords,
            "strategy": plan.strategy,
            "settings": plan.settings,
            "budget": {
                "pages": plan.budget.pages,
                "bytes": plan.budget.bytes,
                "seconds": plan.budget.seconds,
                "share": plan.budget.share,
            },
            **counts,
            "queued": queued,
            "estimate": described(estimated.event.estimate) if estimated else None,
            "judged": {"pages": len(judged), "relevant": sum(judged.values())},
            "best": [{"url": row.url, "title": row.title, "relevance": row.relevance} for row in log.pages(limit=best)],
        }
    finally:
        collection.close()


def _waits_for(log: Log) -> str:
    """What a running crawl waits for, if there was an outage since the last page."""
    visited = log.last(Visited)
    reasons = [
        entry.event.miss.reason
        for entry in log.read(visited.seq if visited else 0, [Missed])
        if isinstance(entry.event, Missed) and entry.event.miss.ours
    ]
    return f"waiting: {reasons[-1]}" if reasons else ""


def why(folder: str | Path, url: str) -> list[dict[str, Any]]:
    """The path from a seed to a URL: for each hop its anchor, score, score parts, rank when picked, and outcome."""
    from lycosa.app.communities import answering

    with answering(folder) as place, Collection.open(place) as collection:
        wanted = page_url(url)
        path: list[dict[str, Any]] = []
        hop: str | None = wanted
        while hop is not None and all(hop != done["url"] for done in path):
            lease = collection.log.lease_of(hop)
            if lease is None:
                if not path:
                    raise _never_fetched(collection, wanted)
                break
            path.append(_hop(collection, lease.event, lease.at))
            hop = lease.event.ticket.via
        return path[::-1]


def _hop(collection: Collection, lease: Leased, at: float) -> dict[str, Any]:
    ticket = lease.ticket
    hop: dict[str, Any] = {
        "url": ticket.url,
        "via": ticket.via,
        "anchor": _anchor(collection, ticket.via, ticket.url) if ticket.via else None,
        "score": ticket.score,
        "parts": dict(lease.parts),
        "rank": lease.rank,
        "queued": lease.queued,
        "picked_at": at,
    }
    for entry in collection.log.outcomes_of(ticket.url):
        match entry.event:
            case Visited(visit=visit):
                hop |= {"outcome": "page", "relevance": visit.relevance, "title": visit.title}
            case Redirected(redirect=redirect):
                hop |= {"outcome": f"redirected to {redirect.to}"}
            case Missed(miss=miss):
                hop |= {"outcome": f"missed: {miss.reason}"}
    return hop


def _anchor(collection: Collection, via: str, url: str) -> str | None:
    """The anchor text of a link, read again from the archived page that holds it."""
    visit = collection.log.visit_of(via)
    if visit is None or visit.event.visit.where is None:
        return None
    page = archived(collection.repository, via, visit.event.visit.where, context=True)
    texts = [" ".join(page.anchor(link).split()) for link in page.links if link.url == url]
    return max(texts, key=len, default=None)


def _never_fetched(collection: Collection, url: str) -> Refused:
    collection.graph.catch_up()
    parents = collection.graph.in_links(url, 3)
    if parents:
        return Refused(
            f"{url} was found on {parents[0]} but never fetched",
            "its turn had not come; `lycosa resume` goes on",
            code=Code.NOT_FOUND,
            field="url",
        )
    return Refused(
        f"{url} is not in this collection",
        "no page of it links there; `lycosa status` names the best pages",
        code=Code.NOT_FOUND,
        field="url",
    )


def export(
    folder: str | Path, target: str | Path, *, min_relevance: float | None = None, progress: Any = None
) -> Exported:
    """Write the pages of a collection or community to a file or folder, in the format of its suffix; says how many."""
    from lycosa.app.communities import answering
    from lycosa.store.export import export as export_pages
    from lycosa.web.parse import parse

    with answering(folder) as place, Collection.open(place) as collection:
        return export_pages(collection, target, parse, min_relevance=min_relevance, progress=progress)
