"""Who may reach the server, decided without opening anything."""

import subprocess
import sys

import pytest

from lycosa.face.server.request_guard import Rate
from lycosa.face.server.server_settings import ServerSettings
from lycosa.system.errors import Refused

TOKEN = "a-token-of-some-length"


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.0.2.7", "lycosa.example.org"])
def test_any_address_but_loopback_needs_a_token(address):
    with pytest.raises(Refused, match="token"):
        ServerSettings(address)
    assert not ServerSettings(address, token=TOKEN).is_local


@pytest.mark.parametrize("address", ["127.0.0.1", "127.3.2.1", "::1", "localhost"])
def test_loopback_needs_none(address):
    assert ServerSettings(address).is_local


@pytest.mark.parametrize("token", ["short", "with\nnewline-and-long", "é" * 20])
def test_a_token_that_is_easy_to_guess_or_cannot_be_sent_is_refused(token):
    with pytest.raises(Refused, match="token"):
        ServerSettings(token=token)


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080"])
def test_the_server_goes_by_its_own_names(host):
    assert ServerSettings().answers_to(host)


@pytest.mark.parametrize(
    "host",
    ["evil.example:8080", "127.0.0.1:8081", "127.0.0.1", "", "localhost.evil.example:8080", "127.0.0.1.nip.test:8080",
     "localhost:8080@evil.example", "192.0.2.7:8080", "localhost:99999999999999", ":8080",
     "localhost:²", "localhost:١", "[[localhost:8080", "localhost]:8080"],
)  # fmt: skip
def test_a_rebound_name_is_not_its_own(host):
    assert not ServerSettings().answers_to(host)


def test_a_public_server_answers_to_addresses_and_given_names_only():
    settings = ServerSettings("0.0.0.0", token=TOKEN, names=("search.example.org",))
    assert settings.answers_to("192.0.2.7:8080")
    assert settings.answers_to("search.example.org")
    assert settings.answers_to("search.example.org:443")
    assert not settings.answers_to("evil.example:8080")


@pytest.mark.parametrize("name", ["https://search.example.org/", "search.example.org:443", "a b", "", "a."])
def test_what_no_host_header_can_be_is_no_name(name):
    with pytest.raises(Refused, match="is not a host name"):
        ServerSettings(names=(name,))


@pytest.mark.parametrize(
    ("wrong", "why"), [(("--address", "0.0.0.0"), "token"), (("--home", "file/home"), "cannot write")]
)
def test_the_command_line_refuses_in_one_line_and_opens_nothing(tmp_path, wrong, why):
    (tmp_path / "file").touch()
    done = subprocess.run(
        [sys.executable, "-m", "lycosa", "serve", "--port", "0", "--home", "home", *wrong], cwd=tmp_path,
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and why in done.stderr
    assert not (tmp_path / "home").exists()


def test_a_rate_lets_some_through_at_once_and_then_so_many_a_second():
    rate = Rate(a_second=0.001, at_once=3)
    assert [rate.allows("a") for _ in range(5)] == [True, True, True, False, False]
    assert rate.allows("b")
