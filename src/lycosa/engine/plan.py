"""The plan of a crawl: everything needed to begin it, and to continue it on another machine."""

from __future__ import annotations

import math
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from lycosa.core import judge as judging
from lycosa.core.judge import Judge
from lycosa.core.nouns import Topic
from lycosa.core.query import Query
from lycosa.core.strategy import Strategy, make
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.engine.scope.scope import Scope
from lycosa.engine.scope.scope_rules import ScopeRules, SiteRules
from lycosa.system.errors import Code, Refused, check_range
from lycosa.web.http_options import HttpOptions
from lycosa.web.readers.media_types import names_document
from lycosa.web.rendering.render_options import RenderOptions


class Budget(Struct, frozen=True):
    """What may be spent: pages kept, decoded body bytes kept, seconds of crawling. None means no limit."""

    pages: int | None = 1000
    bytes: int | None = None
    seconds: float | None = None
    share: float | None = None
    """Stop when this share of all relevant pages is found, by the census's estimate."""

    def __post_init__(self) -> None:
        for name in ("pages", "bytes", "seconds"):
            check_range(name, getattr(self, name), above=0, below=2**63)
        check_range("until", self.share, above=0, below=1)


class Sources(Struct, frozen=True):
    """The sources of the priors, as the user named them; read once, when the crawl begins."""

    inlinks: tuple[str, ...] = ()
    """Sources of in-links: collections, test beds, link graphs in files, a service."""
    past: tuple[str, ...] = ()
    """Folders of earlier crawls."""
    background: str = ""
    """A collection, test bed or WARC for word frequencies; if empty, the earlier crawls are used."""
    taxonomy: str = ""
    """A file of categories with example pages."""
    good: tuple[str, ...] = ()
    """Categories that are hunted, besides those that the file marks."""
    refiled: dict[str, str] = {}
    """The right category of example pages that the file puts in another one, by URL."""
    known: tuple[str, ...] = ()
    """Collections, latest first, whose pages are fetched with conditional requests."""
    trusted: tuple[str, ...] = ()
    """Collections, latest first, whose pages are used without a request: those of the same refresh."""


class Plan(Struct, frozen=True, kw_only=True):
    """What to hunt, how, and within which limits."""

    topic: Topic
    seeds: tuple[str, ...]
    strategy: str = "apprentice"
    settings: dict[str, Any] = {}
    judge: str = "cosine"
    judge_settings: dict[str, Any] = {}
    sources: Sources = Sources()
    budget: Budget = Budget()
    rules: PolitenessRules = PolitenessRules()
    scope: ScopeRules = ScopeRules()
    sites: dict[str, SiteRules] = {}
    """What applies to single hosts and all beneath them, by host."""
    workers: int = 16
    """Requests under way at the same time, at most."""
    processes: int = 0
    """Scout processes; 0 = CPU cores - 1. Never more than `workers`."""
    reach: int = 16
    """How far down the queue a ready host is looked for: 1 is strict best-first, larger is faster and less focused."""
    capacity: int = 1_000_000
    """Tickets the frontier holds at most."""
    body: int = 1 << 20
    """Decoded bytes kept of one page at most."""
    document_body: int = 20 << 20
    """The same for a document that can only be read as a whole (PDF, office file, book); never less than `body`."""
    retries: int = 2
    hops: int = 10
    """Redirects in a row that are followed."""
    patience: float = 15.0
    """Seconds of silence after which a scout process is considered hung and killed."""
    outage: float = 120.0
    """Seconds to wait for the network, or for what this machine is short of, before the crawl stops."""
    seed: int = 1
    """Random seed of the strategy."""
    relevant: float | None = None
    """The relevance from which a page counts as relevant; None derives it from judgements and examples."""
    http: HttpOptions = field(default_factory=HttpOptions)
    render: RenderOptions = RenderOptions()
    """Whether pages are rendered in a browser; pages of a recording are not."""
    index: bool = True
    """Whether pages are indexed while the crawl runs."""
    recorded: str = ""
    """A web to replay in virtual time instead of HTTP: a test bed, a WARC, or «made:pages=2000,seed=1»."""
    checkpoint: float = 60.0
    """Seconds between checkpoints; they speed up a resume, for which the log alone is enough."""

    def __post_init__(self) -> None:
        if not self.seeds:
            raise Refused("no seeds", "give at least one URL to start from", code=Code.MISSING, field="seeds")
        for name in ("workers", "reach", "capacity", "body", "document_body"):
            check_range(name, getattr(self, name), 1, 2**31 - 1)
        for name in ("processes", "retries", "hops"):
            check_range(name, getattr(self, name), 0, 2**31 - 1)
        for name in ("connections", "spread", "per_host", "per_site"):
            check_range(name, getattr(self.rules, name), 1, 2**31 - 1)
        check_range("outage", self.outage, 0)
        check_range("delay", self.rules.delay, 0, below=math.inf)
        check_range("relevant", self.relevant, above=0, high=1)
        check_range("random_seed", self.seed, -(2**63), 2**63 - 1)
        Query(self.topic.keywords)
        self.make_strategy()
        self.make_judge()

    def make_scope(self) -> Scope:
        """The scope that the rules of this plan make."""
        return Scope(self.scope, self.sites, self.rules.within, self.rules.without)

    def longest(self, url: str) -> int:
        """Decoded bytes that may be kept of what is at a URL.

        With a budget of bytes this much is promised before the request, so only URLs that name a document get more.
        """
        if self.budget.bytes is not None and not names_document(url):
            return self.body
        return max(self.body, self.document_body)

    def must_be_ready(self) -> None:
        """Refuse, before anything is fetched, a plan with which nothing could be fetched or rendered."""
        self.http.must_be_ready(self.seeds)
        self.render.must_be_ready()

    def make_judge(self) -> Judge:
        """A fresh judge with this plan's settings."""
        return judging.make(self.judge, self.judge_settings)

    def make_strategy(self) -> Strategy:
        """A fresh strategy with this plan's settings."""
        return make(self.strategy, self.settings)

    def dump(self) -> dict[str, Any]:
        """The plan as plain data for the log, without secrets, which must be given again to resume."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        plain["http"] = msgspec.to_builtins(self.http.written(self.seeds))
        return plain


def load_plan(plain: dict[str, Any]) -> Plan:
    """The plan that `dump` wrote."""
    try:
        plan = msgspec.convert(plain, Plan)
        # Somebody else may have made the log: it must not say which of our secrets is sent to which host.
        return replace(plan, http=plan.http.forgetting()) if plan.http.access else plan
    except msgspec.ValidationError as error:
        raise Refused(
            f"the plan of this crawl cannot be read ({error})",
            "open it with the version that made it",
            code=Code.OTHER_VERSION,
        ) from None
