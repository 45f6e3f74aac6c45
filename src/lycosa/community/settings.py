"""The settings of a community: one small JSON file that people may edit, every value checked when it is read."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.system.atomic_file import write_whole
from lycosa.system.errors import Code, Refused
from lycosa.web.http_options import HttpOptions

VERSION = 1
FILE = "community.json"
LEAVE_OUT = (r"[^\s@]@[^\s@]+\.\w", r"\d{7}", r"(?:\d[\s./-]?){9}")
"""E-mail addresses, and digits as in telephone, account and card numbers; dates and years are shorter."""


class CommunitySettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a community is like; names in the paper's words, its values in docs/community.md."""

    version: int = VERSION
    max_in_index: int = 10_000
    """MAX_IN_INDEX: pages that a generation holds at most."""
    max_pages: int | None = None
    """MAX_PAGES: pages crawled for a query in one iteration; None for max_in_index / number of queries."""
    max_iter: int = 3
    """MAX_ITER: iterations for a query at most."""
    n_hits: int = 25
    """N_HITS: results of a search that are seeds, besides the pages that link to them."""
    theta: float | None = None
    """THETA: two seed sets in a row that overlap more than this end the iterations; None never looks."""
    queries: int | None = None
    """Representative queries of a refresh at most, a sample where there are more; None takes all."""
    recent: float | None = None
    """Days after which a question does not count any more; None for never."""
    strategy: str = "best-first"
    options: dict[str, Any] = {}
    """Of the strategy."""
    judge: str = "cosine"
    """As NAME or NAME:option=value."""
    parallel: int = 4
    """Queries crawled at the same time."""
    http: HttpOptions = field(default_factory=HttpOptions)
    rules: PolitenessRules = PolitenessRules()
    workers: int = 16
    processes: int = 0
    recorded: str = ""
    """A web to replay in virtual time instead of HTTP, as in Plan."""
    seed: int = 1
    """Of the dice: samples of queries, and strategies."""
    log_queries: bool = True
    """Whether questions are written down at all."""
    leave_out: tuple[str, ...] = LEAVE_OUT
    """Regular expressions: a question in which one is found is neither written down nor used."""

    def __post_init__(self) -> None:
        if self.version != VERSION:
            raise Refused(
                f"settings of version {self.version}",
                f"this version of Lycosa knows version {VERSION}",
                code=Code.OTHER_VERSION,
            )
        least = {"max_in_index": 1, "max_pages": 1, "max_iter": 1, "n_hits": 1, "queries": 1, "parallel": 1}
        for name, bound in (least | {"workers": 1, "processes": 0}).items():
            value = getattr(self, name)
            if value is not None and not bound <= value < 2**31:
                raise _not_possible(name, value, f"at least {bound}")
        if self.theta is not None and not 0 <= self.theta <= 1:
            raise _not_possible("theta", self.theta, "a number from 0 to 1")
        if self.recent is not None and not 0 < self.recent < math.inf:
            raise _not_possible("recent", self.recent, "a number of days above 0")
        if not 0 <= self.rules.delay < math.inf:
            raise _not_possible("delay", self.rules.delay, "0 seconds or more")
        for pattern in self.leave_out:
            pattern_of(pattern)

    def check_names(self) -> None:
        """Whether strategy and judge are there, with these options; apart, for it takes importing them all."""
        from lycosa.core import judge as judging
        from lycosa.core.registry import named
        from lycosa.core.strategy import make

        make(self.strategy, self.options)
        judging.make(*named(self.judge))

    def through(self, proxy: str | None, ca: str | None = None) -> CommunitySettings:
        """The same with another proxy, or with the login of its own, or another CA file; None changes nothing."""
        given = {name: value for name, value in (("proxy", proxy), ("ca", ca)) if value}
        return replace(self, http=replace(self.http, **given)) if given else self

    def written(self) -> CommunitySettings:
        """These settings as they may be written down: without the login of the proxy."""
        return replace(self, http=self.http.written())

    def must_be_ready(self) -> None:
        """Refuse to begin what could fetch nothing: without a proxy's login, or with a CA file that cannot be read."""
        if not self.recorded:
            self.http.must_be_ready()


def _not_possible(name: str, value: object, possible: str) -> Refused:
    return Refused(
        f"--{name.replace('_', '-')} {value} is not possible", f"give {possible}", code=Code.OUT_OF_RANGE, field=name
    )


def pattern_of(text: str) -> re.Pattern[str]:
    """A pattern of the stop list, as questions are compared with it: in any case."""
    try:
        return re.compile(text, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as error:
        raise Refused(f"{text!r} is no pattern ({error})", "write a regular expression", code=Code.BAD_VALUE) from None


def write_settings(folder: Path, settings: CommunitySettings) -> None:
    """Keep settings, in a form that people can edit; whole or not at all."""
    settings.check_names()
    write_whole(folder / FILE, msgspec.json.format(msgspec.json.encode(settings.written()), indent=2) + b"\n")


def read_settings(folder: Path, *, searching: bool = False) -> CommunitySettings:
    """The settings of a community; Refused says which value is wrong. A search has no use for strategies."""
    file = folder / FILE
    try:
        content = file.read_bytes()
    except OSError as error:
        fix = "name a folder that `lycosa community init` made"
        if isinstance(error, FileNotFoundError | NotADirectoryError):
            raise Refused(f"{folder} is not a community", fix, code=Code.NOT_A_COLLECTION, field="folder") from None
        raise Refused(f"{file} cannot be read ({error.strerror})", fix, code=Code.UNREADABLE, field="folder") from None
    try:
        settings = msgspec.json.decode(content, type=CommunitySettings)
        if not searching:
            settings.check_names()
        return settings
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(
            f"{file} cannot be understood ({error})", "correct that value, or restore the file", code=Code.BAD_FILE
        ) from None
    except Refused as refused:
        raise Refused(f"{file}: {refused.problem}", refused.fix, code=refused.code, field=refused.field) from None
