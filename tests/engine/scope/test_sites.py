"""Rules of single sites: the most specific one wins, key by key; delays, numbers of pages, sizes and default pages."""

import asyncio
import time

import pytest

from lycosa.core.nouns import Failure
from lycosa.engine.archived import Documents
from lycosa.engine.plan import load_plan
from lycosa.engine.politeness.host_rules import Politeness, PolitenessRules
from lycosa.engine.scope.index_pages import index_pages_everywhere, with_index_pages
from lycosa.engine.scope.page_scope import PageScope
from lycosa.engine.scope.scope import Admitted, Rule, Scope, SiteTable
from lycosa.engine.scope.scope_rules import ScopeRules, SiteRules
from lycosa.store.collection import Collection
from lycosa.web.host_pauses import HostPauses
from lycosa.web.http_options import HttpOptions


@pytest.mark.parametrize(
    ("host", "delay", "depth"),
    [
        ("example.org", 5.0, None),
        ("www.example.org", 5.0, None),
        ("docs.example.org", 5.0, 2),
        ("a.docs.example.org", 9.0, 2),
        ("docs.example.org:8080", 1.0, 2),
        ("a.docs.example.org:8080", 9.0, 2),
        ("myexample.org", None, None),
        ("other.test", None, None),
        ("127.0.0.1:80", 3.0, None),
        ("[::1]:8080", 4.0, None),
    ],
)
def test_the_most_specific_site_wins_key_by_key(host, delay, depth):
    table = SiteTable(
        {
            "example.org": SiteRules(delay=5.0),
            "docs.example.org": SiteRules(depth=2),
            "docs.example.org:8080": SiteRules(delay=1.0),
            "a.docs.example.org": SiteRules(delay=9.0),
            "127.0.0.1": SiteRules(delay=3.0),
            "[::1]": SiteRules(delay=4.0),
        }
    )
    found = table.at(host) or SiteRules()
    assert (found.delay, found.depth) == (delay, depth)


def test_the_patterns_of_a_site_take_the_place_of_the_general_ones():
    rules = ScopeRules(exclude=("*/tag/*",), include=("*.test/*",))
    scope = Scope(rules, {"a.test": SiteRules(exclude=("*/b/*",))}, without=("shut.test",))
    said = {
        url: scope.explain(f"http://{url}")
        for url in ("a.test/tag/", "a.test/b/", "c.test/tag/", "a.org/", "shut.test/")
    }
    assert said == {
        "a.test/tag/": Admitted("*.test/*"),
        "a.test/b/": Rule("exclude", "*/b/*"),
        "c.test/tag/": Rule("exclude", "*/tag/*"),
        "a.org/": Rule("include"),
        "shut.test/": Rule("without", "shut.test"),
    }


def test_a_site_has_its_own_delay_and_number_of_pages():
    sites = SiteTable({"slow.test": SiteRules(delay=9.0, per_host=1), "many.test": SiteRules(per_site=2)})
    politeness = Politeness(PolitenessRules(delay=1.0, per_host=5), sites)
    assert [politeness.pause(host) for host in ("a.test", "x.slow.test", "many.test")] == [1.0, 9.0, 1.0]
    for host in ("a.test", "x.slow.test"):
        politeness.begin(host, 10.0)
        politeness.end(host, 11.0, page=True)
    assert politeness.ready("a.test") == 12.0 and politeness.full("x.slow.test") and not politeness.full("a.test")
    politeness.asked("x.slow.test", 3.0)
    assert politeness.pause("x.slow.test") == 9.0
    for host in ("a.many.test", "b.many.test"):
        assert not politeness.full(host)
        politeness.begin(host, 10.0)
        politeness.end(host, 11.0, page=True)
    assert politeness.full("c.many.test") and not politeness.full("c.other.test")


