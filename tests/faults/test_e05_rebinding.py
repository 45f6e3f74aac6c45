"""E5: neither a foreign name that leads to our address nor a foreign origin gets an answer."""

import socket

import pytest

HOSTS = (
    "evil.example",
    "evil.example:{port}",
    "127.0.0.1.evil.example:{port}",
    "127.0.0.1:{port}@evil.example",
    "127.0.0.1:1",
    "localhost.evil.example:{port}",
    "[::ffff:8.8.8.8]:{port}",
    "0x7f000001.evil.example",
    "127.0.0.1:{port}, evil.example",
    "evil.example\t127.0.0.1:{port}",
    "2130706433.evil.example:{port}",
    "",
    " ",
    "xn--e1awd7f:{port}",
)
HEADS = (
    "GET {path} HTTP/1.1\r\n\r\n",
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil.example\r\n\r\n",
    "GET {path} HTTP/1.1\r\nHost: evil.example\r\nHost: 127.0.0.1:{port}\r\n\r\n",
    "GET http://evil.example{path} HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://evil.example\r\n\r\n",
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: null\r\n\r\n",
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\n\r\n",
)
PATHS = ("/api/hunts", "/api/search?query=spider", "/api/hunts/hostile/events", "/mcp", "/")


@pytest.mark.row("E5")
def test_no_foreign_name_or_origin_gets_an_answer(figure, size, door):
    heads = [*HEADS, *(f"GET {{path}} HTTP/1.1\r\nHost: {host}\r\n\r\n" for host in HOSTS)]
    tried, accepted = 0, []
    for path in PATHS[: size(3, len(PATHS))]:
        for head in heads:
            if path == "/" and "Host: 127.0.0.1:{port}\r\n" in head and "evil.example\r\nHost" not in head:
                continue  # a person may follow a link of another site to the front page
            with socket.create_connection(("127.0.0.1", door.port), timeout=60) as line:
                line.sendall(head.replace("{path}", path).replace("{port}", str(door.port)).encode())
                said = line.recv(65536)
            tried += 1
            status = int(said.split()[1]) if said else 0
            if 0 < status < 400 or b"access-control-allow" in said.lower():
                accepted.append((path, head, status))
    figure(f"{len(accepted)} accepted of {tried}")
    assert not accepted
