"""Scopes with dates and types: what a sitemap, a feed or a header says decides before a page is fetched or read."""

import lycosa
from lycosa.core.events import Leased
from lycosa.engine.crawl import Crawl
from lycosa.engine.crawl_recovery import catch_up, plan_of, priors_of
from lycosa.store.collection import Collection
from lycosa.system.errors import Refused

SITE = "http://listed.test"
DATED = '<meta property="article:published_time" content="{}">'


def page(name, head="", links=""):
    words = " ".join(f"{name}{n} spiders hunt" for n in range(30))
    return f"<title>Wolf spiders {name}</title>{head}<p>Wolf spiders of the {name}. {words}</p>{links}"


def sitemap(**dates):
    rows = "".join(f"<url><loc>{SITE}/{name}</loc><lastmod>{day}</lastmod></url>" for name, day in dates.items())
    elsewhere = "<url><loc>http://other.test/</loc><lastmod>2001-01-01</lastmod></url>"
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}{elsewhere}</urlset>'


def feed(**dates):
    items = "".join(
        f"<item><title>wolf spiders {name}</title><link>{SITE}/{name}</link><pubDate>{day}</pubDate></item>"
        for name, day in dates.items()
    )
    away = "<item><title>wolf spiders</title><link>http://other.test/</link><pubDate>2001-01-01</pubDate></item>"
    return f"<rss><channel><title>Wolf spiders</title>{items}{away}</channel></rss>"


FEED = '<link rel=alternate type="application/rss+xml" href="/feed.xml">'
WEB = {
    f"{SITE}/robots.txt": f"Sitemap: {SITE}/map.xml",
    f"{SITE}/": page("home", FEED, "<a href='http://other.test/'>wolf spiders elsewhere</a>"),
    f"{SITE}/map.xml": sitemap(
        old="2015-01-01T10:00:00Z",
        new="2024-05-05",
        late="2030-01-01",
        own="2024-06-01",
        vague="2015",
        again="2030-02-02",
    ),
    f"{SITE}/feed.xml": feed(
        before="Tue, 05 Mar 2013 10:00:00 GMT", post="Mon, 06 May 2024 10:00:00 GMT", future="2027-01-01T00:00:00Z"
    ),
    **{f"{SITE}/{name}": page(name) for name in ("old", "new", "late", "before", "post", "future", "vague")},
    f"{SITE}/own": page("own", DATED.format("2010-01-01")),
    f"{SITE}/again": page("again", DATED.format("2024-01-01")),
    "http://other.test/": page("other", DATED.format("2024-02-02")),
}
SCOPE = {"after": "2020", "before": "2025", "dated": True}


def leased(folder):
    with Collection.open(folder) as collection:
        return {entry.event.ticket.url for entry in collection.log.read(kinds=(Leased,))}


def names(urls):
    return {url.removeprefix(f"{SITE}/") for url in urls if url.startswith(SITE)}


def test_a_page_whose_listed_date_decides_alone_is_not_fetched(collected, tmp_path, run):
    folder = collected(tmp_path / "c", WEB, "wolf spiders", [f"{SITE}/"], **SCOPE)
    # Published before the bounds or after them; changed before them, so published before them too.
    assert names(leased(folder)) >= {"new", "late", "own", "vague", "again", "post"}
    assert not names(leased(folder)) & {"old", "before", "future"}
    status = lycosa.status(folder)
    assert status.links_outside == {"date": 3}
    assert "3 links outside the scope: 3 by date" in " ".join(run("status", folder).stdout.split())


def test_a_listed_date_counts_for_a_page_that_states_none_and_for_no_other(collected, tmp_path):
    folder = collected(tmp_path / "c", WEB, "wolf spiders", [f"{SITE}/"], **SCOPE)
    assert {row["url"] for row in lycosa.pages(folder)} >= {f"{SITE}/{name}" for name in ("new", "post", "again")}
    outcomes = {name: lycosa.why(folder, f"{SITE}/{name}")[-1].outcome for name in ("late", "own", "vague")}
    assert outcomes == {
        "late": "not kept, out of the scope: date 2030-01-01",
        "own": "not kept, out of the scope: date 2010-01-01",
        "vague": "not kept, out of the scope: date unknown",
    }
    # No list has a say about another site.
    assert "http://other.test/" in {row["url"] for row in lycosa.pages(folder)}


def test_a_queued_link_is_dropped_when_a_list_says_that_it_is_too_old(collected, tmp_path):
    links = "".join(f"<a href='/{name}'>wolf spiders {name}</a>" for name in ("old", "map.xml", "new"))
    late = {**WEB, f"{SITE}/robots.txt": "", f"{SITE}/": page("home", links=links)}
    seeds = [f"{SITE}/", f"{SITE}/map.xml"]
    folder = collected(tmp_path / "c", late, "wolf spiders", seeds, workers=1, **SCOPE)
    assert "new" in names(leased(folder)) and "old" not in names(leased(folder))
    try:
        lycosa.why(folder, f"{SITE}/old")
    except Refused as refused:
        assert "a sitemap or a feed says that it is from 2015-01-01" in str(refused)
    else:
        raise AssertionError


def test_a_resumed_crawl_knows_the_listed_dates(collected, tmp_path):
    folder = collected(tmp_path / "c", WEB, "wolf spiders", [f"{SITE}/"], **SCOPE)
    with Collection.open(folder) as collection:
        plan = plan_of(collection)
        crawl = Crawl(plan)
        crawl.prepare(priors_of(collection))
        catch_up(crawl, collection, 0)
        again = Crawl(plan)
        assert again.load(crawl.save())
    for each in (crawl, again):
        days = {name: each.refuses.scope.day(f"{SITE}/{name}") for name in ("old", "post", "vague")}
        assert days == {"old": "2015-01-01", "post": "2024-05-06", "vague": ""}


def test_without_dates_in_the_scope_none_is_kept(collected, tmp_path):
    folder = collected(tmp_path / "c", WEB, "wolf spiders", [f"{SITE}/"])
    assert names(leased(folder)) >= {"old", "before", "future"}
    with Collection.open(folder) as collection:
        assert not any(getattr(getattr(entry.event, "visit", None), "dates", None) for entry in collection.log.read())


def test_the_body_of_a_document_of_an_unwanted_type_is_not_read(collected, tmp_path):
    pdf = b"%PDF-1.7\n" + bytes(9 << 20)
    notes = f"{SITE}/notes.md"
    web = {
        f"{SITE}/": page("home", links="<a href=/a.pdf>spiders</a><a href=/notes.md>spiders</a>"),
        f"{SITE}/a.pdf": pdf,
    }
    web[notes] = "# Wolf spiders\n\nThey hunt."
    types = {f"{SITE}/a.pdf": "application/pdf", notes: "text/markdown; charset=utf-8"}
    sites = {"listed.test": {"types": ["html", "markdown"]}}
    folder = collected(tmp_path / "c", web, "wolf spiders", [f"{SITE}/"], types=types, sites=sites)
    status = lycosa.status(folder)
    assert status.pages_outside == {"type": 1} and status.misses == {}
    assert {row["url"] for row in lycosa.pages(folder)} == {f"{SITE}/", notes}
    with Collection.open(folder) as collection:
        visit = collection.log.visit_of(f"{SITE}/a.pdf").event.visit
    assert (visit.withheld, visit.size, visit.where) == ("scope type application/pdf", 0, None)
