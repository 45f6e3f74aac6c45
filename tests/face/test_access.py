"""Whole crawls of hosts that do not let everybody in: they are entered, and no secret of it is left anywhere."""

import contextlib
import json
import sqlite3
import subprocess
import sys
import zlib
from pathlib import Path
from random import Random
from urllib.parse import parse_qsl

import pytest
import zstandard
from starlette.testclient import TestClient

import lycosa
from lycosa.app.jobs import HuntJobs
from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.hunt_plan import make_plan
from lycosa.app.requests.option import check_remote
from lycosa.app.rounds import Rounds
from lycosa.engine.crawl_recovery import plan_of
from lycosa.face.server.app import make_app
from lycosa.face.server.server_settings import ServerSettings
from lycosa.store.collection import Collection
from lycosa.system.errors import Refused

from ..doors import Doors, basic, moved, reply
from ..tls_cases import authority, signed

KEY, PASSWORD, COOKIE, TOKEN, USER = (
    f"{name}-nobody-else-may-see" for name in ("key", "pass", "cookie", "token", "user")
)
SESSION, RENEWED = "session-given-by-the-host", "session-given-later-by-it"
SECRETS = (KEY, PASSWORD, COOKIE, TOKEN, USER, SESSION, RENEWED, basic(USER, PASSWORD).partition(" ")[2].rstrip("="))
VARIABLES = {"DOORS_KEY": KEY, "DOORS_PASSWORD": PASSWORD, "DOORS_USER": USER}
TOML = """
[access."inside.test"]
user = "env:DOORS_USER"
password = "env:DOORS_PASSWORD"
cookies = "{folder}/cookies.txt"
certificate = "{folder}/ann.pem"
headers = {{ X-Api-Key = "env:DOORS_KEY", Accept-Language = "en" }}

[access."forms.test".login]
url = "https://forms.test/login"
fields = {{ user = "env:DOORS_USER", password = "env:DOORS_PASSWORD" }}
success = "cookie:session"

[access."http://clear.test"]
bearer = "file:{folder}/token"

[access."never.test"]
bearer = "env:DOORS_NOT_SET"
"""
SEEDS = ["https://inside.test/", "https://forms.test/", "http://clear.test/"]
WORDS = [f"{first}{second}" for first in "bdfgklmnprst" for second in ("ale", "ero", "ina", "otu", "ulu", "ynx")]
FORM = "<form method=post action=/login><input name=user><input name=password type=password></form>"


class Houses(Doors):
    """Three hosts with spiders inside; each repeats what it was told."""

    def __init__(self):
        super().__init__(self.enter)
        self.look = lambda: None
        self.pages = 0

    def enter(self, asked):
        if asked.host == "forms.test" and asked.path == "/login":
            given = dict(parse_qsl(asked.body.decode()))
            if given != {"user": USER, "password": PASSWORD}:
                return reply(FORM)
            return moved("/", ("Set-Cookie", f"session={SESSION}; Path=/"))
        if not self.lets_in(asked):
            return moved("/login") if asked.host == "forms.test" else reply("", "401 Unauthorized")
        self.pages += 1
        if self.pages == 9:
            self.look()
        number = int(asked.path[1:] or 0)
        links = "".join(f"<a href=/{each}>wolf spider {each}</a> " for each in (2 * number + 1, 2 * number + 2))
        own = TOKEN if asked.host == "clear.test" else ""
        told = " ".join(f"{name}: {value}" for name, value in asked.headers)
        me = f"<a href=/{number}?t={own}>me</a>"
        # Hosts that say the same would be mirrors of each other, and pages that do would bring nothing new.
        text = " ".join(Random(f"{asked.host} {number}").choices(WORDS, k=60))
        body = f"<title>wolf spider {number}</title><p>The wolf spider hunts. {text} {told} {links} {me}"
        more = [("Set-Cookie", f"more={RENEWED}; Path=/"), ("X-Told", asked.header("Authorization"))]
        return reply(body, "200 OK", *more)

    def lets_in(self, asked):
        match asked.host:
            case "inside.test":
                told = asked.header("X-Api-Key"), asked.header("Authorization"), asked.cookie("id"), asked.certificate
                return told == (KEY, basic(USER, PASSWORD), COOKIE, True)
            case "forms.test":
                return asked.cookie("session") == SESSION
            case "clear.test":
                return asked.header("Authorization") == f"Bearer {TOKEN}"
        return True


