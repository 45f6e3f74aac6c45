"""A login form: filled in once, again when the session ends, and never without end; over real TLS on loopback."""

import asyncio
import time
from itertools import pairwise
from urllib.parse import parse_qsl

import pytest

from lycosa.core.nouns import Failure, Moved, Page
from lycosa.web.access import login as module
from lycosa.web.http import Http, HttpOptions

from ...doors import Doors, moved, reply

HOST, LOGIN = "https://inside.test", "https://inside.test/login"
PASSWORD = "open-sesame-0815"
FORM = """<form action=/search><input name=q></form>
<form method=post action=/enter><input type=hidden name=csrf value="{csrf}"><input name=user value=you>
<input type=password name=password><input type=checkbox name=stay value=yes checked><input type=checkbox name=no>
<input type=submit name=go value="Log in"></form>"""


class Site:
    """A site that knows who is logged in; a session is good for some pages."""

    def __init__(self, lasts=1000, ends="redirect", form=FORM, entered="/welcome"):
        self.lasts, self.ends, self.form, self.entered = lasts, ends, form, entered
        self.sessions = {}
        self.logins = []
        self.forms = 0

    def __call__(self, asked):
        if asked.path == "/login":
            self.forms += 1
            return reply(
                self.form.format(csrf=f"t{self.forms}"), "200 OK", ("Set-Cookie", f"csrf=t{self.forms}; Path=/")
            )
        if asked.path == "/enter":
            return self.enter(asked, dict(parse_qsl(asked.body.decode(), keep_blank_values=True)))
        left = self.sessions.get(asked.cookie("session"), 0)
        if left:
            self.sessions[asked.cookie("session")] -= 1
            return reply(f"<title>page</title>inside {asked.target}")
        if self.ends in ("redirect", "elsewhere"):
            return moved(f"/{'login' if self.ends == 'redirect' else 'account/signin/'}?next={asked.target}")
        return reply("", "401 Unauthorized") if self.ends == "401" else reply(self.ends)

    def enter(self, asked, given):
        self.logins.append(given)
        if given.get("password") != PASSWORD or given.get("csrf") != asked.cookie("csrf"):
            return reply(self.form.format(csrf="x"))
        name = f"session-{len(self.logins)}"
        self.sessions[name] = self.lasts
        return moved(self.entered, ("Set-Cookie", f"session={name}; Path=/; HttpOnly; Secure"), status="303 See Other")


def hunted(site, paths="abc", password=PASSWORD, together=False, **login):
    """What comes of some pages of the site, and the server."""
    doors = Doors(site)
    form = {"url": LOGIN, "fields": {"user": "ann", "password": "env:P"}, **login}

    async def story():
        async with doors.open():
            access = {"inside.test": {"login": form}}
            http = Http(HttpOptions(access=access, **doors.options), variables={"P": password})
            asked = [http.get(f"{HOST}/{path}", 1 << 20) for path in paths]
            try:
                return await asyncio.gather(*asked) if together else [await each for each in asked]
            finally:
                await http.close()

    return asyncio.run(story()), doors


def test_the_form_is_filled_in_as_it_came_and_sent_once():
    site = Site()
    answers, doors = hunted(site, success="cookie:session")
    assert all(isinstance(answer, Page) for answer in answers)
    assert site.logins == [{"csrf": "t1", "user": "ann", "password": PASSWORD, "stay": "yes", "go": "Log in"}]
    assert [one.path for one in doors.of("inside.test")] == ["/login", "/enter", "/welcome", "/a", "/b", "/c"]
    assert [one.method for one in doors.of("inside.test")].count("POST") == 1


def test_pages_that_are_asked_for_together_share_one_login():
    site = Site()
    answers, _ = hunted(site, "abcdefgh", together=True)
    assert all(isinstance(answer, Page) for answer in answers)
    assert len(site.logins) == 1


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ("redirect", {}),
        ("elsewhere", {}),
        ("401", {}),
        (FORM.format(csrf="x"), {}),
        ("please come in again", {"ended": "text:come in again"}),
        ("redirect", {"ended": "url:https://inside.test/login"}),
    ],
)
def test_when_the_session_ends_the_form_is_sent_again_and_no_page_is_lost(ends, said):
    site = Site(lasts=4, ends=ends)
    answers, _ = hunted(site, "abcdefg", **said)
    assert [answer.text.strip()[-2:] for answer in answers] == [f"/{path}" for path in "abcdefg"]
    # The page after a login counts too.
    assert len(site.logins) == 3


@pytest.mark.parametrize("success", ["", "cookie:session", "text:inside /welcome", "url:https://inside.test/welcome"])
def test_a_wrong_password_is_tried_once_and_every_page_says_so(success):
    site = Site()
    answers, doors = hunted(site, "abcde", password="wrong", success=success)
    assert answers == [Failure("login refused")] * 5
    assert len(site.logins) == 1
    assert {one.path for one in doors.of("inside.test")} == {"/login", "/enter"}
    site = Site()
    (page,), _ = hunted(site, "a", success=success)
    assert isinstance(page, Page)


