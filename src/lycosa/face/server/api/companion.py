"""The browser's companion: switch it on or off, tell it what is read, get suggestions, see and erase what it knows."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from lycosa.app.companion.companion import EXCLUDED, LINKS, TEXT, TITLE, CompanionState, Offer, ReadOutcome
from lycosa.app.companion.safety import LONGEST
from lycosa.face.server.dependencies import TheCompanion
from lycosa.face.server.documented import Documented
from lycosa.face.server.problems import problems
from lycosa.face.server.strict import Payload

router = APIRouter(tags=["companion"], prefix="/companion")
_WORDS = 60


Url = Annotated[str, Field(min_length=1, max_length=LONGEST)]
Seconds = Annotated[float, Field(ge=0, le=86400)]


class Decided(Documented):
    """The settings that a person has chosen."""

    on: bool
    strategy: str
    pages: int
    excluded: list[str]


class Decision(Payload):
    """The settings to change; those left out stay as they are."""

    on: bool | None = None
    strategy: Annotated[str, Field(max_length=80)] | None = None
    pages: Annotated[int, Field(ge=1, le=50)] | None = None
    excluded: Annotated[list[Annotated[str, Field(max_length=300)]], Field(max_length=EXCLUDED)] | None = None


class LinkBody(Payload):
    """A link on a page, with its anchor text."""

    url: Url
    text: Annotated[str, Field(max_length=1000)] = ""


class ReadBody(Payload):
    """A page that is being read, as its reader sees it."""

    url: Url
    title: Annotated[str, Field(max_length=4 * TITLE)] = ""
    text: Annotated[str, Field(max_length=TEXT)] = ""
    links: Annotated[list[LinkBody], Field(max_length=LINKS)] = []
    seconds: Seconds = 0.0
    """How long it has been read so far, in seconds."""


class Lingered(Payload):
    """How long a page was read."""

    url: Url
    seconds: Seconds


class Known(Documented):
    """Whether the companion has learned from the page."""

    known: bool


class PageBody(Payload):
    """A page, by its URL."""

    url: Url


class Word(Documented):
    """A word of the profile; the heaviest weighs 1."""

    word: str
    weight: float


class Remembered(Documented):
    """A page that the companion learned from: everything that is kept of it, except for further words."""

    url: str
    title: str
    at: float
    seconds: float
    words: list[str]


class Learned(Documented):
    """The profile: words by weight, pages latest first."""

    words: list[Word]
    pages: list[Remembered]


class Key(Documented):
    """The key that the extension must send."""

    key: str


class Done(Documented):
    """Confirms that a change was made."""

    done: bool = True


@router.get("/state")
def state(companion: TheCompanion) -> Decided:
    """Whether the companion is switched on, and its other settings."""
    return _decided(companion.state)


@router.put("/state")
def decide(companion: TheCompanion, decision: Decision) -> Decided:
    """Switch the companion on or off; choose how it scouts and which hosts it must not ask."""
    return _decided(companion.change(**decision.model_dump()))


@router.post("/read", responses=problems(409))
def read(companion: TheCompanion, page: ReadBody) -> ReadOutcome:
    """Tell the companion about a page that is read: it learns from it and scouts ahead. Refused while it is off."""
    links = [(link.url, link.text) for link in page.links]
    return companion.read(page.url, page.title, page.text, links, page.seconds)


@router.post("/lingered", responses=problems(409))
def lingered(companion: TheCompanion, page: Lingered) -> Known:
    """Tell the companion how long a page has been read so far. Refused while it is off."""
    return Known(known=companion.lingered(page.url, page.seconds))


@router.get("/suggestions")
def suggestions(
    companion: TheCompanion,
    of: Annotated[
        str | None, Query(pattern=r"^[0-9]{13,16}-[0-9a-f]{8}$", description="What POST /read named.")
    ] = None,
) -> Offer:
    """Pages found by scouting from a page that was read, or from the latest one; best first."""
    return companion.offer(of)


@router.get("/profile")
def profile(companion: TheCompanion) -> Learned:
    """What the companion has learned."""
    interest, readings = companion.profile()
    strongest = interest.strongest(_WORDS)
    heaviest = interest.weights[strongest[0]] if strongest else 1.0
    words = [
        Word(word=interest.words.get(term, term), weight=round(interest.weights[term] / heaviest, 4))
        for term in strongest
    ]
    pages = [
        Remembered(url=one.url, title=one.title, at=one.at, seconds=one.seconds, words=list(one.words.values())[:8])
        for one in readings
    ]
    return Learned(words=words, pages=pages)


@router.post("/forget")
def forget(companion: TheCompanion, page: PageBody) -> Done:
    """Unlearn one page, and delete what was found from it."""
    companion.forget(page.url)
    return Done()


@router.post("/erase")
def erase(companion: TheCompanion) -> Done:
    """Forget everything that was learned and found; the switch, the list of hosts and the key stay."""
    companion.erase()
    return Done()


@router.get("/key")
def key(companion: TheCompanion) -> Key:
    """The key to copy into the extension; it is made at the first request."""
    return Key(key=companion.key())


@router.post("/key")
def new_key(companion: TheCompanion) -> Key:
    """Make a new key; the old one is no longer accepted."""
    return Key(key=companion.key(new=True))


def _decided(state: CompanionState) -> Decided:
    return Decided(on=state.on, strategy=state.strategy, pages=state.pages, excluded=list(state.excluded))
