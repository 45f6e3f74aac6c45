"""The REST interface keeps to its own OpenAPI document, whatever it is asked (Schemathesis over real HTTP)."""

import shutil
import subprocess
import sys

import httpx
import pytest

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
MOST = "^(?!.*/(events|communities/|lab/)).*$"
"""Routes that a collection is enough for."""
OTHERS = {"/communities/|/collections/.*/hubs": "club", "/lab/": "experiment"}
"""Routes that need something else, and what."""


@pytest.fixture(scope="module")
def running(serving, furnished, tmp_path_factory):
    home = tmp_path_factory.mktemp("openapi") / "home"
    shutil.copytree(furnished, home, symlinks=True)
    with serving(home, (), "--rate", "2000", "--together", "2", "--pages", "50") as server:
        yield server


@pytest.mark.timeout(600)  # half a minute, and longer where the disk is busy
@pytest.mark.parametrize(
    ("names", "phases"),
    [
        ({MOST: "spiders"}, "fuzzing"),
        pytest.param({MOST: "spiders"}, "coverage", marks=pytest.mark.slow),
        (OTHERS, "coverage,fuzzing"),
        ({"^(?!.*/events)/api/.*/[{]name[}]": None}, "fuzzing"),
    ],
    ids=["most", "most-covered", "others", "unknown"],
)
def test_nothing_fails_and_nothing_undocumented_is_answered(running, tmp_path, names, phases):
    # Of a known collection everything can be reached; of names that nobody knows only the refusals.
    settings = [
        f"[[operations]]\ninclude-path-regex = '{routes}'\nparameters = {{ \"path.name\" = '{name}' }}\n"
        for routes, name in names.items()
        if name
    ]
    (tmp_path / "schemathesis.toml").write_text("".join(settings))
    command = [
        "run",
        f"{running.url}/api/openapi.json",
        "--checks",
        CHECKS,
        "--phases",
        phases,
        "--seed",
        "7",
    ]
    # A stream has no end, and is tested where it is read.
    command += ["--max-examples", "4", "--include-path-regex", "|".join(names), "--request-timeout", "60", "--no-color"]
    done = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", *command], cwd=tmp_path, capture_output=True, text=True, timeout=560
    )
    assert done.returncode == 0, done.stdout[-6000:]
    assert httpx.get(f"{running.url}/api/hunts").status_code == 200


def test_every_route_says_what_it_does(running):
    document = httpx.get(f"{running.url}/api/openapi.json").json()
    for path, methods in document["paths"].items():
        for method, about in methods.items():
            assert about.get("description"), f"{method} {path} does not say what it does"
            assert about["tags"], f"{method} {path} belongs nowhere"
