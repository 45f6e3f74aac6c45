"""B4: where a response contradicts itself on its length, nothing of it becomes another page's answer."""

import asyncio
from contextlib import suppress

import pytest
from sites import Sites, ask, reply

from lycosa.core.nouns import Failure, Page

HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
SMUGGLED = reply("<title>smuggled</title>")
CHUNKED = "5\r\nhello\r\n0\r\n\r\n"
LENGTHS = (
    *("5", "+5", "-5", "-1", "5.0", "5e0", "0x5", "0x05", "5a", "a5", "5 5", "5,5", "5, 5", "5;5", "5, 6", "6, 5"),
    *("", " ", "\t5", "5\t", "\x0b5", "5\x00", '"5"', "05", "0000000005", "\uff15", "\u0665", "five", "NaN", "inf"),
    *("4294967301", "18446744073709551621", "9" * 30, "9223372036854775808", "-9223372036854775808", "5\xa0"),
)
CODINGS = (
    *("chunked", "Chunked", "CHUNKED ", "chunked, chunked", "chunked,identity", "identity", "identity, chunked"),
    *("gzip, chunked", "chunked, gzip", "xchunked", "chunkedx", "chunked;q=1", '"chunked"', ",chunked", "chunked,"),
    *("\x0bchunked", "\x00chunked", "chunked\x00", "cow", "", "c hunked", "chun\tked", "\uff43hunked"),
)


def cases():
    """Responses as text, and whether every browser and RFC 9112 call it an error."""
    for value in LENGTHS:
        yield f"{HEAD}Content-Length: {value}\r\n\r\nhello", value in ("5, 6", "6, 5")
    for value in CODINGS:
        yield f"{HEAD}Transfer-Encoding: {value}\r\n\r\n{CHUNKED}", False
        yield f"{HEAD}Transfer-Encoding: {value}\r\nContent-Length: 5\r\n\r\n{CHUNKED}", False
    both = "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n"
    yield f"{HEAD}{both[0]}{both[0]}\r\nhello", False
    yield f"{HEAD}{both[0]}Content-Length: 6\r\n\r\nhello", True
    yield f"{HEAD}Content-Length: 6\r\n{both[0]}\r\nhello", True
    yield f"{HEAD}{both[0]}Content-Length: 1000\r\n\r\nhello", True
    yield f"{HEAD}{both[1]}{both[1]}\r\n{CHUNKED}", False
    yield f"{HEAD}{both[1]}Transfer-Encoding: identity\r\n\r\n{CHUNKED}", False
    yield f"{HEAD}Content-Length : 5\r\n\r\nhello", False
    yield f"{HEAD}Content-Length\t: 5\r\n\r\nhello", False
    yield f"{HEAD} Content-Length: 5\r\n\r\nhello", False
    yield f"{HEAD}Content-Length:\r\n 5\r\n\r\nhello", False
    yield f"{HEAD}Transfer-Encoding : chunked\r\n\r\n{CHUNKED}", False
    yield f"{HEAD}Transfer-Encoding:\r\n chunked\r\n\r\n{CHUNKED}", False
    yield f"{HEAD}X: y\nContent-Length: 5\n\nhello", False
    yield f"{HEAD}X: y\rContent-Length: 5\r\n\r\nhello", False
    yield f"{HEAD}Content_Length: 5\r\nContent-Length: 1\r\n\r\nhello", False
    yield "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello", False
    yield "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nhello", False
    yield "HTTP/1.1 205 Reset\r\nTransfer-Encoding: chunked\r\n\r\n" + CHUNKED, False
    yield "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n" + CHUNKED, False
    yield f"{HEAD}Content-Length: 0\r\n\r\nhello", False
    yield f"{HEAD}Content-Length: 3\r\n\r\nhello", False


def answer(text):
    """Send a response and one more that nobody asked for, then answer what else is asked on the same connection."""

    async def misbehave(request, reader, writer):
        writer.write(text.encode("utf-8") + SMUGGLED)
        await writer.drain()
        with suppress(asyncio.IncompleteReadError, TimeoutError):
            async with asyncio.timeout(0.5):
                await reader.readuntil(b"\r\n\r\n")
                writer.write(reply("<title>asked for</title>"))
                await writer.drain()

    return misbehave


@pytest.mark.row("B4")
def test_a_response_of_contradictory_length_never_becomes_another_page(figure):
    responses = list(cases())
    answers = {f"h{n}.test/a": answer(text) for n, (text, _) in enumerate(responses)}
    answers |= {f"h{n}.test/b": "<title>asked for</title>" for n in range(len(responses))}
    with Sites(answers) as sites:
        pairs = [(f"http://h{n}.test/a", f"http://h{n}.test/b") for n in range(len(responses))]
        found = ask(sites, pairs, obey_robots=False, timeout_total=60, timeout_read=30)
    second = [found[second] for _, second in pairs]
    smuggled = [n for n, page in enumerate(second) if isinstance(page, Page) and page.title == "smuggled"]
    lost = [n for n, page in enumerate(second) if not isinstance(page, Page)]
    hung = [url for url, got in found.items() if isinstance(got, Failure) and got.reason == "timeout"]
    lax = [n for n, (_, error) in enumerate(responses) if error and isinstance(found[pairs[n][0]], Page)]
    figure(f"{len(responses)} cases: {len(smuggled)} smuggled, {len(hung)} hangs, {len(lax)} errors taken for pages")
    assert len(responses) >= 60
    assert not smuggled, [responses[n][0] for n in smuggled]
    assert not hung
    assert not lax, [responses[n][0] for n in lax]
    assert not lost, [(responses[n][0], second[n]) for n in lost]