def test_a_host_that_always_asks_again_is_given_up():
    site = Site(lasts=1, ends="401")
    answers, _ = hunted(site, "abcdefgh")
    assert {answer.reason for answer in answers} == {"status 401", "login needed too often"}
    assert len(site.logins) == module.IN_VAIN


def test_a_session_that_ends_all_the_time_is_bounded(monkeypatch):
    monkeypatch.setattr(module, "MOST", 3)
    site = Site(lasts=2, ends="401")
    answers, _ = hunted(site, "abcdef")
    assert [isinstance(answer, Page) for answer in answers] == [True, True, True, False, False, False]
    assert answers[-1] == Failure("login needed too often")
    assert len(site.logins) == 3


def test_a_page_that_asks_for_a_password_although_somebody_is_in_is_a_page():
    site = Site()
    change = reply("<title>settings</title>new password: <input type=password name=new>")
    (first, second, other), _ = hunted(lambda asked: change if asked.path in ("/s", "/t") else site(asked), "stu")
    assert first.title == second.title == "settings" and isinstance(other, Page)
    assert len(site.logins) == 2


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        ("nothing here", "login form not found"),
        (FORM.replace("name=user", "name=login"), "login form not found"),
        (FORM.replace("/enter", "https://evil.test/enter"), "login form leads elsewhere"),
        (FORM.replace("/enter", "http://inside.test/enter"), "login form leads elsewhere"),
        (FORM.replace("/enter", "https://www.inside.test/enter"), "login form leads elsewhere"),
        ("<a" * 30_000, "login form not found"),
    ],
)
def test_a_form_that_cannot_be_sent_safely_is_not_sent(form, reason):
    site = Site(form=form)
    answers, doors = hunted(site)
    assert answers == [Failure(reason)] * 3
    assert PASSWORD not in "".join(one.everything() for one in doors.asked)


def test_a_redirect_after_the_login_that_leads_elsewhere_is_not_followed_and_takes_nothing_along():
    site = Site(entered="https://evil.test/welcome")
    answers, doors = hunted(site, success="cookie:session")
    assert all(isinstance(answer, Page) for answer in answers)
    assert not doors.of("evil.test")


@pytest.mark.parametrize("status", ["307 Temporary Redirect", "308 Permanent Redirect"])
def test_a_form_is_not_sent_on_to_another_host(status):
    def answer(asked):
        if asked.path == "/enter":
            return moved("https://evil.test/enter", status=status)
        return reply(FORM.format(csrf="x")) if asked.path == "/login" else reply("inside")

    answers, doors = hunted(answer, "a", success="text:inside")
    assert answers == [Failure("login refused")]
    assert not doors.of("evil.test")


@pytest.mark.parametrize("status", ["500 Oh No", "503 Later", "429 Too Many"])
def test_a_login_page_with_a_fault_is_tried_again_later(status):
    faults = [reply("", status)] * 2
    site = Site()
    answers, _ = hunted(lambda asked: faults.pop() if faults else site(asked), "abc")
    assert [getattr(answer, "again", None) for answer in answers] == [True, True, None]
    assert isinstance(answers[2], Page)


def test_a_login_waits_for_the_pause_of_the_host():
    site, times = Site(), []

    def answer(asked):
        times.append(time.monotonic())
        return site(asked)

    doors = Doors(answer)

    async def story():
        async with doors.open():
            login = {"url": LOGIN, "fields": {"user": "ann", "password": "env:P"}}
            options = HttpOptions(
                access={"inside.test": {"login": login}}, delay=0.2, obey_robots=False, **doors.options
            )
            http = Http(options, variables={"P": PASSWORD})
            page = await http.get(f"{HOST}/a", 1 << 20)
            await http.close()
            return page

    assert isinstance(asyncio.run(story()), Page)
    assert len(times) == 4 and all(later - earlier >= 0.19 for earlier, later in pairwise(times))


def test_no_session_and_no_password_is_in_what_is_kept_of_a_page():
    def answer(asked):
        if asked.path in ("/login", "/enter"):
            return site(asked)
        return reply(
            f"<title>you are {asked.cookie('session')}</title>{PASSWORD}", "200 OK", ("X-Who", asked.cookie("session"))
        )

    site = Site()
    (page,), _ = hunted(answer, "a", success="cookie:session")
    assert isinstance(page, Page)
    assert "session-1" not in str(page) and PASSWORD not in str(page)


def test_moved_is_still_a_ticket_of_its_own():
    site = Site()
    (answer,), doors = hunted(lambda asked: moved("https://other.test/") if asked.path == "/a" else site(asked), "a")
    assert isinstance(answer, Moved) and answer.to == "https://other.test/"
    assert not doors.of("other.test")
