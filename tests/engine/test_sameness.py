"""One strategy, one worker, one web: the same sequence of URLs in virtual time, from a recording and over HTTP."""

import pytest

from lycosa.core.strategy import strategies
from lycosa.face.service import hunt
from lycosa.web.made import Made
from lycosa.web.serve import spawn

WEB = "made:pages=900,topics=4,seed=3"
TOPIC = Made(pages=900, topics=4, seed=3).topics[1]
OURS = [name for name, kind in strategies().items() if kind.__module__.startswith("lycosa.")]


@pytest.mark.parametrize("strategy", OURS)
def test_virtual_time_recording_and_http_agree(tmp_path, strategy):
    settings = {"n": 16} if strategy == "best-n-first" else {}

    def crawl(name, pages, **how):
        with hunt(
            TOPIC.keywords,
            TOPIC.examples[:3],
            out=tmp_path / name,
            pages=pages,
            strategy=strategy,
            settings=settings,
            delay=0.0,
            workers=1,
            **how,
        ) as running:
            return [visit.url for visit in running]

    virtual = crawl("virtual", 150, replay=WEB)
    with spawn(WEB) as served:
        http = crawl("http", 150, http={"proxy": served.proxy})
    recording = crawl("recording", 150, replay=str(tmp_path / "http" / "pages"))
    assert len(virtual) == 150
    assert http == virtual
    assert recording == virtual
