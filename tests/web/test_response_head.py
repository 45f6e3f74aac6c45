"""The head of an answer decides the same on the live Web and in a recording."""

import pytest

from lycosa.core.nouns import Failure, Page, Raw
from lycosa.web.offline import SourceWeb
from lycosa.web.response_head import decide, rest_asked, validators


def of(status, **headers):
    return decide("http://a.test/x", status, lambda name: headers.get(name.replace("-", "_"), ""), 256)


@pytest.mark.parametrize(
    ("status", "headers", "decided"),
    [
        (301, {"Location": "/y#part"}, "http://a.test/y"),
        (302, {"Location": "mailto:me"}, Failure("redirect to nowhere")),
        (304, {"Location": "/y"}, Failure("status 304")),
        (204, {}, Failure("status 204")),
        (404, {}, Failure("status 404")),
        (503, {"Retry_After": "7"}, Failure("status 503", True, 7.0)),
        (200, {"Content_Type": "image/png"}, Failure("type image/png")),
        (200, {"Content_Type": "\x1b[31m/x"}, Failure("type unknown")),
        (200, {"Content_Type": "text/html"}, None),
        (200, {}, None),
    ],
)
def test_what_a_head_decides(status, headers, decided):
    assert of(status, **headers) == decided


def test_a_rest_is_a_number_or_a_date_and_never_more_than_a_day():
    assert rest_asked("99999999") == 86_400.0
    assert rest_asked("Sat, 01 Jan 2000 00:00:00 GMT") == 0.0
    assert rest_asked("soon") is None


def test_a_recorded_header_that_is_no_text_can_be_written_to_the_log():
    class Recording:
        def response(self, url):
            headers = (("Content-Type", "text/html"), ("ETag", '"caf\udce9"'))
            return Raw(200, headers, b"<p>spider") if url.endswith("/x") else None

        def urls(self):
            return iter(())

    page = SourceWeb(Recording()).answer("http://a.test/x", 100)
    assert isinstance(page, Page)
    assert page.etag == validators({"ETag": '"caf\udce9"', "Last-Modified": ""}.__getitem__).etag == '"caf?"'
