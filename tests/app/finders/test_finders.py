"""Every finder asks its source as that source wants to be asked, over real HTTP, and says in one line what is wrong."""

import json

import pytest
from tests.chat_peer import unused_port
from tests.search_peer import SearchPeer, results

from lycosa.app.finders.finder import Unanswered, finders, make_finder
from lycosa.app.finders.result_feeds import NoFeed, read_feed
from lycosa.core.registry import options
from lycosa.system.errors import Code, Refused
from lycosa.web.http_options import HttpOptions

KEY = "sesame-4711-0815"
A, B, C = "http://a.test/", "http://b.test/wolf", "http://c.test/spider"


def find(text, query="wolf spiders", limit=20):
    return make_finder(text).find(query, limit)


def urls(found):
    return [one.url for one in found]


def refusal(text, **how):
    with pytest.raises(Refused) as refused:
        find(text, **how)
    said = str(refused.value)
    assert "\n" not in said and KEY not in said and refused.value.fix and refused.value.field == "find"
    return refused.value


def test_every_finder_has_a_sentence_and_says_what_it_asks():
    kinds = finders()
    assert {"searxng", "opensearch", "mediawiki", "brave", "mojeek", "lycosa", "commoncrawl", "collection",
            "bookmarks"} <= kinds.keys()  # fmt: skip
    for name, kind in kinds.items():
        assert kind.__doc__ and kind.name == name
        assert not any(option.name.startswith("_") for option in options(kind))


# SearXNG


def test_searxng_is_asked_for_json_page_by_page_until_there_is_enough():
    def engine(asked):
        start = 10 * (int(asked.query["pageno"]) - 1)
        return {"results": [{"url": f"http://h{n}.test/", "title": f"Host {n}"} for n in range(start, start + 10)]}

    with SearchPeer(engine) as peer:
        found = find(f"searxng:url={peer.url},engines=mojeek;brave,language=en", limit=15)
    assert len(found) == 15 and found[11].title == "Host 11"
    assert [one.query["pageno"] for one in peer.asked] == ["1", "2"]
    assert peer.asked[0].query | {"pageno": ""} == {
        "q": "wolf spiders",
        "format": "json",
        "pageno": "",
        "engines": "mojeek,brave",
        "language": "en",
    }


@pytest.mark.parametrize(
    "answer", [(403, {}, "<h1>Forbidden</h1>"), (200, {}, "<!doctype html><title>Results</title>"), {"other": 1}]
)
def test_a_searxng_without_json_is_one_line_that_says_how_to_switch_it_on(answer):
    with SearchPeer(lambda _: answer) as peer:
        refused = refusal(f"searxng:url={peer.url}")
    assert "JSON" in refused.problem and "add json to search.formats" in refused.fix


def test_a_server_that_is_down_is_one_line_and_may_be_back_later():
    with unused_port() as url:
        refused = refusal(f"searxng:url={url}")
    assert "does not answer" in refused.problem and refused.code is Code.NETWORK
    assert isinstance(refused, Unanswered) and not refused.lasting


def test_who_is_asked_to_wait_a_moment_asks_once_more():
    answers = [(429, {"Retry-After": "0.2"}, ""), results(A)]

    def engine(asked):
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        return answer(asked) if callable(answer) else answer

    with SearchPeer(engine) as peer:
        assert urls(find(f"searxng:{peer.url}")) == [A]


def test_a_long_rest_is_not_waited_for_but_told():
    with SearchPeer(lambda _: (429, {"Retry-After": "90"}, "")) as peer:
        refused = refusal(f"searxng:url={peer.url}")
    assert refused.code is Code.TOO_MANY and refused.fix == "try again in 90 seconds"
    assert len(peer.asked) == 1


def test_a_redirect_is_not_followed():
    with SearchPeer(results(A)) as other, SearchPeer(lambda _: (302, {"Location": other.url}, "")) as peer:
        refused = refusal(f"searxng:url={peer.url}")
    assert "redirect" in refused.problem and other.asked == []


# Keys


