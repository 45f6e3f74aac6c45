"""B3: a body that ends before its announced end is fetched again or a miss, and never stored as a whole page."""

import gzip
import random

import pytest
from sites import Sites, control, crawl, html, records, reply, write

BODY = html("wolf spider", text="<p>The wolf spiders are hunters. " * 200).encode()


def short(rng):
    """A response that announces more than comes."""
    head, _, body = reply(BODY).partition(b"\r\n\r\n")
    share = rng.choice([0.0, 0.01, 0.5, 0.99, rng.random()])
    match rng.randrange(4):
        case 0:
            return head + b"\r\n\r\n" + body[: int(share * len(body))]
        case 1:
            return reply(body, Content_Length=len(body) + rng.choice([1, 2, 1000, 10**6]))
        case 2:
            coded = gzip.compress(BODY)
            return reply(coded[: int(share * len(coded))], Content_Encoding="gzip", Content_Length=len(coded))
        case _:
            # In chunks, of which the last one is missing or cut.
            pieces = [body[n : n + 500] for n in range(0, len(body), 500)]
            chunks = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces)
            head = reply(b"", Content_Length=None, Transfer_Encoding="chunked")
            return head + (chunks if share == 0.99 else chunks[: int(share * len(chunks))])


@pytest.mark.row("B3")
def test_half_a_body_is_never_stored_as_a_whole_one(figure, size, tmp_path):
    rng, count, pages = random.Random(3), size(20, 500), size(5, 100)
    bad = {f"short{n}.test/": write(short(rng)) for n in range(count)}
    asked = set()

    def answer(request):
        if request.place == "flaky.test/" and request.place not in asked:
            asked.add(request.place)
            return write(reply(BODY)[:-100])
        return answers.get(request.place)

    links = [f"http://{place}" for place in bad]
    answers = bad | {"flaky.test/": reply(BODY)} | control(pages, *links, "http://flaky.test/")
    with Sites(answer) as sites:
        found = crawl(tmp_path / "c", ["http://control.test/"], sites, retries=1, workers=64)
    noticed = sum(f"http://{place}" in found.misses for place in bad)
    stored = records(tmp_path / "c")
    wrong = sum(url.startswith("http://short") for url in stored)
    figure(f"{noticed} of {count} noticed, {wrong} stored, the one that was whole the second time kept")
    assert noticed == count
    assert wrong == 0
    assert set(found.misses.values()) == {"incomplete body"}
    assert stored.total() == len(found.pages) == pages + 1
    assert set(found.final.values()) == {1}
