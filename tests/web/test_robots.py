"""What a host's owner does not want fetched is not fetched."""

import asyncio
import time

import pytest
from hypothesis import given
from hypothesis import strategies as some

from lycosa.core.nouns import Failure
from lycosa.core.urls import canonical
from lycosa.web.robots import Robots, RobotsResponse
from lycosa.web.robots_txt import ALL, LIMIT, product, read

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


def forbids(pattern, path):
    """Whether `Disallow: pattern` forbids the URL that this path, in whatever spelling, is the path of."""
    return not allows(f"User-agent: *\nDisallow: {pattern}", canonical(HOST + path)[len(HOST) :])


@pytest.mark.parametrize(
    ("pattern", "paths", "others"),
    [
        # RFC 9309, section 2.2.2
        ("/foo/bar?baz=quz", ["/foo/bar?baz=quz"], ["/foo/bar"]),
        (
            "/foo/bar?baz=https://foo.bar",
            ["/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https:%2f/foo.bar"],
            ["/foo/bar?baz=http://foo.bar"],
        ),
        ("/foo/bar?baz=https%3A%2F%2Ffoo.bar", ["/foo/bar?baz=https://foo.bar"], ["/foo/bar?baz=https"]),
        ("/foo/bar/\u30c4", ["/foo/bar/\u30c4", "/foo/bar/%E3%83%84", "/foo/bar/%e3%83%84"], ["/foo/bar/%E3%83%85"]),
        ("/foo/bar/%E3%83%84", ["/foo/bar/\u30c4", "/foo/bar/%e3%83%84"], ["/foo/bar/"]),
        ("/foo/bar/%62%61%7A", ["/foo/bar/baz", "/foo/bar/%62%61%7A", "/foo/bar/b%61z"], ["/foo/bar/bar"]),
        # RFC 9309, section 2.2.3
        (
            "/path/file-with-a-%2A.html",
            ["/path/file-with-a-*.html", "/path/file-with-a-%2a.html"],
            ["/path/file-with-a-b.html"],
        ),
        ("/path/foo-%24", ["/path/foo-$", "/path/foo-%24", "/path/foo-$x"], ["/path/foo-"]),
        ("/allow/publication/*.html$", ["/allow/publication/a.html"], ["/allow/publication/a.html?b"]),
        # Spellings that parsers of URLs choose differently
        ("/a%7Cb", ["/a|b", "/a%7cb"], ["/a", "/ab"]),
        ("/a|b", ["/a|b", "/a%7Cb"], []),
        ("/a?it's", ["/a?it's", "/a?it%27s"], ["/a?it"]),
        ("/it%27s?a%27", ["/it's?a'", "/it%27s?a%27"], ["/it's"]),
        ("/a^b?c^d", ["/a^b?c^d", "/a%5Eb?c%5ed"], []),
        ("/[a]?{b}", ["/[a]?{b}", "/%5Ba%5D?%7Bb%7D"], []),
        ("/a%3Ab%40", ["/a:b@"], []),
        ("/a b", ["/a b", "/a%20b"], ["/a+b"]),
        ("/100%", ["/100%", "/100%25", "/100%x"], ["/100"]),
        ("/100%2541", ["/100%2541"], ["/100%41", "/100A"]),
        ("/a\\b", ["/a/b", "/a\\b"], ["/a%5Cb"]),
        # Wildcards beside characters that look like them
        ("/*%2A$", ["/x*", "/%2A"], ["/x", "/x*y"]),
        ("/a$b", ["/a$b", "/a%24b"], ["/a"]),
        ("/*?a=%2F", ["/x?a=/y", "/x?a=%2Fy"], ["/x?a=y"]),
        # What divides a path is not the same as its escape
        ("/a%2Fb", ["/a%2fb"], ["/a/b"]),
        ("/a/b", ["/a/b"], ["/a%2Fb"]),
        ("/a%3Fb", ["/a%3Fb"], ["/a?b"]),
        ("/*a%2Fb", ["/x?a/b", "/x?a%2Fb", "/xa%2Fb"], ["/xa/b"]),
        ("/*a%2Fb/c", ["/x?a%2Fb/c", "/xa%2Fb/c"], ["/xa/b/c"]),
        ("/*/private", ["/x?u=/private", "/x?u=%2Fprivate"], ["/x%2Fprivate"]),
    ],
)
def test_rules_and_urls_are_compared_in_one_escaped_form(pattern, paths, others):
    assert [path for path in paths if not forbids(pattern, path)] == []
    assert [path for path in others if forbids(pattern, path)] == []


# The characters of a path as people write them; no «\», which a URL takes for a slash, and no «.», because a segment
# of dots is no part of a URL.
_chars = some.sampled_from("abzAZ09-_~!$&'()*+,;=:@[]{}|^`<>\"% #\u00e4\u30c4\U0001f577\x7f")
_segments = some.lists(some.lists(_chars, min_size=1, max_size=6), min_size=1, max_size=3)


