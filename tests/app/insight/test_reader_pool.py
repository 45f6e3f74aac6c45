"""Readers are kept open between questions, and never beyond their time."""

import shutil
import threading
import time

import pytest

from lycosa.app.insight.reader_pool import Readers
from lycosa.app.insight.trail import Trail
from lycosa.store.collection import Collection
from lycosa.system.errors import Refused


class Counted(Trail):
    """Says how often one was opened and closed, and by which thread."""

    opened: list["Counted"]

    def __init__(self, folder):
        super().__init__(folder)
        self.thread, self.closed = threading.get_ident(), False
        self.opened.append(self)

    def close(self):
        assert threading.get_ident() == self.thread
        self.closed = True
        super().close()


@pytest.fixture
def counted():
    Counted.opened = []
    return Counted


def wait_for(true):
    until = time.monotonic() + 60
    while not true() and time.monotonic() < until:
        time.sleep(0.005)
    assert true()


def test_a_reader_is_opened_once_and_used_by_its_own_thread(counted, plain):
    readers = Readers(counted, most=2)
    answers = []
    askers = [threading.Thread(target=lambda: answers.append(readers.ask(plain, len))) for _ in range(8)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert answers == [150] * 8
    assert len(counted.opened) == 1
    readers.close()
    wait_for(lambda: counted.opened[0].closed)


def test_one_that_nobody_asks_is_closed_and_opened_again_when_asked(counted, plain):
    readers = Readers(counted, most=2, idle=0.05)
    readers.ask(plain, len)
    wait_for(lambda: counted.opened[0].closed and not len(readers))
    assert readers.ask(plain, len) == 150
    assert len(counted.opened) == 2
    readers.close()
    wait_for(lambda: counted.opened[1].closed)


def test_of_too_many_the_one_asked_longest_ago_goes(counted, plain, tmp_path):
    folders = [plain, tmp_path / "b", tmp_path / "c"]
    for folder in folders[1:]:
        shutil.copytree(plain, folder)
    readers = Readers(counted, most=2)
    for folder in (folders[0], folders[1], folders[0], folders[2]):
        readers.ask(folder, len)
    wait_for(lambda: counted.opened[1].closed)
    assert [reader.closed for reader in counted.opened] == [False, True, False]
    readers.close()
    wait_for(lambda: all(reader.closed for reader in counted.opened))


def test_what_is_asked_in_vain_reaches_the_asker(counted, plain, tmp_path):
    readers = Readers(counted, most=2)
    with pytest.raises(Refused, match="not a collection"):
        readers.ask(tmp_path, len)
    with pytest.raises(ZeroDivisionError):
        readers.ask(plain, lambda trail: 1 / 0)
    assert readers.ask(plain, len) == 150
    readers.close()
    wait_for(lambda: all(reader.closed for reader in counted.opened))


def test_nobody_waits_longer_than_they_want(counted, plain):
    readers, busy, go = Readers(counted, most=2), threading.Event(), threading.Event()
    asker = threading.Thread(target=lambda: readers.ask(plain, lambda trail: busy.set() or go.wait(60)))
    asker.start()
    assert busy.wait(60)
    with pytest.raises(TimeoutError):
        readers.ask(plain, len, patience=0.05)
    go.set()
    asker.join()
    assert readers.ask(plain, len, patience=60) == 150
    readers.close()
    wait_for(lambda: counted.opened[0].closed)


def test_a_log_that_was_cut_is_read_anew(counted, plain, tmp_path):
    folder = tmp_path / "c"
    shutil.copytree(plain, folder)
    readers = Readers(counted, most=2)
    assert readers.ask(folder, len) == 150
    with Collection.open(folder, write=True) as collection:
        third = next(iter(collection.log.pages(order="time")))
        collection.log.cut(third.seq)
    assert readers.ask(folder, len) == 1
    readers.close()
    wait_for(lambda: all(reader.closed for reader in counted.opened))


def test_another_collection_in_the_same_folder_is_noticed(counted, plain, begin, tmp_path):
    folder = tmp_path / "c"
    shutil.copytree(plain, folder)
    readers = Readers(counted, most=2)
    assert readers.ask(folder, len) == 150
    shutil.rmtree(folder)
    with begin(folder, pages=7) as hunt:
        list(hunt)
    assert readers.ask(folder, len) == 7
    readers.close()
    wait_for(lambda: all(reader.closed for reader in counted.opened))
