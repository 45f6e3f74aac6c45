"""What a host's owner does not want fetched is not fetched."""

import asyncio
import time

import pytest

from lycosa.core.nouns import Failure
from lycosa.core.urls import canonical
from lycosa.web.robots import ALL, LIMIT, Answer, Robots, product, read

HOST = "https://h.example"


def allows(text, path, agent="Lycosa"):
    return read(text.encode(), agent, canonical_urls=True).allows(HOST + path)


def test_the_longest_pattern_decides_and_allow_wins_a_tie():
    text = (
        "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nAllow: /same\nDisallow: /same\nDisallow: /*.pdf$"
    )
    for path, allowed in {
        "/": 1,
        "/a": 0,
        "/a/b": 1,
        "/a/b/c": 0,
        "/same": 1,
        "/x.pdf": 0,
        "/x.pdf?y": 1,
        "/a/b.pdf": 0,
    }.items():
        assert allows(text, path) == bool(allowed), path


def test_an_agents_own_group_replaces_the_one_for_everybody():
    text = "User-agent: *\nDisallow: /\nCrawl-delay: 9\n\nUser-agent: lycosa\nDisallow: /private\nCrawl-delay: 2.5"
    assert allows(text, "/x")
    assert not allows(text, "/private/x")
    assert not allows(text, "/x", agent="other")
    assert read(text.encode(), "Lycosa").pause == 2.5
    assert read(text.encode(), "other").pause == 9


@pytest.mark.parametrize(
    ("value", "pause"), [("3", 3), ("0.5", 0.5), ("99999", 86400), ("-1", 0), ("nan", 0), ("soon", 0), ("", 0)]
)
def test_a_crawl_delay_is_read_within_reason(value, pause):
    assert read(f"User-agent: *\nCrawl-delay: {value}".encode(), "Lycosa").pause == pause


def test_escapes_in_patterns_mean_what_they_mean_in_canonical_urls():
    assert not allows("User-agent: *\nDisallow: /%7Ejoe", "/~joe/")
    assert not allows("User-agent: *\nDisallow: /ä", "/%C3%A4")
    assert not allows("User-agent: *\nDisallow: /a%2fb", "/a%2Fb")


def test_robots_txt_itself_may_be_fetched():
    assert allows("User-agent: *\nDisallow: /", "/robots.txt")


@pytest.mark.parametrize(
    "text",
    ["", "<html>\n<body>not found", "Disallow: /", "User-agent:\nDisallow: /", "\x00\xff", "User-agent: *\nDisallow:"],
)
def test_a_file_without_rules_allows_everything(text):
    assert read(text.encode("latin-1"), "Lycosa") is ALL


def test_hostile_rules_cost_no_time():
    rules = read(b"User-agent: *\n" + b"Disallow: /" + b"*a" * 500 + b"b\n" + b"Disallow: /x%dy\n" * 10_000, "Lycosa")
    began = time.process_time()
    assert rules.allows(HOST + "/" + "a" * 240)
    assert time.process_time() - began < 0.1


def test_the_product_is_the_name_robots_txt_knows():
    assert product("Lycosa/0.1 (+https://example.org/)") == "Lycosa"


