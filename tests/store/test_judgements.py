"""The inbox: any number of writers, one reader that never loses its place, and lines that were never finished."""

import subprocess
import sys

import pytest

from lycosa.core.nouns import Judgement
from lycosa.store.judgements import FILE, Inbox
from lycosa.system.errors import Damaged, Refused

WRITER = """
import sys
from pathlib import Path
from lycosa.core.nouns import Judgement
from lycosa.store.judgements import Inbox
folder, name = sys.argv[1:]
for number in range(300):
    Inbox(Path(folder)).add([Judgement(f"https://{name}.test/{number}", number % 2 == 0)], 1.0)
"""


def words(inbox, after=0):
    return [heard.judgement[:2] for heard in inbox.read(after)]


def test_what_was_said_is_read_in_its_order(tmp_path):
    inbox = Inbox(tmp_path)
    assert (inbox.read(), inbox.size(), inbox.all()) == ([], 0, {})
    inbox.add([Judgement("https://a.test/", True), Judgement("https://b.test/", False)], 1.0)
    inbox.add([Judgement("https://a.test/", False)], 2.0)
    assert words(inbox) == [("https://a.test/", True), ("https://b.test/", False), ("https://a.test/", False)]
    assert inbox.all() == {"https://a.test/": False, "https://b.test/": False}


def test_a_word_that_was_taken_back_is_read_but_counts_no_more(tmp_path):
    inbox = Inbox(tmp_path)
    inbox.add([Judgement("https://a.test/", True), Judgement("https://b.test/", False)], 1.0)
    inbox.add([Judgement("https://a.test/", None), Judgement("https://never.test/", None)], 2.0)
    assert words(inbox)[2:] == [("https://a.test/", None), ("https://never.test/", None)]
    assert inbox.all() == {"https://b.test/": False}
    inbox.add([Judgement("https://a.test/", False)], 3.0)
    assert inbox.all() == {"https://b.test/": False, "https://a.test/": False}


def test_a_reader_goes_on_where_it_was(tmp_path):
    inbox = Inbox(tmp_path)
    inbox.add([Judgement("https://a.test/", True), Judgement("https://b.test/", True)], 1.0)
    first, second = inbox.read()
    assert words(inbox, first.end) == [("https://b.test/", True)]
    assert words(inbox, second.end) == []
    assert second.end == inbox.size()


def test_half_a_line_is_passed_over_and_spoils_nothing(tmp_path):
    inbox = Inbox(tmp_path)
    inbox.add([Judgement("https://a.test/", True)], 1.0)
    with (tmp_path / FILE).open("ab") as file:
        file.write(b'{"url":"https://torn.te')
    assert words(inbox) == [("https://a.test/", True)]
    place = inbox.read()[-1].end
    inbox.add([Judgement("https://b.test/", False)], 1.0)
    assert words(inbox, place) == [("https://b.test/", False)]


@pytest.mark.parametrize("line", [b"nonsense", b"[]", b'{"url":1,"relevant":true}', b"\xff\xfe", b"{}"])
def test_a_line_that_nobody_can_have_written_is_named(tmp_path, line):
    (tmp_path / FILE).write_bytes(b'{"url":"https://a.test/","relevant":true}\n' + line + b"\n")
    with pytest.raises(Damaged, match=r"the judgement at byte 42 of judgements\.jsonl is damaged"):
        Inbox(tmp_path).read()


def test_an_empty_line_is_passed_over(tmp_path):
    (tmp_path / FILE).write_bytes(b'\n   \n{"url":"https://a.test/","relevant":true}\n')
    assert words(Inbox(tmp_path)) == [("https://a.test/", True)]


def test_every_flipped_bit_of_an_inbox_is_named_or_changes_nothing(tmp_path):
    inbox = Inbox(tmp_path)
    inbox.add([Judgement("https://a.test/", True), Judgement("https://b.test/", False, "llm:small")], 1.0)
    whole, said = (tmp_path / FILE).read_bytes(), inbox.read()
    for bit in range(8 * len(whole)):
        flipped = bytearray(whole)
        flipped[bit // 8] ^= 1 << bit % 8
        (tmp_path / FILE).write_bytes(flipped)
        try:
            assert inbox.read() == said, f"bit {bit}"
        except Damaged:
            assert inbox.damaged()


def test_a_damaged_line_is_left_out_and_the_others_stay_in_their_place(tmp_path):
    inbox = Inbox(tmp_path)
    inbox.add([Judgement(f"https://{name}.test/", True) for name in "abc"], 1.0)
    before, whole = inbox.read(), (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(whole.replace(b"b.test", b"x.test"))
    inbox.blank(inbox.damaged())
    assert inbox.read() == [before[0], before[2]]


def test_where_a_person_has_spoken_a_machine_is_not_heard(tmp_path):
    inbox, machine = Inbox(tmp_path), "llm:small"
    inbox.add([Judgement(f"https://{name}.test/", True, machine) for name in "abc"], 1.0)
    inbox.add([Judgement("https://a.test/", False), Judgement("https://b.test/", None)], 2.0)
    place = inbox.size()
    inbox.add([Judgement(f"https://{name}.test/", True, machine) for name in "abd"], 3.0)
    assert [heard.judgement for heard in inbox.read(place)] == [Judgement("https://d.test/", True, machine)]
    assert inbox.in_force() == {
        "https://a.test/": Judgement("https://a.test/", False),
        "https://c.test/": Judgement("https://c.test/", True, machine),
        "https://d.test/": Judgement("https://d.test/", True, machine),
    }


def test_lines_of_people_are_as_in_older_versions(tmp_path):
    old = b'{"url":"https://a.test/","relevant":true,"at":1.0,"sum":"%s"}\n'
    inbox = Inbox(tmp_path)
    inbox.add([Judgement("https://a.test/", True)], 1.0)
    line = (tmp_path / FILE).read_bytes()
    assert line == old % line[-19:-3]
    assert inbox.read()[0].judgement.origin == "person"


def test_two_writers_lose_nothing(tmp_path):
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, tmp_path, name]) for name in ("one", "two")]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    heard = words(Inbox(tmp_path))
    assert len(heard) == 600
    for name in ("one", "two"):
        assert [url for url, _ in heard if name in url] == [f"https://{name}.test/{number}" for number in range(300)]


def test_where_nothing_can_be_written_one_line_says_so(tmp_path):
    with pytest.raises(Refused, match="cannot write"):
        Inbox(tmp_path / "not there").add([Judgement("https://a.test/", True)], 1.0)
