"""`lycosa words train`, and the judge that uses its vectors, as their users meet them."""

import json
import sys

import numpy as np
import pytest

from lycosa.app.hunts import hunt
from lycosa.core.judge import make
from lycosa.core.nouns import Page, Topic
from lycosa.core.priors import Priors
from lycosa.core.strategy import make as make_strategy
from lycosa.judge.vector_folder import read_vectors
from lycosa.system.errors import Refused
from lycosa.web.parse import parse

SITE = "http://web.test/"
SPIDERS = ["spider", "silk", "venom", "burrow", "prey", "eggs"]
FINANCE = ["market", "stock", "bond", "dividend", "broker", "interest"]


def text(words, number):
    """Four of the six words, other ones on each page."""
    chosen = [word for at, word in enumerate(words) if (at + number) % 6 < 4]
    return " ".join(chosen) + " notes"


PAGES = {f"{SITE}s{n}": text(SPIDERS, n) for n in range(12)} | {f"{SITE}f{n}": text(FINANCE, n) for n in range(12)}
PAGES = {url: f"<title>Page</title><p>{words}" for url, words in PAGES.items()}
PAGES = {SITE: "<title>All</title>" + "".join(f'<p><a href="{url}">page</a>' for url in PAGES)} | PAGES


@pytest.fixture(scope="module")
def collection(collected, tmp_path_factory):
    folder = tmp_path_factory.mktemp("words") / "c"
    collected(folder, PAGES, "spider")
    return folder


@pytest.fixture
def vectors(run, collection, tmp_path):
    done = run("words", "train", collection, "--out", tmp_path / "v", "--size", 4, "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["pages"], told["size"], told["folder"]) == (25, 4, str(tmp_path / "v"))
    return tmp_path / "v"


def test_words_of_one_subject_are_nearer_to_each_other_than_to_those_of_another(vectors):
    found = read_vectors(vectors)
    spiders, finance = (np.array([found.of_text(word, 1) for word in words]) for words in (SPIDERS, FINANCE))
    assert np.linalg.norm(spiders, axis=1) == pytest.approx(1)
    for same, other in ((spiders, finance), (finance, spiders)):
        assert (same @ same.mean(axis=0)).min() > (other @ same.mean(axis=0)).max() + 0.3


def test_a_page_without_a_keyword_is_judged_by_its_subject_without_model2vec(vectors, monkeypatch):
    monkeypatch.setitem(sys.modules, "model2vec", None)
    judge, topic = make("embedding", {"model": str(vectors)}), Topic("spider")
    assert list(judge.study(topic, Priors())) == []
    judge.prepare(topic, Priors())
    near, far, unknown = (judge(Page(SITE, said)).relevance for said in ("silk venom", "stock broker", "unheard"))
    assert near > far + 0.3
    assert 0 <= far <= near <= 1
    assert unknown == 0


def test_a_hunt_ranks_pages_of_the_topic_first(vectors, collection, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "model2vec", None)
    how = {"judge": f"embedding:model={vectors}", "replay": str(collection / "pages"), "index": False, "workers": 1}
    with hunt("spider", [SITE], on_topic=False, pages=25, out=tmp_path / "again", **how) as running:
        scores = {visit.url: visit.relevance for visit in running}
    assert len(scores) == 25
    worst = min(score for url, score in scores.items() if url.startswith(f"{SITE}s"))
    assert worst > max(score for url, score in scores.items() if url.startswith(f"{SITE}f"))


def test_links_are_ranked_by_the_meaning_of_the_words_around_them(vectors, monkeypatch):
    monkeypatch.setitem(sys.modules, "model2vec", None)
    judge, strategy = make("embedding", {"model": str(vectors)}), make_strategy("judged-context", {"words": 0})
    judge.prepare(Topic("spider"), Priors())
    strategy.judge_text = judge.of_text
    links = "".join(f'<li><a href="{SITE}{words[0]}">{" ".join(words[1:3])}</a>' for words in (FINANCE, SPIDERS))
    page = parse(SITE, f"<ul>{links}</ul>".encode(), "text/html; charset=utf-8", context=True)
    finance, spiders = strategy.sense(page, Topic("spider"))
    assert spiders > finance + 0.3


def test_the_same_pages_give_the_same_vectors_and_replace_earlier_ones(run, collection, vectors):
    before = {file.name: file.read_bytes() for file in vectors.iterdir()}
    assert run("words", "train", collection, "--out", vectors, "--size", 3).returncode == 0
    assert (vectors / "vectors.npy").read_bytes() != before["vectors.npy"]
    assert run("words", "train", collection, "--out", vectors, "--size", 4).returncode == 0
    assert {file.name: file.read_bytes() for file in vectors.iterdir()} == before
    assert [path.name for path in vectors.parent.iterdir()] == ["v"]


def test_without_a_place_they_are_put_beside_the_collection(run, collection):
    assert "--judge embedding:model=" in run("words", "train", collection).stdout
    assert read_vectors(collection.with_name("c-vectors")).words


def refused(done, problem):
    assert done.returncode == 2
    assert problem in done.stderr
    assert done.stderr.count("\n") == 1


def test_what_cannot_be_trained_is_refused_in_one_line(run, collection, collected, tmp_path):
    refused(run("words", "train", tmp_path / "nowhere"), "is not a collection")
    refused(run("words", "train", collection, "--size", 1), "size cannot be 1")
    refused(run("words", "train", collection, "--out", collection), "holds something else")
    (tmp_path / "file").write_text("mine")
    refused(run("words", "train", collection, "--out", tmp_path / "file"), "holds something else")
    assert (tmp_path / "file").read_text() == "mine"
    collected(tmp_path / "few", {SITE: "<p>one page about spiders"}, "spider")
    refused(run("words", "train", tmp_path / "few"), "at least 10 are needed")
    assert not (tmp_path / "few-vectors").exists()


def test_without_scipy_the_extra_is_named(run, collection, monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    refused(run("words", "train", collection), "lycosa[lab]")


def shorter(file):
    file.write_bytes(file.read_bytes()[:-9])


def other_version(file):
    file.write_text(file.read_text().replace('"version": 1', '"version": 2'))


@pytest.mark.parametrize(
    ("name", "harm", "problem"),
    [
        ("vectors.npy", shorter, "cannot be read"),
        ("words.txt", shorter, "cannot be read"),
        ("words.txt", lambda file: file.unlink(), "cannot be read"),
        ("about.json", other_version, "have version 2"),
        ("about.json", shorter, "neither trained vectors nor"),
    ],
)
def test_a_damaged_folder_is_refused_before_the_first_fetch(vectors, name, harm, problem):
    pytest.importorskip("model2vec", reason="the extra lycosa[embedding] is not installed")
    harm(vectors / name)
    with pytest.raises(Refused, match=problem):
        list(make("embedding", {"model": str(vectors)}).study(Topic("spider"), Priors()))
