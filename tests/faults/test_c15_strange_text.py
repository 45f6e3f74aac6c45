"""C15: empty, huge and strange texts are indexed in bounded memory."""

import resource
import tracemalloc

import pytest

from lycosa.index.index import Index
from lycosa.index.search_types import Document, Question

TEXTS = {
    "empty": lambda mb: "",
    "blank": lambda mb: " \n\t" * 1000,
    "one-word": lambda mb: "x" * (mb << 20),
    "many-words": lambda mb: " ".join(f"w{n:x}" for n in range(mb * 100_000)),
    "same-word": lambda mb: "spider " * (mb * 150_000),
    "no-spaces": lambda mb: "蜘" * (mb * 300_000),
    "marks": lambda mb: "a" + "\u0301" * (mb * 300_000),
    "bidi": lambda mb: "\u202e\u2066" * (mb * 100_000),
    "emoji": lambda mb: "\U0001f577" * (mb * 200_000),
    "nul": lambda mb: "\0" * 1000,
}


@pytest.mark.row("C15")
def test_strange_texts_are_indexed_in_bounded_memory(figure, size, tmp_path):
    mb = size(1, 10)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    tracemalloc.start()
    with Index.write(tmp_path / "index") as index:
        index.add(Document("http://a.test/control", "wolf spider", "wolf spider at night"))
        for name, text in TEXTS.items():
            index.add(Document(f"http://a.test/{name}", name, text(mb)))
        index.commit(1, 1)
    peak = tracemalloc.get_traced_memory()[1] >> 20
    tracemalloc.stop()
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10
    with Index.open(tmp_path / "index") as index:
        found = [hit.url for hit in index.search(Question("wolf spider")).hits]
        held = len(index)
    figure(f"{held} of {len(TEXTS) + 1} indexed with texts of {mb} MB: {peak} MB of objects, {grown} MB more in all")
    assert held == len(TEXTS) + 1
    assert found[0] == "http://a.test/control"
    assert peak < 200 + 30 * mb
    assert grown < 600 + 60 * mb
