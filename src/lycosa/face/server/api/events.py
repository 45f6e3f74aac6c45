"""Events: what happens in a hunt, as it happens (server-sent events), or what has happened since an event."""

from __future__ import annotations

from collections.abc import AsyncIterator
from time import monotonic
from typing import Annotated

import anyio
import msgspec
from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Header, Query
from fastapi.responses import StreamingResponse

from lycosa.face.desk import Batch, Desk, Feed
from lycosa.face.desk.standing import AT_WORK
from lycosa.face.server.needs import LARGEST, Name, TheDesk

router = APIRouter(tags=["hunts"])
_OFTEN = 0.125
"""Seconds between two looks at a hunt that runs."""
_SELDOM = 0.5
"""Seconds between two looks at one that does not."""
_HEARTBEAT = 15.0
"""Seconds of silence after which a comment shows that we are still here."""
_RETRY = b"retry: 500\n\n"
"""Milliseconds after which a browser that lost the stream asks again."""
_STREAM = {"schema": {"type": "string", "description": "Events `batch`; `id` is the batch's seq, `data` the batch."}}
After = Annotated[int, Query(ge=0, le=LARGEST, description="What came after this event.")]


def _feed(desk: TheDesk, name: Name) -> Feed:
    """Found before the stream begins, so that an unknown name is answered as such."""
    return desk.feed(name)


TheFeed = Annotated[Feed, Depends(_feed)]


@router.get("/hunts/{name}/batch")
def batch(feed: TheFeed, after: After = 0, limit: Annotated[int, Query(ge=1, le=1000)] = 200) -> Batch:
    """What has happened in a hunt since an event; ask again with `after` = `seq`."""
    return feed.read(after, limit)


@router.get(
    "/hunts/{name}/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": _STREAM}}},
)
async def events(
    desk: TheDesk,
    feed: TheFeed,
    after: After = 0,
    last_event_id: Annotated[str | None, Header(max_length=20, description="`after`, as browsers say it.")] = None,
) -> StreamingResponse:
    """What happens in a hunt since an event, as a stream of batches that goes on until one side closes it."""
    known = last_event_id or ""
    seq = min(int(known), LARGEST) if known.isascii() and known.isdecimal() else after
    headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    return StreamingResponse(_stream(desk, feed, seq), media_type="text/event-stream", headers=headers)


async def _stream(desk: Desk, feed: Feed, seq: int) -> AsyncIterator[bytes]:
    last, spoken = None, monotonic()
    yield _RETRY
    while not desk.closing:
        began = monotonic()
        batch = await run_sync(feed.read, seq)
        if batch != last:
            yield b"event: batch\nid: %d\ndata: %b\n\n" % (batch.seq, msgspec.json.encode(batch))
            spoken = began
        elif began - spoken > _HEARTBEAT:
            yield b":\n\n"
            spoken = began
        last, seq = batch, batch.seq
        pause = _OFTEN if batch.more or batch.state in AT_WORK else _SELDOM
        await anyio.sleep(max(0.0, pause - (monotonic() - began)))
