"""Asking a collection from the command line: a little web is crawled over loopback, indexed, and searched."""

import json
import os
import resource
import shutil
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import msgspec
import pytest

import lycosa
from lycosa.app import search as searching
from lycosa.app.answers.search import SearchAnswer
from lycosa.app.federated import results_of
from lycosa.face.cli.search_view import SearchView
from lycosa.face.cli.terminal import Terminal
from lycosa.index.search_types import Filters, Hit, Question, Ranked
from lycosa.store.collection import Collection

SPIDERS, MUSEUM, PRIVATE = "http://spiders.test/", "http://museum.test/", "http://museum.test/private/tarantula"
WOLF = f"{SPIDERS}wolf"
HUNTING = (
    "Wolf spiders are hunters of the night. A wolf spider does not build a web; it runs its prey down over open "
    "ground, with eight eyes that shine in the light of a torch. The mother carries her egg sac with her, and later "
    "the young ride upon her back until they can hunt for themselves. Gardens, meadows and shores are where they live."
)


def page(title, body, lang="en"):
    return f"<html lang={lang}><head><title>{title}</title></head><body>{body}</body></html>"


def link(path, words):
    return f"<li>Read about <a href={path}>{words}</a> in the field guide.</li>"


PAGES = {
    SPIDERS: page(
        "A portal of spiders",
        "<h1>Spiders</h1>"
        + link(WOLF, "wolf spiders that hunt at night")
        + link(f"{SPIDERS}orb", "orb weavers")
        # The mirror and the German page are linked too, so that they are fetched.
        + link(f"{MUSEUM}copy", "a mirror")
        + link(MUSEUM, "the museum")
        + link(f"{SPIDERS}de", "Wolfspinnen")
        + link(f"{SPIDERS}evil", "an odd page")
        + link(PRIVATE, "tarantulas that sing"),
    ),
    MUSEUM: page(
        "The museum's spiders", link(WOLF, "hunting wolf spiders") + link(PRIVATE, "a tarantula that can sing")
    ),
    WOLF: page("Wolf spiders", f"<h1>Hunters</h1><p>{HUNTING}</p>{link(SPIDERS, 'all spiders')}"),
    f"{MUSEUM}copy": page("Wolf spiders", f"<h1>Hunters</h1><p>{HUNTING}</p>{link(SPIDERS, 'all spiders')}"),
    f"{SPIDERS}orb": page("Orb weavers", "<p>Orb weavers are spiders that build a round web every evening.</p>"),
    f"{SPIDERS}de": page(
        "Wolfspinnen",
        "<p>Wolfspinnen sind Spinnen, die ihre Beute am Boden jagen und nicht in einem Netz auf sie warten. Die Mutter "
        "trägt den Kokon mit sich und später auch die Jungen auf dem Rücken.</p>",
        "de",
    ),
    f"{SPIDERS}evil": page(
        "\x1b]0;PWNED\x07odd [bold]spiders[/]", "<p>Spiders that \x1b[31mcolour\x1b[0m wizardry \u202ereversed.</p>"
    ),
}


# A word is mended by one that many pages use.
PLACES = ["cellar", "attic", "meadow", "shore", "desert", "cave", "heath", "forest", "swamp", "dune", "garden"]
GUIDE = {f"{MUSEUM}{place}": page(f"In the {place}", f"<p>Which spiders live in the {place}?</p>") for place in PLACES}
PAGES[MUSEUM] += "".join(link(url, "the next hall") for url in GUIDE)
PAGES |= GUIDE


