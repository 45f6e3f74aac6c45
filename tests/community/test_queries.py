"""The log of questions: nobody is held up by it, and nothing is in it that should not be."""

import subprocess
import sys
import time

import pytest

from lycosa.community.queries import DAY, LONGEST, QueryLog
from lycosa.system.errors import Refused


@pytest.fixture
def log(tmp_path):
    return QueryLog(tmp_path / "queries.jsonl")


def test_spellings_of_a_question_are_one(log):
    for text in ("Tax  Return", "tax return ", "\ttax\x00return\n", "other"):
        assert log.add(text, 3)
    assert [(one.text, one.times) for one in log.interests()] == [("tax return", 3), ("other", 1)]


def test_the_last_number_of_results_counts(log):
    log.add("tax", 0, at=200.0)
    log.add("tax", 5, at=100.0)
    (one,) = log.interests()
    assert (one.results, one.last, one.times) == (0, 200.0, 2)


def test_nothing_private_reaches_the_disk(log):
    assert not log.add("my illness", 1, private=True)
    assert not QueryLog(log.file, on=False).add("my illness", 1)
    assert not QueryLog(log.file, ["illness"]).add("My ILLNESS", 1)
    assert not log.file.exists()


@pytest.mark.parametrize(
    "text",
    [
        "who is jane.doe@example.org",
        "call +49 170 123 45 67",
        "0170/1234567",
        "4111 1111 1111 1111",
        "12345678",
        " \x00",
    ],
)
def test_addresses_and_long_numbers_are_left_out_unless_told(log, text):
    assert not log.add(text, 1) and not log.file.exists()


@pytest.mark.parametrize("text", ["tax 2026-01-31", "budget 2025 2026", "rfc 9110", "@home", "100,000 pages", "c++"])
def test_dates_and_small_numbers_are_questions(log, text):
    assert log.add(text, 1)


def test_what_the_stop_list_names_later_is_no_longer_used(log):
    log.add("project falcon", 1)
    log.add("tax", 1)
    stricter = QueryLog(log.file, ["falcon"])
    assert stricter.representative() == ["tax"] and [one.text for one in stricter.recent()] == ["tax"]
    assert b"falcon" in log.file.read_bytes()
    assert stricter.forget("nothing") == 1
    assert b"falcon" not in log.file.read_bytes()


def test_questions_are_forgotten_for_good(log):
    for day, text in enumerate(["tax", "Tax", "falcon one", "falcon two", "bike"]):
        log.add(text, 1, at=day * DAY)
    assert log.forget("TAX ") == 2
    assert log.forget(pattern="^FALCON") == 2
    assert log.forget(before=10 * DAY) == 1
    assert log.file.read_bytes() == b"" and log.interests() == []
    assert log.add("again", 1) and len(log) == 1
    with pytest.raises(Refused, match="not a pattern"):
        log.forget(pattern="(")


def test_forgetting_where_nothing_was_asked_is_nothing(log):
    assert log.forget("x") == 0 and len(log) == 0 and log.representative() == []


def test_only_recent_questions_count(log):
    log.add("old", 1, at=100 * DAY)
    log.add("new", 1, at=106 * DAY)
    assert log.representative(days=7, now=108 * DAY) == ["new"]
    assert log.representative(days=9, now=108 * DAY) == ["new", "old"]


def asked(log, times):
    for text, count in times.items():
        for _ in range(count):
            log.add(text, 1, at=0.0)


def test_all_questions_are_representative_most_frequent_first(log):
    asked(log, {"b": 2, "a": 2, "c": 5, "d": 1})
    assert log.representative() == ["c", "a", "b", "d"] == log.representative(9)


def test_a_sample_is_weighted_by_frequency_and_reproducible(log):
    asked(log, {"often": 30, **{f"q{n}": 1 for n in range(10)}})
    drawn = [log.representative(1, seed=seed) for seed in range(200)]
    assert drawn == [log.representative(1, seed=seed) for seed in range(200)]
    share = sum(one == ["often"] for one in drawn) / 200
    assert 0.65 < share < 0.85  # 30 of 40
    sample = log.representative(4, seed=3)
    assert len(sample) == len(set(sample)) == 4


@pytest.mark.parametrize("text", ["x " * 100_000, "\ud800\udfff odd", '"quotes\\', "\u202ereversed", "é" * 10_000])
def test_strange_questions_are_kept_in_part(log, text):
    log.add(text, 1)
    assert all(len(entry.text) <= LONGEST and entry.text.isprintable() for entry in log.recent())
    assert log.add("next", 1) and log.recent()[-1].text == "next"


def test_half_a_line_of_somebody_who_died_spoils_nothing(log):
    log.add("first", 1)
    with log.file.open("ab") as file:
        file.write(b'{"text":"ha')
    log.add("second", 1)
    assert [entry.text for entry in log.recent()] == ["first", "second"]


def test_a_log_that_cannot_be_written_fails_no_search(tmp_path):
    (tmp_path / "folder").mkdir()
    for file in (tmp_path / "folder", tmp_path / "no" / "such" / "place", tmp_path / ("x" * 300)):
        assert not QueryLog(file).add("tax", 1)


def test_a_search_is_not_held_up_by_somebody_who_forgets(log):
    import fcntl

    log.add("tax", 1)
    with log.file.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        began = time.monotonic()
        assert not log.add("bike", 1)
        assert time.monotonic() - began < 60
    assert log.add("bike", 1)


WRITER = """
import sys
from pathlib import Path
from lycosa.community.queries import QueryLog
log = QueryLog(Path(sys.argv[1]))
print(sum(log.add(f"question {sys.argv[2]} {n % 7} " + "x" * (n % 90), n) for n in range(300)))
"""


def test_several_processes_write_at_once_while_another_forgets(log):
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(log.file), str(n)], stdout=subprocess.PIPE, text=True)
        for n in range(3)
    ]
    gone = 0
    while any(writer.poll() is None for writer in writers):
        gone += log.forget(pattern=r"question 1 3\b")
        time.sleep(0.005)
    written = sum(int(writer.communicate()[0]) for writer in writers)
    assert len(log) + gone == written > 600
    assert all(entry.text.startswith("question") for entry in log.recent())
