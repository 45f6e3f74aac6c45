"""Bodies come out of their codings, never beyond the cap."""

import gzip
import tracemalloc
import zlib
from collections.abc import Callable

import brotli
import pytest
import zstandard

from lycosa.web.body import SLACK, Body

TEXT = b"".join(b"line %d of a page\n" % i for i in range(20_000))


def raw_deflate(data):
    engine = zlib.compressobj(wbits=-15)
    return engine.compress(data) + engine.flush()


def br(data):
    """As tightly as it could be would take it most of a second."""
    return brotli.compress(data, quality=5)


CODINGS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    "identity": bytes,
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "GZIP": gzip.compress,
    "deflate": zlib.compress,
    "Deflate ": raw_deflate,
    "br": br,
    "zstd": zstandard.compress,
    "gzip, br": lambda data: br(gzip.compress(data)),
    "zstd,deflate, gzip": lambda data: gzip.compress(raw_deflate(zstandard.compress(data))),
    "utf-8": bytes,
}


def decode(coding, data, cap=1 << 20, step=1000):
    body = Body(coding, cap)
    for start in range(0, len(data), step):
        if not body.feed(data[start : start + step]):
            break
    return body


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize("step", [1, 1460, 1 << 20])
def test_every_coding_gives_the_body_back(coding, step):
    text = TEXT[:20_000] if step == 1 else TEXT
    body = decode(coding, CODINGS[coding](text), step=step)
    assert (body.content, body.truncated, body.broken) == (text, False, False)


@pytest.mark.parametrize("coding", CODINGS)
def test_a_body_is_cut_at_the_cap(coding):
    body = decode(coding, CODINGS[coding](TEXT), cap=50_000)
    assert (body.content, body.truncated) == (TEXT[:50_000], True)
    whole = decode(coding, CODINGS[coding](TEXT), cap=len(TEXT))
    assert (whole.content, whole.truncated) == (TEXT, False)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "gzip, br", "zstd,deflate, gzip"])
def test_a_bomb_costs_no_memory(coding):
    bomb, cap = CODINGS[coding](bytes(30_000_000)), 100_000
    tracemalloc.start()
    body = Body(coding, cap)
    body.feed(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert body.truncated
    assert body.content == bytes(cap)
    # Besides what is decoded there is the bomb itself, cut at each stage, and what the decoders need for themselves.
    assert peak < cap + SLACK + 3 * (min(len(bomb), cap + SLACK) + 50_000)


def test_coded_bytes_that_decode_to_nothing_come_to_an_end():
    empty_blocks = b"\x00\x00\x00\xff\xff" * 1_000_000
    body = decode("deflate", empty_blocks, cap=100_000, step=10_000)
    assert body.truncated
    assert body.content == b""
    stacked = decode("deflate, gzip", gzip.compress(empty_blocks), cap=100_000)
    assert stacked.truncated


def test_what_was_decoded_before_an_error_is_kept():
    coded = gzip.compress(TEXT)
    wrong_sum = coded[:-8] + bytes(8)
    assert (decode("gzip", wrong_sum).content, decode("gzip", wrong_sum).broken) == (TEXT, True)
    cut = decode("gzip", coded[: len(coded) // 2], step=1 << 20)
    assert not cut.broken
    assert len(cut.content) > len(TEXT) // 3
    assert TEXT.startswith(cut.content)
    damaged = decode("gzip", coded[:20_000] + bytes(100) + coded[20_100:], step=1 << 20)
    assert damaged.content[:50_000] == TEXT[:50_000]


def test_members_in_a_row_are_one_body_and_padding_is_none():
    assert decode("gzip", gzip.compress(b"one ") + gzip.compress(b"two") + bytes(20)).content == b"one two"


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_the_first_bytes_tell_more_than_a_wrong_label(coding):
    text = b"<html>plain after all</html>" * 100
    for coded in (text, gzip.compress(text), zlib.compress(text), zstandard.compress(text)):
        body = decode(coding, coded)
        body.end()
        assert (body.content, body.broken) == (text, False)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "gzip, br"])
def test_a_coding_that_ends_too_early_is_broken_and_an_empty_body_is_whole(coding):
    whole = CODINGS[coding](TEXT)
    for coded, broken in ((whole, False), (whole[: len(whole) // 2], True), (b"", False)):
        body = decode(coding, coded)
        body.end()
        assert body.broken is broken


def test_brotli_is_not_taken_for_gzip_where_it_happens_to_begin_alike():
    data = TEXT[:3212]
    coded = brotli.compress(data, lgwin=24)
    assert coded.startswith(b"\x1f\x8b")
    body = Body("br", len(data))
    body.feed(coded)
    body.end()
    assert (body.content, body.broken) == (data, False)


def test_a_pile_of_codings_is_not_undone():
    assert not Body(", ".join(["gzip"] * 1000), 100).feed(b"x")
