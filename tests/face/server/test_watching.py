"""Watching hunts: one look for all, nothing read at rest, and nothing missed or told twice."""

import asyncio
import json
import shutil
import weakref
from contextlib import aclosing

import pytest

import lycosa
from lycosa.app.jobs import HuntJobs
from lycosa.app.jobs.feed import FeedPosition
from lycosa.core.nouns import Judgement
from lycosa.face.server.watching import Watch, Watches, stream
from lycosa.store.judgements import Inbox
from lycosa.system.errors import Damaged
from lycosa.system.locks import Lock

PATIENCE = 30
WEB = "made:pages=1200,topics=4,seed=5"


@pytest.fixture(scope="module")
def hunted(made, tmp_path_factory):
    folder = tmp_path_factory.mktemp("hunted") / "spiders"
    crawl(folder, made.topics[0], 260)
    return folder


@pytest.fixture
def jobs(hunted, tmp_path):
    shutil.copytree(hunted, tmp_path / "spiders")
    return HuntJobs(tmp_path)


def crawl(folder, topic, pages):
    with lycosa.hunt(
        topic.keywords, topic.examples, out=folder, pages=pages, replay=WEB, strategy="best-first"
    ) as hunt:
        list(hunt)


def counted(feed):
    """A feed that counts how often the log is read."""
    read, feed.reads = feed.read, 0

    def reading(*hunt_request):
        feed.reads += 1
        return read(*hunt_request)

    feed.read = reading
    return feed


async def follow(watches, feed, place, enough):
    """The batches of a stream until there are enough."""
    batches = []
    async with asyncio.timeout(PATIENCE), aclosing(stream(watches, feed, place)) as sent:
        async for event in sent:
            if event.startswith(b"event"):
                lines = dict(line.split(": ", 1) for line in event.decode().splitlines() if line)
                batches.append({"id": lines["id"], **json.loads(lines["data"])})
            if batches and enough(batches):
                return batches
    return batches


def urls(batches):
    return [page["url"] for batch in batches for page in batch["pages"]]


def test_all_who_look_on_at_a_hunt_share_what_is_read(jobs):
    feed, watches = counted(jobs.feed("spiders")), Watches(jobs)

    async def look():
        def all_there(batches):
            return len(urls(batches)) == batches[-1]["counts"]["pages"]

        return await asyncio.gather(*(follow(watches, feed, feed.place(), all_there) for _ in range(50)))

    found = asyncio.run(look())
    assert len(urls(found[0])) == len(set(urls(found[0]))) == 260
    assert all(batches == found[0] for batches in found)
    assert feed.reads < 10


def test_a_hunt_at_rest_is_not_read_until_somebody_says_something(jobs):
    feed, watches = counted(jobs.feed("spiders")), Watches(jobs)
    page = feed.read()[0].pages[0].url

    async def look():
        heard = asyncio.create_task(follow(watches, feed, feed.place(10**6), lambda batches: batches[-1]["judged"]))
        before = -1
        async with asyncio.timeout(PATIENCE):
            while feed.reads != before:
                before = feed.reads
                await asyncio.sleep(0.8)
        Inbox(jobs.folder("spiders")).add([Judgement(page, True)], 1.0)
        return await heard

    assert asyncio.run(look())[-1]["judged"] == [{"url": page, "relevant": True, "origin": "person"}]


def test_a_process_elsewhere_that_takes_up_or_leaves_a_hunt_is_seen(jobs):
    feed, watches = jobs.feed("spiders"), Watches(jobs)

    async def look():
        seen = []

        def changed(state):
            return lambda batches: batches[-1]["state"] == state

        seen += await follow(watches, feed, feed.place(10**6), changed("finished"))
        lock = Lock(jobs.folder("spiders") / "lock")
        seen += await follow(watches, feed, feed.place(10**6), changed("elsewhere"))
        heard = asyncio.create_task(follow(watches, feed, feed.place(10**6), changed("finished")))
        await asyncio.sleep(0.5)
        lock.release()
        return [batch["state"] for batch in seen + await heard]

    assert asyncio.run(look()) == ["finished", "elsewhere", "elsewhere", "finished"]


def test_what_was_said_during_a_break_is_told_to_whoever_comes_back(jobs):
    feed, watches = jobs.feed("spiders"), Watches(jobs)
    inbox, page = Inbox(jobs.folder("spiders")), feed.read()[0].pages[0].url

    async def look(place, enough=lambda batches: True):
        return (await follow(watches, feed, place, enough))[-1]

    inbox.add([Judgement(page, True)], 1.0)
    last = asyncio.run(look(feed.place(10**6)))
    assert last["judged"] == []
    inbox.add([Judgement(page, False)], 2.0)
    seq, heard = map(int, last["id"].split("."))
    again = asyncio.run(look(feed.place(seq)._replace(heard=heard)))
    assert again["judged"] == [{"url": page, "relevant": False, "origin": "person"}]


def test_streams_end_when_the_desk_closes(jobs):
    feed, watches = jobs.feed("spiders"), Watches(jobs)

    async def look():
        both = [asyncio.create_task(follow(watches, feed, feed.place(), lambda _: False)) for _ in range(2)]
        await asyncio.sleep(0.5)
        jobs.closing = True
        return await asyncio.gather(*both)

    assert all(urls(batches) for batches in asyncio.run(look()))


def test_a_crawl_that_runs_elsewhere_is_told_without_gap_or_repetition(jobs, made, tmp_path):
    (tmp_path / "beside").mkdir()
    jobs._catalog.keep(tmp_path / "beside")
    feed, watches, topic = jobs.feed("beside"), Watches(jobs), made.topics[1]

    def over(batches):
        return batches[-1]["state"] == "finished"

    async def look():
        several = [asyncio.create_task(follow(watches, feed, feed.place(), over)) for _ in range(3)]
        await asyncio.sleep(0.2)
        await asyncio.to_thread(crawl, tmp_path / "beside", topic, 60)
        return await asyncio.gather(*several)

    for batches in asyncio.run(look()):
        assert len(urls(batches)) == len(set(urls(batches))) == batches[-1]["counts"]["pages"] == 60


def test_however_many_places_are_asked_for_only_some_batches_are_kept(jobs):
    watch = Watch(jobs.feed("spiders"))

    async def look():
        return [weakref.ref((await watch.read(FeedPosition(240, invented))).batch) for invented in range(60)]

    kept = [batch for batch in asyncio.run(look()) if batch()]
    assert 0 < len(kept) < 30


def test_a_log_that_cannot_be_read_ends_no_stream_and_is_told_once_it_can(jobs):
    feed, watches = jobs.feed("spiders"), Watches(jobs)
    read, tries = feed.read, []

    def reading(place):
        tries.append(place)
        if len(tries) < 3:
            raise Damaged("log.sqlite is damaged", "restore it")
        return read(place)

    feed.read = reading
    assert len(urls(asyncio.run(follow(watches, feed, feed.place(), urls)))) == 200
    assert len(tries) == 3
