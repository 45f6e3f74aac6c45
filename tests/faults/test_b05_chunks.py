"""B5: broken chunks are an error; tiny ones, and those laden with extensions or trailers, cost linear time."""

import resource
import time

import pytest
from sites import Sites, ask, control, html, reply, write

from lycosa.core.nouns import Failure, Page

LIMIT = 1 << 20
HEAD = reply(b"", Content_Length=None, Transfer_Encoding="chunked")
BODY = html("wolf spider", text="<p>hunts by night. " * 100).encode()
END = b"0\r\n\r\n"


def chunk(data, extension=b""):
    return b"%x%b\r\n%b\r\n" % (len(data), extension, data)


BROKEN = {
    "no-size": b"\r\nhello\r\n" + END,
    "word": b"hello\r\nhello\r\n" + END,
    "negative": b"-5\r\nhello\r\n" + END,
    "plus": b"+5\r\nhello\r\n" + END,
    "prefix": b"0x5\r\nhello\r\n" + END,
    "huge": b"fffffffffffffffff\r\nhello\r\n" + END,
    "too-short": b"3\r\nhello\r\n" + END,
    "too-long": b"9\r\nhello\r\n" + END,
    "no-line-end": b"5\r\nhello" + END,
    "no-last": chunk(BODY),
    "nothing": b"",
    "cut-size": chunk(BODY) + b"5",
    "cut-end": chunk(BODY) + b"0\r\n",
    "garbage": bytes(range(256)) * 100,
    "endless-size": b"1" * 10_000_000,
}
"""None of these is a whole page."""


def heavy(count):
    """Lawful, but laborious; where they are more than is reasonable they may be refused."""
    return {
        "one-byte": b"".join([b"1\r\n%c\r\n" % BODY[n % len(BODY)] for n in range(count)]) + END,
        "long-size": b"0" * count + chunk(BODY) + END,
        "long-extension": chunk(BODY, b";" + b"x" * count) + END,
        "many-extensions": b"".join(chunk(BODY[n : n + 1], b";a=b") for n in range(count // 10)) + END,
        "many-trailers": chunk(BODY) + b"0\r\n" + b"".join(b"T%d: x\r\n" % n for n in range(count // 10)) + b"\r\n",
        "long-trailer": chunk(BODY) + b"0\r\nT: " + b"x" * count + b"\r\n\r\n",
        "beyond-the-limit": chunk(b"<p>" + b"x" * (2 * LIMIT)) * 5 + END,
    }


@pytest.mark.row("B5")
def test_chunks_of_every_kind_are_read_or_refused_in_linear_time(figure, size):
    count, pages = size(100_000, 1_000_000), size(5, 100)
    laborious = heavy(count)
    answers = {f"{name}.test/": write(HEAD + data) for name, data in (BROKEN | laborious).items()}
    healthy = control(pages)
    costs = {}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    options = {"obey_robots": False, "timeout_total": 200, "timeout_read": 100, "limit": LIMIT}
    with Sites(answers | healthy) as sites:
        found = ask(
            sites, [f"http://{name}.test/" for name in BROKEN] + [f"http://{place}" for place in healthy], **options
        )
        for name, data in laborious.items():
            began = time.process_time()
            found |= ask(sites, [f"http://{name}.test/"], **options)
            costs[name] = 1000 * (time.process_time() - began) / (len(data) / 1e6)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    wrong = [name for name in BROKEN if not isinstance(found[f"http://{name}.test/"], Failure)]
    hung = [url for url, answer in found.items() if isinstance(answer, Failure) and answer.reason == "timeout"]
    worst = max(costs, key=costs.get)
    figure(
        f"{len(BROKEN) - len(wrong)} of {len(BROKEN)} broken ones refused, {len(hung)} hangs, "
        f"at most {costs[worst]:.0f} ms of CPU a MB ({worst}), {grown:.0f} MB more memory"
    )
    assert not wrong, wrong
    assert not hung
    assert found["http://one-byte.test/"].size == min(count, LIMIT)
    assert found["http://beyond-the-limit.test/"].raw.truncated
    assert all(isinstance(found[f"http://{place}"], Page) for place in healthy)
    # The answers themselves are in this process too.
    assert grown < 200 + 4 * sum(map(len, laborious.values())) / 1e6
