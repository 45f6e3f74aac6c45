"""Collections as a crawl would leave them, made by hand."""

import pytest

from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.hunt_plan import make_plan
from lycosa.core.events import Began, Redirected, Stopped, Visited
from lycosa.core.nouns import Redirect, Ticket, Visit
from lycosa.store.collection import Collection


@pytest.fixture
def keep(tmp_path):
    """A collection of pages, each as host/path: (relevance, [links], title); a string is a redirect."""

    def made(pages, name="collection", keywords="wolf spiders"):
        folder = tmp_path / name
        with Collection.create(folder) as collection:
            add(collection, pages, keywords)
        return folder

    return made


def add(collection, pages, keywords="wolf spiders"):
    collection.log.append(Began(make_plan(HuntRequest(keywords, ["http://seed.test/"])).dump()), 0.0)
    for at, (name, page) in enumerate(pages.items(), 1):
        ticket = Ticket(f"http://{name}", 0.5)
        if isinstance(page, str):
            collection.log.append(Redirected(Redirect(ticket, f"http://{page}", 301)), float(at))
            continue
        relevance, links, *title = page
        visit = Visit(ticket, relevance, [f"http://{link}" for link in links], title=title[0] if title else "", size=99)
        collection.log.append(Visited(visit), float(at))
    collection.log.append(Stopped("nothing left to fetch", True, 0), float(len(pages) + 1))
    collection.log.commit()


@pytest.fixture
def more():
    """Adds pages to a collection, as a crawl that goes on does."""

    def grown(folder, pages):
        with Collection.open(folder, write=True) as collection:
            add(collection, pages)

    return grown