@pytest.fixture
def houses():
    with Houses().beside() as doors:
        yield doors


@pytest.fixture
def keys(tmp_path, monkeypatch):
    """The secrets where a person keeps them: a folder of private files, the environment, and a file of the user."""
    folder = tmp_path / "private"
    (folder / "lycosa").mkdir(parents=True)
    mine = signed("ann", authority())
    for name, text in {
        "cookies.txt": f"inside.test\tFALSE\t/\tTRUE\t0\tid\t{COOKIE}\n",
        "token": f"{TOKEN}\n",
        "ann.pem": (mine.pem + mine.key_pem).decode(),
        "lycosa/lycosa.toml": TOML.format(folder=folder),
    }.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o600)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return folder


def access_of(folder):
    import tomllib

    return tomllib.loads(TOML.format(folder=folder))["access"]


def words_of(doors, *more):
    """The network options on the command line."""
    options = doors.options
    return ["--ca", options["ca"], "--resolve", f"*={options['resolve']['*']}", *map(str, more)]


def leaks(data):
    return [secret for secret in SECRETS if secret.encode() in (data.encode() if isinstance(data, str) else data)]


def readings(data):
    """Bytes as they are, and unpacked where they are packed."""
    yield data
    for mark, unpacked in (
        (b"\x1f\x8b\x08", lambda packed: zlib.decompressobj(31).decompress(packed)),
        (b"\x28\xb5\x2f\xfd", lambda packed: zstandard.ZstdDecompressor().decompressobj().decompress(packed)),
    ):
        at = data.find(mark)
        while at >= 0:
            with contextlib.suppress(zlib.error, zstandard.ZstdError):
                yield unpacked(data[at:])
            at = data.find(mark, at + 1)


def leaking(folder):
    """Every file beneath a folder with a secret, as it is or unpacked; events as they are told."""
    found = {}
    for file in (path for path in sorted(Path(folder).rglob("*")) if path.is_file()):
        with contextlib.suppress(OSError, sqlite3.Error, Refused):
            data = b"".join(readings(file.read_bytes()))
            if file.name == "log.sqlite":
                with Collection.open(file.parent) as collection:
                    data += repr([entry.event for entry in collection.log.read()]).encode()
            if seen := leaks(data):
                found[str(file)] = seen
    return found


def processes():
    """What the list of processes shows of all of them, and the environment of the scouts."""
    shown, scouts = b"", []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            line = (process / "cmdline").read_bytes()
            shown += line + b"\n"
            if b"scout_process" in line:
                scouts.append((process / "environ").read_bytes())
    return shown, scouts


CRAWL = ("crawl", "wolf spider", *(f"--seed={seed}" for seed in SEEDS), "--delay", "0", "--workers", "4")


def test_a_crawl_enters_three_hosts_and_leaves_no_trace_of_how(houses, keys, run, tmp_path):
    def says(*words):
        done = run(*words)
        assert not leaks(done.stdout + done.stderr), words
        return done

    folder, seen = tmp_path / "work" / "c", []
    houses.look = lambda: seen.append((*processes(), leaking(tmp_path / "work")))
    words = [*CRAWL, "--out", folder, "--pages", 24, "--per-host", 10, "--processes", 2, "--json"]
    words += words_of(houses)
    # In a process of its own, so that there is a list of processes to look at.
    begun = subprocess.run(
        [sys.executable, "-m", "lycosa", *map(str, words)], capture_output=True, text=True, timeout=60, check=False
    )
    assert not leaks(begun.stdout + begun.stderr)
    assert (begun.returncode, begun.stderr) == (0, "")
    answer = json.loads(begun.stdout)
    assert (answer["pages"], answer["misses"]) == (24, {})
    for host, scheme in (("inside.test", "https"), ("forms.test", "https"), ("clear.test", "http")):
        assert len(houses.of(host, scheme)) >= 4
    assert sum(one.method == "POST" for one in houses.asked) == 1

    ((command_lines, scouts, files),) = seen
    assert len(scouts) >= 2 and not leaks(command_lines) and not files
    assert not any(leaks(environment) for environment in scouts)

    # What is stored is enough to say what is missing, and not enough to go on.
    with Collection.open(folder) as collection:
        stored = plan_of(collection).http.access
    assert {host for host, access in stored.items() if access.hidden} == {
        "inside.test",
        "forms.test",
        "http://clear.test",
    }
    (keys / "lycosa" / "lycosa.toml").rename(keys / "aside.toml")
    refused = says("resume", folder, "--pages", 30)
    assert refused.returncode == 2 and refused.stderr.count("\n") == 1
    assert "is not stored: give the access again (--access)" in refused.stderr
    (keys / "aside.toml").rename(keys / "lycosa" / "lycosa.toml")
    resumed = says("resume", folder, "--pages", 30, "--json")
    assert (resumed.returncode, json.loads(resumed.stdout)["pages"]) == (0, 30)

    with Collection.open(folder) as collection:
        page = next(collection.log.pages(limit=1)).url
    for words in (
        ["status", folder, "--json"], ["why", folder, page], ["search", folder, "wolf spider", "--json"],
        ["config"], ["config", "crawl", "--json"], ["check", folder],
        *(["export", folder, tmp_path / "work" / f"pages.{kind}"] for kind in ("jsonl", "csv", "warc.gz", "wacz")),
    ):  # fmt: skip
        assert says(*words).returncode == 0, words
    assert leaking(tmp_path / "work") == {}
    # The test would see it.
    assert leaking(keys)


