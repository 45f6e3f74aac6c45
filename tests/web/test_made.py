"""A made web is one seeded function from URLs to answers, and looks like the Web a topical crawler meets."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from heapq import heappop, heappush
from itertools import islice
from time import process_time

import msgspec
import pytest
from xxhash import xxh3_64

from lycosa.core.nouns import Moved, Page
from lycosa.core.query import Query
from lycosa.core.urls import canonical, host_of, site_of
from lycosa.system.errors import Refused
from lycosa.web.made import Made
from lycosa.web.made.links import links
from lycosa.web.made.made import SHAPES
from lycosa.web.offline import SourceWeb
from lycosa.web.source_names import open_made

_href = re.compile(r'<a (?:rel="nofollow" )?href="([^"]+)"')


@pytest.fixture(scope="module", params=SHAPES)
def web(request):
    return Made(shape=request.param)


@pytest.fixture(scope="module")
def answers(web):
    """What each URL that is listed answers."""
    return {url: web.response(url) for url in web.urls()}


@pytest.fixture(scope="module")
def bodies(web, answers):
    return [answers[web.plan.url(number)].body.decode("latin-1") for number in range(web.pages)]


def of_shape(*shapes):
    """Only webs of some shapes have what is promised here."""
    return pytest.mark.parametrize("web", shapes, indirect=True, scope="module")


def text_of(html):
    return re.sub(r"<style.*?</style>|<[^>]+>", " ", html, flags=re.DOTALL)


def test_every_page_number_has_its_own_url_and_back(web):
    shape = web.plan.shape.name
    for made in (web, Made(30_000, 40, 5, shape=shape), Made(3_000_000, 7, 2, shape=shape)):
        numbers = range(0, made.pages, max(1, made.pages // 3000))
        urls = [made.plan.url(number) for number in numbers]
        assert len(set(urls)) == len(urls)
        assert all(canonical(url) == url for url in urls)
        for number, url in zip(numbers, urls, strict=True):
            host, _, rest = url.removeprefix("http://").partition("/")
            assert made.plan.number_at(made.plan.site_named(host), f"/{rest}") == number


def test_the_same_seed_makes_the_same_web_in_another_process():
    program = (
        "from xxhash import xxh3_64_hexdigest as digest\nfrom lycosa.web.made import Made\n"
        f"for web in [Made(120, 2, seed=3, shape=shape) for shape in {list(SHAPES)}]:\n"
        "    print(digest(repr([(url, web.response(url)) for url in web.urls()] + web.topics).encode()))"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": salt}, capture_output=True, check=True
        ).stdout
        for salt in ("1", "2")
    ]
    assert said[0] == said[1] != b""
    assert len(set(said[0].split())) == len(SHAPES)


@pytest.mark.parametrize(
    ("shape", "digest"),
    [("communities", "1eff3715530f39ca"), ("business", "6ce2c1d3b0275843"), ("encyclopedia", "f4d29047ef168825")],
)
def test_a_change_to_the_generator_or_its_words_does_not_go_unnoticed(shape, digest):
    """If a change is meant: `make floors` pins what strategies achieve on the new webs; then pin these digests."""
    made, found = Made(400, 4, seed=3, shape=shape), xxh3_64()
    for url in made.urls():
        if raw := made.response(url):
            found.update(f"{url} {raw.status} {raw.headers}".encode() + raw.body)
    found.update(msgspec.json.encode(made.topics))
    assert found.hexdigest() == digest


def test_another_seed_makes_another_web(web):
    other = Made(seed=2, shape=web.plan.shape.name)
    assert web.plan.url(0) != other.plan.url(0)
    assert web.topics[0].keywords != other.topics[0].keywords


def test_a_page_does_not_depend_on_what_was_asked_before(web):
    urls = [web.plan.url(number) for number in (5, 700, 1500)]
    fresh = [Made(shape=web.plan.shape.name).response(url) for url in reversed(urls)]
    assert [web.response(url) for url in urls] == fresh[::-1]


def test_everything_that_is_listed_answers_and_nothing_else_does(web, answers):
    for url, answer in answers.items():
        assert answer is not None or url.endswith("/robots.txt")
        assert canonical(url) == url
    home = web.plan.url(web.plan.page_of(3))
    for wrong in (
        home + "nothing",
        home.replace("http:", "https:"),
        "http://other.test/",
        home + "products/x-99999.html",
    ):
        assert web.response(wrong) is None


def test_pages_have_the_sizes_of_real_ones(web, bodies):
    sizes = sorted(map(len, bodies))
    wished = 8_000 * web.plan.shape.length
    assert 0.87 * wished < sum(sizes) / len(sizes) < 1.19 * wished
    assert sizes[0] > 1_000
    assert 2.5 * wished < sizes[-1] < 5 * wished


def test_millions_of_pages_cost_no_more_than_thousands(web):
    began = process_time()
    web = Made(20_000_000, 300, shape=web.plan.shape.name)
    for number in range(0, web.pages, web.pages // 50):
        assert web.response(web.plan.url(number)).status == 200
    assert process_time() - began < 2


def test_sites_have_power_law_sizes():
    plan = Made(100_000, 10).plan
    sizes = [plan.page(plan.page_of(site)).size for site in range(plan.community.sites)]
    assert sum(sizes) == plan.community.pages
    assert sizes == sorted(sizes, reverse=True) or max(a - b for a, b in zip(sizes[1:], sizes, strict=False)) <= 1
    assert sizes[0] > 8 * sizes[99] > 0
    assert min(sizes) >= 3


def test_sites_are_domains_of_their_own(web):
    hosts = {host_of(web.plan.url(number)) for number in range(web.pages)}
    assert len(hosts) == web.plan.sites
    assert len({site_of(host) for host in hosts}) == len(hosts)


@of_shape("communities", "business")
def test_competitors_do_not_link_to_each_other(web):
    plan = web.plan
    for number in range(web.pages):
        here = plan.page(number)
        if here.kind == "company":
            for link in links(plan, here):
                there = plan.page(link.to)
                assert (there.topic, there.kind) != (here.topic, "company") or there.site == here.site


@of_shape("communities", "business")
def test_hubs_link_to_many_competitors(web):
    plan = web.plan
    hubs = [page for page in map(plan.page, range(web.pages)) if page.kind == "directory"]
    assert hubs
    for hub in hubs:
        found = [plan.page(link.to) for link in links(plan, hub)]
        assert len({page.site for page in found if page.kind == "company" and page.topic == hub.topic}) >= 6


def test_about_half_of_the_links_of_a_topic_stay_in_it(web):
    plan, stay = web.plan, Counter()
    for number in range(plan.topics * plan.community.pages):
        here = plan.page(number)
        stay.update(plan.page(link.to).topic == here.topic for link in links(plan, here))
    assert 0.5 < stay[True] / stay.total() < 0.7


@of_shape("business")
def test_few_pages_of_a_trade_name_two_competitors(web):
    plan = web.plan
    trade = [page for page in map(plan.page, range(web.pages)) if page.topic >= 0]
    named = [{there.site for there in outward(plan, here, "company") if there.topic == here.topic} for here in trade]
    assert 0.05 < sum(len(sites) > 1 for sites in named) / len(trade) < 0.15
    lists = {here.kind for here, sites in zip(trade, named, strict=True) if len(sites) > 1}
    assert lists == {"directory", "association", "magazine"}


@of_shape("business")
def test_topics_are_a_directory_s_categories_of_companies(web):
    for topic in web.topics:
        assert topic.keywords.split()[-1] in ("companies", "manufacturers", "consultants")
        assert all(url.endswith(".test/") for url in (*topic.examples, *topic.targets))
        assert topic.described == ()


@of_shape("business")
def test_companies_are_rarely_named_by_the_keywords_of_their_trade(web):
    named = [
        bool({"companies", *topic.keywords.split()} & set(re.split(r"[-./]", url)))
        for topic in web.topics
        for url in (*topic.examples, *topic.targets)
    ]
    assert sum(named) < 0.1 * len(named)


def outward(plan, page, kind):
    """The pages of a kind on other sites that a page links to."""
    found = (plan.page(link.to) for link in links(plan, page))
    return [there for there in found if there.kind == kind and there.site != page.site]


@of_shape("encyclopedia")
def test_islands_are_reached_only_through_pages_about_something_else(web):
    plan = web.plan
    shores = {here.topic for here in map(plan.page, range(web.pages)) if outward(plan, here, "island")}
    assert shores == {-1}
    islands = sum(page.kind == "island" for page in map(plan.page, web.relevant(0)))
    assert 0.1 < islands / len(list(web.relevant(0))) < 0.3


@of_shape("encyclopedia")
def test_articles_have_many_links_in_their_running_text(web):
    plan = web.plan
    counts = [
        sum(link.place == "body" for link in links(plan, page))
        for page in map(plan.page, range(web.pages))
        if page.topic >= 0
    ]
    assert 6 < min(counts) <= sum(counts) / len(counts) < 25


@pytest.mark.parametrize("settings", [{}, {"pages": 6000, "topics": 40, "seed": 9}])
@pytest.mark.parametrize("shape", SHAPES)
def test_almost_everything_can_be_reached_from_anywhere(settings, shape):
    web = Made(**settings, shape=shape)
    onward = [[link.to for link in links(web.plan, web.plan.page(number))] for number in range(web.pages)]
    for start in (0, web.pages // 2, web.pages - 1):
        seen, waiting = {start}, [start]
        while waiting:
            new = set(onward[waiting.pop()]) - seen
            seen |= new
            waiting += new
        assert len(seen) > 0.98 * web.pages


def test_the_links_of_a_page_are_in_its_html(web, bodies):
    for number in range(0, web.pages, 37):
        url = web.plan.url(number)
        written = {canonical(href, url) for href in _href.findall(bodies[number])}
        written |= {f"{each}/" for each in written} | {each.replace("-mirror.test", ".test") for each in written}
        written |= {each.partition("sid=")[0].rstrip("?&") for each in written}
        planned = {web.plan.url(link.to) for link in links(web.plan, web.plan.page(number))}
        assert planned <= written


def test_keywords_tell_relevant_pages_from_others_but_not_always(web, bodies):
    topic = web.topics[0]
    judge = Query(topic.keywords)
    relevant = set(web.relevant(0))
    score = [judge.of_text(text_of(body)) for body in bodies]
    inside = sorted(score[number] for number in relevant)
    outside = sorted(score[number] for number in range(web.pages) if number not in relevant)
    assert inside[len(inside) // 2] > 0.12 > 0.05 > outside[len(outside) // 2]
    assert inside[len(inside) // 20] < 0.1, "some relevant pages barely mention the keywords"
    assert outside[-20] > 0.15, "some other pages mention them by accident"


def test_topics_know_their_seeds_and_targets(web):
    known = set(web.urls())
    for topic in web.topics:
        groups = [topic.examples, topic.targets, topic.described, topic.neighbors]
        assert all(group or group is topic.described for group in groups)
        assert bool(topic.described) is not web.plan.shape.catalogued
        assert set().union(*groups) <= known
        assert sum(map(len, groups)) == len(set().union(*groups))
        assert topic.keywords
        assert len(topic.description) > 500
    assert len({topic.id for topic in web.topics}) == len(web.topics)


def test_neighbors_lie_upstream_of_their_topic(web):
    number_of = {web.plan.url(number): number for number in range(web.pages)}
    for index, topic in enumerate(web.topics):
        for url in topic.neighbors:
            first = {link.to for link in links(web.plan, web.plan.page(number_of[url]))}
            second = {link.to for number in first for link in links(web.plan, web.plan.page(number))}
            assert index not in {web.plan.page(number).topic for number in first}
            assert index in {web.plan.page(number).topic for number in second}


def crawl(web, topic, seeds, best_first, pages=300):
    """The share of targets found by the plainest of crawlers."""
    judge, offline = Query(topic.keywords), SourceWeb(web, raw=False)
    queue, seen, found, fetched = [(0.0, n, url) for n, url in enumerate(seeds)], set(seeds), 0, 0
    while queue and fetched < pages:
        url = heappop(queue)[2]
        page = offline.answer(url, 1 << 20)
        if isinstance(page, Moved) and page.to not in seen:
            seen.add(page.to)
            heappush(queue, (0.0, len(seen), page.to))
        if isinstance(page, Page):
            fetched += 1
            found += url in topic.targets
            score = -judge.of_text(page.text) if best_first else 0.0
            for link in page.links:
                if link.url not in seen:
                    seen.add(link.url)
                    heappush(queue, (score, len(seen), link.url))
    return found / len(topic.targets)


@pytest.mark.parametrize(
    ("shape", "pages", "task"),
    [
        ("communities", 2000, "examples"),
        ("communities", 2000, "neighbors"),
        ("business", 8000, "examples"),
        ("business", 8000, "neighbors"),
        # From its examples an encyclopedia's articles are near each other, and breadth-first finds the islands, too.
        ("encyclopedia", 8000, "neighbors"),
    ],
)
def test_best_first_beats_breadth_first_and_is_no_oracle(shape, pages, task):
    web = Made(pages, shape=shape, page_bytes=3000)
    topics = web.topics[1:4]
    best, breadth = (
        sum(crawl(web, topic, getattr(topic, task), best_first) for topic in topics) / len(topics)
        for best_first in (True, False)
    )
    assert best > breadth + 0.15
    assert best < 0.99


def test_an_unknown_shape_is_refused_with_those_there_are():
    with pytest.raises(
        Refused, match="there is no made web with shape=round: choose one of: communities, business, encycl"
    ):
        open_made("made:shape=round")


def test_there_can_be_more_topics_than_themes():
    topics = Made(20_000, 100).topics
    assert len({topic.keywords for topic in topics}) == 100
    assert len({topic.id for topic in topics}) == 100


def test_mirrors_have_the_same_text_on_another_host(web):
    copies = [url for url in web.urls() if "-mirror.test" in url]
    assert len(copies) > 50
    for url in copies[:20]:
        assert web.response(url) == web.response(url.replace("-mirror.test", ".test"))
    assert not [url for url in Made(mirrors=False, shape=web.plan.shape.name).urls() if "-mirror" in url]


def sites(web, kind):
    return [site for site in range(web.plan.sites) if web.traps.kind(site) == kind]


def follow(web, url, which, steps):
    """The URLs on a path through a trap."""
    for _ in range(steps):
        yield url
        hrefs = _href.findall(web.response(url).body.decode("latin-1"))
        url = canonical(next(href for href in hrefs if which in href), url, limit=10_000)


@pytest.mark.parametrize(
    ("kind", "path", "link"), [("calendar", "/calendar/2004/5/", "/calendar/"), ("deeper", "/archive/older/", "older/")]
)
def test_traps_never_end(web, kind, path, link):
    for site in sites(web, kind)[:3]:
        root = f"http://{web.plan.host(site)}"
        assert path in web.response(f"{root}/").body.decode("latin-1")
        hrefs = list(follow(web, root + path, link, 30)) if kind == "deeper" else []
        assert len(set(hrefs)) == len(hrefs)
        assert web.response(root + path).status == 200
    assert sites(web, kind)


@of_shape("communities", "business")
def test_session_ids_give_one_page_endless_urls(web):
    site = sites(web, "session")[0]
    urls = list(follow(web, f"http://{web.plan.host(site)}/", "sid=", 5))
    assert len(set(urls)) == 5
    titles = {re.search("<title>(.*?)</title>", web.response(url).body.decode("latin-1"))[1] for url in urls}
    assert len(titles) <= 3


def test_redirect_loops_go_round(web):
    root = f"http://{web.plan.host(sites(web, 'loop')[0])}"
    seen = []
    url = f"{root}/go/1"
    for _ in range(4):
        seen.append(url)
        answer = web.response(url)
        assert answer.status == 302
        url = dict(answer.headers)["Location"]
    assert seen[0] == seen[3]


def test_traps_can_be_left_out():
    web = Made(traps=False)
    assert not any(web.traps.kind(site) for site in range(web.plan.sites))


def test_a_folder_without_its_slash_is_redirected(web):
    folders = ("/products/", "/1/")
    url = next(url for url in map(web.plan.url, range(web.pages)) if url.endswith(folders))
    answer = web.response(url[:-1])
    assert (answer.status, dict(answer.headers)["Location"]) == (301, url)


def test_some_hosts_close_a_folder_to_robots_and_some_have_no_robots_txt(web):
    answers = Counter(
        answer.body if (answer := web.response(f"http://{web.plan.host(site)}/robots.txt")) else None
        for site in range(web.plan.sites)
    )
    assert set(answers) == {None, b"User-agent: *\nDisallow:\n", b"User-agent: *\nDisallow: /members/\n"}
    polite = Made(crawl_delay=0.5)
    rules = [polite.response(f"http://{polite.plan.host(site)}/robots.txt") for site in range(50)]
    assert 1 < sum(b"Crawl-delay: 0.5" in answer.body for answer in rules if answer) < 40


def test_pages_come_in_several_encodings(web):
    kinds = Counter(dict(web.response(web.plan.url(number)).headers)["Content-Type"] for number in range(100))
    assert set(kinds) == {"text/html", "text/html; charset=utf-8", "text/html; charset=iso-8859-1"}


def test_a_web_too_small_for_its_topics_is_refused():
    with pytest.raises(Refused, match="too few"):
        Made(100, 12)
    with pytest.raises(Refused, match="too few"):
        Made(300, 2, noise=0.0001)


@pytest.mark.parametrize(
    "setting", ["pages=0", "topics=-1", "targets=0", "targets=-3", "page_bytes=-1", "site_pages=2", "crawl_delay=-1.0"]
)
def test_a_number_that_no_web_can_have_is_refused_with_the_least_it_can(setting):
    name = setting.partition("=")[0]
    with pytest.raises(Refused, match=f"there is no made web with {setting}: give {name} a number from [013] up"):
        open_made(f"made:pages=300,topics=2,{setting}")
    with pytest.raises(Refused, match=r"there is no made web with noise=1\.5: give noise a number between 0 and 1"):
        Made(noise=1.5)


def test_a_few_thousand_pages_are_made_in_a_second(web):
    began = process_time()
    made = sum(1 for url in islice(web.urls(), 1000) if web.response(url))
    assert made / (process_time() - began) > 800 / web.plan.shape.length, (
        "2,000 and more on an idle core; the tests share theirs"
    )
