"""`lycosa map` as its users meet it: whole commands."""

import json
from xml.etree import ElementTree

import pytest

import lycosa
from lycosa.web.made import Made
from lycosa.web.serving import spawn

SPEC = {"pages": 600, "topics": 3, "seed": 5}
WEB = "made:" + ",".join(f"{key}={value}" for key, value in SPEC.items())
TOPIC = Made(**SPEC).topics[0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("maps")
    with lycosa.hunt(TOPIC.keywords, TOPIC.examples, out=place / "c", pages=80, replay=WEB, index=False) as hunt:
        list(hunt)
    return place


def test_without_a_wish_it_says_what_it_drew(run, folder):
    done = run("map", "c", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"Link map of «{TOPIC.keywords}», as a graph\n")
    assert done.stdout.endswith("in map.svg\n")
    assert ElementTree.parse(folder / "map.svg").getroot().get("role") == "img"


def test_a_site_is_drawn_as_a_tree_and_told_to_programs(run, folder):
    most = json.loads(run("map", "c", "--links", "--json", cwd=folder).stdout)
    assert (most["kind"], most["pages"]) == ("links", 80)
    host = lycosa.status(folder / "c", best=1).best[0].url.split("/")[2]
    how = ["--layout", "radial", "--limit", 20, "--out", "site.png", "--json"]
    done = run("map", "c", "--site", host, *how, cwd=folder)
    told = json.loads(done.stdout)
    assert (told["kind"], told["site"], told["layout"], told["file"]) == ("site", host, "radial", "site.png")
    assert (folder / "site.png").read_bytes().startswith(b"\x89PNG")


def test_a_site_is_hunted_with_shark_search_and_never_left(run, tmp_path):
    host = TOPIC.examples[0].split("/")[2]
    url = f"http://{host}/"
    with spawn(WEB) as served:
        options = ["--pages", 25, "--delay", 0, "--proxy", served.proxy, "--collection", "site"]
        options += ["--out", "site.svg", "--json"]
        done = run("map", url, "--keywords", TOPIC.keywords, *options, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    told, status = json.loads(done.stdout), lycosa.status(tmp_path / "site")
    assert (told["kind"], told["folder"], status.strategy) == ("site", "site", "shark-search")
    assert 1 <= told["pages"] == status.pages <= 25
    assert status.hosts == 1
    assert told["site"] == host
    again = run("map", "site", "--out", "again.svg", cwd=tmp_path)
    assert f"Site map of {host}" in again.stdout


BAD = [
    (["nowhere"], "nowhere is neither a folder nor a URL"),
    (["."], ". is not a collection"),
    (["c", "--layout", "cube"], "unknown layout 'cube'"),
    (["c", "--limit", "0"], "limit cannot be 0"),
    (["c", "--limit", "99999999"], "give 1 to 20,000"),
    (["c", "--out", "x.gif"], "neither an .svg nor a .png"),
    (["c", "--out", "nowhere/x.svg"], "nowhere/x.svg cannot be written"),
    (["c", "--site", "nowhere.test"], "no page of nowhere.test was fetched"),
    (["c", "--site", "a/b"], "'a/b' is not a host"),
    (["c", "--site", "a.test", "--links"], "choose the links or a site"),
    (["c", "--links", "--layout", "tree"], "a map of links cannot be a tree"),
    (["c", "--pages", "5"], "--pages says nothing of a collection"),
    (["http://a.test/"], "no keywords"),
    (["http://a.test/", "--keywords", "x", "--pages", "0"], "pages cannot be 0: give 1 or more (--pages)"),
    (["http://127.0.0.1/", "--keywords", "x"], "is not on the public Internet"),
    (["ftp://a.test/", "--keywords", "x"], "neither a folder nor a URL"),
]


@pytest.mark.parametrize(("arguments", "line"), BAD, ids=[" ".join(arguments) for arguments, _ in BAD])
def test_bad_input_is_one_line_and_exit_code_2(run, folder, arguments, line):
    before = sorted(folder.iterdir())
    if arguments[0].startswith("http"):
        # Should it be taken for good input, nothing may leave loopback.
        arguments = [*arguments, "--proxy", "http://127.0.0.1:9"]
    done = run("map", *arguments, cwd=folder)
    assert done.returncode == 2, done
    assert line in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(folder.iterdir()) == before


def test_a_site_without_pages_is_one_line(run, tmp_path):
    done = run("map", "http://nowhere.test/", "--keywords", "spiders", "--replay", WEB, "--json", cwd=tmp_path)
    assert done.returncode == 1
    line = "no page could be fetched (there is no such page (status 404) ×1): see `lycosa status nowhere.test`"
    assert line in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "map.svg").exists()
