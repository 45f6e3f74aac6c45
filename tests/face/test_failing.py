"""A hunt that fails says so on every face, with the reason of each seed; one that ends early says why."""

import json
import shutil
import socket
import ssl
import subprocess
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import lycosa
from lycosa.app.miss_reasons import REASONS, explained
from lycosa.core.nouns import LOST, RESTING
from lycosa.engine.crawl_state import TOO_SLOW
from lycosa.engine.link_filter import ANOTHER_SPELLING, GIVEN_UP, NOTHING_NEW
from lycosa.engine.seed_failures import NOT_ASKED
from lycosa.web.tls_reasons import NO_AUTHORITIES

SITE = {
    "/forbidden": 403,
    "/missing": 404,
    "/broken": 500,
    "/picture": 200,
    "/secret/": 200,
    "/ring": 302,
    "/away": 302,
}
LINKS = {"/": ["/deeper", "/missing", "/secret/", "http://elsewhere.invalid/"], "/deeper": ["/"]}


class Site(BaseHTTPRequestHandler):
    """A little site where most goes wrong."""

    def do_GET(self):
        self.send_response(SITE.get(self.path, 200))
        if self.path in ("/ring", "/away"):
            self.send_header("Location", "/ring" if self.path == "/ring" else "http://elsewhere.invalid/")
        self.send_header("Content-Type", "image/png" if self.path == "/picture" else "text/html")
        self.end_headers()
        if self.path == "/robots.txt":
            self.wfile.write(b"User-agent: *\nDisallow: /secret/")
        else:
            links = "".join(f'<a href="{link}">spider</a>' for link in LINKS.get(self.path, []))
            self.wfile.write(f"<title>spiders</title> wolf spiders {self.path} {links}".encode())

    def log_message(self, *_):
        pass


