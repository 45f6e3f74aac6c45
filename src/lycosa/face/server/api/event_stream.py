"""The events of a hunt: as they happen (server-sent events), or all since a given event."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query
from fastapi.responses import StreamingResponse

from lycosa.app.jobs import Batch, Feed
from lycosa.app.jobs.feed import FeedPosition
from lycosa.face.server.dependencies import LARGEST, Name, TheJobs, TheWatches
from lycosa.face.server.watching import stream

router = APIRouter(tags=["hunts"])
_STREAM = {
    "schema": {
        "type": "string",
        "description": "Events `batch`; `data` is the batch, `id` what to give as `after` to go on behind it.",
    }
}
_PLACE = r"^[0-9]{1,16}(\.[0-9]{1,16})?$"
_is_place = re.compile(_PLACE).fullmatch
After = Annotated[int, Query(ge=0, le=LARGEST, description="What came after this event.")]
Id = Annotated[str, Query(pattern=_PLACE, description="What came after this event; its number, or the last `id`.")]


def _feed(jobs: TheJobs, name: Name) -> Feed:
    return jobs.feed(name)


async def _watched(watches: TheWatches, name: Name) -> tuple[Feed, FeedPosition]:
    """Find the feed before the stream begins, so that an unknown name gets a proper error."""
    return await watches.find(name)


TheFeed = Annotated[Feed, Depends(_feed)]
Watched = Annotated[tuple[Feed, FeedPosition], Depends(_watched)]


@router.get("/hunts/{name}/batch")
def batch(feed: TheFeed, after: After = 0, limit: Annotated[int, Query(ge=1, le=1000)] = 200) -> Batch:
    """What has happened in a hunt since an event; ask again with `after` = `seq`."""
    found, _ = feed.read(after, limit)
    return found


@router.get(
    "/hunts/{name}/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": _STREAM}}},
)
async def events(
    watches: TheWatches,
    watched: Watched,
    after: Id = "0",
    last_event_id: Annotated[str | None, Header(max_length=40, description="`after`, as browsers say it.")] = None,
) -> StreamingResponse:
    """What happens in a hunt since an event, as a stream of batches that continues until one side closes it."""
    known = last_event_id if last_event_id and _is_place(last_event_id) else after
    headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    feed, here = watched
    told = stream(watches, feed, _place(here, known))
    return StreamingResponse(told, media_type="text/event-stream", headers=headers)


def _place(here: FeedPosition, known: str) -> FeedPosition:
    """The position that a client knows; an event number tells nothing of judgements, so all of them count as known."""
    seq, said, heard = known.partition(".")
    return here._replace(seq=min(int(seq), LARGEST), heard=int(heard) if said else here.heard)