def test_brave_gets_its_key_in_the_header_and_nobody_else_sees_it(monkeypatch):
    monkeypatch.setenv("LYCOSA_BRAVE_KEY", KEY)
    answer = {"web": {"results": [{"url": A, "title": "A"}, {"url": B}]}}
    with SearchPeer(lambda asked: answer if asked.query["offset"] == "0" else {}) as peer:
        assert urls(find(f"brave:url={peer.url}/res/v1/web/search")) == [A, B]
    assert peer.asked[0].headers["X-Subscription-Token"] == KEY
    assert KEY not in str(peer.asked[0].query) and "Authorization" not in peer.asked[0].headers


@pytest.mark.parametrize("status", [401, 403, 422])
def test_a_key_that_is_refused_is_one_line_without_the_key(monkeypatch, status):
    monkeypatch.setenv("LYCOSA_BRAVE_KEY", KEY)
    said = json.dumps({"error": {"message": f"invalid token {KEY}"}})
    with SearchPeer(lambda _: (status, {}, said)) as peer:
        refused = refusal(f"brave:url={peer.url}")
    assert f"({status})" in refused.problem and "key" in refused.problem and refused.lasting


def test_a_key_that_is_missing_or_given_itself_is_refused_before_anything_is_asked(monkeypatch):
    monkeypatch.delenv("LYCOSA_BRAVE_KEY", raising=False)
    with SearchPeer(results(A)) as peer:
        assert "LYCOSA_BRAVE_KEY" in refusal(f"brave:url={peer.url}").problem
        for key in (KEY, "A1B2C3D4E5F6A7B8C9D0E1F2A3B4C5D6"):
            refused = refusal(f"brave:url={peer.url},key={key}")
            assert "not the name of an environment variable" in refused.problem and key not in str(refused)
        assert "asks for a key" in refusal_of_status(401)
    assert peer.asked == []


def refusal_of_status(status):
    with SearchPeer(lambda _: (status, {}, "")) as peer:
        return refusal(f"lycosa:url={peer.url}").problem


def test_mojeeks_key_is_in_the_address_that_nobody_is_shown(monkeypatch):
    monkeypatch.setenv("LYCOSA_MOJEEK_KEY", KEY)
    answer = {"response": {"status": "OK", "results": [{"url": A, "title": "A", "desc": "..."}]}}
    with SearchPeer(lambda asked: answer if asked.query["s"] == "1" else {"response": {"status": "OK"}}) as peer:
        assert urls(find(f"mojeek:url={peer.url}/search")) == [A]
        assert peer.asked[0].query["api_key"] == KEY and peer.asked[0].query["fmt"] == "json"
        peer.engine = lambda _: {"response": {"status": f"ERROR: Invalid API Key {KEY}"}}
        assert "refuses the key" in refusal(f"mojeek:url={peer.url}/search").problem
        peer.engine = lambda _: {"response": {"status": "ERROR: Daily Limit Reached."}}
        assert refusal(f"mojeek:url={peer.url}/search").code is Code.TOO_MANY
        peer.engine = lambda _: (500, {}, "")
        refusal(f"mojeek:url={peer.url}/search")
    with unused_port() as url:
        refusal(f"mojeek:url={url}")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("searxng", "needs its option url"),
        ("searxng:", "needs its option url"),
        ("searxng:url=nowhere", "is not the address of a source"),
        ("searxng:url=http://me:sesame-4711-0815@127.0.0.1:1/", "holds a login"),
        ("searxng:url=http://127.0.0.1:1/?key=sesame-4711-0815", "is not the address of a source"),
        ("searxng:address=x", "has no option 'address'"),
        ("nobody", "unknown finder 'nobody'"),
        ("searxng:url", "cannot be imported"),
        ("commoncrawl", "needs a domain"),
        ("commoncrawl:domain=a.test,crawl=../x", "is no crawl"),
        ("collection", "needs its option folder"),
        ("collection:folder=/nowhere", "there is no collection"),
        ("bookmarks", "needs its option file"),
        ("bookmarks:file=/nowhere", "does not exist"),
    ],
)
def test_a_source_that_cannot_be_asked_is_refused_in_one_line(text, problem):
    assert problem in str(refusal(text))


# Others


