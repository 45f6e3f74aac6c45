"""The companion: switch it on or off, tell it what is read, get suggestions, see what it knows, erase that."""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from lycosa.app.companion import safety, scouting
from lycosa.app.companion.profile import Profile, ReadingInterest, ReadPage, WordBackground, reading_of
from lycosa.app.companion.scouting import Scouting, ScoutRun
from lycosa.app.companion.suggestions import ENOUGH, ScoutFindings, Suggestion
from lycosa.app.jobs.job_errors import Conflict, Unknown
from lycosa.app.option_docs import SAID
from lycosa.core.urls import canonical, host_of
from lycosa.core.words import terms
from lycosa.system.errors import Code, Refused
from lycosa.system.private_files import PrivateFolder
from lycosa.web.address_guard import AddressGuard

FOLDER = ".companion"
TEXT, TITLE, LINKS = 200_000, 500, 400
"""Characters of a page's text and title, and links on it; the rest is cut off."""
EXCLUDED = 500
_STATE, _PROFILE, _BACKGROUND, _KEY = "state", "profile", "background", "key"


class CompanionState(Struct, frozen=True):
    """The settings that a person chose."""

    on: bool = False
    strategy: str = "breadth-first"
    """The strategy of a scout; Letizia used breadth-first."""
    pages: int = scouting.PAGES
    """Pages that a scout may fetch."""
    excluded: tuple[str, ...] = ()
    """Hosts, with all their subdomains, that are neither learned from nor scouted."""


@dataclass(frozen=True)
class ReadOutcome:
    """What became of a page that was read."""

    __pydantic_config__: ClassVar = SAID
    learned: bool
    name: str = ""
    """The name of the scout that was sent, to ask for what it found."""
    why: str = ""
    """Why nothing was learned, or why no scout was sent."""


@dataclass(frozen=True)
class Offer:
    """The companion's suggestions for the page that is read."""

    __pydantic_config__: ClassVar = SAID
    on: bool
    name: str = ""
    url: str = ""
    title: str = ""
    scouting: bool = False
    """Whether the scout is still under way, so that more suggestions may come."""
    looked_at: int = 0
    """Pages that the scout fetched."""
    problem: str = ""
    suggestions: Sequence[Suggestion] = ()


