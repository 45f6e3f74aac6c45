"""The companion: off until switched on, learning from what is read, scouting politely, forgetting when told."""

import gzip
import stat
import time
from itertools import pairwise
from pathlib import Path

import pytest

from lycosa.app.companion import scouting
from lycosa.app.companion.companion import Companion
from lycosa.app.jobs import Conflict, Unknown
from lycosa.system.errors import Refused
from lycosa.web.serving import spawn


@pytest.fixture
def reads(companion, seen, until):
    """Read a page and wait until its scout is back."""

    def read(url, who=companion, **more):
        told = who.read(**{**seen(url), **more})
        assert told.name, told.why
        until(lambda: not who.offer(told.name).scouting, "the scout's return")
        return who.offer(told.name)

    return read


def test_it_is_off_at_first_and_then_keeps_nothing(companion, home, seen, made):
    assert not companion.state.on
    page = made.topics[0].targets[0]
    with pytest.raises(Conflict, match="switched off"):
        companion.read(**seen(page))
    with pytest.raises(Conflict):
        companion.lingered(page, 100)
    offer = companion.offer()
    assert (offer.on, offer.suggestions) == (False, ())
    assert not home.exists()


def test_suggestions_are_on_topic_near_and_say_why(companion, reads, made, community):
    companion.change(on=True)
    topic = made.topics[1]
    found = []
    for page in topic.targets[2:16:7]:
        offer = reads(page)
        assert 0 < offer.looked_at <= scouting.PAGES
        assert offer.url == page
        assert len(offer.suggestions) <= 8
        found += offer.suggestions
        read = {one.url for one in companion.profile()[1]}
        assert not read & {one.url for one in offer.suggestions}
        scores = [one.relevance * 0.9**one.distance for one in offer.suggestions]
        assert scores == sorted(scores, reverse=True)
    on_topic = sum(community(one.url) == 1 for one in found)
    assert len(found) >= 5
    assert on_topic >= 0.85 * len(found)
    for one in found:
        assert one.distance in (1, 2)
        assert one.reason.startswith(
            "linked from the page you read" if one.distance == 1 else "two links away, through «"
        )
        assert one.anchor in one.reason
        assert len(one.words) == 3
        assert one.reason.endswith(f"; shares {one.words[0]}, {one.words[1]} and {one.words[2]} with what you read")


def test_any_strategy_can_scout(companion, reads, made):
    companion.change(on=True, strategy="shark-search", pages=6)
    offer = reads(made.topics[0].targets[5])
    assert offer.looked_at == 6
    assert offer.suggestions
    with pytest.raises(Refused):
        companion.change(strategy="no-such-strategy")
    with pytest.raises(Refused, match="taxonomy"):
        companion.change(strategy="focused", pages=3)
    assert companion.state.strategy == "shark-search"


def test_the_page_itself_is_never_asked_for_and_neither_are_keys(tmp_path, seen, made, until):
    page = seen(made.topics[0].targets[7])
    host = page["url"].split("/")[2]
    secrets = [f"http://{host}/{path}" for path in ("unsubscribe", "x?token=1", "d/1A2bC3dE4fG5hI6jK7lM8nO9pQ")]
    inside = ["http://127.0.0.1:1/", "http://localhost/x", "http://10.0.0.1/", "http://router/", "ftp://a.test/"]
    page["links"] += [(url, page["title"]) for url in secrets + inside]
    page["url"] += "?page=2&from=me"
    with spawn("made:pages=1200,topics=4,seed=5", log=str(tmp_path / "asked")) as web:
        companion = Companion(tmp_path, http={"proxy": web.proxy}, delay=0.02)
        try:
            companion.change(on=True)
            told = companion.read(**page)
            until(lambda: not companion.offer(told.name).scouting)
            assert companion.offer(told.name).looked_at > 3
        finally:
            companion.close()
        asked = {f"http://{one.host}{one.path}" for one in web.asked()}
    assert len(asked) > 5
    assert not asked & {page["url"], page["url"].partition("?")[0], *secrets, *inside}
    assert not any("?" in url for url in asked)


