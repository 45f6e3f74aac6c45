"""E6: no path, however it is spelt, and no symbolic link leads to a file outside of what is served."""

import http.client
from itertools import product

import pytest

SECRET = b"this file is nobody's business"
UPS = (
    *("../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..%252f", "%252e%252e%252f", "..\\", "..%5c", "%2e%2e%5c", "..;/"),
    *("....//", "..././", "%c0%ae%c0%ae/", "..%c0%af", "..%ef%bc%8f", "%uff0e%uff0e/", "..%00/", ".%2e/", "..%0d/"),
)
TARGETS = (
    "etc/passwd",
    "secret.txt",
    "home/hostile/log.sqlite",
    "etc%2fpasswd",
    "secret.txt%00.svg",
    "secret.txt#.css",
)
ROUTES = (
    *("/static/{}", "/api/lab/experiment/{}", "/api/lab/{}", "/lab/{}", "/api/hunts/{}", "/hunts/{}", "/cached/{}"),
    *("/api/collections/{}/export", "/api/collections/{}/map.svg", "/map/{}", "/communities/{}", "/{}"),
)
LINKS = ("figures", "tables", "report.html")


@pytest.mark.row("E6")
def test_no_file_outside_of_the_home_is_served(figure, size, door):
    (door.home.parent / "secret.txt").write_bytes(SECRET)
    names = [f"{up * depth}{target}" for depth, up, target in product(range(1, size(2, 11)), UPS, TARGETS)]
    names += ["/etc/passwd", "//etc/passwd", "%2fetc%2fpasswd", "file:///etc/passwd"]
    routes = ROUTES[: size(2, len(ROUTES))]
    tried, leaked = 0, []
    line = http.client.HTTPConnection("127.0.0.1", door.port, timeout=60)
    for route, name in product(routes, names):
        path = route.format(name)
        body = b""
        try:
            line.putrequest("GET", path, skip_accept_encoding=True)
            line.endheaders()
            body = line.getresponse().read()
        except (http.client.HTTPException, ValueError, OSError):
            line.close()
        tried += 1
        if SECRET in body or b"root:" in body or b"SQLite format" in body:
            leaked.append(path)
    line.close()
    linked = symbolic_links(door, leaked)
    figure(f"{len(leaked)} leaked of {tried} paths and {linked} symbolic links")
    assert not leaked


def symbolic_links(door, leaked):
    """Links that lead out of the home, wherever it lists or serves files."""
    experiment = door.home / "linked"
    (experiment / "crawls").mkdir(parents=True, exist_ok=True)
    (experiment / "report.html").unlink(missing_ok=True)
    outside = door.home.parent / "outside"
    (outside / "deep").mkdir(parents=True, exist_ok=True)
    (outside / "deep" / "secret.svg").write_bytes(SECRET)
    tried = 0
    for name, target in {
        "figures": outside,
        "tables": "/etc",
        "report.html": door.home.parent / "secret.txt",
        "more": outside,
    }.items():
        (experiment / name).unlink(missing_ok=True)
        (experiment / name).symlink_to(target)
    elsewhere = door.home / "elsewhere"
    elsewhere.unlink(missing_ok=True)
    elsewhere.symlink_to(outside)
    for path in (
        *("/api/lab", "/api/lab/linked", "/api/lab/linked/report.html", "/api/lab/linked/figures/deep/secret.svg"),
        *(
            "/api/lab/linked/tables/passwd",
            "/api/lab/linked/more/deep/secret.svg",
            "/api/lab/elsewhere/deep/secret.svg",
        ),
        *("/api/collections/elsewhere/export", "/api/hunts/elsewhere"),
    ):
        body = door.ask(path)[2]
        tried += 1
        if SECRET in body or b"root:" in body or b"deep/secret.svg" in body or b'"tables/passwd"' in body:
            leaked.append(path)
    return tried
