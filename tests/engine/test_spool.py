"""The spool gives what scouts parsed, once; what it cannot give whole it does not give at all."""

import pytest

from lycosa.core.nouns import Link, Page, Where
from lycosa.engine import spool as module
from lycosa.engine.spool import Held, Spooled, SpoolReader, SpoolWriter, spooled
from lycosa.store.folders import SPOOL


def page(number, text="wolf spiders hunt"):
    links = [Link("http://b.test/", (0, 4), ((0, 9),)), Link("http://c.test/", (5, 12))]
    return Page(f"http://a.test/{number}", f"{text} {number}", links, title="T", headings="One\nTwo")


def place(number):
    return Where("run-00-001-00000.warc.gz", 1000 * number, 900)


@pytest.fixture
def writer(tmp_path):
    writer = SpoolWriter(tmp_path, "run-00-001")
    yield writer
    writer.close()


@pytest.fixture
def reader(tmp_path):
    reader = SpoolReader(tmp_path)
    yield reader
    reader.close()


def files(folder):
    return sorted((folder / SPOOL).glob("*.spool"))


def test_what_was_kept_is_given_once(writer, reader):
    for number in range(3):
        writer.keep(place(number), page(number))
    taken = reader.take(place(1), "http://a.test/1")
    links = (("http://b.test/", (0, 4)), ("http://c.test/", (5, 12)))
    assert taken == Spooled("http://a.test/1", "wolf spiders hunt 1", "One\nTwo", links)
    assert reader.take(place(1), "http://a.test/1") is None
    assert reader.take(place(2), "http://a.test/2") == spooled(page(2))
    assert reader.take(place(0), "http://a.test/0") == spooled(page(0))


def test_what_comes_while_it_is_read_is_given_too(writer, reader):
    writer.keep(place(0), page(0))
    assert reader.take(place(0), "http://a.test/0")
    assert reader.take(place(1), "http://a.test/1") is None
    writer.keep(place(1), page(1))
    assert reader.take(place(1), "http://a.test/1")


def test_a_record_of_another_page_is_not_given(writer, reader):
    writer.keep(place(0), page(0))
    assert reader.take(place(0), "http://a.test/other") is None


@pytest.mark.parametrize("at", [0, 3, 5, 13, 22, 60, -1])
def test_a_flipped_bit_costs_a_page_and_never_gives_a_wrong_one(tmp_path, writer, reader, at):
    for number in range(3):
        writer.keep(place(number), page(number))
    (file,) = files(tmp_path)
    damaged = bytearray(file.read_bytes())
    damaged[at] ^= 0x10
    file.write_bytes(damaged)
    taken = [reader.take(place(number), f"http://a.test/{number}") for number in range(3)]
    assert None in taken
    assert all(found in (None, spooled(page(number))) for number, found in enumerate(taken))


def test_a_file_that_is_cut_anywhere_gives_what_is_whole(tmp_path, writer):
    for number in range(2):
        writer.keep(place(number), page(number))
    (file,) = files(tmp_path)
    whole = file.read_bytes()
    for size in range(len(whole)):
        file.write_bytes(whole[:size])
        reader = SpoolReader(tmp_path)
        taken = [reader.take(place(number), f"http://a.test/{number}") for number in range(2)]
        reader.close()
        assert taken == [spooled(page(0)) if size >= len(whole) // 2 else None, None]


@pytest.mark.parametrize("garbage", [b"", b"\0" * 100, b"\xff" * 100, b"nothing of ours"])
def test_a_file_of_something_else_gives_nothing(tmp_path, reader, garbage):
    (tmp_path / SPOOL).mkdir()
    (tmp_path / SPOOL / "strange.spool").write_bytes(garbage)
    assert reader.take(place(0), "http://a.test/0") is None
    reader.sweep(all=True)
    assert not (tmp_path / SPOOL).exists()


def test_files_are_removed_once_a_later_one_was_taken_from(tmp_path, writer, reader, monkeypatch):
    monkeypatch.setattr(module, "SEGMENT", 300)
    for number in range(12):
        writer.keep(place(number), page(number))
    written = files(tmp_path)
    assert len(written) > 3
    reader.take(place(0), "http://a.test/0")
    reader.sweep()
    assert files(tmp_path) == written
    reader.take(place(11), "http://a.test/11")
    reader.sweep()
    assert files(tmp_path) == written[-1:]


def test_a_spool_from_which_nobody_takes_does_not_grow_for_ever(tmp_path, reader, monkeypatch):
    monkeypatch.setattr(module, "SEGMENT", 300)
    now = [0.0]
    writer = SpoolWriter(tmp_path, "run-00-001", clock=lambda: now[0])
    for number in range(200):
        writer.keep(place(number), page(number))
    assert len(files(tmp_path)) == module.BEHIND
    last = max(number for number in range(200) if reader.take(place(number), f"http://a.test/{number}"))
    reader.sweep()
    now[0] += 5.0
    writer.keep(place(last + 1), page(last + 1))
    assert reader.take(place(last + 1), f"http://a.test/{last + 1}")
    writer.close()


def test_two_writers_do_not_wait_for_each_other(tmp_path, reader, monkeypatch):
    monkeypatch.setattr(module, "SEGMENT", 300)
    one, other = SpoolWriter(tmp_path, "run-00-001"), SpoolWriter(tmp_path, "run-01-001")
    for number in range(6):
        one.keep(place(number), page(number))
        other.keep(place(100 + number), page(100 + number))
    one.close()
    other.close()
    assert reader.take(place(5), "http://a.test/5")
    reader.sweep()
    assert reader.take(place(100), "http://a.test/100")


def test_what_cannot_be_written_is_left_to_the_archive(tmp_path, reader):
    (tmp_path / SPOOL).write_text("a file where the folder should be")
    writer = SpoolWriter(tmp_path, "run-00-001")
    writer.keep(place(0), page(0))
    (tmp_path / SPOOL).unlink()
    other = SpoolWriter(tmp_path, "run-00-002")
    other.keep(place(1), page(1, "\ud800"))
    other.keep(place(2), page(2))
    other.close()
    assert reader.take(place(1), "http://a.test/1") is None
    assert reader.take(place(2), "http://a.test/2")


def test_in_memory_it_is_the_same():
    held = Held()
    held.keep(place(0), page(0))
    held.keep(place(1), page(1))
    assert held.take(place(0), "http://a.test/0") == spooled(page(0))
    assert held.take(place(0), "http://a.test/0") is None
    held.sweep()
    assert len(held) == 1
    held.sweep(all=True)
    assert len(held) == 0