def test_a_scout_asks_robots_and_pauses_like_any_hunt(tmp_path, seen, made, until):
    with spawn("made:pages=1200,topics=4,seed=5", log=str(tmp_path / "asked")) as web:
        companion = Companion(tmp_path, http={"proxy": web.proxy}, delay=0.15)
        try:
            companion.change(on=True, pages=5)
            for page in made.topics[0].targets[3:5]:
                told = companion.read(**seen(page))
                until(lambda name=told.name: not companion.offer(name).scouting)
        finally:
            companion.close()
        asked = web.asked()
    by_host = {}
    for one in asked:
        by_host.setdefault(one.host, []).append(one)
    for requests in by_host.values():
        assert requests[0].path == "/robots.txt"
        times = [one.time for one in requests]
        assert all(after - before > 0.14 for before, after in pairwise(times))
    pages = [f"{one.host}{one.path}" for one in asked if one.path != "/robots.txt"]
    assert len(pages) == len(set(pages)), "what one scout has brought, the next one need not ask for"


def test_a_newer_page_supersedes_the_older(made_web, tmp_path, seen, made, until):
    companion = Companion(tmp_path, http={"proxy": made_web.proxy}, delay=0.5)
    try:
        # So many pages take a while, however late the next one is read.
        companion.change(on=True, pages=50)
        first = companion.read(**seen(made.topics[0].targets[0]))
        until(lambda: companion.offer(first.name).looked_at >= 1)
        second = companion.read(**seen(made.topics[1].targets[0]))
        assert companion.offer(second.name).scouting
        until(lambda: not companion.offer(first.name).scouting, "the older scout's return")
        assert companion.offer(first.name).looked_at < 50
        until(lambda: companion.offer(second.name).looked_at >= 1)
        assert companion.offer().name == second.name
    finally:
        companion.close()


def test_only_the_last_findings_are_kept_and_old_ones_go(companion, home, reads, made, monkeypatch):
    monkeypatch.setattr(scouting, "KEPT", 1)
    companion.change(on=True, pages=1)
    names = [reads(page).name for page in made.topics[0].targets[:2]]
    kept = {path.name for path in (home / ".companion" / "scouts").iterdir()}
    assert names[0] not in kept
    assert names[-1] in kept
    with pytest.raises(Unknown):
        companion.offer(names[0])
    monkeypatch.setattr(scouting, "DAY", -1.0)
    companion.begin()
    assert not list((home / ".companion" / "scouts").iterdir())


def test_excluded_hosts_are_neither_learned_from_nor_asked(tmp_path, seen, made, until):
    page = seen(made.topics[0].targets[4])
    own = page["url"].split("/")[2]
    others = sorted({url.split("/")[2] for url, _ in page["links"]} - {own})
    assert len(others) > 1
    with spawn("made:pages=1200,topics=4,seed=5", log=str(tmp_path / "asked")) as web:
        companion = Companion(tmp_path, http={"proxy": web.proxy}, delay=0.02)
        try:
            companion.change(on=True, excluded=[f"https://{others[0]}/"])
            assert companion.state.excluded == (others[0],)
            told = companion.read(**page)
            until(lambda: not companion.offer(told.name).scouting)
            assert companion.offer(told.name).looked_at
            companion.change(excluded=[own])
            assert companion.profile()[1] == [], "what was learned from it is forgotten"
            assert not companion.read(**page).learned
        finally:
            companion.close()
        assert others[0] not in {one.host for one in web.asked()}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"url": "https://webmail.a.test/inbox"}, "private"),
        ({"url": "http://a.test/?auth_token=1"}, "private"),
        ({"text": " ", "title": "the of"}, "no words"),
    ],
)
def test_private_and_empty_pages_are_not_learned_from(companion, seen, made, change, why):
    companion.change(on=True)
    told = companion.read(**{**seen(made.topics[0].targets[0]), **change})
    assert not told.learned
    assert why in told.why
    assert companion.profile()[1] == []


def test_a_page_inside_the_house_is_learned_from_but_nobody_is_sent(companion, seen, made):
    companion.change(on=True)
    told = companion.read(**{**seen(made.topics[0].targets[0]), "url": "http://wiki.intranet/page"})
    assert (told.learned, told.name) == (True, "")
    assert "no link" in told.why


def test_what_is_no_page_is_refused(companion):
    companion.change(on=True)
    for url in ("file:///etc/passwd", "chrome://settings", "javascript:alert(1)", "nonsense", ""):
        with pytest.raises(Refused):
            companion.read(url, "Title", "some words")


