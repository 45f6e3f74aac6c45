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
from lycosa.core.urls import canonical
from lycosa.core.words import terms
from lycosa.system.errors import Code, Refused
from lycosa.system.file_stamps import log_stamp, stamp
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

    def __init__(self, home: Path, *, http: Mapping[str, Any] | None = None, delay: float = 1.0) -> None:
        """It stores what it knows in a folder of `home`; its scouts use `http` and `delay`."""
        self._files = PrivateFolder(home / FOLDER)
        self._lock = threading.RLock()
        self._http = dict(http or {})
        self._scouting = Scouting(self._files, self._http, delay, self._count)
        self._offers: dict[str, tuple[object, Offer]] = {}

    def begin(self) -> None:
        """Remove old findings of scouts."""
        self._scouting.tidy()

    def close(self) -> None:
        """Stop the scout that is under way."""
        self._scouting.close()

    def key(self, *, new: bool = False) -> str:
        """The key that the browser must send; made on the first call, or anew."""
        with self._lock:
            key = self._read_key()
            if new or not key:
                key = secrets.token_urlsafe(24)
                self._files.write(_KEY, key.encode())
            return key

    def admits(self, key: str) -> bool:
        """Whether this is the right key."""
        right = self._read_key()
        return bool(right) and hmac.compare_digest(key.encode("utf-8", "replace"), right.encode())

    def _read_key(self) -> str:
        try:
            return (self._files.folder / _KEY).read_text("ascii").strip()
        except (OSError, UnicodeDecodeError):
            return ""

    @property
    def state(self) -> CompanionState:
        """The settings; off by default."""
        return self._files.read(_STATE, CompanionState) or CompanionState()

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
            self._files.write(_STATE, state)
        if not state.on:
            self._scouting.throw_away()
        elif excluded:
            for page in self._profile().readings:
                if safety.is_excluded(page.url, state.excluded):
                    self.forget(page.url)
        return state

    def read(
        self, url: str, title: str = "", text: str = "", links: Sequence[tuple[str, str]] = (), seconds: float = 0.0
    ) -> ReadOutcome:
        """Learn from a page that is read, and scout ahead from it."""
        address = _address(url)
        title, text = safety.storable(title)[:TITLE].strip(), safety.storable(text)[:TEXT]
        # If it is switched off meanwhile, either nothing or all of this page has been stored.
        with self._lock:
            state = self._must_be_on()
            if safety.is_excluded(address, state.excluded):
                return ReadOutcome(False, why="its host is among those you excluded")
            if safety.is_private(address):
                return ReadOutcome(False, why="its address looks like that of a private page")
            background, profile = self._background(), self._profile()
            page = reading_of(address, title, text, at=time.time(), seconds=seconds, background=background)
            if not page.terms:
                return ReadOutcome(False, why="there are no words on it")
            profile.learn(page)
            self._files.write(_PROFILE, profile)
            interest = profile.interest(background, page)
            guard = AddressGuard((*self._http.get("allow", ()), *self._http.get("resolve", {})))
            safe = safety.links_to_follow(address, links[:LINKS], guard, state.excluded)
            known = {one.url for one in profile.readings}
            new = {url: anchor for url, anchor in safe.items() if url not in known}
            start = sorted(new.items(), key=lambda link: -interest.similarity(terms(link[1])))[: scouting.LINKS]
            if not start:
                return ReadOutcome(True, why="there is no link on it that may be followed")
            run = ScoutRun(
                scouting.new_name(page.at),
                address,
                title,
                page.at,
                keywords=interest.keywords(),
                links=start,
                strategy=state.strategy,
                pages=state.pages,
                excluded=state.excluded,
            )
            self._scouting.send(run)
            return ReadOutcome(True, run.name)

    def lingered(self, url: str, seconds: float) -> bool:
        """Note how long a page has been read; returns whether it was learned from."""
        self._must_be_on()
        with self._lock:
            profile = self._profile()
            reading = profile.of(_address(url))
            if reading and seconds > reading.seconds:
                reading.seconds = seconds
                self._files.write(_PROFILE, profile)
            return reading is not None

    def _must_be_on(self) -> CompanionState:
        state = self.state
        if not state.on:
            raise Conflict("the companion is switched off", "switch it on first; nothing was kept")
        return state

    def offer(self, name: str | None = None) -> Offer:
        """The suggestions of one scout, or of the latest one."""
        if not self.state.on:
            return Offer(False)
        run = next((one for one in self._scouting.runs() if name in (None, one.name)), None)
        if run:
            return self._offer(run)
        if name and not self._scouting.is_out(name):
            raise Unknown(f"nothing is kept under {name}", "read the page again", field="name")
        return Offer(True, name or "", scouting=bool(name))

    def _offer(self, run: ScoutRun) -> Offer:
        found = self._scouting.found(run.name)
        out = self._scouting.is_out(run.name)
        # Every change of the offer changes one of these files.
        mark = (out, log_stamp(found), stamp(self._files.folder / _PROFILE, self._files.folder / _BACKGROUND))
        with self._lock:
            kept = self._offers.get(run.name)
        if kept and kept[0] == mark:
            return kept[1]
        findings = ScoutFindings(found, run.start)
        background, profile = self._background(), self._profile()
        if not run.counted:
            background.add(findings.bags())
        current = profile.of(run.url)
        suggestions: Sequence[Suggestion] = ()
        looked_at = len(findings.pages.keys() - {run.start})
        if current and (looked_at >= ENOUGH or not out):
            read = {one.url for one in profile.readings}
            suggestions = findings.suggestions(profile.interest(background, current), background, current, read)
        problem = self._scouting.problems.get(run.name, "")
        offer = Offer(True, run.name, run.url, run.title, out, looked_at, problem, suggestions)
        with self._lock:
            self._offers = {**dict(list(self._offers.items())[-scouting.KEPT :]), run.name: (mark, offer)}
        return offer

    def _count(self, run: ScoutRun) -> None:
        """A scout has finished: add its pages to the word background."""
        known = {run.start}
        for other in self._scouting.runs():
            if other.name != run.name:
                known |= ScoutFindings(self._scouting.found(other.name), other.start).pages.keys()
        bags = ScoutFindings(self._scouting.found(run.name), run.start).bags(known)
        with self._lock:
            if not self.state.on:
                return
            background = self._background()
            background.add(bags)
            self._files.write(_BACKGROUND, background)
            self._scouting.save(replace(run, counted=True))

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
            self._files.write(_PROFILE, profile)
        self._scouting.throw_away(address)

    def erase(self) -> None:
        """Forget everything that was learned and found; the settings, excluded hosts and key stay."""
        self._scouting.throw_away()
        with self._lock:
            self._files.remove(_PROFILE)
            self._files.remove(_BACKGROUND)
            self._offers = {}

    def _profile(self) -> Profile:
        return self._files.read(_PROFILE, Profile) or Profile()

    def _background(self) -> WordBackground:
        return self._files.read(_BACKGROUND, WordBackground) or WordBackground()


def _address(url: str) -> str:
    found = canonical(safety.storable(url), limit=safety.LONGEST)
    if found is None:
        fix = "send an http:// or https:// URL"
        raise Refused("that is not the address of a web page", fix, code=Code.BAD_VALUE, field="url")
    return found
