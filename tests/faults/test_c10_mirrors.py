"""C10: a farm of mirrors, with none or some of the words changed, captures neither the crawl nor its results."""

import random

import pytest
from sites import Sites, html

from lycosa.app.hunts import hunt
from lycosa.app.search import search

SYLLABLES = ["wal", "ber", "sil", "tan", "mor", "kel", "fen", "dru", "low", "ned", "ith", "ora", "gan", "pel", "tis"]


def article(number, changed=0.0, mirror=0):
    """The words of an article; a mirror has some of them changed, each mirror others."""
    dice = random.Random(number)
    words = ["".join(dice.choices(SYLLABLES, k=3)) for _ in range(400)]
    words[::20] = ["wolf spider"] * 20
    other = random.Random(f"{number} {mirror}")
    return " ".join("".join(other.choices(SYLLABLES, k=3)) if other.random() < changed else word for word in words)


def farm(mirrors, pages, changed):
    """One original and its mirrors, whose front pages all know each other."""
    fronts = [f"http://m{n}.test/" for n in range(mirrors)]

    def answer(request):
        mirror = int(request.host[1:-5])
        if request.path == "/robots.txt":
            return None
        if request.path == "/":
            return html(f"Wolf spiders {mirror}", *fronts, *(f"/articles/{n}" for n in range(pages)))
        number = int(request.path.rpartition("/")[2])
        title = article(number).split(" ", 1)[1][:30]
        return html(
            title, "/", f"/articles/{(number + 1) % pages}", text=article(number, changed * (mirror > 0), mirror)
        )

    return answer


@pytest.mark.row("C10")
def test_mirrors_take_few_requests_and_few_places_among_results(figure, size, tmp_path):
    mirrors, pages = size(5, 50), size(30, 200)
    said, shares, lost = [], {}, {}
    for changed in size((0.01,), (0.0, 0.01, 0.05, 0.2)):
        folder = tmp_path / f"{changed}"
        with Sites(farm(mirrors, pages, changed)) as sites:
            options = {
                "pages": size(4, 10) * pages,
                "strategy": "breadth-first",
                "delay": 0.0,
                "proxy": sites.proxy,
            }
            with hunt("wolf spider", ["http://m0.test/"], out=folder, **options) as crawl:
                urls = [visit.url for visit in crawl if "/articles/" in visit.url]
        different = len({url.rpartition("/")[2] for url in urls})
        lost[changed] = 1 - different / len(urls)
        shown = [hit.url for hit in search(folder, "wolf spider", limit=pages).results if "/articles/" in hit.url]
        shares[changed] = 1 - len({url.rpartition("/")[2] for url in shown}) / max(1, len(shown))
        said.append(
            f"{changed:.0%} changed: {shares[changed]:.0%} of results and {lost[changed]:.0%} of pages copies, "
            f"{different} of {pages} articles"
        )
    figure(f"{mirrors} mirrors; " + "; ".join(said))
    # With a fifth of its words changed a page is another one, as far as anybody can tell by its words.
    assert max(share for changed, share in shares.items() if changed <= 0.05) <= 0.02
