"""E11: no question takes long, whatever it is made of."""

import resource
import time

import pytest
from hostile_home import furnish

import lycosa
from lycosa.system.errors import Refused

MANY = 10_000
BOMBS = {
    "100,000 terms": " ".join(f"spider{n}" for n in range(100_000)),
    "10,000 prefixes": " ".join(f"s{n}*" for n in range(MANY)),
    "prefixes of one letter": "a* b* c* d* e* f* g* h* i* j* k* l* m*",
    "10,000 parentheses": "(" * MANY + "spider" + ")" * MANY,
    "unclosed parentheses": "(" * MANY,
    "a phrase of 10,000 words": '"' + "spider " * MANY + '"',
    "a far phrase": '"spider web"~1000000000',
    "a regular expression": "/(a+)+$/",
    "nothing but not": "-spider -web",
    "a megabyte": "spider " * 150_000,
    "stop words": "the of and a",
    "operators": "AND OR NOT AND OR " * 2000,
    "quotes": '"' * MANY,
    "fields": "title: " * 5000,
    "boosts": "spider^1e308",
    "ranges": "[a TO z] {* TO *}",
    "fuzzy": "spider~99 " * 1000,
    "one long word": "s" * 1_000_000,
    "combining marks": "s" + "\u0301" * 100_000,
    "surrogates": "\ud800" * 1000,
    "NUL": "\0" * 10_000,
}


@pytest.mark.row("E11")
def test_every_question_is_answered_or_refused_soon(figure, tmp_path):
    furnish(tmp_path, 200)
    lycosa.search(tmp_path / "hostile", "spider")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    slowest, worst, refused = 0.0, "", 0
    for name, question in BOMBS.items():
        started = time.thread_time()
        for page in (1, 10**9):
            try:
                lycosa.search(tmp_path / "hostile", question, page=page)
            except Refused:
                refused += 1
        taken = time.thread_time() - started
        slowest, worst = max((slowest, worst), (taken, name))
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    figure(f"{len(BOMBS)} bombs: at most {1000 * slowest:.0f} CPU-ms ({worst}), {refused} refused, {grown:.0f} MB more")
    assert slowest < 5.0
    assert grown < 200
