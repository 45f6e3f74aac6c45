"""A hunt that ended early names what was in its way, and what would help against just that."""

import lycosa
from lycosa.app.answers.hunt import HuntStatus
from lycosa.app.hunt_ending import remedies_of
from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.option import options_of

HOME = "http://a.test/"
SHELL = "<title>Spiders</title><body><div id=root></div><script src=/app.js></script>"
LOGIN = "<title>Log in</title><body>Please log in to continue.<form><input type=password name=p></form>"
LINKS = "".join(f"<a href='/{name}'>{name} spiders</a> " for name in ("1", "2", "3", "members", "de", "tag/x"))
WEB = {
    HOME: f"<title>Wolf spiders</title><body>Wolf spiders are spiders that hunt at night. {LINKS}",
    **{f"{HOME}{name}": SHELL.replace("Spiders", f"Spiders {name}") for name in ("1", "2", "3")},
    f"{HOME}members": LOGIN,
    f"{HOME}de": "<html lang=de>Wolfsspinnen sind Spinnen, die nachts jagen und ihre Jungen auf dem Rücken tragen.",
}
SCOPE = {"languages": ("en",), "exclude": ("*/tag/*",)}


def test_the_advice_names_each_cause_with_its_own_remedy_the_most_frequent_first(collected, tmp_path, run):
    folder = collected(tmp_path / "c", WEB, "wolf spider", [HOME], pages=50, **SCOPE)
    status = lycosa.status(folder)
    assert [(remedy.fix, remedy.cause, remedy.fields) for remedy in status.remedies] == [
        ("render pages in a browser", "3 pages are empty without JavaScript", ("render",)),
        (
            "widen its scope",
            "1 page outside the scope: 1 by language, 1 link outside the scope: 1 by exclude */tag/*",
            ("languages", "exclude"),
        ),
        ("say how to enter the hosts that ask for a login", "1 page behind a login", ("access",)),
        ("give it more seeds", "", ("seeds", "find")),
    ]
    assert status.early.endswith("(1 page behind a login); give it more seeds.")
    said = run("status", folder).stdout
    assert f"to resume it with another scope: lycosa resume {folder} --languages --exclude\n" in said
    assert "for another hunt: lycosa crawl --render auto --access --seed --find\n" in said


def test_a_hunt_that_only_lacks_links_is_told_to_take_more_seeds(collected, tmp_path):
    folder = collected(tmp_path / "c", {HOME: "<title>Spiders</title>Wolf spiders hunt."}, "spider", [HOME], pages=50)
    assert lycosa.status(folder).early == (
        "Ended early: nothing was left to fetch after 1 of 50 pages. What would help: give it more seeds."
    )


def test_hosts_that_refuse_are_told_apart_by_how_they_do_it():
    misses = {"challenge": 4, "status 403": 3, "status 429": 2, "login wall": 1, "status 404": 9}
    fixes = [remedy.fix for remedy in remedies_of(HuntStatus(name="c", misses=misses), renders=False)]
    assert fixes == [
        "ask the owners of the hosts that check their visitors",
        "give a contact for webmasters, so that servers know who asks",
        "leave longer pauses",
        "say how to enter the hosts that ask for a login",
        "give it more seeds",
    ]


def test_a_hunt_that_renders_is_not_told_to_render():
    status = HuntStatus(name="c", withheld={"needs scripts": 3})
    assert [each.fields for each in remedies_of(status, renders=True)] == [("seeds", "find")]
    assert [each.fields for each in remedies_of(status, renders=False)] == [("render",), ("seeds", "find")]


def test_every_remedy_names_options_that_a_hunt_has():
    outside = dict.fromkeys(("type a", "language de", "date 2001", "size 1", "words 1"), 1)
    links = dict.fromkeys(("within", "without", "include", "exclude x", "depth 3"), 1)
    misses = {"challenge": 1, "status 401": 1, "status 403": 1, "status 429": 1}
    status = HuntStatus(
        name="c", pages_outside=outside, links_outside=links, misses=misses, withheld={"needs scripts": 1}
    )
    known = {field.name for field in options_of(HuntRequest)}
    assert {name for remedy in remedies_of(status, renders=False) for name in remedy.fields} <= known
