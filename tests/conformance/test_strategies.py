"""What every strategy keeps to, on every web: it ends, repeats itself, can be interrupted, and says why."""

from __future__ import annotations

import ast
import inspect
import sys
from itertools import islice, pairwise
from math import isfinite
from typing import Any, NamedTuple

import pytest

from lycosa.app.hunts import hunt, resume, why
from lycosa.core.events import Leased, Visited
from lycosa.core.nouns import Visit
from lycosa.core.registry import options
from lycosa.core.strategy import Strategy, make, strategies
from lycosa.face import cli
from lycosa.store.collection import Collection
from lycosa.system.errors import Refused
from lycosa.web.serving import spawn
from lycosa.web.source_names import open_made
from lycosa.web.testbed import make_bed

WEB = "made:pages=300,topics=4,seed=3,page_bytes=1500,traps=no"  # a test bed holds no endless traps
TOPIC = open_made(WEB).topics[1]
OURS = {name: kind for name, kind in strategies().items() if kind.__module__.startswith("lycosa.")}
PAGES = 25
SEEDS = TOPIC.examples[:4]

GEAR: dict[str, dict[str, Any]] = {
    "best-n-first": {"settings": {"n": 16}},
    "context-graph": {"inlinks": [WEB], "settings": {"layers": 2, "sample": 20}},
    "focused": {"taxonomy": WEB, "good": [TOPIC.category]},
}
"""What a strategy needs besides keywords and seeds, as `hunt` is told: a line for each that does."""

every_strategy = pytest.mark.parametrize("strategy", OURS)


class Hunted(NamedTuple):
    """A crawl that is over."""

    visits: list[Visit]
    finished: bool

    @property
    def urls(self) -> list[str]:
        """Its pages in their order."""
        return [visit.url for visit in self.visits]


