"""What people want and do not want, in a real browser: words on pages, given and taken back; hosts to leave alone."""

import pytest
from playwright.sync_api import expect

import lycosa
from lycosa.core.nouns import Judgement
from lycosa.store.judgements import Inbox

WEB = "made:pages=600,topics=3,seed=5,page_bytes=2000"
PATIENCE = 30_000
"""Milliseconds that a busy machine may need to show something."""


@pytest.fixture(scope="session")
def judged_folder(tmp_path_factory):
    """A collection that is at rest; made before there is a browser, whose loop would be in the way."""
    from lycosa.web.source_names import open_made

    topic, folder = open_made(WEB).topics[0], tmp_path_factory.mktemp("judging") / "judged"
    with lycosa.hunt(topic.keywords, topic.examples, out=folder, replay=WEB, pages=30, index=False) as hunt:
        list(hunt)
    return folder


@pytest.fixture(scope="module")
def server(judged_folder, serving, tmp_path_factory):
    with serving(tmp_path_factory.mktemp("home"), [judged_folder]) as running:
        yield running


def opened(tab, server):
    tab.set_default_timeout(PATIENCE)
    tab.goto(f"{server.url}/hunts/judged")
    tab.wait_for_selector(".found:nth-child(5)")
    return tab


def pressed(tab, url, kind, yes=True):
    """Wait until a button of a page is pressed, or is not."""
    row = tab.locator(".found", has=tab.locator(f'a.found-title[href="{url}"]'))
    button = row.locator(f".say.{kind}")
    expect(button).to_have_attribute("aria-pressed", "true" if yes else "false", timeout=PATIENCE)
    return button


def test_pressing_again_takes_the_word_back_everywhere(page, server, judged_folder, until, screenshot):
    inbox = Inbox(judged_folder)
    opened(page, server)
    other = opened(page.context.new_page(), server)
    url = page.locator("a.found-title").first.get_attribute("href")

    pressed(page, url, "yes", False).click()
    pressed(page, url, "yes")
    pressed(other, url, "yes")
    until(lambda: inbox.all() == {url: True}, "the word is put down", 30)
    screenshot(page, "judged")
    # The other page takes it back, and the first one shows that.
    pressed(other, url, "yes").click()
    pressed(other, url, "yes", False)
    pressed(page, url, "yes", False)
    until(lambda: inbox.all() == {}, "the word is taken back", 30)

    # By keys: y, another word instead, and that one taken back.
    page.bring_to_front()
    page.locator("a.found-title").first.focus()
    for key, kind, is_pressed in (("y", "yes", True), ("n", "no", True), ("n", "no", False)):
        page.keyboard.press(key)
        pressed(page, url, kind, is_pressed)
    words = [True, None, True, False, None]
    until(lambda: [heard.judgement.relevant for heard in inbox.read()] == words, "every word in its order", 30)
    pressed(other, url, "no", False)
    other.close()
    page.reload()
    page.wait_for_selector(".found:nth-child(5)")
    assert page.locator('.say[aria-pressed="true"]').count() == 0
    assert page.complaints == []


def test_the_origin_of_a_judgement_is_shown(page, server, judged_folder, until):
    inbox = Inbox(judged_folder)
    opened(page, server)
    url = page.locator("a.found-title").nth(2).get_attribute("href")
    row = page.locator(".found", has=page.locator(f'a.found-title[href="{url}"]'))
    assert not row.locator(".found-judge").is_visible()
    inbox.add([Judgement(url, True, "llm:small")], 1.0)
    pressed(page, url, "yes")
    expect(row.locator(".found-judge")).to_have_text("judged by llm:small")
    page.reload()
    page.wait_for_selector(".found:nth-child(5)")
    expect(row.locator(".found-judge")).to_have_text("judged by llm:small")
    # A person's word takes its place.
    pressed(page, url, "no", False).click()
    expect(row.locator(".found-judge")).to_be_hidden()
    pressed(page, url, "no").click()
    until(lambda: inbox.all() == {}, "the word is taken back", 30)


def test_an_answer_is_undone(page, server, judged_folder, until, screenshot):
    inbox = Inbox(judged_folder)
    opened(page, server)
    question = page.locator("#doubts .found-title")

    def asked(nothing_but):
        expect(question).not_to_have_attribute("href", nothing_but, timeout=PATIENCE)
        return question.get_attribute("href")

    page.click("#teach")
    first = asked("")
    assert page.locator("#doubts button", has_text="Undo").count() == 0
    page.keyboard.press("n")
    second = asked(first)
    page.keyboard.press("y")
    third = asked(second)
    until(lambda: inbox.all() == {first: False, second: True}, "both answers are put down", 30)
    screenshot(page, "judging-undo")
    page.keyboard.press("u")
    expect(question).to_have_attribute("href", second, timeout=PATIENCE)
    page.locator("#doubts button", has_text="Undo").click()
    expect(question).to_have_attribute("href", first, timeout=PATIENCE)
    until(lambda: inbox.all() == {}, "both are taken back", 30)
    for word, url in (("y", second), ("n", third)):
        page.keyboard.press(word)
        expect(question).to_have_attribute("href", url, timeout=PATIENCE)
    until(lambda: inbox.all() == {first: True, second: False}, "the new answers are put down", 30)
    assert page.complaints == []


def test_hosts_that_are_left_alone_are_named_in_the_form(page, server, screenshot):
    page.set_default_timeout(PATIENCE)
    page.goto(f"{server.url}/?like=judged")
    page.wait_for_selector("#strategy option", state="attached")
    expect(page.locator("#keywords")).not_to_have_value("", timeout=PATIENCE)
    page.click("#more > summary")
    page.fill("#without", "no host at all")
    page.click("#go")
    page.wait_for_selector("#without-problem:has-text('not a host to leave alone')")
    screenshot(page, "hunts-without", full_page=True)
    page.fill("#without", ".elsewhere.test")
    page.click("#go")
    page.wait_for_url("**/hunts/*")
    page.click("role=tab[name=About]")
    page.wait_for_selector("dd:has-text('never .elsewhere.test')")
    assert page.complaints == []
