"""E14: no URL and no header can forge a WARC record."""

import pytest
from sites import records

from lycosa.core.nouns import Raw
from lycosa.store.repository import Repository, Writer

ENDS = ("\r\n", "\n", "\r", "\r\n\r\n", "\0", "\x0b", "\u2028", "%0d%0a")
FORGED = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://forged.test/\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
URLS = (
    "http://a.test/{}",
    "http://a.test/{}WARC-Type: warcinfo",
    "http://a.test/ with spaces{}",
    "http://a.test/{}" + FORGED,
)
HEADERS = (
    (("X-Odd", "x{}Forged: yes"),),
    (("X-Odd{}Forged", "yes"),),
    (("Content-Type", "text/html{}WARC-Type: metadata"), ("Content-Length", "99999")),
    (("Set-Cookie", "x"),) * 1000,
)
BODIES = (b"<p>page</p>", FORGED.encode(), b"\r\n\r\n" * 1000, b"", bytes(range(256)))


@pytest.mark.row("E14")
def test_each_response_is_one_valid_record(figure, size, tmp_path):
    writer = Writer(tmp_path, "odd")
    written = {}
    for n, end in enumerate(ENDS):
        for url in URLS:
            for headers in HEADERS:
                for body in BODIES[: size(2, len(BODIES))]:
                    odd = tuple((name.replace("{}", end), value.replace("{}", end)) for name, value in headers)
                    raw = Raw(200, odd, body, False, f"OK{end}Forged: yes" if n % 2 else "OK")
                    written[writer.write(url.replace("{}", end), raw, 1.7e9)] = body
    writer.close()
    found = records(tmp_path)
    repository = Repository(tmp_path)
    wrong = sum(repository.read(where).body != body for where, body in written.items())
    figure(f"{sum(found.values())} valid records of {len(written)} written, {wrong} bodies changed")
    assert sum(found.values()) == len(written) and not wrong
    assert not any(url.strip() == "forged.test/" for url in found)