def test_how_long_a_page_was_read_is_learned_later(companion):
    companion.change(on=True)
    page = "http://a.test/"
    companion.read(page, "Spiders", "wolf spiders", seconds=6)
    assert companion.lingered(page, 120)
    assert companion.lingered(page, 30)
    assert companion.profile()[1][0].seconds == 120
    assert not companion.lingered("http://never.test/", 30)


def test_files_are_their_owners_alone_and_hold_no_text(companion, home, reads, made):
    companion.change(on=True, pages=1)
    companion.key()
    said = "Quite unmistakable sentences about xylophones stand here"
    reads(made.topics[0].targets[0], text=f"{said}. {said}.")
    place = home / ".companion"
    for folder in (place, place / "scouts", *(place / "scouts").iterdir()):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for name in ("state", "profile", "background", "key"):
        assert stat.S_IMODE((place / name).stat().st_mode) == 0o600
    for path in filter(Path.is_file, home.rglob("*")):
        kept = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        assert said.encode() not in kept
    assert b"xylophones" in (place / "profile").read_bytes()


def test_a_forgotten_page_takes_its_findings_along(companion, reads, made):
    companion.change(on=True, pages=3)
    first, second = made.topics[0].targets[:2]
    companion.read(first, "Spiders", "wolf spiders")
    gone = reads(second)
    companion.forget(second)
    assert [one.url for one in companion.profile()[1]] == [first]
    with pytest.raises(Unknown):
        companion.offer(gone.name)
    with pytest.raises(Unknown):
        companion.forget(second)


def test_everything_can_be_erased_even_while_a_scout_is_out(companion, home, seen, made):
    companion.change(on=True, excluded=["bank.example"])
    key = companion.key()
    companion.read(**seen(made.topics[0].targets[0]))
    companion.erase()
    assert {path.name for path in (home / ".companion").iterdir()} == {"state", "key"}
    assert companion.profile()[1] == []
    assert companion.profile()[0].weights == {}
    assert companion.offer().suggestions == ()
    assert companion.state.on
    assert companion.state.excluded == ("bank.example",)
    assert companion.key() == key


def test_switching_off_calls_the_scout_back_and_leaves_only_the_profile(companion, home, seen, made):
    companion.change(on=True)
    page = made.topics[0].targets[0]
    companion.read(**seen(page))
    companion.change(on=False)
    assert not (home / ".companion" / "scouts").exists()
    assert [one.url for one in companion.profile()[1]] == [page]
    with pytest.raises(Conflict):
        companion.read(**seen(page))


def test_it_knows_everything_again_after_a_restart(companion, home, made_web, reads, made):
    companion.change(on=True)
    offer = reads(made.topics[0].targets[0])
    companion.close()
    again = Companion(home, http={"proxy": made_web.proxy}, delay=0.02)
    again.begin()
    try:
        assert again.state.on
        assert again.offer() == offer
        assert len(again.profile()[1]) == 1
    finally:
        again.close()


def test_damaged_files_are_no_reason_to_fail(companion, home):
    companion.change(on=True)
    for name in ("profile", "background"):
        (home / ".companion" / name).write_bytes(b"\xff{half")
    assert companion.read("http://a.test/", "Spiders", "wolf spiders").learned
    (home / ".companion" / "state").write_bytes(b"")
    assert not companion.state.on


def test_half_characters_and_nonsense_do_no_harm(companion, home):
    companion.change(on=True)
    told = companion.read("http://a.test/\ud800", "T\ud800itle\0", "spider \udfff spider\0", [("\ud800", "\ud800")] * 3)
    assert told.learned
    assert companion.profile()[1][0].title.startswith("T")


def test_there_is_one_key_until_a_new_one_is_made(companion, home):
    assert not companion.admits("")
    key = companion.key()
    assert companion.key() == key
    assert len(key) >= 32
    assert companion.admits(key)
    for wrong in ("", key[:-1], key + "x", key.swapcase(), "ü" * 32, "\ud800"):
        assert not companion.admits(wrong)
    new = companion.key(new=True)
    assert new != key
    assert companion.admits(new)
    assert not companion.admits(key)


def test_learning_is_quick(companion, seen, made):
    companion.change(on=True)
    page = seen(made.topics[0].targets[0])
    page["text"] = (page["text"] * 100)[:200_000]
    page["links"] = []
    started = time.process_time()
    companion.read(**page)
    assert time.process_time() - started < 1.0
