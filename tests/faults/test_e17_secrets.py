"""E17: the login of a proxy and the token of the server are in no file, no answer and no message."""

import base64
import gzip
import json
from contextlib import suppress

import pytest
import zstandard
from hostile_home import serving
from sites import Sites, control, lycosa

USER, PASSWORD, TOKEN = "mallory-4711", "hush-hush-0815", "a-token-nobody-must-see-0815"
SECRETS = [
    text.encode() for text in (PASSWORD, TOKEN, base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode().rstrip("="))
]


@pytest.mark.row("E17")
def test_no_secret_is_written_or_said(figure, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    said = b""
    with Sites(control(5)) as sites:
        proxy = sites.proxy.replace("//", f"//{USER}:{PASSWORD}@")
        for words in (
            [
                "crawl",
                "wolf spider",
                "--seed=http://control.test/",
                f"--proxy={proxy}",
                f"--out={home / 'c'}",
                "--delay=0",
            ],
            ["status", home / "c", "--json"],
            ["export", home / "c", tmp_path / "c.jsonl"],
            ["resume", home / "c"],
        ):
            done = lycosa(*words)
            said += (done.stdout + done.stderr).encode()
        with serving(home, "--proxy", proxy, "--token", TOKEN) as door:
            right = {"Authorization": f"Bearer {TOKEN}"}
            for path in ("/api/hunts", "/api/hunts/c", "/api/openapi.json", "/", "/api/hunts/nowhere"):
                _, headers, body = door.ask(path, headers=right)
                said += str(headers).encode() + body
            hunt_request = {"keywords": "wolf spider", "seeds": ["http://control.test/"], "pages": 3}
            door.ask(
                "/api/hunts", "POST", {**right, "Content-Type": "application/json"}, json.dumps(hunt_request).encode()
            )
            said += door.ask("/api/hunts", headers=right)[2]
    found, files = sum(said.count(secret) for secret in SECRETS), 0
    for file in tmp_path.rglob("*"):
        if file.is_file():
            files += 1
            found += sum(secret in data for secret in SECRETS for data in readings(file.read_bytes()))
    figure(f"{found} found in {files} files and {len(said):,} bytes of answers")
    assert not found


def readings(data):
    """Bytes as they are, and unpacked where they are packed in one of the ways that we write."""
    yield data
    if data[:2] == b"\x1f\x8b":
        yield gzip.decompress(data)
    at = data.find(b"\x28\xb5\x2f\xfd")
    while at >= 0:
        with suppress(zstandard.ZstdError):
            yield zstandard.ZstdDecompressor().decompressobj().decompress(data[at:])
        at = data.find(b"\x28\xb5\x2f\xfd", at + 1)
