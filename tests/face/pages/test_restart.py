"""The server is killed during two hunts and started again: both go on, and so does the open page."""

import signal
import subprocess
import sys

import httpx
from playwright.sync_api import expect

from lycosa.core.events import Visited
from lycosa.store.collection import Collection

MANY = 1000
"""More pages than can be fetched while this test lasts, however busy the machine is."""
NUMBER = "Number(document.querySelector('#tally-results').textContent.replace(/\\D/g, ''))"


def test_two_hunts_and_an_open_page_survive_a_killed_server(serving, made, page, until, screenshot, tmp_path):
    with serving(tmp_path / "home", delay="1") as server, httpx.Client() as client:

        def standing():
            return [client.get(f"{server.url}/api/hunts/{name}").json() for name in names]

        names = []
        for topic, strategy in zip(made.topics, ("apprentice", "infospiders"), strict=False):
            hunt_request = {"keywords": topic.keywords, "seeds": topic.neighbors, "pages": MANY, "on_topic": False}
            started = client.post(f"{server.url}/api/hunts", json=hunt_request | {"strategy": strategy}).json()
            names.append(started["name"])
        page.goto(f"{server.url}/hunts/{names[0]}")
        page.wait_for_function(f"() => {NUMBER} > 0")
        until(lambda: all(one["pages"] for one in standing()), "both have begun")
        server.kill()
        lost = page.locator("#connection")
        expect(lost).to_be_visible()
        screenshot(page, "restart-lost")
        before = _visited(tmp_path / "home", names)

        server.start()
        expect(lost).to_be_hidden()
        until(lambda: {one["state"] for one in standing()} == {"running"}, "both run again")
        again = [one["pages"] for one in standing()]
        until(lambda: all(now["pages"] > then for now, then in zip(standing(), again, strict=True)), "they go on")
        page.wait_for_function(f"then => {NUMBER} > then", arg=again[0])
        for name in names:
            client.post(f"{server.url}/api/hunts/{name}/pause").raise_for_status()
        expect(page.locator("#hunt")).to_have_attribute("data-state", "paused")

        after = _visited(tmp_path / "home", names)
        page.wait_for_function(f"all => {NUMBER} === all", arg=len(after[names[0]]))
        for name in names:
            assert after[name][: len(before[name])] == before[name], "nothing was lost"
            assert len(after[name]) == len(set(after[name])) < MANY, "and nothing was fetched twice"
        with Collection.open(tmp_path / "home" / names[0]) as collection:
            relevance = {row.url: row.relevance or 0.0 for row in collection.log.pages(limit=MANY)}
        best = sorted(relevance.values(), reverse=True)[:40]
        listed = page.locator(".found-title")
        # Any page that is as relevant as the fortieth may be among the best forty.
        until(
            lambda: (
                sum(
                    relevance.get(url, -1) >= best[-1] for url in listed.evaluate_all("all => all.map(one => one.href)")
                )
                > 0.85 * len(best)
            ),
            "the page has what came while it was alone",
        )
        screenshot(page, "restart-over")
        assert not page.complaints


def _visited(home, names):
    """The URL of each visit, in order, as the logs have them."""
    found = {}
    for name in names:
        with Collection.open(home / name) as collection:
            found[name] = [entry.event.visit.url for entry in collection.log.read(kinds=(Visited,))]
    return found


def test_the_command_serves_until_it_is_interrupted(tmp_path):
    command = [sys.executable, "-m", "lycosa", "serve", "--port", "0", "--home", str(tmp_path / "home")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            url = process.stdout.readline().split()[3].rstrip(";")
            assert httpx.get(f"{url}api/hunts").json() == []
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 0
        finally:
            process.kill()
