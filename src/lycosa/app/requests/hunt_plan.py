"""The plan of a hunt request: test beds opened, files read, hosts and addresses checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast
from urllib.parse import urlsplit

from msgspec.structs import replace

from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.option import check_remote
from lycosa.app.requests.scope import rules_of, sites_of
from lycosa.core.nouns import Topic
from lycosa.core.registry import named
from lycosa.core.stemming import LANGUAGES
from lycosa.core.urls import host_of
from lycosa.core.urls import seed as seed_url
from lycosa.engine.plan import Budget, Plan, Sources
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.engine.preparation import prepare
from lycosa.engine.scope.scope import Rule, Scope
from lycosa.system.errors import Code, Refused, check_range
from lycosa.web.http_options import HttpOptions
from lycosa.web.rendering.render_options import RenderOptions

if TYPE_CHECKING:
    from lycosa.app.answers.page import FoundSeeds

Choice = Callable[["FoundSeeds"], Sequence[str]]
"""Which of the found seeds are used."""
_PLACES = {"model", "url", "base"}
"""Options of judges that name folders, other machines, or code."""


def all_of_them(found: FoundSeeds) -> Sequence[str]:
    """Every found seed, for callers who ask nobody."""
    return [seed.url for seed in found.seeds]


def make_plan(
    request: HuntRequest,
    http: HttpOptions | None = None,
    collection: Callable[[str], Path] = Path,
    choose: Choice = all_of_them,
) -> Plan:
    """The plan of a request; `http` replaces its own network options, `collection` finds a folder by its name.

    `choose` says which of the seeds are used that sources find for the keywords.
    """
    request, recorded = _on_a_bed(request)
    if not request.keywords.strip():
        raise Refused("no keywords", "say in a few words what to hunt for", code=Code.MISSING, field="keywords")
    # Other machines cannot allow private addresses.
    blamed = "seeds" if http else "allow"
    read = {"index_pages": request.index_pages, "lists": request.sitemaps, "hints": request.hints}
    http = replace(http, **read) if http else _http_options(request, read)
    rules = PolitenessRules(
        delay=request.delay if request.delay is not None else (0.0 if recorded else 1.0),
        spread=request.spread,
        per_host=request.per_host,
        per_site=request.per_site,
        within=tuple(request.within),
        without=tuple(request.without),
    )
    scope_rules, sites = rules_of(request), sites_of(request.sites)
    scope = Scope(scope_rules, sites, rules.within, rules.without)
    given, others = _canonical(_given(request)), _canonical(request.begin_at)
    _check_scope((*given, *others), scope, rules)
    if not recorded:
        _check_addresses((*given, *others), http, blamed)
    asked = _sources_asked(request)
    if asked or request.seeds_from:
        # Imported here, because most hunts begin at pages that were given.
        from lycosa.app.start_pages import found_for_hunt

        found = found_for_hunt(
            request,
            asked,
            replace(http, delay=rules.delay),
            recorded,
            lambda url: scope.verdict(url) is None,
            collection=collection,
            only_named=blamed == "seeds",
        )
        chosen = _canonical(choose(found))
    else:
        chosen = ()
    examples = (*(given if request.on_topic else ()), *(chosen if request.found_on_topic else ()))
    seeds = tuple(dict.fromkeys((*given, *others, *chosen)))
    if not seeds:
        raise _no_seeds()
    judge, judge_settings = named(request.judge)
    return Plan(
        topic=Topic(
            request.keywords,
            request.topic or "",
            tuple(dict.fromkeys(examples)),
            " ".join(request.intent.split()),
            _language(request.topic_language, scope_rules.languages or ()),
        ),
        seeds=seeds,
        strategy=request.strategy,
        settings=dict(request.settings),
        judge=judge,
        judge_settings=judge_settings,
        sources=Sources(
            inlinks=tuple(request.inlinks),
            past=tuple(request.past),
            background=request.background,
            taxonomy=request.taxonomy,
            good=tuple(request.good),
            refiled=dict(request.refile),
        ),
        budget=Budget(request.pages or None, request.bytes, request.seconds, request.until),
        rules=rules,
        scope=scope_rules,
        sites=sites,
        workers=request.workers if request.workers is not None else (1 if recorded else 16),
        processes=request.processes,
        reach=request.reach,
        capacity=request.capacity,
        body=request.body,
        document_body=request.document_body,
        retries=request.retries,
        outage=request.outage,
        seed=request.random_seed,
        relevant=request.relevant,
        http=http,
        render=_render_options(request),
        index=request.index,
        recorded=recorded,
        checkpoint=request.checkpoint,
    )


def _language(named: str, kept: Sequence[str]) -> str:
    """The language of the topic: the one that is named, or the only one whose pages are kept."""
    code = named.strip().lower()
    if code and code not in LANGUAGES:
        fix = f"give one of {', '.join(sorted(LANGUAGES))}, or none"
        raise Refused(f"no rules for words of {named!r} are known", fix, code=Code.UNKNOWN_NAME, field="topic_language")
    return code or (kept[0] if len(kept) == 1 and kept[0] in LANGUAGES else "")


def make_remote_plan(
    request: HuntRequest,
    *,
    http: HttpOptions,
    delay: float,
    pages: int,
    collection: Callable[[str], Path],
    finders: Mapping[str, str] = {},
) -> Plan:
    """The plan of a request that came from another program, within the limits of the server and with its sources."""
    check_remote(request)
    check_range("pages", request.pages, 1, pages)
    request = replace(request, finders=finders)
    _check_texts(request)
    plan = make_plan(replace(request, delay=max(delay, request.delay or 0.0)), http, collection)
    # Refuse a missing browser and missing knowledge now, not in a process that has begun.
    plan.render.must_be_ready()
    prepare(plan).close()
    return plan


def folder_name(request: HuntRequest) -> str:
    """The default name of a hunt's folder."""
    return "-".join(re.findall(r"\w+", (request.topic or request.keywords).lower())[:6]) or "hunt"