def test_the_requests_of_a_scout_keep_the_delay_of_each_site():
    pauses = HostPauses(1.0, 4, {"own.test": 0.0, "slow.test": 7.0}.get)
    pauses._last = dict.fromkeys(("own.test", "slow.test"), time.monotonic())
    assert pauses.wait("own.test") <= 0 and 6 < pauses.wait("slow.test") <= 7


@pytest.mark.parametrize("everywhere", [False, True])
def test_a_site_has_its_own_way_with_default_pages(plan, little_web, everywhere):
    sites = {"a.test": SiteRules(index_pages=True), "b.test": SiteRules(index_pages=False)}
    planned = plan("a.test/", sites=sites, http=HttpOptions(index_pages=everywhere))
    assert not index_pages_everywhere(planned), "what the parser drops cannot come back"
    links = [f"{host}.test/x/index.html" for host in "abc"]
    web = with_index_pages(little_web({"a.test/": ("wolf", links), "b.test/": Failure("status 404")}), planned)
    page = asyncio.run(web.get("http://a.test/", 99))
    assert [link.url[-10:] == "index.html" for link in page.links] == [False, True, not everywhere]
    assert asyncio.run(web.get("http://b.test/", 99)) == Failure("status 404")
    table = SiteTable(sites)
    urls = [f"http://{host}.test/x/index.html?q=/index.html" for host in "abc"]
    assert [table.index_page(url, everywhere) for url in urls] == [
        "http://a.test/x/?q=/index.html",
        "http://b.test/x/index.html?q=/index.html",
        f"http://c.test/x/{'' if everywhere else 'index.html'}?q=/index.html",
    ]


def test_a_page_read_again_for_an_index_links_where_the_crawl_followed(collected, tmp_path):
    web = {"http://a.test/": "<a href=/x/index.html>wolf</a> spider", "http://a.test/x/": "spiders"}
    folder = collected(tmp_path / "c", web, sites={"a.test": {"index_pages": True}})
    with Collection.open(folder) as collection:
        found = {url: document for _, url, document in Documents(collection).after(0)}
    assert list(found) == list(web)
    assert [url for url, _ in found["http://a.test/"].links] == ["http://a.test/x/"]


def test_a_plan_with_a_scope_and_sites_can_be_stored(plan):
    rules = ScopeRules(depth=3, include=("a.test/*",), types=("html,pdf", "epub"), languages=("EN",), after="2024")
    planned = plan("a.test/", scope=rules, sites={"a.test": SiteRules(delay=2.0, exclude=("*/b/*",))})
    assert rules.types == ("html", "pdf", "epub") and rules.languages == ("en",)
    assert load_plan(planned.dump()) == planned
    old = {name: value for name, value in planned.dump().items() if name not in ("scope", "sites")}
    assert load_plan(old) == plan("a.test/"), "plans of earlier versions have no scope"


def test_without_rules_about_pages_none_is_looked_at():
    assert PageScope.of(Scope(ScopeRules(depth=3, exclude=("*/a/*",)), {"a.test": SiteRules(delay=2.0)})) is None
    assert PageScope.of(Scope(sites={"a.test": SiteRules(min_words=2)})) is not None


def test_the_number_of_links_kept_out_counts_each_url_once_and_survives(run, plan, little_web):
    pages = {f"a.test/{n}": (f"wolf {n}", [f"a.test/{n + 1}", "a.test/tag/1", f"b.test/{n % 2}"]) for n in range(6)}
    planned = plan(
        "a.test/0", scope=ScopeRules(exclude=("*/tag/*",)), rules=PolitenessRules(delay=0.0, within=("a.test",))
    )
    whole = run(planned, little_web(pages))
    assert whole.crawl.refuses.scope.kept_out == {"exclude */tag/*": 1, "within": 2}
    part = run(planned, little_web(pages), steps=3)
    for known in ({"events": part.told}, {"state": part.crawl.save()}):
        assert (
            run(planned, little_web(pages), **known).crawl.refuses.scope.kept_out == whole.crawl.refuses.scope.kept_out
        )
