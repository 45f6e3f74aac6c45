"""Sources of in-links are told by their names."""

import pytest

import lycosa
from lycosa.core.inlinks import Together
from lycosa.engine.inlink_sources import InlinkSource, kind_of, open_inlinks
from lycosa.system.errors import Refused
from lycosa.web.inlinks.service import Service
from lycosa.web.made import Made
from lycosa.web.testbed import Bed, make_bed

WEB = "made:pages=200,topics=3,seed=5,page_bytes=500"


@pytest.fixture(scope="module")
def bed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("beds") / "bed"
    make_bed(Made(pages=200, topics=3, seed=5, page_bytes=500), folder)
    return folder


@pytest.fixture(scope="module")
def collection(bed, tmp_path_factory):
    folder = tmp_path_factory.mktemp("collections") / "c"
    topic = Bed(bed).topics[0].id
    with lycosa.hunt(bed=bed, topic=topic, pages=150, strategy="breadth-first", out=folder) as hunt:
        assert len(list(hunt)) == 150
    return folder


def test_beds_recordings_and_made_webs_know_the_same(bed):
    seed = Bed(bed).topics[0].examples[0]
    sources = [open_inlinks([str(text)]) for text in (bed, bed / "pages.warc.gz", WEB)]
    first, *others = (source.of(seed, 50) for source in sources)
    assert len(first) > 3
    assert all(other == first for other in others)


def test_a_crawl_knows_a_part_of_what_its_web_knows(bed, collection):
    seed = Bed(bed).topics[0].examples[0]
    whole, part = open_inlinks([str(bed)]), open_inlinks([str(collection)])
    known = part.of(seed, 100)
    # Among the links of a crawl are those of redirects, which a recording follows.
    assert len(set(known) & set(whole.of(seed, 100))) >= len(known) / 2 > 1
    part.close()


def test_a_graph_is_a_folder_or_a_pair_of_files(tmp_path):
    (tmp_path / "host-vertices.txt").write_text("0\torg.seed\n1\torg.hub\n")
    (tmp_path / "host-edges.txt").write_text("1\t0\n")
    for text in (str(tmp_path), f"{tmp_path}/host-vertices.txt,{tmp_path}/host-edges.txt"):
        assert open_inlinks([text]).of("http://seed.org/", 5) == ["https://hub.org/"]


def test_a_service_is_a_url_and_nobody_is_asked_when_it_is_opened():
    assert isinstance(open_inlinks(["http://127.0.0.1:1/?url={url}"]), Service)


def test_several_sources_are_one(tmp_path, bed):
    (tmp_path / "vertices.txt").write_text("0\torg.seed\n1\torg.hub\n")
    (tmp_path / "edges.txt").write_text("1\t0\n")
    both = open_inlinks([str(bed), str(tmp_path), str(bed)])
    assert isinstance(both, Together)
    assert len(both.sources) == 2
    seed = Bed(bed).topics[0].examples[0]
    assert both.of("http://seed.org/", 5) == ["https://hub.org/"]
    assert both.of(seed, 5) == open_inlinks([str(bed)]).of(seed, 5)


def test_what_was_opened_is_closed_when_the_next_is_nonsense(collection):
    # A graph left open would be told by Python as a resource that was never closed.
    with pytest.raises(Refused):
        open_inlinks([str(collection), "nonsense"])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("nowhere", "no such file or folder"),
        ("", "holds no in-links"),
        ("a.txt,b.txt", "no files of a web graph at a.txt"),
        ("http://host.test/", "has no place for the URL"),
        ("made:pages=many", "is not a setting of a made web"),
    ],
)
def test_nonsense_is_refused(tmp_path, monkeypatch, text, problem):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Refused, match=problem):
        open_inlinks([text])


def test_a_file_or_folder_of_something_else_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("nothing")
    for path in (tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(Refused, match="holds no in-links: name a collection"):
            open_inlinks([str(path)])


def test_no_source_at_all_is_refused():
    with pytest.raises(Refused, match="no source of in-links"):
        open_inlinks([])


def test_a_bed_is_known_by_its_pages(bed):
    assert kind_of(str(bed)) == (InlinkSource.RECORDING, str(bed / "pages.warc.gz"))
