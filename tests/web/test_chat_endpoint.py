"""Questions to an endpoint over real HTTP: answers, and every way in which there is none."""

import json
import time

import pytest
from tests.chat_peer import ChatPeer, unused_port

from lycosa.web.chat_endpoint import LARGEST, ChatEndpoint, NoAnswer

QUESTION = {"model": "m", "messages": [{"role": "user", "content": "yes or no?"}]}


def failing(model, **options):
    with ChatPeer(model) as peer, pytest.raises(NoAnswer) as trouble:
        ChatEndpoint(peer.url, "hush-0815", **options).ask(QUESTION)
    assert "0815" not in trouble.value.reason
    return trouble.value


def test_a_question_gets_its_answer():
    with ChatPeer(lambda question: question["messages"][0]["content"] + " yes") as peer:
        assert ChatEndpoint(peer.url + "/", "hush").ask(QUESTION) == "yes or no? yes"
        assert ChatEndpoint(peer.url + "/chat/completions").ask(QUESTION) == "yes or no? yes"
    assert peer.questions == [QUESTION] * 2
    assert peer.headers[0]["Authorization"] == "Bearer hush"
    assert "Authorization" not in peer.headers[1]


@pytest.mark.parametrize(
    ("content", "text"), [(None, ""), ([{"type": "text", "text": "ye"}, {"type": "text", "text": "s"}], "yes")]
)
def test_other_forms_of_content_are_read(content, text):
    body = json.dumps({"choices": [{"message": {"content": content}}], "usage": {}}).encode()
    with ChatPeer(lambda question: (200, {}, body)) as peer:
        assert ChatEndpoint(peer.url).ask(QUESTION) == text


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"choices": 3}', b"\xff\xfe", b"", b'{"choices": [{}]}'])
def test_garbage_is_no_answer(body):
    trouble = failing(lambda question: (200, {}, body))
    assert trouble.reason == "its answer is not that of a chat endpoint"
    assert not trouble.again and not trouble.hopeless


def test_busy_endpoints_are_asked_again_when_they_say():
    trouble = failing(lambda question: (429, {"Retry-After": "7"}, b"{}"))
    assert (trouble.again, trouble.rest, trouble.hopeless) == (True, 7.0, False)
    trouble = failing(lambda question: (503, {}, b"busy"))
    assert (trouble.again, trouble.rest) == (True, None)


@pytest.mark.parametrize("status", [301, 307, 401, 403, 404])
def test_what_no_other_question_will_change_is_hopeless(status):
    trouble = failing(lambda question: (status, {"Location": "http://elsewhere.test/"}, b"{}"))
    assert trouble.hopeless and not trouble.again
    assert str(status) in trouble.reason


def test_an_endpoint_says_what_is_wrong_but_never_the_key():
    said = {"error": {"message": "the model m\x1b[31m does not exist\nBearer hush-0815 hush-0815"}}
    trouble = failing(lambda question: (400, {}, json.dumps(said).encode()))
    assert trouble.reason == "it answered 400 (the model m [31m does not exist bearer **** ****)"
    refused = {"error": {"message": "wrong key: hush-****15"}}
    assert failing(lambda question: (401, {}, json.dumps(refused).encode())).reason == "it answered 401"


def test_slow_endpoints_are_not_waited_for():
    def slow(question):
        time.sleep(1.5)
        return "yes"

    began = time.monotonic()
    assert failing(slow, timeout=0.3).reason == "it took more than 0.3 seconds"
    assert time.monotonic() - began < 1.4


def test_endless_answers_are_cut_off():
    body = b'{"choices": [{"message": {"content": "' + b"a" * LARGEST
    assert "more than" in failing(lambda question: (200, {}, body)).reason


def test_nobody_there_is_no_answer():
    with unused_port() as url, pytest.raises(NoAnswer, match="refused") as trouble:
        ChatEndpoint(url).ask(QUESTION)
    assert trouble.value.again
