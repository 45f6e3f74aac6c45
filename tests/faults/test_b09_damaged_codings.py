"""B9: a page whose coding is mislabelled or damaged is read as far as it can be, and marked where a part is missing."""

import gzip
import random
import zlib
from pathlib import Path

import brotli
import pytest
import zstandard
from sites import Sites, ask, reply

from lycosa.core.nouns import Page

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "conformance" / "compressed"
START = b"<!doctype html><html lang=en><title>wolf spider</title><p>The wolf spiders hunt. "
WORDS = random.Random(1).choices(["Lycosa", "hunts", "silk", "burrow", "legs", "night", "eyes", "egg", "sac"], k=6000)
HTML = START + " ".join(f"{word}{n}" for n, word in enumerate(WORDS)).encode()


def raw_deflate(data):
    engine = zlib.compressobj(wbits=-15)
    return engine.compress(data) + engine.flush()


def half(data):
    return data[: len(data) // 2]


GZIP, ZLIB, RAW = gzip.compress(HTML, mtime=0), zlib.compress(HTML), raw_deflate(HTML)
BROTLI, ZSTD = brotli.compress(HTML, quality=5), zstandard.compress(HTML)
MIDDLE = len(GZIP) // 2
WHOLE = {
    "raw deflate": ("deflate", RAW),
    "plain as gzip": ("gzip", HTML),
    "plain as deflate": ("deflate", HTML),
    "plain as br": ("br", HTML),
    "plain as zstd": ("zstd", HTML),
    "gzip as deflate": ("deflate", GZIP),
    "gzip as br": ("br", GZIP),
    "zlib as gzip": ("gzip", ZLIB),
    "zstd as gzip": ("gzip", ZSTD),
    "an unknown coding": ("utf-8", HTML),
    "named twice, coded once": ("gzip, gzip", GZIP),
    "coded twice in the wrong order": ("gzip, deflate", gzip.compress(ZLIB)),
    "members in a row": ("gzip", gzip.compress(HTML[:5000]) + gzip.compress(HTML[5000:])),
    "garbage behind": ("gzip", GZIP + b"garbage" * 100),
}
"""Nothing of these pages is missing: coding as labelled, and the bytes."""
DAMAGED = {
    "gzip cut in half": ("gzip", half(GZIP)),
    "gzip without its trailer": ("gzip", GZIP[:-8]),
    "wrong CRC": ("gzip", GZIP[:-8] + bytes(4) + GZIP[-4:]),
    "wrong length": ("gzip", GZIP[:-4] + bytes(4)),
    "gzip broken in the middle": ("gzip", GZIP[:MIDDLE] + bytes(64) + GZIP[MIDDLE + 64 :]),
    "zlib cut in half": ("deflate", half(ZLIB)),
    "raw deflate cut in half": ("deflate", half(RAW)),
    "brotli cut in half": ("br", half(BROTLI)),
}
SHARED_SAMPLES = {
    "html-rawdeflate.bin": "deflate",
    "html-zlibdeflate.bin": "deflate",
    "html-gzip-deflate.bin": "gzip, deflate",
    "html-gzip-deflate-gzip.bin": "gzip, deflate, gzip",
    "html-zstd-static-no-content-size.bin": "zstd",
    "html-zstd-streaming-no-content-size.bin": "zstd",
    "truncated-crc-error.gz": "gzip",
    "truncated-crc-error-short.gz": "gzip",
    "unexpected-eof.gz": "gzip",
}


@pytest.mark.row("B9")
def test_what_can_be_decoded_of_a_page_is_kept_and_what_is_missing_is_marked(figure):
    samples = WHOLE | DAMAGED
    assert len(samples) == 22
    if SHARED.is_dir():
        samples |= {name: (coding, (SHARED / name).read_bytes()) for name, coding in SHARED_SAMPLES.items()}
    urls = {f"http://s{n}.test/": name for n, name in enumerate(samples)}
    answers = {
        url[7:]: reply(samples[name][1], Content_Encoding=samples[name][0], Content_Type="text/html; charset=utf-8")
        for url, name in urls.items()
    }
    with Sites(answers) as sites:
        found = {urls[url]: answer for url, answer in ask(sites, urls).items()}
    readable = [name for name, answer in found.items() if isinstance(answer, Page) and answer.text.strip()]
    marked = [name for name in DAMAGED if name in readable and found[name].raw.damaged]
    figure(f"{len(readable)} of {len(samples)} readable, {len(marked)} of {len(DAMAGED)} damaged ones marked")
    assert len(readable) == len(samples), set(samples) - set(readable)
    assert len(marked) == len(DAMAGED)
    for name in WHOLE:
        assert found[name].raw.body == HTML and not found[name].raw.damaged, name
    for name in DAMAGED:
        assert HTML.startswith(found[name].raw.body[:2000]), name