def spelled(draw, char, raw):
    """A character as itself, where it may be, or with its bytes escaped."""
    if char in raw and draw(some.booleans()):
        return char
    form = draw(some.sampled_from(["%{:02X}", "%{:02x}"]))
    return "".join(map(form.format, char.encode()))


@given(_segments, some.lists(_chars, max_size=6), some.data())
def test_a_path_is_forbidden_however_it_and_its_rule_are_spelled(segments, query, data):
    def path(raw):
        parts = ["".join(spelled(data.draw, char, raw) for char in segment) for segment in segments]
        asked = "".join(spelled(data.draw, char, raw) for char in query)
        return "/" + "/".join(parts) + (f"?{asked}" if query else "")

    alphabet = "abzAZ09-_~!$&'()*+,;=:@[]{}|^`<>\"\u00e4\u30c4\U0001f577\x7f"
    rule = path(alphabet.replace("*", "").replace("$", ""))
    url = canonical(HOST + path(alphabet), limit=1 << 16)
    assert url is not None
    rules = read(f"User-agent: *\nDisallow: {rule}".encode(), "Lycosa", canonical_urls=True)
    assert not rules.allows(url)
    # And it forbids what begins so, but nothing that is shorter.
    assert not rules.allows(url + "x")
    whole = read(f"User-agent: *\nDisallow: {rule}$".encode(), "Lycosa", canonical_urls=True)
    assert not whole.allows(url)
    assert whole.allows(url + "x")
    other = read(f"User-agent: *\nDisallow: {rule}x".encode(), "Lycosa", canonical_urls=True)
    assert other.allows(url)


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


NO_PAGE = RobotsResponse(200, b"User-agent: *\nDisallow: /page\nCrawl-delay: 3")


def test_it_is_fetched_once_and_again_when_stale():
    async def story():
        site = Site(NO_PAGE, RobotsResponse(404))
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
    assert asyncio.run(Site(RobotsResponse(status, b"User-agent: *\nDisallow: /")).at(0)) is True


@pytest.mark.parametrize(
    "trouble", [RobotsResponse(500), RobotsResponse(503), RobotsResponse(429), Failure("timeout", again=True)]
)
def test_trouble_means_stay_out_until_asked_again(trouble):
    async def story():
        site = Site(trouble, trouble, RobotsResponse(200))
        failure = await site.at(0)
        assert (failure.again, failure.rest) == (True, 10)
        assert (await site.at(4)).rest == 6
        assert len(site.asked) == 1
        assert (await site.at(10)).rest == 20
        assert await site.at(30) is True

    asyncio.run(story())


def test_retry_after_is_honoured():
    async def story():
        site = Site(RobotsResponse(503, rest=100), RobotsResponse(200))
        assert (await site.at(0)).rest == 100
        assert (await site.at(99)).rest == 1
        assert await site.at(100) is True

    asyncio.run(story())


def test_a_final_failure_is_passed_on_as_it_is():
    failure = asyncio.run(Site(Failure("refused address 10.0.0.1")).at(0))
    assert failure == Failure("refused address 10.0.0.1")


def test_in_trouble_the_old_copy_holds_for_another_day():
    async def story():
        site = Site(NO_PAGE, RobotsResponse(500))
        assert await site.at(0) is False
        assert await site.at(100_000) is False
        assert await site.at(100_000, "/other") is True
        assert (await site.at(200_000)).reason == "robots unreachable"

    asyncio.run(story())


def test_five_redirects_are_followed_and_no_more():
    async def story():
        hops = [RobotsResponse(301, location=f"//www{i}.h.example/robots.txt") for i in range(6)]
        site = Site(*hops[:5], NO_PAGE)
        assert await site.at(0) is False
        assert site.asked[-1] == "https://www4.h.example/robots.txt"
        assert await Site(*hops, NO_PAGE).at(0) is True
        assert await Site(RobotsResponse(302, location="ftp://h.example/")).at(0) is True

    asyncio.run(story())


def test_only_the_first_500_kib_count():
    body = b"User-agent: *\nDisallow: /a\n" + b"#" * LIMIT + b"\nDisallow: /page\n"
    assert asyncio.run(Site(RobotsResponse(200, body)).at(0)) is True


def test_a_crawl_delay_ends_the_list_of_agents():
    rules = read(b"User-agent: *\nCrawl-delay: 10\n\nUser-agent: BadBot\nDisallow: /", "Lycosa")
    assert rules.allows("http://h.test/page")
    assert rules.pause == 10


@pytest.mark.parametrize("pattern", ["/a b/", "/{x", "/<x>", '/a"b'])
def test_patterns_are_escaped_as_urls_are(pattern):
    rules = read(f"User-agent: *\nDisallow: {pattern}".encode(), "Lycosa", canonical_urls=True)
    assert not rules.allows(canonical(f"http://h.test{pattern}/deep"))
