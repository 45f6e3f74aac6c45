"""A page is taken for an empty shell only if it has scripts, hardly a word, and a sign that scripts write the rest."""

import pytest

from lycosa.core.nouns import Raw
from lycosa.web.empty_shells import is_shell
from lycosa.web.parse import parse

SCRIPT = "<script src=/app.js></script>"
SENTENCE = "The wolf spider hunts at night and carries its young on its back through the moss. "
SHELLS = {
    "an empty root": f"<div id=root></div>{SCRIPT}",
    "a root with a loading message": f"<div id='app'><!-- filled later --></div><p>Loading ...</p>{SCRIPT}",
    "a custom element": f"<app-root></app-root>{SCRIPT}",
    "a request for scripts": f"<noscript>You need to enable JavaScript to run this app.</noscript><p>Hi</p>{SCRIPT}",
    "the same with a menu": f"<p>Please enable JavaScript.</p>{'<a href=/a>Spiders of the world</a>' * 20}{SCRIPT}",
    "nothing but a script": f"<p>Spiders</p>{SCRIPT}",
    "a redirect by a script": "<script>location.href = '/spiders'</script>",
}
PAGES = {
    "a text": f"<p>{SENTENCE * 10}</p>{SCRIPT}",
    "a short text": f"<p>{SENTENCE * 2}</p>{SCRIPT}",
    "a root that its server has filled": f"<div id=root><p>{SENTENCE * 2}</p></div>{SCRIPT}",
    "a list of links": "".join(f"<a href=/{n}>Spiders of region {n}</a> " for n in range(30)) + SCRIPT,
    "a page without scripts": "<div id=root></div><p>Nothing here yet</p>",
    "a page with data only": "<p>Spiders</p><script type='application/ld+json'>{}</script>",
    "a text that explains scripts": f"<p>{SENTENCE * 5} How to enable JavaScript: open the settings.</p>{SCRIPT}",
}


def page_of(body, content_type="text/html"):
    html = f"<html><title>Wolf spiders</title><body>{body}</body></html>".encode()
    page = parse("http://a.test/", html, content_type, indexed=True)
    page.raw = Raw(200, (("Content-Type", content_type),), html)
    return page


def shell(page, **how):
    return is_shell(page, page.own_words(), **how)


@pytest.mark.parametrize("body", SHELLS.values(), ids=SHELLS)
def test_an_empty_shell_is_known(body):
    assert shell(page_of(body))


@pytest.mark.parametrize("body", PAGES.values(), ids=PAGES)
def test_a_page_with_something_to_say_is_none(body):
    assert not shell(page_of(body))


def test_at_a_host_that_sends_shells_one_may_say_more():
    summary = page_of(f"<div id=root></div><p>{SENTENCE * 6}</p>{SCRIPT}")
    assert shell(summary, loosely=True) and not shell(summary)


def test_a_plain_text_is_no_shell():
    page = page_of("<div id=root></div>", "text/plain")
    page.mime = "text/plain"
    assert not shell(page)


@pytest.mark.timeout(20)
def test_hostile_pages_are_not_read_again_and_again():
    hostile = (
        "<div id=root ",
        "<script ",
        "<script>",
        "<app-",
        "<div id=root>",
        "<div id=root><!--",
        "<app-app>",
        "<div ",
    )
    for part in (*hostile, "<div " + "id=root " * 40, "<div" + " " * 300):
        page = page_of("")
        page.text, page.raw = "", Raw(200, (), (SCRIPT + part * (1_000_000 // len(part))).encode())
        shell(page)
