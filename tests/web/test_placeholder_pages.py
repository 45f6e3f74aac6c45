"""A page is taken for a stand-in only where it says little else."""

import pytest

from lycosa.web.parse import parse
from lycosa.web.placeholder_pages import CHALLENGE, LOGIN, SCRIPTS, stands_in

BOXES = {
    LOGIN: "<form>User name <input> Password <input type=password> <label>Remember me</label></form>",
    CHALLENGE: "<noscript>Please enable cookies.</noscript>",
    SCRIPTS: "<noscript>Please enable JavaScript.</noscript>",
}


def told(body):
    html = f"<html><title>Wolf spiders</title><body>{body}</body></html>"
    page = parse("http://a.test/", html.encode(), "text/html", indexed=True)
    words = page.own_words()
    return stands_in(page.title, words, len(page.text) - len(words))


@pytest.mark.parametrize("kind", BOXES)
def test_a_list_of_links_is_no_closed_door(kind):
    links = "".join(f"<li><a href='/{n}'>Wolf spiders of region {n}</a></li>" for n in range(60))
    menu = "".join(f"<li><a href='/{n}'>Item {n}</a></li>" for n in range(15))
    assert told(f"{BOXES[kind]}<ul>{menu}</ul>") == kind
    assert told(f"{BOXES[kind]}<ul>{links}</ul>") == ""