@contextmanager
def site(port=0, tls=None):
    server = ThreadingHTTPServer(("127.0.0.1", port), Site)
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def shut():
    """A port of loopback at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def crawl(run, out, *seeds, options=()):
    words = [word for seed in seeds for word in ("--seed", seed)]
    how = ("--allow", "127.0.0.1", "--delay", 0, "--retries", 0, "--processes", 1, "--no-index", "--pages", 10)
    return run("crawl", "wolf", "spiders", *words, *how, "--out", out, *options)


def test_a_hunt_of_dead_seeds_fails_with_exit_code_1_and_a_reason_for_each(run, tmp_path, shut):
    seeds = {f"http://127.0.0.1:{shut}/": "connection refused"}
    with site() as port:
        here = f"http://127.0.0.1:{port}"
        seeds |= {f"{here}/forbidden": "status 403", f"{here}/missing": "status 404", f"{here}/broken": "status 500"}
        seeds |= {
            f"{here}/picture": "type image/png",
            f"{here}/secret/": "robots",
            f"{here}/ring": "too many redirects",
        }
        seeds |= {f"https://127.0.0.1:{port}/": "no tls on this port"}
        code, said, _ = crawl(run, tmp_path / "c", *seeds)
    assert code == 1
    assert "failed: none of its 8 seeds could be fetched" in said
    for url, reason in seeds.items():
        problem, fix = explained(reason)
        line = next(line for line in said.splitlines() if line.startswith(f"{url}  "))
        assert problem in line and line.endswith(fix)
    report = json.loads(run("status", tmp_path / "c", "--json")[1])
    assert report["state"] == "failed" and report["pages"] == 0
    assert {each["url"]: each["reason"] for each in report["failures"]} == seeds
    told = run("status", tmp_path / "c")[1]
    assert "failed" in told and all(url in told for url in seeds)


def test_a_certificate_that_is_not_valid_is_a_failure(run, tmp_path):
    if not shutil.which("openssl"):
        pytest.skip("there is no openssl here to make a certificate with")
    files = [tmp_path / "key.pem", tmp_path / "cert.pem"]
    make = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    make += ["-subj", "/CN=127.0.0.1", "-keyout", str(files[0]), "-out", str(files[1])]
    subprocess.run(make, check=True, capture_output=True)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(files[1], files[0])
    with site(tls=tls) as port:
        code, said, _ = crawl(run, tmp_path / "c", f"https://127.0.0.1:{port}/", options=["--json"])
    report = json.loads(said)
    assert (code, report["state"]) == (1, "failed")
    (failure,) = report["failures"]
    assert "certificate" in failure["problem"] and failure["fix"]


def test_a_failed_hunt_that_is_resumed_tries_its_seeds_again(run, tmp_path, shut):
    assert crawl(run, tmp_path / "c", f"http://127.0.0.1:{shut}/deeper")[0] == 1
    code, said, _ = run("resume", tmp_path / "c")
    assert code == 1 and f"lycosa resume {tmp_path / 'c'}" in said
    with site(shut):
        code, said, _ = run("resume", tmp_path / "c", "--json")
    report = json.loads(said)
    assert (code, report["state"], report["pages"], report["failures"]) == (0, "finished", 2, [])
    assert report["misses"]["connection refused"] == 2


def test_a_redirect_is_followed_to_what_is_the_matter(run, tmp_path):
    with site() as port:
        seed = f"http://127.0.0.1:{port}/away"
        code, said, _ = crawl(run, tmp_path / "c", seed, options=["--within", "127.0.0.1"])
    assert code == 1
    assert f"{seed}  it leads outside the scope of the hunt (at http://elsewhere.invalid/): widen the scope" in said


def test_a_hunt_that_ends_early_says_why(run, tmp_path):
    with site() as port:
        code, said, _ = crawl(run, tmp_path / "c", f"http://127.0.0.1:{port}/", options=["--within", "127.0.0.1"])
    early = (
        "Ended early: nothing was left to fetch after 2 of 10 pages. 2 links brought no page: "
        "robots.txt does not allow it ×1, there is no such page (status 404) ×1. "
        "Why other links were not followed: it leads outside the scope of the hunt. "
        "What would help: widen its scope (1 link outside the scope: 1 by within); give it more seeds."
    )
    assert code == 0 and early in said
    assert json.loads(run("status", tmp_path / "c", "--json")[1])["early"] == early
    assert "for another hunt: lycosa crawl --within --seed --find" in said
    assert "Ended early" in run("status", tmp_path / "c")[1]


def test_a_hunt_that_spends_its_budget_did_not_end_early(run, tmp_path):
    with site() as port:
        seed = f"http://127.0.0.1:{port}/"
        code, said, _ = crawl(run, tmp_path / "c", seed, options=["--pages", 1, "--json"])
    assert (code, json.loads(said)["state"], json.loads(said)["early"]) == (0, "finished", "")


def test_rounds_whose_first_round_fails_have_failed_and_go_on_when_they_can(run, tmp_path, monkeypatch):
    monkeypatch.setitem(SITE, "/late", 404)
    with site() as port:
        words = ["wolf", "spiders", "--seed", f"http://127.0.0.1:{port}/late", "--allow", "127.0.0.1", "--delay", 0]
        words += ["--rounds", 2, "--pages", 1, "--processes", 1, "--out", tmp_path / "r"]
        code, said, _ = run("rounds", *words)
        assert code == 1 and "failed: its only seed could not be fetched" in said
        code, said, _ = run("rounds", *words, "--json")
        assert (code, json.loads(said)["state"]) == (1, "failed")
        monkeypatch.setitem(SITE, "/late", 200)
        code, said, _ = run("rounds", *words, "--json")
    assert (code, json.loads(said)["state"]) == (0, "finished")


def test_in_python_a_hunt_that_fails_raises_and_says_why(tmp_path, shut):
    url = f"http://127.0.0.1:{shut}/"
    options = {"delay": 0.0, "retries": 0, "allow": ["127.0.0.1"], "index": False}
    with lycosa.hunt("wolf spiders", [url], out=tmp_path / "c", **options) as hunt:
        with pytest.raises(lycosa.SeedsFailed, match=f"{url} connection refused"):
            list(hunt)
        assert hunt.failed
        assert hunt.failures() == [(url, "connection refused", "")]
    assert issubclass(lycosa.SeedsFailed, lycosa.Refused)


def test_every_reason_has_words_of_its_own():
    assert {LOST, RESTING, NOT_ASKED, GIVEN_UP, TOO_SLOW, NOTHING_NEW, ANOTHER_SPELLING} <= REASONS.keys()
    assert NO_AUTHORITIES in REASONS
    assert explained("status 404") == ("there is no such page (status 404)", "check the URL")
    assert explained("status 418").problem == "the server refused the request (status 418)"
    assert explained("status 502").problem == "the server has a fault or is overloaded (status 502)"
    assert explained("refused address 10.0.0.1").problem == "it is not on the public Internet (10.0.0.1)"
    assert explained("type unknown").problem == "it is not a text that can be read"
    assert explained("something new").problem == "something new"
    # Each is a clause that «: » and what to do can follow.
    for problem, fix in REASONS.values():
        assert problem and fix and not {problem[-1], fix[-1]} & set(".:;!") and problem[0].islower()
