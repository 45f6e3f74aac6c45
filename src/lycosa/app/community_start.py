"""Begin a community, or continue an interrupted beginning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from lycosa.app.requests.community import CommunityRequest, settings_given
from lycosa.community.bookmarks import Bookmark, read_bookmarks
from lycosa.community.first_generation import complete, first_hunt, first_plan
from lycosa.community.home import Generation, Home
from lycosa.community.settings import CommunitySettings
from lycosa.engine.hunt import Hunt
from lycosa.system.errors import Code, Refused
from lycosa.system.progress import Progress


class CommunityStart:
    """A community being made: in a `with` statement, run its hunt, if there is one, then complete it."""

    def __init__(
        self,
        folder: str | Path,
        bookmarks: Sequence[str | Path] = (),
        *,
        keywords: str = "",
        http: Mapping[str, Any] | None = None,
        rules: Mapping[str, Any] | None = None,
        leave_out: Sequence[str] = (),
        **given: Any,
    ) -> None:
        """Begin a community in a new folder, or continue one whose first crawl was interrupted.

        `given` are fields of CommunitySettings, `http` and `rules` fields of HttpOptions and PolitenessRules; what is
        not given stays as it is. `leave_out` adds patterns to the stop list.
        """
        found: dict[str, Bookmark] = {}
        for one in (each for file in bookmarks for each in read_bookmarks(file)):
            found.setdefault(one.url, one)
        self._bookmarks = list(found.values())
        self._keywords = keywords
        known = Home.open(folder) if Home.is_one(folder) else None
        before = known.settings if known else _defaults(bool(given.get("recorded")))
        settings = replace(
            before,
            http=replace(before.http, **(http or {})),
            rules=replace(before.rules, **(rules or {})),
            leave_out=tuple(dict.fromkeys((*before.leave_out, *leave_out))),
            **given,
        )
        if known is None:
            if not self._bookmarks:
                fix = "name a browser's export, an OPML file or a list of URLs"
                raise Refused("no bookmarks", fix, code=Code.MISSING, field="bookmarks")
            # Refuse bad settings before the folder is made.
            settings.check_names()
            first_plan(settings, self._bookmarks, keywords)
        self._settings = settings
        self.home = known or Home.create(folder, settings)

    def __enter__(self) -> Hunt | None:
        """The first crawl, begun or resumed, which the caller runs and closes; None if it is finished."""
        with ExitStack() as stack:
            stack.enter_context(self.home.changing())
            if not self.home.begun:
                self.home.settle(self._settings)
            hunt = first_hunt(self.home, self._bookmarks, self._keywords)
            self._held = stack.pop_all()
        return hunt

    def __exit__(self, *error: object) -> None:
        self._held.close()

    def complete(self, progress: Progress | None = None) -> Generation:
        """Index the crawled pages and make them the current generation, once the crawl is finished and closed."""
        return complete(self.home, progress)


def start_of(request: CommunityRequest) -> CommunityStart:
    """The community that a request begins, or whose beginning it continues."""
    made, seed, log = request.replay, request.random_seed, request.log_queries
    http = {
        "contact": request.contact,
        "agent": request.agent,
        "proxy": request.proxy,
        "ca": request.ca,
        "obey_robots": request.robots,
        "timeout_total": request.timeout,
        "timeout_read": None if request.timeout is None else max(10.0, request.timeout / 2),
        "allow": tuple(request.allow) or None,
        "resolve": dict(request.resolve) or None,
    }
    more = {
        "workers": request.workers,
        "log_queries": log,
        "seed": seed,
        "recorded": made if made is None or made.startswith("made") else str(Path(made).resolve()),
    }
    return CommunityStart(
        request.folder,
        request.bookmarks,
        keywords=request.keywords,
        http=_given(http),
        rules=_given({"delay": request.delay, "spread": request.spread, "per_host": request.per_host}),
        leave_out=request.leave_out,
        **settings_given(request),
        **_given(more),
    )


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _defaults(recorded: bool) -> CommunitySettings:
    """As in a hunt: a recording is read without delay and by one worker."""
    settings = CommunitySettings()
    return replace(settings, rules=replace(settings.rules, delay=0.0), workers=1) if recorded else settings
