"""What every judge promises: relevance from 0 to 1, the same for the same page, in any process, after any stop."""

import shutil
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from lycosa.app.hunts import hunt, resume, why
from lycosa.core.judge import Bags, judges
from lycosa.core.nouns import Page
from lycosa.core.taxonomy import Category, Taxonomy
from lycosa.system.errors import Refused
from lycosa.web.made import Made
from lycosa.web.serving import spawn

WORDS = "wolf spider hunts den ant moth hill light bee 1994 über"
TREE = Taxonomy(
    (
        Category("Good", ("http://wolf spider hunts",), good=True),
        Category("Bad", ("http://ant hill", "http://moth light")),
    )
)
READY = {
    "cosine": {},
    "tfidf": {"others": ("wolf ant", "ant hill", "moth")},
    "centroid": {"examples": ("wolf hunts", "spider spider den"), "keywords": 0.3},
    "naive-bayes": {"examples": ("wolf hunts", "spider den"), "others": ("ant hill", "moth light")},
    "linear": {"examples": ("wolf hunts", "spider den"), "others": ("ant hill", "moth light", "ant wolf")},
    "taxonomy": {"taxonomy": TREE},
}
texts = some.lists(some.sampled_from(WORDS.split()), max_size=400).map(" ".join) | some.text(max_size=60)


def test_every_judge_but_the_one_with_a_model_of_its_own_is_tried_here():
    assert READY.keys() | {"embedding", "llm"} == judges().keys()


@pytest.mark.parametrize("name", READY)
def test_relevance_lies_between_0_and_1_and_is_the_same_again(judge, name):
    first, second, sharing = (judge(name, "wolf spider", **READY[name]) for _ in range(3))
    sharing.bags = Bags()

    @settings(max_examples=60, deadline=None)
    @given(texts)
    def check(text):
        # The shared words are kept by address.
        page = Page(f"http://a.test/{text}", text)
        verdict = first(page)
        assert 0 <= verdict.relevance <= 1
        assert all(0 <= share <= 1 for share in verdict.labels.values())
        assert verdict == first(page) == second(page) == sharing(page)

    check()


WEB = "made:pages=600,topics=3,seed=5"
TOPIC = Made(pages=600, topics=3, seed=5).topics[0]


def crawl(out, judge, take=None, **options):
    options = {"pages": 24, "replay": WEB, "workers": 1, **options}
    with hunt(TOPIC.keywords, TOPIC.examples, judge=judge, out=out, **options) as running:
        return [(visit.url, visit.relevance) for visit in islice(running, take)]


@pytest.fixture(scope="module")
def past(tmp_path_factory):
    folder = tmp_path_factory.mktemp("past") / "c"
    crawl(folder, "cosine", strategy="breadth-first", pages=60)
    return folder


@pytest.mark.parametrize("judge", ["linear", "naive-bayes:words=10"])
def test_a_scout_in_a_process_of_its_own_judges_alike(tmp_path, past, judge):
    virtual = crawl(tmp_path / "virtual", judge, past=[str(past)])
    with spawn(WEB) as served:
        live = crawl(
            tmp_path / "http",
            judge,
            past=[str(past)],
            replay=None,
            proxy=served.proxy,
            delay=0.0,
            processes=1,
        )
    assert live == virtual
    assert len({relevance for _, relevance in live}) > 10
    assert why(tmp_path / "http", live[-1][0])[-1].judge_score == live[-1][1]


def test_a_resumed_crawl_judges_as_before_although_the_background_is_gone(tmp_path, past):
    shutil.copytree(past, tmp_path / "past")
    background = str(tmp_path / "past")
    whole = crawl(tmp_path / "whole", "linear", background=background)
    first = crawl(tmp_path / "c", "linear", take=9, background=background)
    shutil.rmtree(tmp_path / "past")
    with resume(tmp_path / "c") as running:
        rest = [(visit.url, visit.relevance) for visit in running]
    assert first + rest == whole


@pytest.mark.parametrize(
    ("judge", "how", "problem"),
    [
        ("tfidf", {}, "the frequencies of words are not known"),
        ("linear", {}, "the frequencies of words are not known"),
        ("centroid", {"on_topic": False}, "learns from example pages, and the topic has none"),
        ("taxonomy", {}, "there is no taxonomy"),
        ("centroid:share=1", {}, "judge centroid has no option 'share'"),
        ("linear:C=much", {}, "option C of linear takes float"),
        ("nobody", {}, "unknown judge 'nobody'"),
    ],
)
def test_what_cannot_be_judged_is_refused_before_there_is_a_folder(tmp_path, judge, how, problem):
    with pytest.raises(Refused, match=problem):
        crawl(tmp_path / "c", judge, **how)
    assert not (tmp_path / "c").exists()