def _on_a_bed(request: HuntRequest) -> tuple[HuntRequest, str]:
    """The request with the keywords and seeds of its test bed, if it names one, and the web that is replayed."""
    if request.bed is None:
        if request.topic is not None:
            raise Refused(
                f"the topic {request.topic} has no meaning without a test bed",
                "name the test bed too",
                code=Code.CONTRADICTION,
                field="topic",
            )
        if request.replay is None:
            return request, ""
        made = request.replay.startswith("made")
        return request, request.replay if made else str(Path(request.replay).resolve())
    from lycosa.web.testbed import Bed

    bed = Bed(request.bed)
    if request.topic is None:
        some = ", ".join(topic.id for topic in bed.topics[:6])
        raise Refused("a test bed has many topics", f"name one, such as {some}", code=Code.MISSING, field="topic")
    topic = bed.topic(request.topic)
    given = request.seeds or request.seeds_file
    return replace(
        request,
        keywords=request.keywords or topic.keywords,
        seeds=request.seeds if given else bed.seeds(topic, request.task),
        on_topic=request.on_topic and request.task == "examples",
    ), str(Path(request.bed).resolve())


def _http_options(request: HuntRequest, read: dict[str, Any]) -> HttpOptions:
    options = HttpOptions(
        contact=request.contact,
        timeout_total=request.timeout,
        timeout_read=max(10.0, request.timeout / 2),
        proxy=request.proxy,
        ca=request.ca,
        allow=tuple(request.allow),
        obey_robots=request.robots,
        obey_nofollow=request.nofollow,
        resolve=dict(request.resolve),
        access=dict(request.access),
        **read,
    )
    return replace(options, agent=request.agent) if request.agent else options


def _given(request: HuntRequest) -> list[str]:
    """The seeds that were given, and those of the file."""
    return [*request.seeds, *(read_seeds(request.seeds_file) if request.seeds_file else ())]


def _render_options(request: HuntRequest) -> RenderOptions:
    return RenderOptions(
        mode=cast(Literal["never", "auto", "always"], request.render),
        browser=str(request.browser or ""),
        seconds=request.render_seconds,
        requests=request.render_requests,
        memory=request.render_memory,
    )


def _sources_asked(request: HuntRequest) -> Sequence[str]:
    """The sources that a hunt asks: those it names or, if it has nowhere to begin, all that have a name."""
    if request.find or request.seeds or request.seeds_file or request.seeds_from or request.begin_at:
        return request.find
    return tuple(request.finders)


