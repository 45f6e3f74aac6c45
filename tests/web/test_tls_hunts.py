"""Whole hunts over TLS, and the commands that begin them."""

import asyncio
import threading
from contextlib import contextmanager

import pytest

from lycosa.app.hunts import hunt, resume, status, why
from lycosa.app.insight import questions
from lycosa.face.cli.look import explain
from lycosa.system.errors import SeedsFailed
from lycosa.web.tls_reasons import ADVICE, EXPIRED

from ..tls_cases import authority, served


@contextmanager
def in_a_thread(name, folder):
    """The server of a case, beside a hunt; yields how to ask it."""
    ready, done = threading.Event(), threading.Event()
    found = {}

    async def story():
        async with served(name, folder) as port:
            found["port"] = port
            ready.set()
            await asyncio.to_thread(done.wait)

    thread = threading.Thread(target=lambda: asyncio.run(story()))
    thread.start()
    try:
        assert ready.wait(60)
        yield {"resolve": {"*": f"127.0.0.1:{found['port']}"}}
    finally:
        done.set()
        thread.join()


def test_a_hunt_and_its_resumption_trust_the_authority_they_were_given(tmp_path):
    root = tmp_path / "root.pem"
    root.write_bytes(authority().pem)
    with in_a_thread("trusted authority", tmp_path) as http:
        options = {"delay": 0.0, "processes": 1, "ca": str(root), **http}
        with hunt("words", ["https://h.test/a", "https://h.test/b"], out=tmp_path / "c", pages=1, **options) as running:
            assert len(list(running)) == 1
        with resume(tmp_path / "c", pages=2) as running:
            assert len(list(running)) == 1
    assert status(tmp_path / "c").misses == {}


def test_a_hunt_of_a_site_with_a_bad_certificate_says_what_is_wrong_with_it(run, tmp_path):
    root = tmp_path / "root.pem"
    root.write_bytes(authority().pem)
    with in_a_thread("expired", tmp_path) as http:
        options = {"delay": 0.0, "processes": 1, "ca": str(root), **http}
        with (
            hunt("words", ["https://h.test/a"], out=tmp_path / "c", **options) as running,
            pytest.raises(SeedsFailed, match=EXPIRED),
        ):
            list(running)
    assert status(tmp_path / "c").misses == {EXPIRED: 1}
    assert str(ADVICE[EXPIRED]) in run("status", tmp_path / "c")[1].replace("\n", " ")
    (shown,) = questions.misses(tmp_path / "c").reasons
    assert (shown.meaning, shown.fix) == ADVICE[EXPIRED]
    assert f"  {ADVICE[EXPIRED]}" in explain(why(tmp_path / "c", "https://h.test/a"))


COMMANDS = {
    "crawl": ("crawl", "spiders", "--seed", "http://127.0.0.1:9/", "--allow", "127.0.0.1"),
    "rounds": ("rounds", "spiders", "--seed", "http://127.0.0.1:9/", "--allow", "127.0.0.1"),
    "map": ("map", "http://127.0.0.1:9/", "--keywords", "spiders", "--allow", "127.0.0.1"),
    "serve": ("serve", "--port", "0"),
    "mcp": ("mcp",),
}


@pytest.mark.parametrize(("command", "way"), [*((command, "option") for command in COMMANDS), ("crawl", "environment")])
def test_every_command_refuses_a_ca_file_that_is_not_there(run, tmp_path, monkeypatch, command, way):
    monkeypatch.chdir(tmp_path)
    missing = tmp_path / "missing.pem"
    if way == "environment":
        monkeypatch.setenv("LYCOSA_CA", str(missing))
    code, said, complaints = run(*COMMANDS[command], *(("--ca", missing) if way == "option" else ()))
    assert (code, said) == (2, "")
    (line,) = complaints.splitlines()
    assert f"the CA file {missing} cannot be read" in line


def test_https_seeds_without_any_authority_are_refused_in_one_line(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "missing.pem"))
    code, said, complaints = run("crawl", "spiders", "--seed", "https://h.test/")
    assert (code, said) == (2, "")
    (line,) = complaints.splitlines()
    assert "SSL_CERT_FILE names" in line
    assert not (tmp_path / "spiders").exists()
