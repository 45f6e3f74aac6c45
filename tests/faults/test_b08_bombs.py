"""B8: a few bytes that unpack to gigabytes are unpacked as far as a page may be long, and no further."""

import gzip
import time
import tracemalloc
import zlib
from pathlib import Path

import brotli
import pytest
import zstandard
from sites import Sites, ask, control, reply

from lycosa.core.nouns import Failure, Moved, Page
from lycosa.web import body as body_module
from lycosa.web.body import SLACK, Body

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "conformance" / "compressed"
LIMIT = 100_000
START = b"<title>bomb</title>"


def raw_deflate(data):
    engine = zlib.compressobj(9, wbits=-15)
    return engine.compress(data) + engine.flush()


def wide(data):
    """zstd with a window of 128 MB, which no decoder needs to grant."""
    settings = zstandard.ZstdCompressionParameters.from_level(1, window_log=27)
    engine = zstandard.ZstdCompressor(compression_params=settings).compressobj()
    return engine.compress(data) + engine.flush()


def bombs(megabytes):
    """Codings as the header names them, and bodies that decode to so many megabytes."""
    text = START + bytes(megabytes << 20)
    packed = gzip.compress(text, 9, mtime=0)
    made = {
        "gzip": ("gzip", packed),
        "x-gzip": ("x-gzip", packed),
        "members": ("gzip", gzip.compress(text[: 1 << 20], 9) * megabytes),
        "deflate": ("deflate", zlib.compress(text, 9)),
        "raw": ("deflate", raw_deflate(text)),
        "br": ("br", brotli.compress(text, lgwin=24)),
        "zstd": ("zstd", zstandard.compress(text, 19)),
        "wide": ("zstd", wide(text)),
        "twice": ("gzip, gzip", gzip.compress(packed, 9)),
        "thrice": ("gzip, br, zstd", zstandard.compress(brotli.compress(packed))),
        "mislabelled": ("br", packed),
        "empty-blocks": ("deflate", b"\x00\x00\x00\xff\xff" * (megabytes << 15)),
    }
    nested = packed
    for _ in range(9):
        nested = gzip.compress(nested, 9)
    made["ten deep"] = (", ".join(["gzip"] * 10), nested)
    made["fifty names"] = (", ".join(["gzip"] * 50), packed)
    for file in sorted(SHARED.glob("bomb-*.bin")) if SHARED.is_dir() else ():
        made[file.stem] = (file.stem.removeprefix("bomb-"), file.read_bytes())
    return made


def unpacked(coding, data):
    """Bytes that come out of the codings, and the memory that takes, when a body is fed as it comes from the wire."""
    tracemalloc.start()
    body = Body(coding, LIMIT)
    for place in range(0, len(data), 1 << 16):
        if not body.feed(data[place : place + (1 << 16)]):
            break
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return body.produced, peak


@pytest.mark.row("B8")
def test_a_bomb_is_unpacked_no_further_than_a_page_may_be_long(figure, size):
    made = bombs(size(2, 128))
    made["34 bytes"] = ("br", tiny := brotli.compress(bytes(11_511_612), lgwin=24))
    measured = {name: unpacked(*bomb) for name, bomb in made.items()}
    answers, healthy = {}, control(size(5, 50))
    statuses = {"200": "200 OK", "301": "301 Moved", "404": "404 Not Found", "503": "503 Busy"}
    for n, (coding, data) in enumerate(made.values()):
        for code, status in statuses.items():
            answers[f"{code}-{n}.test/"] = reply(data, status, Content_Encoding=coding, Location="/moved")
        answers[f"robots-{n}.test/robots.txt"] = reply(data, Content_Encoding=coding, Content_Type="text/plain")
    urls = [f"http://{place.removesuffix('robots.txt')}" for place in answers]
    began = time.monotonic()
    with Sites(lambda request: (answers | healthy).get(request.place)) as sites:
        found = ask(sites, [*urls, *(f"http://{place}" for place in healthy)], limit=LIMIT, timeout_total=100)
    took = time.monotonic() - began
    most, memory = max(out for out, _ in measured.values()), max(peak for _, peak in measured.values())
    figure(
        f"{len(urls)} bombs ({len(tiny)} bytes the smallest): at most {most:,} bytes unpacked of {LIMIT:,} allowed, "
        f"{memory / 1024:.0f} KiB of memory, {1000 * took / len(urls):.0f} ms each"
    )
    assert most <= LIMIT + SLACK
    assert memory < 20 * (LIMIT + SLACK + body_module.PIECE)
    kinds = {"200": (Page, Failure), "301": Moved, "404": Failure, "503": Failure, "robots": Failure}
    for url, answer in found.items():
        kind = url[7:].partition("-")[0]
        assert isinstance(answer, kinds.get(kind, Page)), (url, answer)
        assert not isinstance(answer, Page) or answer.size <= LIMIT
        assert getattr(answer, "reason", "") != "timeout"
