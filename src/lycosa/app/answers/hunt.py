"""The answers about a hunt: its state and results, and why it fetched a page."""

from __future__ import annotations

from typing import Any
from warnings import warn

from msgspec import Struct, field


class AnswerStruct(Struct, kw_only=True):
    """An answer whose fields are attributes; version 0.1 gave dictionaries, so they can still be read like keys."""

    def __getitem__(self, name: str) -> Any:
        if name not in self.keys():
            raise KeyError(name)
        warn(f"read .{name} instead of [{name!r}]", DeprecationWarning, stacklevel=2)
        return getattr(self, name)

    def __contains__(self, name: str) -> bool:
        return name in self.keys()

    def keys(self) -> tuple[str, ...]:
        """The names of the fields."""
        return self.__struct_fields__

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a field, or the default if there is no such field."""
        return getattr(self, name) if name in self.keys() else default


class BudgetAnswer(AnswerStruct):
    """The budget of a hunt; null means no limit."""

    pages: int | None = None
    bytes: int | None = None
    seconds: float | None = None
    until: float | None = None
    """The hunt ends when it has found this share of all relevant pages, by its own estimate."""


class EstimateAnswer(AnswerStruct):
    """How many relevant pages were found, and an estimate of how many there are."""

    found: int
    total: int
    low: int
    """`low` and `high` are a 90 % interval of the total."""
    high: int
    threshold: float | None
    """The relevance, a probability, from which a page counts as relevant; null if each counts as it is likely."""


class CrawlShare(AnswerStruct):
    """What one of several crawls of a topic has found."""

    folder: str
    strategy: str
    found: int
    threshold: float


class EstimateReport(EstimateAnswer):
    """An estimate, and the crawls that it is made from."""

    folders: list[str]
    crawls: list[CrawlShare] = []
    """If there are several: what each has found."""
    shared: int = 0
    """How many relevant pages all of them have found."""


class JudgedCount(AnswerStruct):
    """How many pages were judged."""

    pages: int = 0
    relevant: int = 0
    by: dict[str, int] = {}
    """How many by whom: by `person`, or by a judge who reads, such as `llm:MODEL`."""


class ReaderAnswer(AnswerStruct):
    """What a judge who reads has done."""

    model: str
    calls: int
    """Questions asked, of the `budget`."""
    budget: int
    unusable: int
    """Answers that said neither yes nor no."""
    problem: str = ""
    """Why it has given up; empty if it has not."""


class RenderingAnswer(AnswerStruct):
    """What reading pages from a browser has cost."""

    pages: int = 0
    """Pages that were read from a browser."""
    requests: int = 0
    """Further requests that their scripts made."""
    seconds: float = 0.0
    """Mean seconds that such a page took in the browser."""
    slower: float | None = None
    """How many times as long such a page took as its plain answer alone; null if there is none."""
    shells: int = 0
    """Pages that are empty without JavaScript and were not read from a browser."""
    advice: str = ""
    """What to do if many pages are; empty if there are few."""


class BestPage(AnswerStruct):
    """One of the most relevant pages."""

    url: str
    title: str
    relevance: float | None
    """How likely the page is on topic, from 0 to 1; null while nothing is known."""
    known: str = ""
    """`example` or `judged` if the relevance is certain, else empty."""
    judge_score: float = 0.0
    """What the judge said when it was fetched, whatever the crawl has learned since."""


class FailedSeedAnswer(AnswerStruct):
    """A seed that gave no page."""

    url: str
    reason: str
    """In the words of the log, such as `no such host` or `status 404`."""
    at: str
    """The URL that its redirects led to, if any; the reason is about that URL."""
    problem: str
    fix: str
    """What to do about it."""

    @property
    def line(self) -> str:
        """Why it gave no page, in one line."""
        return f"{self.problem}{f' (at {self.at})' if self.at else ''}: {self.fix}"


class Remedy(AnswerStruct):
    """What would help a hunt that ended early."""

    cause: str
    """What was in the way, and how often; empty if it would help in any case."""
    fix: str
    """What to do about it."""
    fields: tuple[str, ...]
    """The options of a hunt that do so."""


class HuntStatus(AnswerStruct):
    """The state of a hunt, what it was asked for, and its results so far."""

    name: str = ""
    folder: str = ""
    """Its folder; empty for clients on other machines."""
    state: str = "interrupted"
    """running, waiting, starting, paused, stopped, finished, interrupted, failed or elsewhere (another process)."""
    problem: str = ""
    fix: str = ""
    ahead: int = 0
    """How many hunts are before it in the queue, if it waits."""
    reason: str = ""
    """Why it stopped running, or what it waits for."""
    failures: list[FailedSeedAnswer] = []
    """If it failed because no seed could be fetched: each seed, and why."""
    early: str = ""
    """Why it ended before its budget was spent, and what would help; empty if it did not."""
    remedies: list[Remedy] = []
    """If it ended early: what would help, most important first."""
    keywords: str = ""
    intent: str = ""
    strategy: str = ""
    settings: dict[str, Any] = {}
    judge: str = ""
    judge_settings: dict[str, Any] = {}
    seeds: tuple[str, ...] = ()
    on_topic: bool = False
    examples: tuple[str, ...] = ()
    """The seeds that are examples of the topic; the others are only places to begin."""
    delay: float = 0.0
    within: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    scope: dict[str, Any] = {}
    """The rules of its scope besides `within` and `without`, by the names of the options."""
    sites: dict[str, Any] = {}
    """What applies to single sites, by host."""
    links_outside: dict[str, int] = {}
    """How many different links the scope has kept out, by rule; told after every 25 pages and at the end."""
    pages_outside: dict[str, int] = {}
    """Pages that were fetched but not kept, by rule: type, language, date, size or words."""
    budget: BudgetAnswer = field(default_factory=BudgetAnswer)
    began: float = 0.0
    """When it began, in seconds since 1970; 0 if it has not begun."""
    seq: int = 0
    """The number of its last event: follow the event stream from there."""
    pages: int = 0
    harvest: float | None = None
    """The mean relevance of its pages, which is the share of them expected to be on topic; null if not known yet."""
    queued: int = 0
    """Links that wait to be followed."""
    bytes: int = 0
    hosts: int = 0
    leases: int = 0
    visits: int = 0
    redirects: int = 0
    misses: dict[str, int] = {}
    """Numbers of links that gave no page, by reason."""
    left_out: dict[str, int] = {}
    """When it has stopped: how often links were not followed, by reason, without a request."""
    retries: dict[str, int] = {}
    withheld: dict[str, int] = {}
    """Numbers of pages that are kept out of search and exports, by reason."""
    statuses: dict[int, int] = {}
    estimate: EstimateAnswer | None = None
    """Null while it is too early to tell."""
    too_early: str = ""
    """Why it is too early to tell how many relevant pages there may be; empty if there is an estimate."""
    judged: JudgedCount = field(default_factory=JudgedCount)
    reader: ReaderAnswer | None = None
    """The judge who reads, if the hunt has one."""
    rendering: RenderingAnswer = field(default_factory=RenderingAnswer)
    best: list[BestPage] = []


class Hop(AnswerStruct):
    """One step on the path from a seed to a page."""

    url: str
    via: str | None
    """The page whose link was followed; null for a seed."""
    anchor: str | None
    """The words of that link."""
    score: float
    """The score that the strategy gave the link when it was picked."""
    parts: dict[str, float]
    """The parts of that score."""
    reasons: list[str]
    """The largest of these parts as sentences: what spoke for the link, and what against it."""
    rank: int
    """Its rank among the waiting links, from 1."""
    queued: int
    """How many links waited."""
    picked_at: float
    outcome: str = ""
    """page, or what the fetch gave instead; empty if it is still under way."""
    relevance: float | None = None
    """How likely the page is on topic, from 0 to 1; null while nothing is known."""
    known: str = ""
    """`example` or `judged` if the relevance is certain, else empty."""
    judge_score: float | None = None
    """What the judge said when the page was fetched, whatever the crawl has learned since."""
    judge: str = ""
    """The judge's name."""
    title: str = ""
    withheld: str = ""
    """Why the page is kept out of searches and exports, such as `noindex`; empty if it is not."""


class Why(AnswerStruct):
    """Why a page was fetched: the path to it from a seed."""

    url: str
    collection: str
    path: list[Hop]
