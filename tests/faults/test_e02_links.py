"""E2: results link to http and https only, and tell the sites nothing of where the reader comes from."""

import json

import pytest

SAFE = ("http://", "https://")


@pytest.mark.row("E2")
def test_results_link_to_the_web_only(figure, size, door):
    links = dangerous = 0
    for page in range(1, size(2, 40) + 1):
        for path in (
            f"/api/search?query=spider&collection=hostile&page={page}",
            f"/api/hunts/hostile/pages?page={page}",
            "/api/hunts/hostile/frontier",
            "/api/collections/hostile/hubs",
        ):
            status, headers, body = door.ask(path)
            assert headers["Content-Type"].startswith(("application/json", "application/problem+json"))
            assert headers["X-Content-Type-Options"] == "nosniff"
            for url in urls_in(json.loads(body)) if status == 200 else ():
                links += 1
                dangerous += not url.startswith(SAFE)
    _, headers, _ = door.ask("/search")
    figure(f"{dangerous} dangerous of {links} links; Referrer-Policy {headers['Referrer-Policy']}")
    assert links and not dangerous
    assert headers["Referrer-Policy"] in ("no-referrer", "same-origin")


def urls_in(data):
    """Every value of a field called url."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key == "url" and isinstance(value, str):
                yield value
            else:
                yield from urls_in(value)
    elif isinstance(data, list):
        for value in data:
            yield from urls_in(value)
