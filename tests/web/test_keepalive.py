"""What a server sends unasked never becomes the answer to another request."""

import asyncio

import pytest

from lycosa.core.nouns import Failure, Page

from ..surplus import ANSWERS, LIMIT, POISON, SURPLUS, WAYS, generous, in_one_piece, mixed_up, sized


@pytest.mark.parametrize("way", WAYS)
def test_a_surplus_response_is_never_the_next_page(way):
    assert asyncio.run(mixed_up(sized, POISON, way, rounds=200)) == 0


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("surplus", SURPLUS)
def test_no_surplus_after_any_answer_spoils_the_next_page(answer, surplus, way):
    assert asyncio.run(mixed_up(ANSWERS[answer], SURPLUS[surplus], way, rounds=3)) == 0


def test_bytes_that_the_loop_has_not_delivered_yet_close_an_idle_connection():
    async def story():
        async with generous(sized, b"", in_one_piece) as (server, http):
            assert isinstance(await http.get("http://h.test/page-1", LIMIT), Page)
            (pooled,) = http._client.session.connector._conns.values()
            # A transport that does not read is as blind as a loop that is busy with other things.
            pooled[0][0].transport.pause_reading()
            for writer in server.writers:
                writer.write(POISON)
                await writer.drain()
            page = await http.get("http://h.test/page-3", LIMIT)
            assert (page.title, server.connections) == ("3", 2)

    asyncio.run(story())


def test_a_clean_connection_is_used_again_after_every_kind_of_answer():
    async def story(answer):
        async with generous(answer, b"", in_one_piece) as (server, http):
            for number in range(6):
                assert not isinstance(await http.get(f"http://h.test/page-{number}", LIMIT), Failure) or number % 2 == 0
            return server.connections

    assert {name: asyncio.run(story(answer)) for name, answer in ANSWERS.items()} == dict.fromkeys(ANSWERS, 1)
