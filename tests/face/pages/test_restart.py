"""The server is killed during three hunts and started again: all of them go on, and so does the open page."""

import httpx

from lycosa.store.collection import Collection

PAGES = 120


def test_three_hunts_and_an_open_page_survive_a_killed_server(serving, made, page, until, screenshot, tmp_path):
    with serving(tmp_path / "home", delay="0.4") as server:
        names = []
        for topic, strategy in zip(made.topics, ("apprentice", "infospiders", "breadth-first"), strict=False):
            wish = {"keywords": topic.keywords, "seeds": topic.neighbors, "pages": PAGES, "on_topic": False}
            started = httpx.post(f"{server.url}/api/hunts", json=wish | {"strategy": strategy}).json()
            names.append(started["name"])
        page.goto(f"{server.url}/hunts/{names[1]}")

        def standing(name):
            return httpx.get(f"{server.url}/api/hunts/{name}").json()

        until(lambda: all(standing(name)["pages"] >= 2 for name in names), "all three have begun")
        assert {standing(name)["state"] for name in names} == {"running"}
        shown = page.locator("[role=tab]").first
        until(lambda: any(letter.isdigit() for letter in shown.inner_text()), "the page shows some")
        server.kill()
        page.get_by_text("econnecting").first.wait_for()
        screenshot(page, "restart-lost")
        before = shown.inner_text()
        server.start()

        def over():
            return all(standing(name)["state"] == "finished" for name in names)

        until(over, "all three are finished", 90)
        until(lambda: str(PAGES) in shown.inner_text(), "the page shows all of them, without being asked to")
        assert before != shown.inner_text()
        screenshot(page, "restart-over")
        assert not page.complaints
        for name in names:
            with Collection.open(tmp_path / "home" / name) as collection:
                assert collection.log.page_count() == collection.log.counts()["visits"] == PAGES
