"""A mirror costs a few pages, and no page is lost to one."""

import random

import msgspec

from lycosa.core.nouns import Ticket
from lycosa.core.shingles import shingles
from lycosa.frontier.mirrors import ENOUGH, REASON, Mirrors

DICE = random.Random(1)
WORDS = ["".join(DICE.choices("abcdefghijklmnopqrstuvwxyz", k=6)) for _ in range(3000)]
TEXTS = [" ".join(DICE.choices(WORDS, k=200)) for _ in range(20)]


def fetch(mirrors, host, number, text=None, path=None):
    said = f"{TEXTS[number] if text is None else text} on {host}"
    return mirrors.visited(f"http://{host}/{number or '' if path is None else path}", shingles(said))


def ask(mirrors, host, path):
    return mirrors(Ticket(f"http://{host}/{path}", via="http://p.test/"))


def mirrored():
    mirrors = Mirrors()
    for number in range(6):
        assert fetch(mirrors, "a.test", number).gone is None
    for number in range(ENOUGH):
        news = fetch(mirrors, "b.test", number)
        assert news.copied
    return mirrors, news


def test_a_host_that_begins_like_another_one_is_a_mirror():
    mirrors, news = mirrored()
    assert news.gone is not None
    assert news.gone(Ticket("http://b.test/4", via="http://b.test/"))
    assert not news.gone(Ticket("http://c.test/4", via="http://b.test/"))
    assert ask(mirrors, "b.test", 5) == REASON
    assert ask(mirrors, "c.test", 5) is None


def test_a_path_is_fetched_from_one_host_of_a_group_whichever_it_is():
    mirrors, _ = mirrored()
    assert ask(mirrors, "b.test", "only") is None
    assert ask(mirrors, "a.test", "only") == REASON
    mirrors.dropped("http://b.test/only")
    assert ask(mirrors, "a.test", "only") is None


def test_a_third_copy_joins_the_group_wherever_its_pages_came_from():
    mirrors, _ = mirrored()
    fetch(mirrors, "b.test", 7)
    for number in (0, 7, 5):
        news = fetch(mirrors, "c.test", number)
    assert news.gone is not None
    assert ask(mirrors, "c.test", 7) == ask(mirrors, "a.test", 7) == REASON


def test_a_person_may_ask_for_a_page_of_a_mirror():
    mirrors, _ = mirrored()
    assert mirrors(Ticket("http://b.test/5")) is None


def test_hosts_that_share_some_pages_are_no_mirrors():
    mirrors = Mirrors()
    for number in range(10):
        fetch(mirrors, "a.test", number)
    # The same licence and privacy pages, among pages of its own.
    for number in range(10):
        assert (
            fetch(mirrors, "b.test", number, None if number in (1, 2, 3) else f"own {TEXTS[10 + number]}").gone is None
        )
    # The same texts at other paths: quoted, not mirrored.
    for number in range(10):
        news = fetch(mirrors, "c.test", number, path=f"quoted/{number}")
        assert not news.copied
        assert news.gone is None
    # The same notice on every page, and nothing else in common.
    for host in ("d.test", "e.test"):
        for number in range(10):
            own = " ".join(random.Random(f"{host} {number}").choices(WORDS, k=200))
            assert fetch(mirrors, host, number, f"We use cookies to measure how often you read. {own}").gone is None


def test_what_it_knows_survives_a_checkpoint():
    mirrors, _ = mirrored()
    ask(mirrors, "b.test", "only")
    mirrors.dropped("http://b.test/only")
    again = Mirrors()
    again.load(msgspec.msgpack.decode(msgspec.msgpack.encode(mirrors.save())))
    for one in (mirrors, again):
        fetch(one, "c.test", 3)
        fetch(one, "c.test", 4)
        assert fetch(one, "c.test", 5).gone is not None
        assert ask(one, "c.test", 1) == REASON
    assert again.save() == mirrors.save()
