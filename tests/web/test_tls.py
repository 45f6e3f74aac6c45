"""HTTPS over real TLS servers: who is believed, and what is said of the others."""

import asyncio
import os
from pathlib import Path
from ssl import DefaultVerifyPaths

import pytest

from lycosa.app.hunts import hunt
from lycosa.core.nouns import Failure, Page
from lycosa.system.errors import Refused
from lycosa.web.http import Http, HttpOptions
from lycosa.web.tls_reasons import ADVICE, NO_AUTHORITIES, PASSING

from ..tls_cases import CASES, authority, outcome, serves, signed


@pytest.mark.parametrize("name", CASES)
def test_every_fault_of_https_has_its_own_reason(name, tmp_path):
    reason = CASES[name][1]
    found = asyncio.run(outcome(name, tmp_path))
    if reason is None:
        assert isinstance(found, Page)
    else:
        assert found == Failure(reason, again=reason in PASSING)
        assert reason in ADVICE


def test_a_certificate_that_signed_itself_can_be_trusted(tmp_path, monkeypatch):
    own = signed("h.test")
    monkeypatch.setitem(CASES, "own", (serves(lambda: own), None, False))
    assert isinstance(asyncio.run(outcome("own", tmp_path, ca=ca_file(tmp_path, own.pem))), Page)


def ca_file(folder, content):
    file = folder / "ca.pem"
    if content is not None:
        file.write_bytes(content)
    return str(file)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "cannot be read"),
        (b"", "contains no certificates"),
        (b"no certificate\n", "contains no certificates"),
        (b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "contains no certificates"),
        (b"\x30\x82\x01\x00", "contains no certificates"),
    ],
)
def test_a_ca_file_that_is_none_is_refused_before_there_is_a_folder(tmp_path, content, told):
    ca = ca_file(tmp_path, content)
    with pytest.raises(Refused, match=told) as refused:
        hunt("spiders", ["http://h.test/"], out=tmp_path / "c", ca=ca)
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "c").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_ca_file_that_may_not_be_read_is_refused(tmp_path):
    file = ca_file(tmp_path, authority().pem)
    Path(file).chmod(0)
    with pytest.raises(Refused, match="cannot be read"):
        HttpOptions(ca=file).must_be_ready()


def test_a_ca_file_that_is_a_folder_is_refused(tmp_path):
    with pytest.raises(Refused, match="the CA file"):
        HttpOptions(ca=str(tmp_path)).must_be_ready()


def test_a_plan_keeps_the_ca_file_wherever_it_is_resumed_from(tmp_path, monkeypatch):
    ca_file(tmp_path, authority().pem)
    monkeypatch.chdir(tmp_path)
    assert HttpOptions(ca="ca.pem").ca == str(tmp_path / "ca.pem")


@pytest.mark.parametrize("content", [None, b"", b"nothing"])
def test_https_seeds_are_refused_where_no_authority_is_known(tmp_path, monkeypatch, content):
    monkeypatch.setenv("SSL_CERT_FILE", ca_file(tmp_path, content))
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)
    with pytest.raises(Refused, match="SSL_CERT_FILE names"):
        hunt("spiders", ["http://h.test/", "https://h.test/"], out=tmp_path / "c")
    assert not (tmp_path / "c").exists()


def test_a_system_without_authorities_is_told_what_to_do(tmp_path, monkeypatch):
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.setattr("ssl.get_default_verify_paths", lambda: _nowhere(tmp_path))
    with pytest.raises(Refused, match="no certificate authorities") as refused:
        HttpOptions().must_be_ready(["https://h.test/"])
    assert refused.value.field == "ca"
    HttpOptions().must_be_ready(["http://h.test/"])
    HttpOptions(ca=ca_file(tmp_path, authority().pem)).must_be_ready(["https://h.test/"])


def _nowhere(folder):
    return DefaultVerifyPaths(None, str(folder), "SSL_CERT_FILE", "/none.pem", "SSL_CERT_DIR", "/none")


def test_an_https_link_stops_a_hunt_that_could_verify_nothing(tmp_path, monkeypatch):
    """Its page is not lost: the hunt can be resumed when the machine knows an authority."""
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "missing.pem"))
    options = HttpOptions(resolve={"*": "127.0.0.1:9"})

    async def story():
        http = Http(options)
        try:
            return await http.get("https://h.test/", 1 << 20)
        finally:
            await http.close()

    found = asyncio.run(story())
    assert found == Failure(NO_AUTHORITIES, again=True, asked=False)
    assert "SSL_CERT_FILE" in str(options.trouble(found.reason))
