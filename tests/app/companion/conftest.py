"""A companion over the made web, and what a browser would tell it."""

import pytest

from lycosa.app.companion.companion import Companion
from lycosa.web.parse import parse


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture
def companion(made_web, home):
    one = Companion(home, http={"proxy": made_web.proxy}, delay=0.02)
    yield one
    one.close()


@pytest.fixture(scope="session")
def seen(made):
    """A page of the made web as its reader sees it: address, title, text and links."""

    def look(url):
        raw = made.response(url)
        page = parse(url, raw.body, raw.content_type, context=True)
        return {
            "url": url,
            "title": page.title,
            "text": page.text,
            "links": [(one.url, page.anchor(one)) for one in page.links],
        }

    return look


@pytest.fixture(scope="session")
def community(made):
    """The number of the topic around which a page of the made web was made; None in the noise and the traps."""

    def of(url):
        host, _, rest = url.removeprefix("http://").partition("/")
        site = made.traps.site_named(host)
        if site is None:
            return None
        number = made.plan.number_at(site, made.traps.without_session(site, f"/{rest}")[0])
        topic = -1 if number is None else made.plan.page(number).topic
        return None if topic < 0 else topic

    return of
