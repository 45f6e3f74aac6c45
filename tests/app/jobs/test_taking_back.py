"""What was said of a page is taken back at the desk and over REST, and whoever watches hears of it."""

import pytest
from starlette.testclient import TestClient

from lycosa.app.answers.hunt import JudgedCount
from lycosa.app.hunts import hunt
from lycosa.app.jobs import HuntJobs
from lycosa.face.server.app import make_app
from lycosa.face.server.server_settings import ServerSettings
from lycosa.system.errors import Refused
from lycosa.web.made import Made

WEB = "made:pages=600,topics=3,seed=5,page_bytes=2000"


@pytest.fixture(scope="module")
def jobs(tmp_path_factory):
    topic = Made(pages=600, topics=3, seed=5, page_bytes=2000).topics[0]
    place = tmp_path_factory.mktemp("served")
    with hunt(topic.keywords, topic.examples, out=place / "spiders", replay=WEB, pages=30) as running:
        list(running)
    return HuntJobs(tmp_path_factory.mktemp("home"), [place])


@pytest.fixture(scope="module")
def api(jobs):
    with TestClient(make_app(jobs, ServerSettings(port=8123)), base_url="http://127.0.0.1:8123") as client:
        yield client


def judged(api):
    pages = api.get("/api/hunts/spiders/pages", params={"judged": "yes"}).json()["pages"]
    return {page["url"]: page["judged"] for page in pages}


def test_at_the_desk(jobs):
    good, bad = [page.url for page in jobs.pages("spiders").pages if not page.known][:2]
    before = len(jobs.doubts("spiders", 30)["doubts"])
    jobs.judge("spiders", [(good, True), (bad, False)])
    assert len(jobs.doubts("spiders", 30)["doubts"]) == before - 2
    jobs.judge("spiders", [(good, None)])
    (shown,) = jobs.pages("spiders", judged=True).pages
    assert (shown.url, shown.judged, shown.relevance, shown.known) == (bad, False, 0.0, "judged")
    assert good in {page.url for page in jobs.pages("spiders", judged=False).pages}
    assert jobs.status("spiders").judged == JudgedCount(pages=1, relevant=0, by={"person": 1})
    assert good in {page["url"] for page in jobs.doubts("spiders", 30)["doubts"]}
    with pytest.raises(Refused, match="is not a page of"):
        jobs.judge("spiders", [(bad, None), ("http://nowhere.test/", None)])
    jobs.judge("spiders", [(bad, None)])
    assert jobs.pages("spiders", judged=True).total == 0


def test_over_rest(api):
    first, second = (page["url"] for page in api.get("/api/hunts/spiders/pages").json()["pages"][:2])

    def say(url, word):
        return api.post("/api/hunts/spiders/judgements", json={"judgements": [{"url": url, "relevant": word}]})

    assert [say(first, True).status_code, say(second, False).status_code] == [200, 200]
    assert judged(api) == {first: True, second: False}
    assert say(first, None).json()["judged"] == [{"url": first, "relevant": None}]
    assert judged(api) == {second: False}
    # To take back what nobody said is no mistake.
    assert say(first, None).status_code == 200
    assert say(second, None).status_code == 200
    assert judged(api) == {}
    nothing = api.post("/api/hunts/spiders/judgements", json={"judgements": [{"url": first}]})
    assert nothing.status_code == 422


def test_whoever_watches_hears_of_it(jobs):
    feed = jobs.feed("spiders")
    page = jobs.pages("spiders", limit=1).pages[0].url
    _, place = feed.read()
    jobs.judge("spiders", [(page, True), (page, None)])
    batch, place = feed.read(place)
    assert [(said.url, said.relevant) for said in batch.judged] == [(page, True), (page, None)]
    assert batch.counts.judged == 0
    assert feed.read(place)[0].judged == []
