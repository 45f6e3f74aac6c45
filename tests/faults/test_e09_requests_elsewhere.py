"""E9: no interface can be made to ask a private address."""

import json
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "conformance" / "attack-ssrf-hosts" / "ssrf.json"
PRIVATE = (
    *(
        "127.0.0.1",
        "127.1",
        "0x7f.1",
        "2130706433",
        "017700000001",
        "localhost",
        "LOCALHOST.",
        "[::1]",
        "[::]",
        "0.0.0.0",
    ),
    *("10.0.0.1", "192.168.0.1", "172.16.0.1", "169.254.169.254", "[fe80::1]", "[fd00::1]", "[::ffff:127.0.0.1]"),
    *("[64:ff9b::7f00:1]", "[2002:7f00:1::]", "100.64.0.1", "198.18.0.1", "224.0.0.1", "255.255.255.255"),
)


@pytest.mark.row("E9")
def test_no_interface_asks_a_private_address(figure, size, door):
    hosts = list(PRIVATE)
    if SHARED.exists():
        hosts += json.loads(SHARED.read_text())["must_block_hosts"]
    hosts = list(dict.fromkeys(hosts))[: size(30, None)]
    before = json.loads(door.ask("/api/hunts")[2])
    tried, accepted = 0, []
    for host in hosts:
        for scheme in ("http", "https"):
            hunt_request = {"keywords": "x", "seeds": [f"{scheme}://{host}/"]}
            for path, body in (("/api/hunts", hunt_request), ("/api/companion/read", {"url": f"{scheme}://{host}/"})):
                status, _, _ = door.ask(path, "POST", {"Content-Type": "application/json"}, json.dumps(body).encode())
                tried += 1
                if status < 400 and path == "/api/hunts":
                    accepted.append((path, host))
    after = json.loads(door.ask("/api/hunts")[2])
    figure(f"{len(accepted)} accepted of {tried}, {len(hosts)} spellings of private hosts")
    assert not accepted
    assert len(after) == len(before)
