"""Only the public Internet is asked, but for what the user allows."""

import socket

import pytest

from lycosa.system.errors import Refused
from lycosa.web.address_guard import AddressError, AddressGuard


def info(address, port=80):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return (family, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (address, port))


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "169.254.169.254",
        "100.64.0.1",
        "192.0.0.192",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
    ]
    + [
        "::",
        "::1",
        "::127.0.0.1",
        "::8.8.8.8",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2001::1",
    ]
    + [
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "fc00::1",
        "ff02::1",
        "2001:db8::1",
        "3fff::1",
        "100::1",
        "5f00::1",
        "nonsense",
        "",
    ],
)
def test_a_special_address_gets_no_socket(address):
    guard = AddressGuard()
    assert guard.refuses_address(address) == f"refused address {address}"
    with pytest.raises(AddressError, match="refused address"):
        guard.socket(info(address))


@pytest.mark.parametrize(
    "address",
    ["1.1.1.1", "172.15.255.255", "172.32.0.1", "198.20.0.1", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"],
)
def test_a_public_address_passes(address):
    assert AddressGuard().refuses_address(address) is None


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST.", "a.localhost", "metadata.google.internal", "x.local", "0x7f.1", "[::1]:80", "", "a b"],
)
def test_a_private_name_or_disguised_address_is_refused(host):
    assert AddressGuard().refuses_host(host)


@pytest.mark.parametrize(
    "host", ["example.org", "example.org:8080", "localhost.example.org", "w1.schools.test", "8.8.8.8"]
)
def test_a_public_name_passes(host):
    assert AddressGuard().refuses_host(host) is None


def test_the_user_can_allow_a_name_an_address_or_a_network():
    guard = AddressGuard(["LocalHost", "10.1.0.0/16", "127.0.0.1", "[::1]"])
    for host in ("localhost", "localhost:8000", "10.1.2.3", "127.0.0.1:99", "[::1]"):
        assert guard.refuses_host(host) is None
    assert guard.knows("localhost.")
    for host in ("10.2.0.1", "127.0.0.2", "a.localhost"):
        assert guard.refuses_host(host)
    guard.socket(info("127.0.0.1")).close()


@pytest.mark.parametrize(
    ("typed", "host"),
    [
        ("Intra.Lan.", "intra.lan"),
        ("b\u00fccher.lan", "xn--bcher-kva.lan"),
        ("0x7f.1", "127.0.0.1"),
        ("127.0.0.1.", "127.0.0.1"),
        ("2130706433", "127.0.0.1"),
    ],
)
def test_a_host_is_allowed_in_any_spelling(typed, host):
    assert AddressGuard().refuses_host(host)
    assert AddressGuard([typed]).refuses_host(host) is None
    assert AddressGuard([typed]).knows(host)


def test_an_allowed_endpoint_is_no_host_to_crawl():
    guard = AddressGuard()
    guard.allow_endpoint("127.0.0.1", 8080)
    guard.socket(info("127.0.0.1", 8080)).close()
    with pytest.raises(AddressError):
        guard.socket(info("127.0.0.1", 8081))
    assert guard.refuses_host("127.0.0.1:8080") == "refused address 127.0.0.1"


@pytest.mark.parametrize("item", ["", "10.0.0.0/99", "http://x/", "a:1", "me@a", "a b", ".."])
def test_what_cannot_be_allowed_is_refused_in_one_line(item):
    with pytest.raises(Refused, match="cannot be allowed"):
        AddressGuard([item])
