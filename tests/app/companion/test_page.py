"""The page of the companion: switch it, see what it knows, forget a page, erase everything."""

import httpx
from playwright.sync_api import expect

ATTACK = "<img src=x onerror=\"document.title='hacked'\">"


def test_the_page_shows_what_it_knows_and_forgets_it_again(serving, page, seen, made, until, screenshot, tmp_path):
    with (
        serving(tmp_path / "home") as running,
        httpx.Client(base_url=f"{running.url}/api/companion", trust_env=False) as api,
    ):
        page.goto(f"{running.url}/companion")
        page.get_by_text("is off: nothing is kept").wait_for()
        page.get_by_text("It has not learned from any page").wait_for()
        page.get_by_role("switch", name="Learn from what I read").focus()
        page.keyboard.press("Space")
        page.get_by_text("is on.").wait_for()
        assert api.get("/state").json()["on"]
        for number, url in enumerate(made.topics[0].targets[:2]):
            one = seen(url)
            one["links"] = [{"url": link, "text": f"{ATTACK} {text}"} for link, text in one["links"]]
            one["title"] += ATTACK
            assert api.post("/read", json=one | {"seconds": 200 * number}).json()["learned"]
        until(lambda: not api.get("/suggestions").json()["scouting"], "the scout's return")
        page.reload()
        offered = [one["url"] for one in api.get("/suggestions").json()["suggestions"]]
        near = page.locator("#near-list a")
        expect(near).to_have_count(len(offered))
        assert near.evaluate_all("all => all.map((one) => one.href)") == offered
        expect(page.locator("#pages")).to_contain_text(ATTACK[:20])
        expect(page.locator("#pages")).to_contain_text("3 min")
        expect(page.locator("#pages tr")).to_have_count(2)
        assert page.locator("main img").count() == 0
        assert page.locator("#words span").count() > 10
        for name, options in (("companion", {}), ("companion-dark", {"color_scheme": "dark"})):
            page.emulate_media(**options)
            screenshot(page, name, full_page=True)
        page.set_viewport_size({"width": 390, "height": 844})
        page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
        screenshot(page, "companion-phone", full_page=True)

        assert api.get("/key").json()["key"] not in page.content()
        page.get_by_role("button", name="Show", exact=True).click()
        expect(page.locator("#key")).to_have_value(api.get("/key").json()["key"])

        page.get_by_label("Hosts to leave alone").fill("bank.example\nhttps://mail.example/x")
        page.get_by_label("Pages a scout may fetch").fill("7")
        page.get_by_role("button", name="Keep", exact=True).click()
        page.get_by_text("Kept.", exact=True).wait_for()
        assert api.get("/state").json()["excluded"] == ["bank.example", "mail.example"]
        assert api.get("/state").json()["pages"] == 7

        page.get_by_role("button", name="Forget").first.click()
        page.get_by_text("Forgotten.", exact=True).wait_for()
        assert len(api.get("/profile").json()["pages"]) == 1
        page.get_by_role("button", name="Erase everything").click()
        page.keyboard.press("Escape")
        expect(page.locator("#sure")).to_be_hidden()
        assert len(api.get("/profile").json()["pages"]) == 1
        page.get_by_role("button", name="Erase everything").click()
        page.get_by_role("button", name="Erase", exact=True).click()
        page.get_by_text("It has not learned from any page").wait_for()
        assert api.get("/profile").json() == {"words": [], "pages": []}
        assert page.title() == "Companion · Lycosa"
        assert page.complaints == []
