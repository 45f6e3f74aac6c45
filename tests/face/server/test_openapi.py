"""The REST interface keeps to its own OpenAPI document, whatever it is asked (Schemathesis over real HTTP)."""

import json
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
UNKNOWN = {"^(?!.*/events)/api/.*/[{]name[}]": None}
"""Routes of something that has a name, which is made up."""
ALL = """
import json, sys
from schemathesis.cli import schemathesis
for command in json.loads(sys.argv[1]):
    try:
        schemathesis(command)
    except SystemExit as ended:
        if ended.code:
            raise
"""
"""Runs of Schemathesis one after the other, in one process, for it takes long to be imported; ends at a failure."""


@pytest.fixture(scope="module")
def running(serving, furnished, tmp_path_factory):
    home = tmp_path_factory.mktemp("openapi") / "home"
    shutil.copytree(furnished, home, symlinks=True)
    with serving(home, (), "--rate", "2000", "--together", "2", "--pages", "50") as server:
        yield server


@pytest.mark.timeout(600)  # half a minute, and longer where the disk is busy
@pytest.mark.parametrize(
    "runs",
    [
        # Of a known collection everything can be reached; of names that nobody knows only the refusals.
        [({MOST: "spiders"}, "fuzzing", 4), (OTHERS, "coverage,fuzzing", 4), (UNKNOWN, "fuzzing", 2)],
        pytest.param([({MOST: "spiders"}, "coverage", 4)], marks=pytest.mark.slow),
    ],
    ids=["every-route", "most-covered"],
)
def test_nothing_fails_and_nothing_undocumented_is_answered(running, tmp_path, runs):
    commands = []
    for number, (names, phases, examples) in enumerate(runs):
        file = tmp_path / f"{number}.toml"
        file.write_text(
            "".join(
                f"[[operations]]\ninclude-path-regex = '{routes}'\nparameters = {{ \"path.name\" = '{name}' }}\n"
                for routes, name in names.items()
                if name
            )
        )
        command = ["--config-file", str(file), "run", f"{running.url}/api/openapi.json", "--checks", CHECKS]
        command += ["--phases", phases, "--seed", "7", "--max-examples", str(examples)]
        # A stream has no end, and is tested where it is read.
        command += ["--include-path-regex", "|".join(names), "--request-timeout", "60", "--no-color"]
        commands.append(command)
    done = subprocess.run(
        [sys.executable, "-c", ALL, json.dumps(commands)], cwd=tmp_path, capture_output=True, text=True, timeout=560
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-6000:]
    assert done.stdout.count("Seed: 7") == len(runs)
    assert httpx.get(f"{running.url}/api/hunts").status_code == 200


def test_every_route_says_what_it_does(running):
    document = httpx.get(f"{running.url}/api/openapi.json").json()
    for path, methods in document["paths"].items():
        for method, about in methods.items():
            assert about.get("description"), f"{method} {path} does not say what it does"
            assert about["tags"], f"{method} {path} belongs nowhere"
