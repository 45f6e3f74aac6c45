"""A service that knows in-links, asked over real HTTP on loopback."""

import json
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pytest

from lycosa.system.errors import Refused
from lycosa.web.inlinks import service
from lycosa.web.inlinks.service import Service

URL = "http://seed.test/a?b=c&d=ü"


@contextmanager
def serving(answer):
    """A service on loopback; `answer` is given the question and tells status, headers and body."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            question = {key: values[0] for key, values in parse_qs(urlsplit(self.path).query).items()}
            asked.append(question)
            status, headers, body = answer(question)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            for piece in body if isinstance(body, list) else [body]:
                try:
                    self.wfile.write(piece)
                except OSError:
                    return
                if isinstance(body, list):
                    time.sleep(0.1)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()


def plain(body):
    return lambda _: (200, {"Content-Type": "application/json"}, body)


@pytest.mark.parametrize("wrap", [lambda urls: {"inlinks": urls, "more": 1}, list], ids=["object", "list"])
def test_the_answer_is_an_object_or_a_bare_list_made_canonical(wrap):
    urls = ["HTTP://Hub.test", "http://hub.test/#top", "ftp://no.test/", "http://seed.test/", "https://x.test/"]
    with serving(plain(json.dumps(wrap(urls)).encode())) as (address, _):
        source = Service(address + "/in?url={url}&limit={limit}")
        assert source.of("http://seed.test/", 10) == ["http://hub.test/", "https://x.test/"]
        assert source.of("http://seed.test/", 1) == ["http://hub.test/"]


def test_the_question_is_filled_in_without_breaking_the_address():
    with serving(plain(b"[]")) as (address, asked):
        assert Service(address + "/in?url={url}&limit={limit}").of(URL, 7) == []
    assert asked == [{"url": URL, "limit": "7"}]


def test_many_urls_are_asked_one_after_the_other():
    def answer(question):
        return 200, {}, json.dumps([question["u"] + "linking"]).encode()

    with serving(answer) as (address, _):
        found = Service(address + "/{limit}?u={url}").of_all(["http://a.test/", "http://b.test/"], 5)
    assert found == {"http://a.test/": ["http://a.test/linking"], "http://b.test/": ["http://b.test/linking"]}


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (lambda _: (500, {}, b"oh"), "it answered 500"),
        (lambda _: (204, {}, b""), "it answered 204"),
        (lambda _: (302, {"Location": "/elsewhere?url=x"}, b""), "it answered 302"),
        (plain(b"<html>"), "cannot be read"),
        (plain(b'{"links": []}'), "cannot be read"),
        (plain(b'["http://a.test/", 7]'), "cannot be read"),
        (plain(b'["\xff"]'), "cannot be read"),
        (plain(b'["' + b"x" * 5000 + b'"]'), "more than 1,000 bytes"),
        (plain([b"["] + [b" "] * 20), "took more than 0.5 seconds"),
        (lambda _: (200, {"Content-Length": "99"}, b'["http:'), "cannot be read"),
    ],
    ids=["error", "nothing", "redirect", "html", "other", "numbers", "bytes", "large", "slow", "cut"],
)
def test_a_useless_answer_is_refused(monkeypatch, answer, problem):
    monkeypatch.setattr(service, "LARGEST", 1000)
    with serving(answer) as (address, asked), pytest.raises(Refused, match=problem):
        Service(address + "/?url={url}", timeout=0.5 if "0.5 seconds" in problem else 60.0).of(URL, 5)
    assert len(asked) == 1


def test_a_service_that_is_not_there_is_refused():
    with serving(plain(b"[]")) as (address, _):
        pass
    with pytest.raises(Refused, match=r"cannot be used \(.*refused"):
        Service(address + "/?url={url}").of(URL, 5)


@pytest.mark.parametrize("template", ["http://127.0.0.1/inlinks", "http://127.0.0.1/?limit={limit}", "http://?{url}"])
def test_a_template_that_is_none_is_refused_before_anybody_is_asked(template):
    with pytest.raises(Refused, match="write it like"):
        Service(template)


def test_neither_a_password_nor_a_key_of_a_service_is_shown():
    with pytest.raises(Refused, match="user name and password are not sent") as refused:
        Service("https://user:hush@host/in?url={url}")
    assert "hush" not in str(refused.value)
    with serving(plain(b"nonsense")) as (base, _), pytest.raises(Refused, match="cannot be used") as refused:
        Service(base + "/in?url={url}&key=hush").of(URL, 3)
    assert "hush" not in str(refused.value)
