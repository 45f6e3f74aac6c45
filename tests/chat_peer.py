"""An endpoint compatible with OpenAI's chat completions, on loopback, with a model made of rules."""

from __future__ import annotations

import json
import re
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def shown(question):
    """What the model is shown of the page: whatever lies between the first pair of marks in the user's message."""
    words = question["messages"][-1]["content"]
    assert words.count("<page>") == words.count("</page>") == 1
    return re.search(r"<page>\n(.*)\n</page>", words, re.DOTALL)[1]


def address(question):
    return re.search(r"^Address: (\S+)$", shown(question), re.MULTILINE)[1]


class ChatPeer:
    """`model` gets each question and returns the answer's text, or (status, headers, body), after `delay` seconds."""

    def __init__(self, model):
        self.model = model
        self.delay = 0.0
        self.questions = []
        self.headers = []
        self.times = []
        peer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                peer.questions.append(question)
                peer.headers.append(dict(self.headers))
                peer.times.append(time.monotonic())
                time.sleep(peer.delay)
                found = peer.model(question) if self.path == "/v1/chat/completions" else (404, {}, b"{}")
                if isinstance(found, str):
                    message = {"role": "assistant", "content": found}
                    found = 200, {}, json.dumps({"choices": [{"index": 0, "message": message}]}).encode()
                status, headers, body = found
                try:
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:
                    pass  # it waits no longer

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


def judging(relevant):
    """A model that answers as asked to; `relevant` gets what it is shown of the page."""
    return lambda question: json.dumps({"relevant": bool(relevant(shown(question)))})


@contextmanager
def unused_port():
    """An address at which nobody listens."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    url = f"http://127.0.0.1:{server.server_port}/v1"
    server.server_close()
    yield url