class Site:
    """Answers for robots.txt, and the list of what was asked."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []
        self.now = 0.0
        self.robots = Robots(self.fetch, "Lycosa/1", retry=10, clock=lambda: self.now)

    async def fetch(self, url):
        self.asked.append(url)
        await asyncio.sleep(0)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    async def at(self, now, path="/page"):
        self.now = now
        return await self.robots.allowed(HOST + path)


NO_PAGE = Answer(200, b"User-agent: *\nDisallow: /page\nCrawl-delay: 3")


def test_it_is_fetched_once_and_again_when_stale():
    async def story():
        site = Site(NO_PAGE, Answer(404))
        assert [await site.at(0), await site.at(1, "/other"), await site.at(86_399)] == [False, True, False]
        assert await site.robots.pause(HOST) == 3
        assert site.asked == [HOST + "/robots.txt"]
        assert await site.at(86_401) is True
        assert len(site.asked) == 2

    asyncio.run(story())


def test_a_hundred_at_once_ask_once():
    async def story():
        site = Site(NO_PAGE)
        answers = await asyncio.gather(*(site.robots.allowed(HOST + "/page") for _ in range(100)))
        assert answers == [False] * 100
        assert len(site.asked) == 1

    asyncio.run(story())


def test_one_that_gave_up_waiting_does_not_stop_the_others():
    async def story():
        site = Site(NO_PAGE)
        first = asyncio.create_task(site.robots.allowed(HOST + "/page"))
        second = asyncio.create_task(site.robots.allowed(HOST + "/page"))
        await asyncio.sleep(0)
        first.cancel()
        assert await second is False

    asyncio.run(story())


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451, 304])
def test_no_robots_txt_means_everything_is_allowed(status):
    assert asyncio.run(Site(Answer(status, b"User-agent: *\nDisallow: /")).at(0)) is True


@pytest.mark.parametrize("trouble", [Answer(500), Answer(503), Answer(429), Failure("timeout", again=True)])
def test_trouble_means_stay_out_until_asked_again(trouble):
    async def story():
        site = Site(trouble, trouble, Answer(200))
        failure = await site.at(0)
        assert (failure.again, failure.rest) == (True, 10)
        assert (await site.at(4)).rest == 6
        assert len(site.asked) == 1
        assert (await site.at(10)).rest == 20
        assert await site.at(30) is True

    asyncio.run(story())


def test_retry_after_is_honoured():
    async def story():
        site = Site(Answer(503, rest=100), Answer(200))
        assert (await site.at(0)).rest == 100
        assert (await site.at(99)).rest == 1
        assert await site.at(100) is True

    asyncio.run(story())


def test_a_final_failure_is_passed_on_as_it_is():
    failure = asyncio.run(Site(Failure("refused address 10.0.0.1")).at(0))
    assert failure == Failure("refused address 10.0.0.1")


def test_in_trouble_the_old_copy_holds_for_another_day():
    async def story():
        site = Site(NO_PAGE, Answer(500))
        assert await site.at(0) is False
        assert await site.at(100_000) is False
        assert await site.at(100_000, "/other") is True
        assert (await site.at(200_000)).reason == "robots unreachable"

    asyncio.run(story())


def test_five_redirects_are_followed_and_no_more():
    async def story():
        hops = [Answer(301, location=f"//www{i}.h.example/robots.txt") for i in range(6)]
        site = Site(*hops[:5], NO_PAGE)
        assert await site.at(0) is False
        assert site.asked[-1] == "https://www4.h.example/robots.txt"
        assert await Site(*hops, NO_PAGE).at(0) is True
        assert await Site(Answer(302, location="ftp://h.example/")).at(0) is True

    asyncio.run(story())


def test_only_the_first_500_kib_count():
    body = b"User-agent: *\nDisallow: /a\n" + b"#" * LIMIT + b"\nDisallow: /page\n"
    assert asyncio.run(Site(Answer(200, body)).at(0)) is True


def test_a_crawl_delay_ends_the_list_of_agents():
    rules = read(b"User-agent: *\nCrawl-delay: 10\n\nUser-agent: BadBot\nDisallow: /", "Lycosa")
    assert rules.allows("http://h.test/page")
    assert rules.pause == 10


@pytest.mark.parametrize("pattern", ["/a b/", "/{x", "/<x>", '/a"b'])
def test_patterns_are_escaped_as_urls_are(pattern):
    rules = read(f"User-agent: *\nDisallow: {pattern}".encode(), "Lycosa", canonical_urls=True)
    assert not rules.allows(canonical(f"http://h.test{pattern}/deep"))