class Companion:
    """One person's companion; its methods may be called from any thread."""

    def __init__(
        self,
        home: Path,
        *,
        http: Mapping[str, Any] | None = None,
        delay: float = 1.0,
    ) -> None:
        """It stores what it knows in a folder of `home`; its scouts use `http` and `delay`."""
        self._drawer = PrivateFolder(home / FOLDER)
        self._lock = threading.RLock()
        self._http = dict(http or {})
        self._scouting = Scouting(self._drawer, self._http, delay, self._count)
        self._offers: dict[str, tuple[object, Offer]] = {}

    def begin(self) -> None:
        """Remove old findings of scouts."""
        self._scouting.tidy()

    def close(self) -> None:
        """Stop the scout that is under way."""
        self._scouting.close()

    # -- the key ------------------------------------------------------------------------------------------------------

    def key(self, *, new: bool = False) -> str:
        """The key that the browser must send; made on the first call, or anew."""
        with self._lock:
            key = self._read_key()
            if new or not key:
                key = secrets.token_urlsafe(24)
                self._drawer.write(_KEY, key.encode())
            return key

    def admits(self, key: str) -> bool:
        """Whether this is the right key."""
        right = self._read_key()
        return bool(right) and hmac.compare_digest(key.encode("utf-8", "replace"), right.encode())

    def _read_key(self) -> str:
        try:
            return (self._drawer.folder / _KEY).read_text("ascii").strip()
        except (OSError, UnicodeDecodeError):
            return ""

    # -- the switch ---------------------------------------------------------------------------------------------------

    @property
    def state(self) -> CompanionState:
        """The settings; off by default."""
        return self._drawer.read(_STATE, CompanionState) or CompanionState()

    def change(
        self,
        *,
        on: bool | None = None,
        strategy: str | None = None,
        pages: int | None = None,
        excluded: Sequence[str] | None = None,
    ) -> CompanionState:
        """Change settings; those not given stay as they are."""
        with self._lock:
            state = self.state
            if strategy is not None or pages is not None:
                state = replace(state, strategy=strategy or state.strategy, pages=pages or state.pages)
                scouting.check(state.strategy, state.pages)
            if excluded is not None:
                state = replace(state, excluded=safety.host_names(excluded)[:EXCLUDED])
            if on is not None:
                state = replace(state, on=on)
            self._drawer.write(_STATE, state)
        if not state.on:
            self._scouting.throw_away()
        elif excluded:
            self._leave_alone(state.excluded)
        return state

    def _leave_alone(self, excluded: Sequence[str]) -> None:
        """Forget what was learned from excluded hosts."""
        for reading in self._profile().readings:
            if safety.is_excluded(reading.url, excluded):
                self.forget(reading.url)

    # -- reading ------------------------------------------------------------------------------------------------------

    def read(
        self, url: str, title: str = "", text: str = "", links: Sequence[tuple[str, str]] = (), seconds: float = 0.0
    ) -> ReadOutcome:
        """Learn from a page that is read, and scout ahead from it."""
        address = _address(url)
        title, text = _whole(title)[:TITLE].strip(), _whole(text)[:TEXT]
        # If it is switched off meanwhile, either nothing or all of this page has been stored.
        with self._lock:
            return self._learn(self._must_be_on(), address, title, text, links, seconds)

    def _learn(
        self,
        state: CompanionState,
        address: str,
        title: str,
        text: str,
        links: Sequence[tuple[str, str]],
        seconds: float,
    ) -> ReadOutcome:
        if safety.is_excluded(address, state.excluded):
            return ReadOutcome(False, why="its host is among those you leave alone")
        if safety.is_private(address):
            return ReadOutcome(False, why="its address looks like that of a private page")
        background, profile = self._background(), self._profile()
        reading = reading_of(address, title, text, at=time.time(), seconds=seconds, background=background)
        if not reading.terms:
            return ReadOutcome(False, why="there are no words on it")
        profile.learn(reading)
        self._drawer.write(_PROFILE, profile)
        interest = profile.interest(background, reading)
        known = {one.url for one in profile.readings}
        begin = self._begin(address, links, interest, state.excluded, known)
        if not begin:
            return ReadOutcome(True, why="there is no link on it that may be followed")
        name = scouting.new_name(reading.at)
        self._scouting.send(
            ScoutRun(
                name,
                address,
                title,
                reading.at,
                keywords=interest.keywords(),
                links=begin,
                strategy=state.strategy,
                pages=state.pages,
                excluded=state.excluded,
            )
        )
        return ReadOutcome(True, name)

    def lingered(self, url: str, seconds: float) -> bool:
        """Note how long a page has been read; returns whether it was learned from."""
        self._must_be_on()
        with self._lock:
            profile = self._profile()
            reading = profile.of(_address(url))
            if reading and seconds > reading.seconds:
                reading.seconds = seconds
                self._drawer.write(_PROFILE, profile)
            return reading is not None

    def _begin(
        self,
        page: str,
        links: Sequence[tuple[str, str]],
        interest: ReadingInterest,
        excluded: Sequence[str],
        known: set[str],
    ) -> list[tuple[str, str]]:
        """The links from which a scout may start, most promising first."""
        guard = AddressGuard((*self._http.get("allow", ()), *self._http.get("resolve", {})))
        if guard.refuses_host(host_of(page)):
            return []
        chosen = []
        for href, text in links[:LINKS]:
            url = canonical(_whole(href), page)
            if not url or url in known or not safety.may_follow(url) or safety.is_excluded(url, excluded):
                continue
            if not guard.refuses_host(host_of(url)):
                chosen.append((url, " ".join(_whole(text).split())[:300]))
        return scouting.promising(chosen, lambda words: interest.similarity(terms(words)))[: scouting.LINKS]

    def _must_be_on(self) -> CompanionState:
        state = self.state
        if not state.on:
            raise Conflict("the companion is switched off", "switch it on first; nothing was kept")
        return state

    # -- suggestions --------------------------------------------------------------------------------------------------

    def offer(self, name: str | None = None) -> Offer:
        """The suggestions of one scout, or of the latest one."""
        state = self.state
        if not state.on:
            return Offer(False)
        errands = self._scouting.errands()
        errand = next((one for one in errands if name in (None, one.name)), None)
        if errand is None:
            waits = bool(name) and self._scouting.is_out(name or "")
            if name and not waits:
                raise Unknown(f"nothing is kept under {name}", "read the page again", field="name")
            return Offer(True, name or "", scouting=waits)
        return self._offer(errand)

    def _offer(self, errand: ScoutRun) -> Offer:
        found = self._scouting.found(errand.name)
        out = self._scouting.is_out(errand.name)
        # Every change of the offer changes one of these files.
        files = (
            found / "log.sqlite-wal",
            found / "log.sqlite",
            *map(self._drawer.folder.joinpath, (_PROFILE, _BACKGROUND)),
        )
        mark = (out, *map(_stamp, files))
        with self._lock:
            kept = self._offers.get(errand.name)
        if kept and kept[0] == mark:
            return kept[1]
        findings = ScoutFindings(found, errand.start)
        background, profile = self._background(), self._profile()
        if not errand.counted:
            background.add(findings.bags())
        current = profile.of(errand.url)
        read = {one.url for one in profile.readings}
        suggestions: Sequence[Suggestion] = ()
        looked_at = len(findings.pages.keys() - {errand.start})
        if current and (looked_at >= ENOUGH or not out):
            suggestions = findings.suggestions(profile.interest(background, current), background, current, read)
        problem = self._scouting.problems.get(errand.name, "")
        offer = Offer(True, errand.name, errand.url, errand.title, out, looked_at, problem, suggestions)
        with self._lock:
            self._offers = {**dict(list(self._offers.items())[-scouting.KEPT :]), errand.name: (mark, offer)}
        return offer

    def _count(self, errand: ScoutRun) -> None:
        """A scout has finished: add its pages to the word background."""
        known = {errand.start}
        for other in self._scouting.errands():
            if other.name != errand.name:
                known |= ScoutFindings(self._scouting.found(other.name), other.start).pages.keys()
        bags = ScoutFindings(self._scouting.found(errand.name), errand.start).bags(known)
        with self._lock:
            if not self.state.on:
                return
            background = self._background()
            background.add(bags)
            self._drawer.write(_BACKGROUND, background)
            self._scouting.save(replace(errand, counted=True))

    # -- what it knows ------------------------------------------------------------------------------------------------

    def profile(self) -> tuple[ReadingInterest, list[ReadPage]]:
        """What was learned: the words by weight, and the pages, latest first."""
        profile = self._profile()
        return profile.interest(self._background()), profile.readings[::-1]

    def forget(self, url: str) -> None:
        """Forget a page, and remove what was found from it."""
        address = _address(url)
        with self._lock:
            profile = self._profile()
            if not profile.forget(address):
                raise Unknown("no such page was learned from", "the profile lists those that were", field="url")
            self._drawer.write(_PROFILE, profile)
        self._scouting.throw_away(address)

    def erase(self) -> None:
        """Forget everything that was learned and found; the settings, excluded hosts and key stay."""
        self._scouting.throw_away()
        with self._lock:
            self._drawer.remove(_PROFILE)
            self._drawer.remove(_BACKGROUND)
            self._offers = {}

    def _profile(self) -> Profile:
        return self._drawer.read(_PROFILE, Profile) or Profile()

    def _background(self) -> WordBackground:
        return self._drawer.read(_BACKGROUND, WordBackground) or WordBackground()


def _address(url: str) -> str:
    found = canonical(_whole(url), limit=safety.LONGEST)
    if found is None:
        raise Refused(
            "that is no address of a web page", "send an http:// or https:// URL", code=Code.BAD_VALUE, field="url"
        )
    return found


def _whole(text: str) -> str:
    """A text without unpaired surrogates, which cannot be stored."""
    return text.encode("utf-8", "replace").decode()


def _stamp(path: Path) -> object:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
