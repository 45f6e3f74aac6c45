"""The settings of a community: one small JSON file that people may edit; every value is checked when it is read."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.system.atomic_file import write_whole
from lycosa.system.errors import LARGEST, Code, Refused, check_range
from lycosa.web.http_options import HttpOptions

if TYPE_CHECKING:
    from lycosa.engine.plan import Plan

VERSION = 1
FILE = "community.json"
AS_PUBLISHED: dict[str, Any] = {"keep_bookmarks": False, "fill": False, "keep_share": 0.0, "max_loss": 1.0}
"""What makes a refresh replace the whole collection, as the paper's does."""
LEAVE_OUT = (r"[^\s@]@[^\s@]+\.\w", r"\d{7}", r"(?:\d[\s./-]?){9}")
"""Patterns of e-mail addresses and of telephone, account and card numbers; dates and years have fewer digits."""


class CommunitySettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a community, with the paper's names; for the paper's values see docs/how-to/community.md."""

    version: int = VERSION
    max_in_index: int = 10_000
    """MAX_IN_INDEX: most pages of a generation."""
    max_pages: int | None = None
    """MAX_PAGES: pages crawled for a query in one iteration; None for max_in_index / number of queries."""
    max_iter: int = 3
    """MAX_ITER: most iterations for a query."""
    n_hits: int = 25
    """N_HITS: results of a search that are seeds, besides the pages that link to them."""
    theta: float | None = None
    """THETA: iterations end when two seed sets in a row overlap by more than this; None for never."""
    queries: int | None = None
    """Most representative queries of a refresh, a sample if there are more; None takes all."""
    recent: float | None = None
    """Days after which a query no longer counts; None for never."""
    strategy: str = "best-first"
    options: dict[str, Any] = {}
    """Options of the strategy."""
    judge: str = "cosine"
    """The judge, as NAME or NAME:option=value."""
    parallel: int = 4
    """Queries crawled at the same time."""
    http: HttpOptions = field(default_factory=HttpOptions)
    rules: PolitenessRules = PolitenessRules()
    workers: int = 16
    processes: int = 0
    keep_bookmarks: bool = True
    """Whether the bookmarks' pages stay in every generation, whatever was asked."""
    fill: bool = True
    """Whether places that a refresh leaves empty are filled with the best pages of the old collection."""
    keep_share: float = 0.5
    """The least share of the old collection's pages that a refresh keeps, as far as they still exist."""
    max_loss: float = 0.5
    """A refresh in which more than this share of the pages would leave does not become current by itself."""
    recorded: str = ""
    """A web to replay in virtual time instead of HTTP, as in Plan."""
    seed: int = 1
    """The random seed, for samples of queries and for strategies."""
    log_queries: bool = True
    """Whether queries are logged at all."""
    leave_out: tuple[str, ...] = LEAVE_OUT
    """Regular expressions: a query that one of them matches is neither logged nor used."""

    def __post_init__(self) -> None:
        if self.version != VERSION:
            raise Refused(
                f"settings of version {self.version}", f"this Lycosa reads version {VERSION}", code=Code.OTHER_VERSION
            )
        for name in ("max_in_index", "max_pages", "max_iter", "n_hits", "queries", "parallel", "workers"):
            check_range(name, getattr(self, name), 1, LARGEST)
        check_range("processes", self.processes, 0, LARGEST)
        for name in ("theta", "keep_share", "max_loss"):
            check_range(name, getattr(self, name), 0, 1)
        if self.recent is not None and not 0 < self.recent < math.inf:
            raise Refused(f"recent cannot be {self.recent}", "give days", code=Code.OUT_OF_RANGE, field="recent")
        if not 0 <= self.rules.delay < math.inf:
            raise Refused(f"delay cannot be {self.rules.delay}", "give seconds", code=Code.OUT_OF_RANGE, field="delay")
        for pattern in self.leave_out:
            pattern_of(pattern)

    def check_names(self) -> None:
        """Refuse an unknown strategy, judge or option; separate, because it imports all strategies and judges."""
        from lycosa.core import judge as judging
        from lycosa.core.registry import named
        from lycosa.core.strategy import make

        make(self.strategy, self.options)
        judging.must_not_read(judging.make(*named(self.judge)), "a community")

    def plan(self, **fields: Any) -> Plan:
        """A plan with what all crawls of a community have in common, and these fields of Plan."""
        from lycosa.core.registry import named
        from lycosa.engine.plan import Plan

        shared = ("strategy", "rules", "workers", "processes", "http", "recorded", "seed")
        judge, judge_settings = named(self.judge)
        common: dict[str, Any] = {"judge": judge, "judge_settings": judge_settings, "settings": self.options}
        return Plan(**{**common, **{name: getattr(self, name) for name in shared}, **fields})

    def through(self, proxy: str | None, ca: str | None = None) -> CommunitySettings:
        """A copy with another proxy, or its own proxy with the login, or another CA file; None changes nothing."""
        given = {name: value for name, value in (("proxy", proxy), ("ca", ca)) if value}
        return replace(self, http=replace(self.http, **given)) if given else self

    def written(self) -> CommunitySettings:
        """A copy that may be written to disk: without the login of the proxy."""
        return replace(self, http=self.http.written())

    def must_be_ready(self) -> None:
        """Refuse what could fetch nothing: a proxy without its login, or a CA file that cannot be read."""
        if not self.recorded:
            self.http.must_be_ready()


def pattern_of(text: str) -> re.Pattern[str]:
    """A pattern of the stop list, compiled to ignore case."""
    try:
        return re.compile(text, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as error:
        raise Refused(
            f"{text!r} is not a pattern ({error})", "write a regular expression", code=Code.BAD_VALUE, field="leave_out"
        ) from None


def write_settings(folder: Path, settings: CommunitySettings) -> None:
    """Write settings in a form that people can edit, atomically."""
    settings.check_names()
    write_whole(folder / FILE, msgspec.json.format(msgspec.json.encode(settings.written()), indent=2) + b"\n")


def read_settings(folder: Path, *, searching: bool = False) -> CommunitySettings:
    """The settings of a community; Refused says which value is wrong. With `searching`, names are not checked."""
    file = folder / FILE
    try:
        content = file.read_bytes()
    except OSError as error:
        fix = "name the folder of a community"
        if isinstance(error, FileNotFoundError | NotADirectoryError):
            raise Refused(f"{folder} is not a community", fix, code=Code.NOT_A_COLLECTION, field="folder") from None
        raise Refused(f"{file} cannot be read ({error.strerror})", fix, code=Code.UNREADABLE, field="folder") from None
    try:
        settings = msgspec.json.decode(content, type=CommunitySettings)
        if not searching:
            settings.check_names()
        # Somebody else may have made the folder: it must not say which of our secrets is sent to which host.
        return replace(settings, http=settings.http.forgetting()) if settings.http.access else settings
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(
            f"{file} cannot be read ({error})", "correct that value, or restore the file", code=Code.BAD_FILE
        ) from None
    except Refused as refused:
        raise Refused(f"{file}: {refused.problem}", refused.fix, code=refused.code, field=refused.field) from None
