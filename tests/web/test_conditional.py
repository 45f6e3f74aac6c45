"""A page is asked for only if it has changed, over real HTTP on loopback."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from lycosa.core.nouns import RESTING, Failure, Page, Raw, Since, Unchanged
from lycosa.web.http import Http, HttpOptions
from lycosa.web.response_head import conditions
from lycosa.web.source_server import SourceServer

LIMIT = 1 << 20
DATE = "Mon, 01 Jan 2024 00:00:00 GMT"
LATER = "Tue, 02 Jan 2024 00:00:00 GMT"
BODY = b"<html><title>Wolf spiders</title><body><p>They hunt. <a href=/next>more</a></body></html>"
URL = "http://h.test/page"


class Pages:
    """A source with one page that says these things of itself."""

    def __init__(self, **headers):
        said = [(name.replace("_", "-"), value) for name, value in headers.items()]
        self.page = Raw(200, (("Content-Type", "text/html"), *said), BODY)

    def response(self, url):
        return self.page if url.endswith("/page") else None

    def urls(self):
        return iter([URL])


@asynccontextmanager
async def served(source, **options):
    async with SourceServer(source, etags=options.pop("etags", False)) as server:
        http = Http(HttpOptions(resolve={"*": f"127.0.0.1:{server.port}"}, **options))
        try:
            yield server, http
        finally:
            await http.close()


def ask(source, *sinces, **options):
    """The answers to one request after another."""

    async def story():
        async with served(source, **options) as (_, http):
            return [await http.get(URL, LIMIT, since) for since in sinces], http.stats

    return asyncio.run(story())


@asynccontextmanager
async def saying(*answers, **options):
    """A server that says these bytes, one answer after another, and the heads of the requests it was sent."""
    left, heads = list(answers), []

    async def answer(reader, writer):
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                if b"/robots.txt" in head:
                    writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                else:
                    heads.append(head.decode("latin-1"))
                    writer.write(left.pop(0))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    listener = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    http = Http(HttpOptions(resolve={"*": f"127.0.0.1:{port}"}, **options))
    try:
        yield heads, http
    finally:
        await http.close()
        listener.close()
        await listener.wait_closed()


def say(since, *answers):
    """The last answer to requests with this condition, and the heads of the requests."""

    async def story():
        async with saying(*answers) as (heads, http):
            got = [await http.get(URL, LIMIT, since) for _ in answers]
            return got[-1], heads

    return asyncio.run(story())


@pytest.mark.parametrize(
    "said", [{"ETag": '"1"'}, {"ETag": 'W/"1"'}, {"Last_Modified": DATE}, {"ETag": '"a,b"', "Last_Modified": DATE}]
)
def test_an_unchanged_page_is_not_sent_again(said):
    (page,), _ = ask(Pages(**said), None)
    since = Since(page.etag, page.modified)
    (again,), stats = ask(Pages(**said), since)
    assert again == Unchanged(*since)
    assert stats["bytes"] == 0
    assert stats["status 304"] == 1


def test_a_changed_page_is_sent():
    source = Pages(ETag='"2"', Last_Modified=LATER)
    (page, other), _ = ask(source, Since('"1"', DATE), Since(modified=DATE))
    assert isinstance(page, Page) and isinstance(other, Page)
    assert (page.etag, page.modified, page.title) == ('"2"', LATER, "Wolf spiders")


def test_a_tag_has_the_last_word_over_a_date():
    (page,), _ = ask(Pages(ETag='"2"', Last_Modified=DATE), Since('"1"', DATE))
    assert isinstance(page, Page)


def test_a_weak_tag_is_as_good_as_a_strong_one():
    (same,), _ = ask(Pages(ETag='"1"'), Since('W/"1"'))
    assert same == Unchanged('"1"')


def test_a_server_makes_tags_where_it_is_asked_to():
    (page,), _ = ask(Pages(), None, etags=True)
    (same,), _ = ask(Pages(), Since(page.etag), etags=True)
    assert page.etag and same == Unchanged(page.etag)
    assert ask(Pages(), None)[0][0].etag == ""


def test_tags_that_differ_only_in_case_differ():
    (page,), _ = ask(Pages(ETag='"abc"'), Since('"ABC"'))
    assert isinstance(page, Page)


def test_what_a_304_says_is_newer_than_what_was_known():
    answer = f'HTTP/1.1 304 Not Modified\r\nETag: "2"\r\nLast-Modified: {LATER}\r\n\r\n'.encode()
    assert say(Since('"1"', DATE), answer)[0] == Unchanged('"2"', LATER)
    assert say(Since('"1"', DATE), b"HTTP/1.1 304 Not Modified\r\n\r\n")[0] == Unchanged('"1"', DATE)


def test_a_304_that_nobody_asked_for_is_a_failure():
    answer = b"HTTP/1.1 304 Not Modified\r\n\r\n"
    assert say(None, answer)[0] == Failure("status 304")
    assert say(Since("no tag"), answer)[0] == Failure("status 304")


def test_the_next_request_is_answered_after_a_304():
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s" % (len(BODY), BODY)
    answer, heads = say(Since('"1"'), b'HTTP/1.1 304 Not Modified\r\nETag: "1"\r\n\r\n', page)
    assert isinstance(answer, Page)
    assert len(heads) == 2


@pytest.mark.parametrize(
    "since",
    [
        Since('"a"\r\nX-Evil: 1', f"{DATE}\r\nX-Evil: 1"),
        Since('"a\n"', "\n"),
        Since('"' + "a" * 100_000 + '"', "M" * 100_000),
        Since("*", "yesterday"),
        Since('"a", "b"', "99999999999999999999"),
        Since("\x00", "\x00"),
        Since('"é"', "Mon, 01 Jan 2024 00:00:00 GMT é"),
        Since('W/"a" b', "Mon, 99 Jan 2024 00:00:00 GMT"),
        Since(),
    ],
)
def test_what_is_no_tag_and_no_date_is_never_sent(since):
    assert conditions(since) == {}
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s" % (len(BODY), BODY)
    answer, (head,) = say(since, page)
    assert isinstance(answer, Page)
    assert "If-" not in head and "Evil" not in head


def test_robots_forbid_conditional_requests_too():
    class Closed(Pages):
        def response(self, url):
            if url.endswith("/robots.txt"):
                return Raw(200, (("Content-Type", "text/plain"),), b"User-agent: *\nDisallow: /\n")
            return super().response(url)

    (answer,), stats = ask(Closed(ETag='"1"'), Since('"1"'))
    assert answer == Failure("robots", asked=False)
    assert stats["status 304"] == 0


def test_the_guard_refuses_conditional_requests_too():
    async def story():
        http = Http()
        try:
            return await http.get("http://127.0.0.1/", LIMIT, Since('"1"'))
        finally:
            await http.close()

    answer = asyncio.run(story())
    assert answer.reason.startswith("refused address") and not answer.asked


def test_a_host_rests_after_a_304():
    async def story():
        async with saying(b"HTTP/1.1 304 Not Modified\r\n\r\n", delay=30.0, obey_robots=False) as (heads, http):
            return await http.get(URL, LIMIT, Since('"1"')), await http.get(URL, LIMIT, Since('"1"')), heads

    same, resting, heads = asyncio.run(story())
    assert isinstance(same, Unchanged)
    assert resting.reason == RESTING and len(heads) == 1
