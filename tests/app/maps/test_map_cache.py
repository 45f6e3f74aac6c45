"""Maps are kept: looking again costs nothing, a map that grows keeps its places, and arrays stay small."""

import json

import numpy as np

from lycosa.app.maps.arrays import to_arrays
from lycosa.app.maps.layout import draw
from lycosa.app.maps.map_cache import MapCache
from lycosa.app.maps.survey import survey
from lycosa.store.collection import Collection


def web(first, last, of=60):
    return {
        f"h{n % 9}.test/p{n}": (n / of, [f"h{m % 9}.test/p{m}" for m in (n // 2, n // 3, n + 1)])
        for n in range(first, last)
    }


def test_a_map_of_the_same_pages_is_not_drawn_again(keep):
    shelf, folder = MapCache(), keep(web(0, 30))
    one, other = (shelf.draw(folder, kind="links", links=100)[1] for _ in range(2))
    assert one is other
    assert shelf.draw(folder, kind="site", links=100)[1] is not one


def test_a_map_that_grows_has_the_new_pages_and_keeps_the_places_of_the_old(keep, more):
    shelf, folder = MapCache(), keep(web(0, 50))
    before = shelf.draw(folder, kind="links", links=1000)[1]
    more(folder, web(50, 60))
    after = shelf.draw(folder, kind="links", links=1000)[1]
    assert len(after.sheet) > len(before.sheet)
    where = dict(zip(after.sheet.urls, zip(after.x, after.y, strict=True), strict=True))
    moved = [
        np.hypot(x - where[url][0], y - where[url][1])
        for url, x, y in zip(before.sheet.urls, before.x, before.y, strict=True)
    ]
    assert np.mean(moved) < 0.5 * np.hypot(before.x, before.y).mean()


def test_what_was_asked_for_long_ago_is_forgotten(keep):
    shelf, folder = MapCache(), keep(web(0, 20))
    first = shelf.draw(folder, kind="links", links=100, limit=1)[1]
    for limit in range(2, 20):
        shelf.draw(folder, kind="links", links=100, limit=limit)
    assert shelf.draw(folder, kind="links", links=100, limit=1)[1] is not first


def test_five_thousand_pages_are_less_than_a_megabyte(keep):
    pages = {
        f"www.some-host-{n % 300}.test/section/{n % 17}/a-page-with-a-name-{n}.html": (
            (n % 100) / 100,
            [
                f"www.some-host-{m % 300}.test/section/{m % 17}/a-page-with-a-name-{m}.html"
                for m in (n * 7 % 5000, n // 3, n // 5, n // 9)
            ],
            f"A title of a usual length for page {n} - Host {n % 300}",
        )
        for n in range(5000)
    }
    arrays = to_arrays(draw(keep(pages), kind="links", limit=5000))
    assert len(arrays["x"]) == 5000
    assert len(json.dumps(arrays, ensure_ascii=False, separators=(",", ":")).encode()) < 1_000_000


def test_arrays_put_the_urls_together_again(keep):
    folder = keep(
        {
            "a.test/": (0.5, ["a.test/x?y=1", "b.test:81/z"]),
            "a.test/x?y=1": (0.1, []),
            "b.test:81/z": (0.1, ["a.test/"]),
        }
    )
    drawn = draw(folder, kind="links")
    arrays = to_arrays(drawn)
    urls = [arrays["origins"][origin] + path for origin, path in zip(arrays["origin"], arrays["path"], strict=True)]
    assert urls == drawn.sheet.urls
    assert set(urls) == {"http://a.test/", "http://a.test/x?y=1", "http://b.test:81/z"}


def test_a_running_crawl_is_surveyed_beside_it(keep):
    folder = keep(web(0, 10))
    with Collection.open(folder, write=True):
        assert survey(folder).fetched.sum() == 10
