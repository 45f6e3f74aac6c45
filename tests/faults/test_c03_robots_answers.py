"""C3: what a robots.txt that answers otherwise than with rules means, by RFC 9309."""

import asyncio

import pytest
from sites import Sites, html, reply

from lycosa.core.nouns import Page
from lycosa.web.http import Http, HttpOptions

RULES = reply("User-agent: *\nDisallow: /closed", Content_Type="text/plain")
ALL, RULED, NOTHING = (True, True), (True, False), (False, False)
"""Whether /open and /closed may be fetched."""


def moved(to, status="301 Moved"):
    return reply("", status, Location=to)


CASES = {
    "missing.test": ({"/robots.txt": reply("", "404 Not Found")}, ALL),
    "gone.test": ({"/robots.txt": reply("", "410 Gone")}, ALL),
    "secret.test": ({"/robots.txt": reply("", "401 Unauthorized")}, ALL),
    "forbidden.test": ({"/robots.txt": reply("", "403 Forbidden")}, ALL),
    "bad.test": ({"/robots.txt": reply("", "400 Bad Request")}, ALL),
    "empty.test": ({"/robots.txt": reply("")}, ALL),
    "rules.test": ({"/robots.txt": RULES}, RULED),
    "five.test": (
        {"/robots.txt": moved("/1"), **{f"/{n}": moved(f"/{n + 1}") for n in range(1, 5)}, "/5": RULES},
        RULED,
    ),
    "six.test": ({"/robots.txt": moved("/1"), **{f"/{n}": moved(f"/{n + 1}") for n in range(1, 6)}, "/6": RULES}, ALL),
    "elsewhere.test": ({"/robots.txt": moved("http://rules.test/robots.txt", "302 Found")}, RULED),
    "loop.test": ({"/robots.txt": moved("/robots.txt")}, ALL),
    "private.test": ({"/robots.txt": moved("http://10.0.0.1/robots.txt")}, NOTHING),
}


@pytest.mark.row("C3")
def test_every_answer_for_robots_txt_means_what_the_rfc_says(figure):
    def answer(request):
        return CASES[request.host][0].get(request.path, html("wolf spider"))

    async def ask(port):
        web = Http(HttpOptions(resolve={"*": f"127.0.0.1:{port}"}))
        try:
            return {
                host: tuple(
                    [isinstance(await web.get(f"http://{host}{path}", 1 << 20), Page) for path in ("/open", "/closed")]
                )
                for host in CASES
            }
        finally:
            await web.close()

    with Sites(answer) as sites:
        done = asyncio.run(ask(sites.port))
    figure(f"{sum(done[host] == expected for host, (_, expected) in CASES.items())} of {len(CASES)} cases")
    assert done == {host: expected for host, (_, expected) in CASES.items()}