def crawl(strategy, folder, pages=PAGES, **web) -> Hunted:
    """Hunt with one worker on some web, the made one in virtual time if nothing else is said."""
    how = {"strategy": strategy, "pages": pages, "delay": 0.0, "workers": 1, "index": False}
    how |= GEAR.get(strategy, {})
    with hunt(TOPIC.keywords, SEEDS, out=folder, **how, **(web or {"replay": WEB})) as running:
        return Hunted(list(running), running.crawl.stopped.finished)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The uninterrupted crawl of each strategy on the made web, and where its collection is."""
    done = {}

    def whole(strategy):
        if strategy not in done:
            folder = tmp_path_factory.mktemp("whole") / strategy
            done[strategy] = crawl(strategy, folder), folder
        return done[strategy]

    return whole


@pytest.fixture(scope="module")
def bed(tmp_path_factory):
    return make_bed(open_made(WEB), tmp_path_factory.mktemp("bed") / "bed").path


@pytest.fixture(scope="module")
def served():
    with spawn(WEB) as served:
        yield served


def test_whoever_learns_from_a_word_unlearns_it_when_it_is_taken_back():
    for kind in OURS.values():
        assert (kind.judged is Strategy.judged) == (kind.withdrawn is Strategy.withdrawn)


@every_strategy
def test_a_crawl_ends_and_spends_its_budget(whole, strategy):
    hunted, _ = whole(strategy)
    assert len(set(hunted.urls)) == len(hunted.urls) == PAGES
    assert hunted.finished


@every_strategy
def test_the_same_crawl_is_made_again_on_a_test_bed(whole, bed, tmp_path, strategy):
    assert crawl(strategy, tmp_path / "bed", bed=bed, topic=TOPIC.id).urls == whole(strategy)[0].urls


SENSELESS = {name for name, kind in OURS.items() if kind.sense is Strategy.sense} - {"best-first", "random"}
"""They have nothing done where pages are fetched, so two of their kind say as much as all; the rest by `make slow`."""


@pytest.mark.parametrize(
    "strategy", [pytest.param(name, marks=pytest.mark.slow if name in SENSELESS else ()) for name in OURS]
)
def test_the_same_crawl_is_made_again_over_http(whole, served, tmp_path, strategy):
    assert crawl(strategy, tmp_path / "http", proxy=served.proxy).urls == whole(strategy)[0].urls


@pytest.mark.parametrize("strategy", ["best-first", "dom"])
def test_a_crawl_can_be_made_again_from_its_own_recording(whole, tmp_path, strategy):
    hunted, folder = whole(strategy)
    assert crawl(strategy, tmp_path / "again", replay=str(folder / "pages")).urls == hunted.urls


@every_strategy
@pytest.mark.parametrize("from_log_alone", [False, True], ids=["checkpoint", "log"])
def test_a_crawl_interrupted_in_the_middle_goes_on_as_if_it_had_not_been(whole, tmp_path, strategy, from_log_alone):
    how = {"strategy": strategy, "pages": PAGES, "index": False, **GEAR.get(strategy, {})}
    urls = []
    with hunt(TOPIC.keywords, SEEDS, out=tmp_path / "c", replay=WEB, **how) as running:
        urls += [visit.url for visit in islice(running, PAGES * 3 // 5)]
    if from_log_alone:
        (tmp_path / "c" / "checkpoint").unlink()
    with resume(tmp_path / "c") as running:
        urls += [visit.url for visit in running]
    assert urls == whole(strategy)[0].urls


@every_strategy
def test_what_is_sensed_and_remembered_of_a_link_is_plain_data(whole, strategy):
    """What comes back from the log is what went into it: a tuple, for one, would come back as a list."""
    hunted, folder = whole(strategy)
    collection = Collection.open(folder)
    try:
        logged = [entry.event.visit for entry in collection.log.read() if isinstance(entry.event, Visited)]
    finally:
        collection.close()
    for before, after in zip(hunted.visits, logged, strict=True):
        assert (after.sense, after.ticket) == (before.sense, before.ticket)


@every_strategy
def test_why_names_the_parts_of_every_link_s_score(whole, strategy):
    hunted, folder = whole(strategy)
    path = why(folder, hunted.urls[-1])
    assert path[0].via is None
    collection = Collection.open(folder)
    try:
        leases = [entry.event for entry in collection.log.read() if isinstance(entry.event, Leased)]
    finally:
        collection.close()
    found = [lease for lease in leases if lease.ticket.via]
    assert len(found) > PAGES // 2
    for lease in found:
        assert lease.parts, f"{lease.ticket.url} has a score and no reasons"
        assert all(name and isfinite(value) for name, value in lease.parts.items())


@every_strategy
def test_every_option_is_documented(strategy):
    documented = set().union(*map(fields_with_docstrings, OURS[strategy].__mro__))
    assert [option.name for option in options(OURS[strategy]) if option.name not in documented] == []


def fields_with_docstrings(kind):
    """The fields of a class that are followed by a text."""
    if not kind.__module__.startswith("lycosa."):
        return set()
    body = ast.parse(inspect.getsource(kind)).body[0].body  # type: ignore[attr-defined]
    return {
        field.target.id
        for field, text in pairwise(body)
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
    }


@every_strategy
def test_impossible_options_are_refused(strategy):
    for option in options(OURS[strategy]):
        for wrong in {"int": ("many", "-1000000"), "float": ("much", "nan")}.get(option.type, ()):
            with pytest.raises(Refused, match=option.name):
                make(strategy, {option.name: wrong})


@every_strategy
def test_a_bad_option_ends_a_crawl_before_its_first_fetch_with_one_line(strategy, tmp_path, monkeypatch, capsys):
    arguments = ["crawl", TOPIC.keywords, "--seed", SEEDS[0], "--replay", WEB, "--out", str(tmp_path / "c")]
    monkeypatch.setattr(sys, "argv", ["lycosa", *arguments, "--strategy", strategy, "--set", "patience=1000"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert said.startswith(f"lycosa: strategy {strategy} has no option 'patience': its options: ")
    assert said.count("\n") == 1
    assert not (tmp_path / "c").exists()