def test_a_host_from_the_command_line_alone(houses, keys, run, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nothing"))
    words = ("crawl", "wolf spider", "--seed", SEEDS[2], "--delay", "0", "--out", "c", "--pages", "3", "--no-index")
    done = run(*words, "--access", "http://clear.test:bearer=file:../private/token", "--json", *words_of(houses))
    assert (done.returncode, json.loads(done.stdout)["pages"]) == (0, 3)


@pytest.mark.parametrize(
    ("access", "problem"),
    [
        (f"inside.test:bearer={TOKEN}", "the bearer of inside.test is written in clear: put it into an environment"),
        ("inside.test:bearer=env:DOORS_NOT_SET", "the environment variable DOORS_NOT_SET, which is to hold the bearer"),
        ("inside.test:cookies=nowhere.txt", "nowhere.txt cannot be read"),
        ("inside.test", "an access is not HOST:KEY=VALUE"),
        ("inside.test=x", "'inside.test' does not say how to enter a host"),
        (TOKEN, "an access is not HOST:KEY=VALUE"),
    ],
)
def test_an_access_that_cannot_be_used_is_one_line_and_nothing_is_begun(
    keys, run, tmp_path, monkeypatch, access, problem
):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nothing"))
    code, said, complaints = run("crawl", "spiders", "--seed", SEEDS[0], "--out", "c", "--access", access)
    assert (code, said, complaints.count("\n")) == (2, "", 1)
    assert problem in complaints and "(--access)" in complaints
    assert not leaks(complaints) and not Path("c").exists()


@pytest.mark.parametrize(
    "command",
    [
        ("serve", "--port", "0"),
        ("mcp",),
        ("rounds", "spiders", "--seed", SEEDS[0]),
    ],
)
def test_every_command_that_takes_an_access_refuses_a_secret_in_clear(keys, run, command):
    code, said, complaints = run(*command, "--access", f"inside.test:bearer={TOKEN}")
    assert (code, said, complaints.count("\n")) == (2, "", 1)
    assert "the bearer of inside.test is written in clear" in complaints and not leaks(complaints)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("access = 3\n", "lycosa.toml, line 1: [access] has a table for each host"),
        ("[access]\nbearer = 'env:X'\n", "[access] has a table for each host"),
        ("[access.'inside.test']\nbearer = 4711\n", "bearer of inside.test has the wrong type: give a text in quotes"),
        ("[access.'inside.test']\ntoken = 'env:X'\n", "'inside.test:token' does not say how to enter a host"),
        (f"[access.'inside.test']\nbearer = '{TOKEN}'\n", "the bearer of inside.test is written in clear"),
    ],
)
def test_a_table_that_cannot_be_used_is_one_line(keys, run, text, problem):
    (keys / "lycosa" / "lycosa.toml").write_text(text)
    code, said, complaints = run("crawl", "spiders", "--seed", SEEDS[0], "--out", "c")
    assert (code, said, complaints.count("\n")) == (2, "", 1)
    assert problem in complaints and "4711" not in complaints and not leaks(complaints)
    assert not leaks("".join(map(str, run("config"))))