def _canonical(urls: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(seed_url, urls)))


def _no_seeds() -> Refused:
    return Refused(
        "no seeds",
        "give at least one URL to start from, or name a source that finds some, such as "
        "searxng:url=https://search.example.org",
        code=Code.MISSING,
        field="seeds",
    )


def read_seeds(file: Path | str) -> list[str]:
    """The URLs of a seeds file."""
    try:
        lines = Path(file).read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(
            f"the seeds file {file} cannot be read ({error})",
            "give a text file with one URL per line",
            code=Code.UNREADABLE if isinstance(error, OSError) else Code.BAD_FILE,
            field="seeds_file",
        ) from None
    urls = [re.split(r"(?:^|\s)#", line, maxsplit=1)[0].strip() for line in lines]
    return [url for url in urls if url]


def _check_scope(seeds: Sequence[str], scope: Scope, rules: PolitenessRules) -> None:
    """Refuse seeds outside the scope of the crawl, because they would never be fetched."""
    for url in seeds:
        match scope.verdict(url):
            case Rule(kind="within"):
                hosts = ", ".join(rules.within[:3]) + (", ..." if len(rules.within) > 3 else "")
                problem = f"the seed {url} is outside of {hosts}"
                fix = f"add {host_of(url)} to the hosts to stay within, or leave the seed out"
            case Rule(kind="without"):
                problem, fix = f"the seed {url} is at an excluded host", "leave out the seed or the exclusion"
            case Rule(kind="include"):
                problem = f"the seed {url} matches none of the patterns to include"
                fix = "add a pattern that it matches, such as its own URL, or leave the seed out"
            case Rule(kind="exclude", detail=pattern):
                problem = f"the seed {url} matches the excluded pattern {pattern}"
                fix = "leave out the seed or the pattern"
            case _:
                continue
        raise Refused(problem, fix, code=Code.OUT_OF_SCOPE, field="seeds")


def _check_addresses(seeds: Sequence[str], options: HttpOptions, field: str) -> None:
    """Refuse seeds that the address guard would block, before the folder is made."""
    from lycosa.web.address_guard import AddressGuard

    guard = AddressGuard((*options.allow, *options.resolve))
    for url in seeds if "*" not in options.resolve else ():
        if guard.refuses_host(host_of(url)):
            host = urlsplit(url).hostname
            fix = f"allow {host} explicitly if you mean it"
            if field == "seeds":
                fix = f"choose another seed; whoever runs this server can allow {host}"
            raise Refused(f"{url} is not on the public Internet", fix, code=Code.PRIVATE_ADDRESS, field=field)


def _check_texts(request: HuntRequest) -> None:
    """Refuse texts that nothing can store, and names that would load code or files outside the registry."""
    settings = request.settings
    texts = [request.keywords, request.intent, request.strategy, request.judge]
    texts += [*request.seeds, *request.begin_at, *request.find, *request.within, *request.without]
    texts += [*request.include, *request.exclude]
    for text in (*texts, *settings, *map(str, settings.values())):
        if any((char < " " and char not in "\t\n\r") or "\ud800" <= char <= "\udfff" for char in text):
            raise Refused(
                "a text of this request contains control characters or half characters",
                "leave them out",
                code=Code.BAD_VALUE,
            )
    if not all(isinstance(value, str) or -(2**53) <= value <= 2**53 for value in settings.values()):
        raise Refused("a setting is too large", "give a smaller number", code=Code.OUT_OF_RANGE, field="settings")
    if not (request.seeds or request.begin_at or request.seeds_from or _sources_asked(request)):
        raise _no_seeds()
    judge, judge_settings = named(request.judge)
    for field, name in (("strategy", request.strategy), ("judge", judge)):
        if ":" in name:
            raise Refused(
                f"only a {field} from the list can be chosen here",
                "run your own code on the command line or in Python",
                code=Code.NOT_ALLOWED,
                field=field,
            )
    if not judge_settings.keys().isdisjoint(_PLACES):
        raise Refused(
            "a judge that reads a folder, asks another machine or names another judge cannot be chosen here",
            "use it on the command line or in Python",
            code=Code.NOT_ALLOWED,
            field="judge",
        )
