"""D7: canonical, alternate and AMP links neither lose a page nor lead a crawl in circles."""

from random import Random
from string import ascii_lowercase

import pytest
from sites import Sites, html

import lycosa


def words(number):
    """Words that no other page has: a crawl leaves alone what says the same again and again."""
    rng = Random(number)
    return " ".join("".join(rng.choices(ascii_lowercase, k=9)) for _ in range(60))


@pytest.mark.row("D7")
def test_links_that_claim_another_address_lose_nothing(figure, size, tmp_path):
    count = size(10, 200)
    links = "".join(
        (
            "<link rel=canonical href=http://other.test/>",
            "<link rel=alternate hreflang=de href=/0>",
            "<link rel=amphtml href=/amp/{n}>",
            "<link rel=canonical href=/0>",
            "<link rel=next href=/{n}><link rel=prev href=/{n}>",
        )
    )
    pages = {
        f"a.test/{n}": html(
            f"wolf spider {n}", f"http://a.test/{(n + 1) % count}", text=links.replace("{n}", str(n)) + words(n)
        )
        for n in range(count)
    }
    with Sites(pages) as sites:
        how = {"strategy": "breadth-first", "pages": 10 * count, "delay": 0.0, "proxy": sites.proxy, "index": False}
        with lycosa.hunt("wolf spider", ["http://a.test/0"], out=tmp_path / "c", **how) as hunt:
            kept = {visit.url for visit in hunt}
    most = max(sites.pages_asked.values())
    others = [place for place in sites.pages_asked if place not in pages]
    figure(f"{len(kept)} of {count} pages kept, each asked for {most} time, {len(others)} other requests")
    assert len(kept) == count and most == 1