class Site(BaseHTTPRequestHandler):
    """All hosts of the little web, reached as a proxy is."""

    def do_GET(self):
        robots = self.path.endswith("/robots.txt")
        body = "User-agent: *\nDisallow: /private/\n" if robots else PAGES.get(self.path)
        self.send_response(200 if body else 404)
        data = (body or "").encode()
        self.send_header("Content-Type", f"text/{'plain' if robots else 'html'}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("collections") / "spiders"
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        how = {"delay": 0.0, "proxy": f"http://127.0.0.1:{server.server_port}", "index": False}
        with lycosa.hunt("wolf spiders", [SPIDERS], out=folder, strategy="breadth-first", **how) as hunt:
            assert len([visit.url for visit in hunt]) == len(PAGES)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    return folder


@pytest.fixture(scope="module")
def collection(crawled, tmp_path_factory):
    folder = tmp_path_factory.mktemp("indexed") / "spiders"
    shutil.copytree(crawled, folder)
    lycosa.search(folder, "spiders")
    return folder


def found(run, *arguments):
    code, out, err = run("search", *arguments, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def urls(answer):
    return [hit["url"] for hit in answer["results"]]


def test_results_have_place_title_address_facts_and_the_words_in_their_surroundings(run, collection):
    code, out, err = run("search", collection, "wolf", "spiders", "night")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "  1  Wolf spiders"
    assert lines[1] in (f"     {WOLF}", f"     {MUSEUM}copy")
    assert "fetched 20" in lines[2]
    assert "on topic" in lines[2]
    assert "hunters of the night" in lines[3]
    assert " ms" in lines[-1]


def test_near_duplicates_are_folded_unless_asked_for(run, collection):
    both = {WOLF, f"{MUSEUM}copy"}
    folded = found(run, collection, "egg sac")
    assert len(both & set(urls(folded))) == 1
    (top,) = [hit for hit in folded["results"] if hit["url"] in both]
    assert {copy["url"] for copy in top["copies"]} == both - {top["url"]}
    assert f"also at {top['copies'][0]['url']}" in run("search", collection, "egg sac")[1]
    assert both <= set(urls(found(run, collection, "egg sac", "--duplicates")))


def test_a_page_that_was_never_fetched_is_found_by_what_others_say_of_it(run, collection):
    assert PRIVATE in urls(found(run, collection, "tarantula sing", "--by", "reference"))
    out = run("search", collection, "tarantula sing")[1]
    assert PRIVATE in out
    assert "never fetched, known from others' words" in out


def test_why_shows_the_parts_of_a_score_and_who_refers_to_it_how(run, collection):
    out = run("search", collection, "wolf spiders", "--why")[1]
    assert "score " in out
    assert "votes: " in out
    assert "that hunt at night" in out
    assert f"       {MUSEUM}" in out


def test_json_is_the_answer_and_how_long_it_took(run, collection):
    answer = found(run, collection, "wolf", "--facets")
    assert answer["took_ms"] > 0
    assert json.loads(msgspec.json.encode(msgspec.convert(answer, SearchAnswer))) == answer
    assert answer["facets"]["host"]["spiders.test"] >= 1
    assert "by host  " in run("search", collection, "wolf", "--facets")[1]


def test_a_misspelt_word_is_mended(run, collection):
    code, out, _ = run("search", collection, "spiderz")
    assert code == 0
    assert "showing results for spiders; --verbatim searches what you typed" in out
    code, out, _ = run("search", collection, "spiderz", "--verbatim")
    assert "nothing found" in out and "spiders" not in out


def test_nothing_found_says_what_to_try_and_is_no_error(run, collection):
    code, out, err = run("search", collection, "xylophone", "--by", "content", "--filter", "lang=en")
    assert (code, err) == (0, "")
    assert f"nothing found among {len(PAGES)} pages" in out
    assert "try fewer or other words, no --filter, --by hybrid" in out
    assert found(run, collection, "xylophone")["results"] == []


def test_filters_say_what_results_are_like(run, collection):
    def hosts(*arguments):
        return {
            hit["host"]
            for hit in found(run, collection, "spiders", "--duplicates", "--limit", 50, "--by", "content", *arguments)[
                "results"
            ]
        }

    assert hosts() == {"spiders.test", "museum.test"}
    assert hosts("--filter", "host=museum.test") == {"museum.test"}
    assert hosts("--filter", "host=museum.test", "--filter", "host=spiders.test") == {"spiders.test", "museum.test"}
    assert hosts("--filter", "after=2020-01-31") == hosts()
    assert hosts("--filter", "before=2020-01-31") == set()
    # Only what is known is certain: the example.
    assert hosts("--filter", "relevance=0.999") == {"spiders.test"}
    assert urls(found(run, collection, "Kokon", "--filter", "lang=de")) == [f"{SPIDERS}de"]
    assert urls(found(run, collection, "Kokon", "--filter", "lang=en")) == []


def test_pages_of_results_follow_each_other(run, collection):
    whole = urls(found(run, collection, "spiders"))
    first, second = (urls(found(run, collection, "spiders", "--limit", 2, "--page", number)) for number in (1, 2))
    assert [*first, *second] == whole[:4]
    out = run("search", collection, "spiders", "--limit", 2, "--page", 2)[1]
    assert out.startswith("  3  ")
    assert "3 to 4 of " in out
    assert "more: --page 3" in out
    assert "no more: " in run("search", collection, "spiders", "--page", 50)[1]


def test_words_to_leave_out_are_no_options(run, collection):
    answer = found(run, collection, "spiders", "-wolf", "--by", "content", "--limit", 50)
    assert WOLF not in urls(answer)
    assert f"{SPIDERS}orb" in urls(answer)
    code, out, err = run("search", collection, "spiders", "--limt", 5)
    assert (code, out, err) == (2, "", "lycosa: unknown option --limt: see `lycosa search --help`\n")


def test_hubs_and_authorities_are_two_tables(run, collection):
    code, out, err = run("hubs", collection, "--limit", 2)
    assert (code, err) == (0, "")
    hubs, _, authorities = out.partition("authorities")
    assert SPIDERS in hubs
    # A link within a host is no praise; all others count.
    assert PRIVATE in authorities
    both = json.loads(run("hubs", collection, "--topic", "wolf spiders", "--limit", 1, "--json")[1])
    assert [len(both["hubs"]), len(both["authorities"])] == [1, 1]


def test_similar_pages_do_not_name_the_page_itself(run, collection):
    code, out, err = run("similar", collection, WOLF, "--json")
    assert (code, err) == (0, "")
    alike = urls(json.loads(out))
    assert WOLF not in alike
    assert alike
    assert (
        alike[0]
        in run("similar", collection, "spiders.test/wolf".replace("spiders", "http://spiders"), "--limit", 1)[1]
    )


def test_votes_are_the_words_in_which_others_refer_to_a_page(run, collection):
    code, out, err = run("votes", collection, PRIVATE)
    assert (code, err) == (0, "")
    assert "never fetched" in out
    assert MUSEUM in out
    table = json.loads(run("votes", collection, WOLF, "--term", "night", "--json")[1])
    assert table["votes"][0]["votes"] == 2
    assert [voter["url"] for voter in table["voters"]] == [SPIDERS]
    assert "nobody uses «xylophone» for it" in run("votes", collection, WOLF, "--term", "xylophone")[1]


BAD = [
    (["search", "{}", " "], "the query is empty: say in a few words"),
    (["search", "{}", "\x07"], "the query is empty"),
    (["search", "{}"], "the query is empty"),
    (["search", "nowhere", "wolf"], "nowhere is not a collection: name the folder of a collection"),
    (
        ["search", "{}", "wolf", "--by", "magic"],
        "unknown value 'magic' for by: choose one of: content, reference, hybrid (--by)",
    ),
    (["search", "{}", "wolf", "--limit", "0"], "limit cannot be 0: give 1 to 1,000 (--limit)"),
    (["search", "{}", "wolf", "--limit", "1000000000000"], "give 1 to 1,000 (--limit)"),
    (["search", "{}", "wolf", "--page", "0"], "page cannot be 0: give 1 to 1,000 (--page)"),
    (["search", "{}", "wolf", "--page", "1000000000000"], "give 1 to 1,000 (--page)"),
    (["search", "{}", "wolf", "--page", "1000", "--limit", "100"], "beyond the first 10,000"),
    (
        ["search", "{}", "wolf", "--filter", "color=red"],
        "one of: host, lang, category, type, after, before, relevance (--filter)",
    ),
    (["search", "{}", "wolf", "--filter", "host"], "'host' is not a filter"),
    (["search", "{}", "wolf", "--filter", "after=yesterday"], "is not a day such as 2026-01-31"),
    (["search", "{}", "wolf", "--filter", "relevance=nan"], "is not a number such as 0.3"),
    (["search", "{}", "wolf", "--filter", "relevance=7"], "no page has a relevance of 7"),
    (["search", "{}", "wolf", "--filter", "after=2026-02-01", "--filter", "before=2026-01-01"], "nothing is both"),
    (["similar", "{}", "http://spiders.test/wolv"], f"is not in the index: did you mean {WOLF}?"),
    (["similar", "{}", "http://spider.test/wolf"], f"did you mean {WOLF}?"),
    (["similar", "{}", "not a URL"], "'not a URL' is not a URL"),
    (["similar", "{}", WOLF, "--filter", "color=red"], "relevance (--filter)"),
    (["similar", "{}", WOLF, "--limit", "0"], "give 1 to 1,000 (--limit)"),
    (["votes", "{}", "http://spiders.test/nothing"], "is not in the index: did you mean "),
    (["hubs", "nowhere"], "nowhere is not a collection"),
    (["hubs", "{}", "--limit", "-3"], "limit cannot be -3: give 1 to 1,000"),
]


@pytest.mark.parametrize(("arguments", "line"), BAD, ids=[" ".join(arguments)[:60] for arguments, _ in BAD])
def test_bad_input_is_one_line_and_exit_code_2(run, collection, tmp_path, monkeypatch, arguments, line):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*(argument.format(collection) for argument in arguments))
    assert (code, out) == (2, "")
    assert line in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


HOSTILE = [
    '"wolf spiders',
    '""""""',
    '"',
    "* ? ~",
    "***********",
    "title:",
    "host: lang: after:",
    "after:yesterday relevance:high",
    "((((((wolf",
    "wolf AND OR NOT )(",
    "wolf^999999999 spiders~99",
    "[a TO z]",
    "{* TO *}",
    "/.*.*.*.*x/",
    "\\",
    "- + -",
    "-wolf",
    "wolf\x00spiders\x1b[31m",
    "wolf \ud800\udfff spiders",
    "\udcff",
    "ﷺ" * 500,
    "a\u0300" * 5000,
    "😀 🕷️",
    "x" * 100_000,
    " ".join(f"word{number}" for number in range(10_000)),
    '"' + " ".join(["wolf"] * 10_000) + '"',
    " ".join(["wolf"] * 10_000),
    "the of and",
    "host:../../etc",
    "' OR 1=1; DROP TABLE pages; --",
]


@pytest.mark.parametrize("by", ["content", "reference", "hybrid"])
@pytest.mark.parametrize("query", HOSTILE, ids=[repr(query)[:30] for query in HOSTILE])
def test_a_hostile_query_has_a_clear_answer_within_a_second(run, collection, query, by):
    began = time.process_time()
    code, out, err = run("search", collection, "--by", by, "--why", "--", query)
    assert time.process_time() - began < 1
    assert "Traceback" not in out + err
    assert (code, err) == (0, "") or (code == 2 and err.count("\n") == 1)
    assert out.replace("\n", "").isprintable()


def test_an_unreadable_query_from_a_shell_has_an_answer(collection):
    command = [sys.executable, "-m", "lycosa", "search", str(collection), b"wolf \xff\xfe spiders"]
    done = subprocess.run(command, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert WOLF.encode() in done.stdout


def test_what_pages_say_cannot_steer_the_terminal(run, collection, monkeypatch):
    code, out, _ = run("search", collection, "wizardry", "--why")
    assert code == 0
    assert f"{SPIDERS}evil" in out
    assert "[bold]" in out
    assert "PWNED" in out
    assert out.replace("\n", "").isprintable()


def test_words_are_highlighted_in_a_terminal_and_only_there(capsys, monkeypatch):
    hit = Hit("http://a.test/", 1.0, "Wolves", "a.test", snippet="the wolf\x1b[31m spider", marks=((4, 8),))
    answer = SearchAnswer(results=results_of([hit], lambda _: ["wolves"]), total=1)
    SearchView(Terminal()).answer(answer)
    plain = capsys.readouterr().out
    assert "the wolf [31m spider" in plain
    assert "\x1b" not in plain
    for name, value in {"FORCE_COLOR": "1", "TERM": "xterm", "COLUMNS": "40"}.items():
        monkeypatch.setenv(name, value)
    SearchView(Terminal()).answer(answer)
    assert "the \x1b[1;33mwolf\x1b[0m [31m spider" in capsys.readouterr().out


def test_a_collection_without_an_index_gets_one_and_says_so(run, crawled, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(crawled, folder)
    assert not (folder / "index").exists()
    done = run("search", folder, "wolf")
    assert done.returncode == 0
    assert "index" in done.stderr
    assert done.stderr.count("\n") == 1
    again = run("search", folder, "wolf")
    assert again.stderr == ""
    assert again.stdout.splitlines()[:-1] == done.stdout.splitlines()[:-1]


def damage(index, name):
    files = [file for file in Path(index).rglob(name) if file.is_file()]
    for file in files:
        file.write_bytes(b"\x00\xffnot what it was" * 100)
    return files


@pytest.mark.parametrize("name", ["meta.json", "list.json", "*.seg", "state.json", "*.store", "*.idx", "*.term", "*"])
def test_a_damaged_index_is_said_in_one_line_or_made_again(run, collection, tmp_path, name):
    folder = tmp_path / "copy"
    shutil.copytree(collection, folder)
    assert damage(folder / "index", name)
    code, _, err = run("search", folder, "wolf", "spiders")
    assert "Traceback" not in err
    if code:
        assert code == 2
        assert f"{folder / 'index'}" in err
        assert "rebuild its index" in err or "ask again" in err
        assert err.count("\n") == 1
    damage(folder / "index", name)
    assert run("index", folder, "--anew")[0] == 0
    assert WOLF in run("search", folder, "wolf spiders", "--duplicates")[1]


def test_pages_that_cannot_be_read_any_more_are_counted(run, collection, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(collection, folder)
    shutil.rmtree(folder / "index")
    damage(folder / "pages", "*")
    with Collection.open(folder) as opened:
        pages = opened.log.page_count()
    code, said, _ = run("index", folder)
    assert code == 0 and said.startswith(f"0 pages can be searched\n{pages:,} cannot")
    assert json.loads(run("index", folder, "--json")[1])["lacking"] == pages


def test_no_room_for_an_index_is_said_in_one_line_and_does_no_harm(run, collection, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(collection, folder)
    shutil.rmtree(folder / "index")
    full = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1024, {resource.RLIM_INFINITY})); "
    command = [sys.executable, "-c", full + "from lycosa.face.cli import main; main()", "search", str(folder), "wolf"]
    with Collection.open(folder):  # what SQLite shares with others is there already
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and done.stdout == ""
    assert f"{folder / 'index'}" in done.stderr and done.stderr.count("\n") == 2  # and that an index is made now
    assert WOLF in run("search", folder, "wolf spiders", "--duplicates")[1]


def test_a_reader_who_has_enough_is_no_error(collection):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "lycosa", "search", str(collection), "spiders"]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, timeout=60)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_python_asks_the_same(collection):
    answer = lycosa.search(collection, "wolf", limit=3, filters=["host=spiders.test"])
    assert answer.results[0].url == WOLF
    assert lycosa.search(collection, "wolf", filters=Filters(hosts=("museum.test",))).results[0].host == "museum.test"
    hubs, authorities = lycosa.hubs(collection)
    assert isinstance(hubs[0], Ranked)
    assert PRIVATE in [row.url for row in authorities]
    assert lycosa.similar(collection, WOLF).results
    assert lycosa.votes(collection, WOLF).voters
    with lycosa.open_index(collection) as index:
        assert [index.search(Question(word)).total > 0 for word in ("wolf", "web", "xylophone")] == [True, True, False]
    with pytest.raises(lycosa.Refused, match="unknown value 'magic' for by"):
        lycosa.search(collection, "wolf", by="magic")


def test_the_nearest_url_is_of_the_same_host_if_there_is_one():
    known = ["http://a.test/one", "http://b.test/wolf", "http://a.test/wolves"]
    assert searching.nearest("http://a.test/wolf", known) == "http://a.test/wolves"
    assert searching.nearest("http://bb.test/wolf", known) in known
    assert searching.nearest("http://a.test/", []) == ""
    many = [f"http://host-{number % 5000}.test/{number}" for number in range(50_000)]
    began = time.process_time()
    assert searching.nearest("http://hostt-4999.test/49999", many) == "http://host-4999.test/49999"
    assert time.process_time() - began < 1.5
