"""Plain loops over asynchronous generators, outside and inside an event loop."""

import asyncio
import os
import signal
import threading

import pytest

from lycosa.engine.stepwise import stepwise


async def numbers(most, ended, pause=0.0):
    try:
        for number in range(most):
            await asyncio.sleep(pause)
            yield number
    finally:
        await asyncio.sleep(0)
        ended.append(threading.get_ident())


def test_a_plain_loop_gets_every_item():
    ended = []
    assert list(stepwise(numbers(4, ended))) == [0, 1, 2, 3]
    assert ended == [threading.get_ident()]


def test_inside_an_event_loop_the_work_is_done_in_one_other_thread():
    ended = []

    async def main():
        return list(stepwise(numbers(4, ended)))

    assert asyncio.run(main()) == [0, 1, 2, 3]
    assert ended != [threading.get_ident()]


@pytest.mark.parametrize("inside", [False, True])
def test_a_loop_that_is_left_early_ends_the_generator(inside):
    ended = []

    async def main():
        return first()

    def first():
        steps = stepwise(numbers(100, ended))
        found = next(steps)
        steps.close()
        return found

    assert (asyncio.run(main()) if inside else first()) == 0
    assert len(ended) == 1


def test_an_error_of_the_generator_reaches_the_loop():
    async def fails():
        yield 1
        raise ValueError("no more")

    async def main():
        found = []
        with pytest.raises(ValueError, match="no more"):
            found.extend(number for number in stepwise(fails()))
        return True

    assert asyncio.run(main())


def test_the_first_interruption_ends_a_loop_that_waits_inside_an_event_loop():
    ended = []

    async def main():
        for _ in stepwise(numbers(3, ended, pause=60)):
            pass

    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(main())
    timer.join()
    assert len(ended) == 1