def test_a_wikis_articles_have_the_address_that_the_wiki_says():
    general = {"server": "//127.0.0.1", "articlepath": "/wiki/$1"}
    found = {"query": {"search": [{"title": "Wolf spider"}, {"title": "Ära: 50 %"}], "general": general}}
    with SearchPeer(lambda asked: found if asked.path == "/w/api.php" else (404, {}, "")) as peer:
        assert urls(find(f"mediawiki:url={peer.url}")) == [
            "http://127.0.0.1/wiki/Wolf_spider", "http://127.0.0.1/wiki/%C3%84ra:_50_%25"
        ]  # fmt: skip
        assert peer.asked[0].query["srsearch"] == "wolf spiders"
        peer.engine = lambda _: {"error": {"code": "readapidenied", "info": "no"}}
        assert "without a login" in refusal(f"mediawiki:url={peer.url}").problem
        peer.engine = lambda _: {"batchcomplete": True}
        assert "api.php" in refusal(f"mediawiki:url={peer.url}/api.php").fix


def test_of_a_wiki_whose_search_has_no_order_titles_come_first():
    texts = [{"title": title, "pageid": number} for number, title in enumerate(["Aachen", "Legs", "Wolf spiders"], 3)]
    titles = [{"title": "Wolf spiders", "pageid": 5}]

    def engine(asked):
        if asked.query["srwhat"] == "title":
            return {"query": {"search": titles}} if titles else {"error": {"code": "search-title-disabled"}}
        return {"query": {"search": texts}}

    def names():
        return [one.title for one in find(f"mediawiki:url={peer.url}")]

    with SearchPeer(engine) as peer:
        assert names() == ["Wolf spiders", "Aachen", "Legs"]
        titles = []
        assert names() == ["Aachen", "Legs", "Wolf spiders"]
        texts.reverse()
        assert names() == ["Wolf spiders", "Legs", "Aachen"]
        assert [asked.query["srwhat"] for asked in peer.asked] == ["text", "title", "text", "title", "text"]


def test_of_words_that_a_wiki_has_in_no_article_together_stop_words_are_not_asked_for():
    def engine(asked):
        return {"query": {"search": [{"title": "Wolf"}] if asked.query["srsearch"] == "wolf" else []}}

    with SearchPeer(engine) as peer:
        assert [one.title for one in find(f"mediawiki:url={peer.url}", query="the legs of the wolf")] == ["Wolf"]
        assert [asked.query["srsearch"] for asked in peer.asked] == ["the legs of the wolf", "legs", "wolf"]


DESCRIPTION = """<?xml version="1.0"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>Spiders</ShortName>
<Url type="application/x-suggestions+json" rel="suggestions" template="/suggest?q={searchTerms}"/>
<Url type="text/html" template="/page?q={searchTerms}"/>%s</OpenSearchDescription>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><link href="/self"/><title>Results</title>
<entry><title>A &amp; wolf</title><link rel="self" href="/x"/><link href="http://a.test/"/></entry>
<entry><title>B</title><link href="/b"/></entry></feed>"""
RSS = """<rss version="2.0"><channel><title>R</title><link>http://self.test/</link>
<item><title>A</title><link> http://a.test/ </link></item><item><title>no link</title></item>"""
HTML = """<a href="/page?q=next">wolf spiders, next page</a> <a href="/help">Help</a> <a href="/wolf">Wolf here</a>
<a href="http://b.test/wolf">All about wolf spiders</a> <a href="http://ads.test/">Buy shoes</a>"""


def test_opensearch_takes_feeds_where_there_are_some_and_links_where_not():
    def engine(asked):
        body = {"/about.xml": DESCRIPTION % more, "/page": HTML, "/feed": ATOM, "/rss": RSS}[asked.path]
        return 200, {"Content-Type": "text/html" if asked.path == "/page" else "application/xml"}, body

    with SearchPeer(engine) as peer:
        more = ""
        assert urls(find(f"opensearch:url={peer.url}/about.xml")) == [B]
        more = '<Url type="application/atom+xml" template="/feed?q={searchTerms}&amp;n={count?}&amp;x={some:thing?}"/>'
        found = find(f"opensearch:url={peer.url}/about.xml", query="wölf & co", limit=7)
        assert [(one.url, one.title) for one in found] == [(A, "A & wolf"), (f"{peer.url}/b", "B")]
        assert peer.asked[-1].query == {"q": "wölf & co", "n": "7", "x": ""}
        assert urls(find(f"opensearch:url={peer.url}/rss?q={{searchTerms}}")) == [A]
        more = '<Url type="application/atom+xml" template="/feed?q={searchTerms}&amp;n={magic}"/>'
        assert "needs a parameter magic" in refusal(f"opensearch:url={peer.url}/about.xml").problem


