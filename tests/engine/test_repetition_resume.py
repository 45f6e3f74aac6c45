"""What a crawl has learned about repeating pages is part of its state: log and checkpoint lead to the same."""

import http.server
import threading

import pytest

import lycosa
from lycosa.engine.crawl import Crawl
from lycosa.engine.crawl_recovery import catch_up, plan_of, priors_of
from lycosa.store.collection import Collection


class Calendar(http.server.BaseHTTPRequestHandler):
    """Ten pages about spiders, and a calendar without end."""

    def do_GET(self):
        path = self.path.partition("//")[2].partition("/")[2] or "0"
        kind, _, number = path.partition("?")
        if kind == "day":
            month = int(number.removeprefix("month="))
            body = "Events of the month. None. " * 20
            body += f"<a href=/day?month={month + 1}>next month</a> <a href=/day?month={month + 1000}>next year</a>"
        elif kind.isdecimal() and int(kind) < 10:
            body = f"Wolf spider number {kind}: " + " ".join(f"word{kind}x{n}" for n in range(200))
            body += f"<a href=/{int(kind) + 1}>wolf spider</a> <a href=/day?month={kind}>wolf spider days</a>"
        else:
            self.send_error(404)
            return
        page = f"<html><title>{kind}</title><body>{body}</body></html>".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_):
        pass


@pytest.fixture
def calendar():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Calendar) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_log_and_checkpoint_lead_to_the_same_crawl_where_pages_repeat_themselves(calendar, tmp_path):
    how = {
        "pages": 60,
        "delay": 0.0,
        "workers": 4,
        "proxy": calendar,
        "strategy": "breadth-first",
        "index": False,
    }
    with lycosa.hunt("wolf spider", ["http://a.test/0"], out=tmp_path / "c", checkpoint=1e9, **how) as hunt:
        for fetched, _ in enumerate(hunt):
            if fetched == 12:
                hunt.checkpoints.save()
    with Collection.open(tmp_path / "c") as collection:
        assert any(getattr(entry.event, "visit", None) and entry.event.visit.sketch for entry in collection.log.read())
        from_log = crawl_of(collection)
        catch_up(from_log, collection, 0)
        seq, state = collection.load_checkpoint()  # type: ignore[misc]
        from_checkpoint = crawl_of(collection)
        from_checkpoint.load(state)
        catch_up(from_checkpoint, collection, seq)
    assert from_log.save() == from_checkpoint.save()
    assert from_log.frontier.dropped["nothing new"] > 0


def crawl_of(collection):
    crawl = Crawl(plan_of(collection), lambda event, at: None)
    crawl.prepare(priors_of(collection))
    return crawl