def test_the_file_of_a_folder_cannot_say_who_gets_which_secret(keys, run):
    Path("lycosa.toml").write_text("[access.'evil.test']\nbearer = 'env:DOORS_KEY'\n")
    code, said, complaints = run("crawl", "spiders", "--seed", "https://evil.test/", "--out", "c")
    assert (code, said) == (2, "")
    assert "lycosa.toml, line 1: [access] can only be set in the file of a user" in complaints


def test_python_callers_declare_hosts_as_tables(houses, keys, tmp_path):
    options = {"delay": 0.0, "index": False, "processes": 1, **houses.options}
    with lycosa.hunt("wolf spider", SEEDS, out="c", pages=6, access=access_of(keys), **options) as hunt:
        assert len(list(hunt)) == 6
        assert not leaks(repr(hunt.plan))
    assert not leaks(repr(HuntRequest("x", SEEDS, access={"a.test:bearer": TOKEN})))
    with pytest.raises(Refused, match="is not stored"):
        lycosa.resume("c", pages=8)
    with lycosa.resume("c", pages=8, access=access_of(keys)) as hunt:
        assert len(list(hunt)) == 2


def test_later_rounds_know_the_access_that_the_first_was_begun_with(houses, keys, tmp_path):
    how = {"delay": 0.0, "pages": 4, "index": False, "processes": 1, "strategy": "best-first", **houses.options}
    request = HuntRequest("wolf spider", SEEDS[:1], access=access_of(keys), **how)
    for hunt in Rounds("rounds", rounds=2, plan=make_plan(request), hubs=5):
        with hunt:
            assert list(hunt)
    assert leaking("rounds") == {}
    with pytest.raises(Refused, match="is not stored"):
        next(iter(Rounds("rounds", rounds=3, hubs=5)))
    (third,) = Rounds("rounds", rounds=3, hubs=5, access=access_of(keys))
    third.close()


def test_other_machines_cannot_set_an_access_and_the_owner_of_a_server_can(houses, keys, tmp_path, until):
    with pytest.raises(Refused, match="access cannot be set from another machine"):
        check_remote(HuntRequest("x", SEEDS, access={"a.test:bearer": "env:DOORS_KEY"}))
    flat = {"http://clear.test:bearer": f"file:{keys / 'token'}", "inside.test": access_of(keys)["inside.test"]}
    home = tmp_path / "work" / "home"
    jobs = HuntJobs(home, http={**houses.options, "access": flat}, delay=0.0)
    try:
        jobs.begin()
        with TestClient(make_app(jobs, ServerSettings(port=8125)), base_url="http://127.0.0.1:8125") as client:
            asked = {"keywords": "wolf spider", "seeds": [SEEDS[0], SEEDS[2]], "pages": 6, "name": "mine"}
            own = {"access": {"evil.test:bearer": "env:DOORS_KEY"}}
            assert client.post("/api/hunts", json={**asked, **own}).status_code == 422
            assert client.post("/api/hunts", json=asked).status_code in (200, 201, 202)
            until(lambda: jobs.status("mine").state in ("finished", "failed"))
            status = jobs.status("mine")
            assert (status.state, status.pages, status.misses) == ("finished", 6, {})
            said = [
                client.get(path) for path in ("/api/hunts/mine", "/api/hunts/mine/pages", "/api/options", "/hunts/mine")
            ]
            assert not leaks("".join(answer.text + str(answer.headers) for answer in said))
            assert "HOST:KEY" not in client.get("/api/options").text
    finally:
        jobs.close()
    assert leaking(home) == {}
    # A server of the same home that was not told how says so, and loses nothing.
    poor = HuntJobs(home, http=houses.options, delay=0.0)
    try:
        poor.begin()
        poor.extend("mine", pages=3)
        until(lambda: poor.status("mine").state == "failed")
        assert "is not stored" in poor.status("mine").problem
    finally:
        poor.close()


def test_a_page_that_needs_a_login_says_what_can_be_done(houses, keys, tmp_path, run):
    (keys / "lycosa" / "lycosa.toml").write_text("")
    words = ("crawl", "wolf spider", "--seed", SEEDS[0], "--delay", "0", "--out", "c", "--no-index")
    done = run(*words, *words_of(houses))
    assert done.returncode == 1
    assert "say how to enter its host" in " ".join(done.stdout.split())