def test_a_description_chooses_no_other_host():
    with SearchPeer(results(A)) as other:
        elsewhere = other.url.replace("127.0.0.1", "localhost")
        more = f'<Url type="application/rss+xml" template="{elsewhere}/?q={{searchTerms}}"/>'
        with SearchPeer(lambda _: (200, {}, DESCRIPTION % more)) as peer:
            assert "another host" in refusal(f"opensearch:url={peer.url}/about.xml").problem
    assert other.asked == []


@pytest.mark.parametrize(
    "body",
    ["no xml", "<html><body>Hello</body></html>", '<!DOCTYPE x [<!ENTITY a "aaaa">]><OpenSearchDescription/>', ""],
)
def test_what_is_no_description_is_one_line(body):
    with SearchPeer(lambda _: (200, {}, body)) as peer:
        assert "OpenSearch" in str(refusal(f"opensearch:url={peer.url}/about.xml"))


def test_a_feed_that_declares_entities_or_breaks_off_costs_nothing():
    bomb = '<!DOCTYPE rss [<!ENTITY a "' + "x" * 1000 + '">]><rss><item><link>http://a.test/&a;</link></item></rss>'
    with pytest.raises(NoFeed):
        read_feed(bomb.encode())
    assert urls(read_feed(RSS.encode())) == [A]
    many = "<rss>" + f"<item><link>{A}</link></item>" * 3000
    assert len(read_feed(many.encode())) == 1000


def test_common_crawl_names_the_pages_of_a_domain_whose_addresses_have_the_words():
    def engine(asked):
        if asked.path == "/collinfo.json":
            return [{"id": "CC-MAIN-2026-42"}, {"id": "CC-MAIN-2026-38"}]
        if asked.path != "/CC-MAIN-2026-42-index" or asked.query["url"] != "spiders.test":
            return 404, {}, '{"message": "No Captures found"}'
        pages = ("wolf.html", "wolf-spider/long/page.html", "wolf-spiders", "other")
        return 200, {}, "".join(json.dumps({"url": f"https://spiders.test/{page}"}) + "\n" for page in pages)

    with SearchPeer(engine) as peer:
        found = find(f"commoncrawl:url={peer.url},domain=Spiders.test")
        assert urls(found) == [f"https://spiders.test/{page}" for page in
                               ("wolf-spiders", "wolf-spider/long/page.html", "wolf.html")]  # fmt: skip
        filters = peer.asked[-1].filters
        assert "=status:200" in filters and "~url:https?://[^/]*/.*([wW]olf|[sS]pider).*" in filters
        assert find(f"commoncrawl:url={peer.url},domain=empty.test,crawl=CC-MAIN-2026-38") == []
        peer.engine = lambda _: (200, {}, "<html>")
        assert "index server" in refusal(f"commoncrawl:url={peer.url},domain=a.test,crawl=X").problem


def test_bookmarks_are_ranked_by_the_words_that_are_rare_among_them(tmp_path):
    file = tmp_path / "marks.html"
    rows = [("http://a.test/", "Spiders"), ("http://b.test/", "Wolf spiders"), ("http://c.test/", "Spiders too"),
            ("http://d.test/", "Shoes"), ("http://e.test/wolf", "Grey ones")]  # fmt: skip
    marks = "".join(f'<DT><A HREF="{url}">{title}</A>\n' for url, title in rows)
    file.write_text(f"<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><H3>Animals</H3><DL>{marks}</DL></DL>")
    found = find(f"bookmarks:file={file}")
    assert urls(found) == ["http://b.test/", "http://e.test/wolf", "http://a.test/", "http://c.test/"]
    assert found[0].reason == "a bookmark in Animals"


def test_a_proxy_is_used_for_the_internet_and_not_for_this_machine():
    with SearchPeer(lambda asked: results(B)(asked) if "far.test" in asked.headers["Host"] else (502, {}, "")) as proxy:
        far = make_finder("searxng:url=http://far.test")
        far.http = HttpOptions(proxy=proxy.url)
        assert urls(far.find("wolf", 5)) == [B]
        with SearchPeer(results(A)) as peer:
            near = make_finder(f"searxng:url={peer.url}")
            near.http = HttpOptions(proxy=proxy.url)
            assert urls(near.find("wolf", 5)) == [A]
