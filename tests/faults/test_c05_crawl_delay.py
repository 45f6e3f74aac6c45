"""C5: a Crawl-delay is kept between all requests to a host; one that nobody can wait for parks the host."""

from itertools import pairwise

import pytest
from sites import Sites, held, html, reply

from lycosa.app.hunts import hunt

PAGES = 3
CASES = {
    # robots.txt, and the pause that it asks for
    "half.test": ("User-agent: *\nCrawl-delay: 0.5", 0.5),
    "one.test": ("User-agent: *\nCrawl-delay: 1", 1),
    "ours.test": ("User-agent: *\nCrawl-delay: 0.1\n\nUser-agent: Lycosa\nCrawl-delay: 0.6", 0.6),
    "theirs.test": ("User-agent: OtherBot\nCrawl-delay: 3600\n\nUser-agent: *\nCrawl-delay: 0.4", 0.4),
    "minus.test": ("User-agent: *\nCrawl-delay: -1", 0),
    "nan.test": ("User-agent: *\nCrawl-delay: nan", 0),
    "words.test": ("User-agent: *\nCrawl-delay: soon", 0),
}
PARKED = {
    "day.test": "User-agent: *\nCrawl-delay: 86400",
    "endless.test": "User-agent: *\nCrawl-delay: inf",
    "exponent.test": "User-agent: *\nCrawl-delay: 1e300",
}


@pytest.mark.row("C5")
def test_every_gap_is_as_long_as_asked_and_no_host_is_waited_for_in_vain(figure, size, tmp_path):
    cases = CASES | size({}, {"ten.test": ("User-agent: *\nCrawl-delay: 10", 10)})

    def answer(request):
        if request.path == "/robots.txt":
            rules = cases[request.host][0] if request.host in cases else PARKED.get(request.host)
            return reply(rules, Content_Type="text/plain") if rules else None
        links = [f"/{n}" for n in range(1, PAGES)] if request.path == "/" else []
        return html(f"wolf spider {request.path}", *links)

    seeds = [f"http://{host}/" for host in [*cases, *PARKED]]
    with Sites(answer) as sites:
        options = {"pages": 1000, "strategy": "breadth-first", "delay": 0.0, "proxy": sites.proxy}
        with hunt("wolf spider", seeds, out=tmp_path / "c", **options) as crawl:
            for _ in crawl:
                pass
    found = held(tmp_path / "c")
    gaps, short = 0, 0
    for host, (_, pause) in cases.items():
        times = [request.time for request in sites.asked if request.host == host]
        assert len(times) == 1 + PAGES
        gaps += len(times) - 1
        short += sum(later - sooner < pause - 0.01 for sooner, later in pairwise(times))
    parked = sum(sites.pages_asked[f"{host}/"] == 0 for host in PARKED)
    figure(f"{gaps - short} of {gaps} gaps as long as asked; {parked} of {len(PARKED)} hosts parked that ask for a day")
    assert short == 0
    assert parked == len(PARKED)
    assert {found.misses[f"http://{host}/"] for host in PARKED} == {"crawl-delay too long"}
    assert set(found.final.values()) == {1}
