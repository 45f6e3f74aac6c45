"""Scouts that load files for rendered pages from one host are together as polite as one."""

import asyncio
import time

import pytest

from lycosa.engine.politeness import other_hosts
from lycosa.engine.politeness.other_hosts import OtherHosts

PAUSE = 0.3


@pytest.fixture
def scouts(request):
    """Two scouts of different crawls."""
    pair = [OtherHosts(request.node.name, PAUSE) for _ in range(2)]
    yield pair
    for one in pair:
        one.close()


def test_a_host_has_its_pause_whoever_asks_it(scouts):
    turns = []

    async def ask(scout, host):
        async with scout.turn(host):
            turns.append((host, time.monotonic()))
            await asyncio.sleep(0.05)
            turns.append((host, time.monotonic()))

    async def ask_all():
        await asyncio.gather(*(ask(scout, "cdn.test") for scout in scouts), ask(scouts[0], "other.test"))

    began = time.monotonic()
    asyncio.run(ask_all())
    _, first_ended, second_began, _ = (at for host, at in turns if host == "cdn.test")
    assert second_began - first_ended > PAUSE - 0.05
    assert next(at for host, at in turns if host == "other.test") - began < PAUSE


def test_two_pages_that_wait_for_each_others_host_do_not_wait_for_ever(scouts, monkeypatch):
    monkeypatch.setattr(other_hosts, "_PATIENCE", 0.6)

    async def both():
        async with scouts[0].turn("one.test"), scouts[1].turn("two.test"):
            with pytest.raises(TimeoutError):
                async with scouts[1].turn("one.test"):
                    pytest.fail("it was let in")

    asyncio.run(both())
