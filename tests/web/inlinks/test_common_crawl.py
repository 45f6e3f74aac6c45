"""Web graphs in the form in which Common Crawl publishes them, as real files."""

import gzip

import pytest

from lycosa.system.errors import Refused
from lycosa.web.inlinks import common_crawl
from lycosa.web.inlinks.common_crawl import CommonCrawl

HOSTS = ["com.acme", "com.beta", "org.example.blog", "org.hub", "org.lists"]
LINKS = [(2, 0), (3, 0), (3, 1), (4, 0), (4, 1), (4, 4)]
ACME, BETA = "https://www.acme.com/products.html", "http://beta.com/"
BLOG, HUB, LISTS = "https://blog.example.org/", "https://hub.org/", "https://lists.org/"


def vertices(names):
    return "".join(f"{number}\t{name}\n" for number, name in enumerate(names)).encode()


def edges(links):
    return "".join(f"{tail}\t{head}\n" for tail, head in links).encode()


@pytest.fixture
def host_graph(tmp_path):
    """As it is downloaded: gzipped, the vertices in one file, the edges cut into two."""
    with gzip.open(tmp_path / "cc-main-2024-host-vertices.txt.gz", "wb") as file:
        file.write(vertices(HOSTS))
    (tmp_path / "cc-main-2024-host-edges.paths.gz").write_bytes(b"only a list of files")
    (tmp_path / "edges").mkdir()
    for part, links in enumerate((LINKS[:2], LINKS[2:])):
        with gzip.open(tmp_path / "edges" / f"part-{part:05}.txt.gz", "wb") as file:
            file.write(edges(links))
    return CommonCrawl.in_folder(tmp_path)


def test_in_links_of_a_host_are_the_home_pages_of_those_that_link_to_it(host_graph):
    assert host_graph.of(BETA, 10) == [HUB, LISTS]


def test_names_of_hosts_have_lost_their_www(host_graph):
    assert host_graph.of(ACME, 10) == [BLOG, HUB, LISTS]


def test_those_that_link_to_most_of_what_was_asked_about_come_first(host_graph):
    assert host_graph.of_all([ACME, BETA], 2) == {ACME: [HUB, LISTS], BETA: [HUB, LISTS]}


def test_a_host_that_is_not_in_the_graph_has_no_in_links(host_graph):
    assert host_graph.of_all(["http://elsewhere.net/", BLOG], 5) == {"http://elsewhere.net/": [], BLOG: []}


def test_a_home_page_is_no_in_link_of_itself(host_graph):
    assert host_graph.of(LISTS, 5) == []


def test_whole_urls_make_a_graph_of_pages(tmp_path):
    (tmp_path / "v.txt").write_bytes(vertices(["http://a.test/x", "http://b.test/y?z=1", "mailto:c"]))
    (tmp_path / "e.txt").write_bytes(edges([(1, 0), (2, 0)]))
    graph = CommonCrawl(tmp_path / "v.txt", tmp_path / "e.txt")
    assert graph.of("http://a.test/x", 5) == ["http://b.test/y?z=1"]
    assert graph.of("http://a.test/other", 5) == []


def test_a_domain_graph_counts_hosts_in_a_third_column(tmp_path):
    (tmp_path / "domain-vertices.txt").write_bytes(b"0\tcom.acme\t17\n1\torg.hub\t3\n")
    (tmp_path / "domain-edges.txt").write_bytes(b"1\t0")
    assert CommonCrawl.in_folder(tmp_path).of("http://acme.com/", 5) == [HUB]


def test_a_graph_is_read_piece_by_piece(tmp_path, monkeypatch):
    monkeypatch.setattr(common_crawl, "CHUNK", 64)
    names = [f"com.host{number}" for number in range(500)]
    (tmp_path / "v.txt").write_bytes(vertices(names))
    (tmp_path / "e.txt").write_bytes(edges((tail, 7) for tail in range(0, 500, 100)))
    found = CommonCrawl(tmp_path / "v.txt", tmp_path / "e.txt").of("http://host7.com/", 10)
    assert found == [f"https://host{number}.com/" for number in range(0, 500, 100)]


def test_of_a_host_that_everybody_links_to_only_the_first_are_looked_at(tmp_path, monkeypatch):
    monkeypatch.setattr(common_crawl, "KEPT", 3)
    (tmp_path / "v.txt").write_bytes(vertices([f"com.host{number}" for number in range(9)]))
    (tmp_path / "e.txt").write_bytes(edges((tail, 0) for tail in range(1, 9)))
    assert len(CommonCrawl(tmp_path / "v.txt", tmp_path / "e.txt").of("http://host0.com/", 100)) == 3


@pytest.mark.parametrize(
    ("first", "second", "problem"),
    [
        (b"<html>", b"0\t1\n", "v.txt is not a file of a web graph"),
        (b"0\tcom.a\n", b"com.a\t1\n", "e.txt is not a file of a web graph"),
        (b"", b"0\t1\n", "v.txt is not a file of a web graph"),
        (b"0\tcom.a\n1\tcom.b\n", b"1\t0\nx\t0\n", "not all pairs of numbers"),
        (b"0\tcom.a\n1\tcom.b\n", b"1\t0\n1\n", "not all pairs of numbers"),
        (b"0\tcom.a\n" + b"x" * 70_000, b"1\t0\n", "a line of more than"),
        (gzip.compress(b"0\tcom.a\n" * 999)[:-20], b"1\t0\n", "v.txt cannot be read"),
    ],
    ids=["page", "names", "empty", "words", "odd", "endless", "cut"],
)
def test_what_is_no_graph_is_refused(tmp_path, first, second, problem):
    (tmp_path / "v.txt").write_bytes(first)
    (tmp_path / "e.txt").write_bytes(second)
    with pytest.raises(Refused, match=problem):
        CommonCrawl(tmp_path / "v.txt", tmp_path / "e.txt").of("http://a.com/", 5)


def test_a_folder_with_two_graphs_is_refused(tmp_path):
    for name in ("host-vertices.txt", "domain-vertices.txt", "host-edges.txt"):
        (tmp_path / name).write_bytes(b"0\t1\n")
    with pytest.raises(Refused, match="VERTICES,EDGES"):
        CommonCrawl.in_folder(tmp_path)


def test_files_that_are_not_there_are_refused(tmp_path):
    with pytest.raises(Refused, match="no files of a web graph"):
        CommonCrawl(tmp_path / "v.txt", tmp_path / "e.txt")
