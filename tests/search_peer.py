"""Search engines on loopback that speak as others do, in front of the index of a made web, or of any results."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

import lycosa


class Asked(NamedTuple):
    """A request as it came."""

    path: str
    query: dict[str, str]
    headers: dict[str, str]
    filters: list[str]


class SearchPeer:
    """`engine` gets what was asked and returns an object for JSON, or (status, headers, body)."""

    def __init__(self, engine):
        self.engine = engine
        self.asked: list[Asked] = []
        peer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                parts = urlsplit(self.path)
                given = parse_qs(parts.query, keep_blank_values=True)
                one = {name: values[-1] for name, values in given.items()}
                asked = Asked(parts.path, one, dict(self.headers), given.get("filter", []))
                peer.asked.append(asked)
                found = peer.engine(asked)
                if not isinstance(found, tuple):
                    found = 200, {"Content-Type": "application/json"}, json.dumps(found)
                status, headers, body = found
                data = body if isinstance(body, bytes) else body.encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    @property
    def queries(self):
        """What was searched for, each once."""
        return list(dict.fromkeys(one.query["q"] for one in self.asked if "q" in one.query))


def searxng(folder):
    """SearXNG's JSON over the index of a collection: ten results a page."""

    def engine(asked):
        if asked.path != "/search" or asked.query.get("format") != "json":
            return 403, {"Content-Type": "text/html"}, "<!doctype html><title>403 Forbidden</title>"
        page = int(asked.query.get("pageno", 1))
        found = lycosa.search(folder, asked.query["q"], limit=10, page=page).results
        results = [{"url": hit.url, "title": hit.title, "content": hit.snippet, "engine": "made"} for hit in found]
        return {"query": asked.query["q"], "number_of_results": 0, "results": results, "suggestions": []}

    return engine


def results(*urls):
    """SearXNG's JSON with these results, on one page."""

    def engine(asked):
        first = asked.query.get("pageno", "1") == "1"
        return {"results": [{"url": url, "title": f"About {url}"} for url in urls if first]}

    return engine
