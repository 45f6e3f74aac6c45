"""A crawl is kept under everything it depends on: found again when nothing has changed, and only then."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from msgspec.structs import replace

from lycosa import core
from lycosa.lab import corpus_builder, crawls
from lycosa.lab.comparison import Configuration, Pace, Track
from lycosa.lab.crawls import Crawls, Keys
from lycosa.lab.traits import Traits, traits_of
from lycosa.lab.trial import Trial
from lycosa.system.errors import Refused

JOB = Trial("best-n-first:n=16", "best-n-first", {"n": 16}, "spiders", ("http://a.test/", "http://b.test/"), 100)
ENTRANT = Traits({"n": 16, "buffer": 256}, "the code", 256)


@pytest.fixture
def track():
    rng = np.random.default_rng(1)
    return Track(
        rng.permutation(5000).astype(np.int32)[:1000],
        rng.integers(-1, 5000, 1000).astype(np.int32),
        rng.random(1000),
        missing=3,
        misses=5,
        cpu=0.25,
        ended="budget spent: pages",
        requests=rng.geometric(0.6, 1000).astype(np.int32),
        seconds=np.cumsum(rng.random(1000)),
        chance=rng.random(1000),
        asked=3000,
    )


def same(one, other):
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in Track.__struct_fields__)


def test_what_was_kept_is_found_again(tmp_path, track):
    Crawls(tmp_path / "new" / "crawls").put("key", track)
    crawls = Crawls(tmp_path / "new" / "crawls")
    found = crawls.get("key")
    assert same(found, track)
    assert (found.pages.dtype, found.via.dtype, found.relevance.dtype) == (np.int32, np.int32, np.float64)
    assert (found.requests.dtype, found.seconds.dtype, found.chance.dtype) == (np.int32, np.float64, np.float64)
    assert crawls.get("another") is None


def test_an_empty_track_can_be_kept(tmp_path):
    crawls, empty = Crawls(tmp_path), Track(*(np.empty(0, kind) for kind in (np.int32, np.int32, np.float64)))
    crawls.put("key", empty)
    assert same(crawls.get("key"), empty)


def test_a_damaged_file_counts_as_missing(tmp_path, track):
    crawls = Crawls(tmp_path)
    crawls.put("key", track)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    for damaged in (b"", b"nonsense", whole[:-9], whole[:200] + b"\0\0\0" + whole[203:], whole[:9]):
        file.write_bytes(damaged)
        assert crawls.get("key") is None
    crawls.put("key", track)
    assert same(crawls.get("key"), track)


def test_files_are_small(tmp_path, track):
    track.relevance, track.seconds, track.chance = track.relevance.round(2), None, None
    Crawls(tmp_path).put("key", track)
    (file,) = tmp_path.iterdir()
    assert file.stat().st_size < 8 * len(track.pages)


def test_a_folder_that_cannot_be_written_is_refused(tmp_path, track):
    (tmp_path / "file").write_text("")
    with pytest.raises(Refused, match="cannot be written"):
        Crawls(tmp_path / "file" / "crawls")
    crawls = Crawls(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(Refused, match="cannot be written"):
        crawls.put("key", track)


def test_the_key_changes_with_everything_a_crawl_depends_on():
    key = Keys("world").crawl(JOB, ENTRANT)
    assert key == Keys("world").crawl(JOB, replace(ENTRANT, settings=dict(reversed(ENTRANT.settings.items()))))
    others = {
        Keys("another").crawl(JOB, ENTRANT),
        Keys("world").crawl(JOB, replace(ENTRANT, settings={"n": 16, "buffer": 128})),
        Keys("world").crawl(JOB, replace(ENTRANT, code="other code")),
        *(
            Keys("world").crawl(replace(JOB, **change), ENTRANT)
            for change in (
                {"strategy": "best-first"},
                {"keywords": "scorpions"},
                {"seeds": JOB.seeds[::-1]},
                {"pages": 200},
                {"random_seed": 2},
                {"capacity": 70_000},
                {"examples": JOB.seeds[:1]},
                {"examples": JOB.seeds},
                {"pace": Pace(16, 0.0)},
                {"pace": Pace(1, 1.0)},
            )
        ),
    }
    assert len(others | {key}) == 14


def test_the_key_does_not_change_with_an_option_that_has_its_default():
    named = replace(JOB, pace=Pace(1, 0.0), capacity=None, judge_settings={})
    assert Keys("world").crawl(named, ENTRANT) == Keys("world").crawl(JOB, ENTRANT)


def test_the_key_does_not_change_with_the_name():
    assert Keys("world").crawl(replace(JOB, label="mine"), ENTRANT) == Keys("world").crawl(JOB, ENTRANT)


@pytest.mark.parametrize("package", ["selectolax", "ada-url", "PyStemmer"])
def test_the_key_changes_with_the_packages_that_decide_what_a_page_says(package, monkeypatch):
    key = Keys("world").crawl(JOB, ENTRANT)
    version = crawls.version  # type: ignore[attr-defined]
    monkeypatch.setattr(crawls, "version", lambda name: "99" if name == package else version(name))
    assert Keys("world").crawl(JOB, ENTRANT) != key


def test_what_was_counted_is_counted_again_with_another_stemmer(monkeypatch):
    code = corpus_builder._code()
    monkeypatch.setattr(corpus_builder, "version", lambda name: "99")
    corpus_builder._code.cache_clear()
    assert corpus_builder._code() != code
    corpus_builder._code.cache_clear()


def test_the_oracle_depends_on_the_targets():
    keys = Keys("world")
    assert keys.oracle(JOB.seeds, ("t",), 100) == Keys("world").oracle(JOB.seeds, ("t",), 100)
    different = {
        keys.oracle(JOB.seeds, ("t",), 100),
        keys.oracle(JOB.seeds, ("u",), 100),
        keys.oracle(JOB.seeds[:1], ("t",), 100),
        keys.oracle(JOB.seeds, ("t",), 101),
        Keys("another").oracle(JOB.seeds, ("t",), 100),
    }
    assert len(different) == 5


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A copy of the code that decides what crawls do, which a test may change."""
    for room in ("core", "engine", "frontier", "judge", "web"):
        (tmp_path / room).mkdir()
        for file in (Path(core.__file__).parents[1] / room).glob("*.py"):
            (tmp_path / room / file.name).write_bytes(file.read_bytes())
    monkeypatch.setattr(crawls, "core", SimpleNamespace(__file__=str(tmp_path / "core" / "__init__.py")))
    return tmp_path


@pytest.mark.parametrize(
    ("file", "who"),
    [
        ("core/page_model.py", [True, False]),
        ("core/calibration.py", [True, False]),
        ("engine/relevance.py", [True, False]),
        ("core/words.py", [True, True]),
        ("engine/crawl.py", [True, True]),
    ],
)
def test_only_strategies_that_read_the_page_model_depend_on_its_code(house, file, who):
    readers = [replace(ENTRANT, reads_pages=reads) for reads in (True, False)]
    before = [Keys("world").crawl(JOB, each) for each in readers]
    with (house / file).open("a") as text:
        text.write("# another line\n")
    after = [Keys("world").crawl(JOB, each) for each in readers]
    assert [one != other for one, other in zip(before, after, strict=True)] == who


def test_each_strategy_says_whether_it_reads_the_page_model():
    ours = {name: traits_of([Configuration(name, name, {})])[0].reads_pages for name in ("apprentice", "best-first")}
    assert ours == {"apprentice": True, "best-first": False}
