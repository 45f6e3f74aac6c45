"""Hosts that do not let everybody in, entered over real HTTP and TLS on loopback."""

import asyncio
import gzip
import os

import pytest

from lycosa.core.nouns import Failure, Page
from lycosa.web.http import Http, HttpOptions

from ...doors import Doors, basic, reply
from ...tls_cases import authority, signed
from ..readers.made_documents import docx, epub, pdf

LIMIT = 1 << 20
HOST, URL = "inside.test", "https://inside.test/page"


def private(file, text):
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    file.chmod(0o600)
    return file


def got(access, answer, *urls, variables=None, **options):
    """What comes of some URLs, and the requests that arrived."""
    doors = Doors(answer)

    async def story():
        async with doors.open():
            http = Http(HttpOptions(access=access, **{**doors.options, **options}), variables=variables or {})
            try:
                return [await http.get(url, LIMIT) for url in urls or (URL,)]
            finally:
                await http.close()

    return asyncio.run(story()), doors


def only_if(test):
    return lambda asked: reply("<title>in</title>welcome") if test(asked) else reply("", "401 Unauthorized")


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("a.docx", lambda text: docx(text)),
        ("a.epub", lambda text: epub(text)),
        ("a.pdf", lambda text: pdf((text,), packed=True)),
        ("map.xml.gz", lambda text: gzip.compress(f"<urlset><url><loc>/{text}</loc></url></urlset>".encode())),
    ],
)
def test_a_secret_that_is_packed_in_a_file_is_not_kept(name, made):
    access = {HOST: {"headers": {"X-Api-Key": "env:KEY"}}}
    answers, _ = got(
        access, lambda asked: reply(made(asked.header("X-Api-Key") if asked.path == f"/{name}" else "wolf spiders")),
        f"https://{HOST}/{name}", f"https://{HOST}/other/{name}", variables={"KEY": "s3cret-key"}, lists=True,
    )  # fmt: skip
    assert answers[0] == Failure("repeats a secret") and isinstance(answers[1], Page)


def test_a_header_with_a_secret_is_sent_to_its_host_alone():
    access = {HOST: {"headers": {"X-Api-Key": "env:KEY", "Accept-Language": "de"}}}
    (page, other), doors = got(
        access, only_if(lambda asked: asked.header("X-Api-Key") == "s3cret-key" or asked.host == "other.test"),
        URL, "https://other.test/", variables={"KEY": "s3cret-key"},
    )  # fmt: skip
    assert isinstance(page, Page) and isinstance(other, Page)
    assert doors.of(HOST)[0].header("Accept-Language") == "de"
    assert "s3cret-key" not in "".join(one.everything() for one in doors.of("other.test"))


@pytest.mark.parametrize(
    ("access", "told"),
    [
        ({"user": "ann", "password": "env:A"}, basic("ann", "pässwörd:1")),
        ({"user": "env:A", "password": "env:A"}, basic("pässwörd:1", "pässwörd:1")),
        ({"bearer": "env:B"}, "Bearer tok.en-1"),
        ({"headers": {"Authorization": "env:C"}}, "Digest something"),
    ],
)
def test_authorization_is_sent_as_it_was_meant(access, told):
    variables = {"A": "pässwörd:1", "B": "tok.en-1", "C": "Digest something"}
    (page,), _ = got({HOST: access}, only_if(lambda asked: asked.header("Authorization") == told), variables=variables)
    assert isinstance(page, Page)


def test_a_secret_may_be_in_a_private_file(tmp_path):
    file = private(tmp_path / "token", "s3cret-token\n")
    (page,), _ = got({HOST: {"bearer": f"file:{file}"}}, only_if(lambda asked: "s3cret-token" in asked.everything()))
    assert isinstance(page, Page)


def test_cookies_of_a_file_are_sent_with_what_the_host_adds(tmp_path):
    lines = [f"{host}\tFALSE\t/\tTRUE\t0\tsession\t{value}" for host, value in ((HOST, "mine"), ("other.test", "not"))]
    file = private(tmp_path / "cookies.txt", "# Netscape HTTP Cookie File\n" + "\n".join(lines))

    def answer(asked):
        if asked.cookie("session") != "mine":
            return reply("", "403 Forbidden")
        return reply("welcome", "200 OK", ("Set-Cookie", "more=new; Path=/; HttpOnly"))

    _, doors = got({HOST: {"cookies": str(file)}}, answer, URL, "https://inside.test/b", "https://other.test/")
    assert [one.header("Cookie") for one in doors.of(HOST)] == ["session=mine", "session=mine; more=new"]
    assert not doors.of("other.test")[0].header("Cookie")


def test_hosts_without_an_access_keep_no_cookies():
    answer = reply("welcome", "200 OK", ("Set-Cookie", "id=1; Path=/"))
    _, doors = got(
        {HOST: {"bearer": "env:B"}}, lambda _: answer, *["https://other.test/"] * 2, variables={"B": "token"}
    )
    assert not any(one.header("Cookie") for one in doors.asked)


def test_robots_txt_is_asked_with_the_access_of_its_own_host_only():
    doors_answer = only_if(lambda asked: True)
    doors = Doors(doors_answer, wants_robots=True)

    async def story():
        async with doors.open():
            options = HttpOptions(access={HOST: {"bearer": "env:B"}}, **doors.options)
            http = Http(options, variables={"B": "s3cret-token"})
            for url in (URL, "https://other.test/", "http://inside.test/"):
                await http.get(url, LIMIT)
            await http.close()

    asyncio.run(story())
    robots = {(one.scheme, one.host): one.header("Authorization") for one in doors.asked if one.path == "/robots.txt"}
    assert robots == {("https", HOST): "Bearer s3cret-token", ("https", "other.test"): "", ("http", HOST): ""}


@pytest.mark.parametrize("password", ["", "s3cret-key"])
def test_a_client_certificate_is_shown_to_its_host_alone(tmp_path, password):
    from cryptography.hazmat.primitives import serialization as form

    mine = signed("ann", authority())
    lock = form.BestAvailableEncryption(password.encode()) if password else form.NoEncryption()
    key = mine.key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, lock)
    (tmp_path / "ann.pem").write_bytes(mine.pem)
    access = {"certificate": str(tmp_path / "ann.pem"), "key": str(private(tmp_path / "ann.key", key))}
    if password:
        access["key_password"] = "env:P"
    urls = [URL, "https://other.test/", "https://sub.inside.test/", "https://inside.test:8443/"]
    answers, doors = got({HOST: access}, only_if(lambda asked: asked.certificate), *urls, variables={"P": password})
    assert [isinstance(answer, Page) for answer in answers] == [True, False, False, False]
    assert {(one.host, one.certificate) for one in doors.asked} == {
        (HOST, True), ("other.test", False), ("sub.inside.test", False), ("inside.test:8443", False)
    }  # fmt: skip


def test_a_host_whose_secret_is_missing_is_not_asked_and_others_are():
    (inside, other), doors = got({HOST: {"bearer": "env:GONE"}}, lambda _: reply("hello"), URL, "https://other.test/")
    assert isinstance(inside, Failure) and inside.reason == "access not ready"
    assert isinstance(other, Page)
    assert not doors.of(HOST)


def test_what_a_host_repeats_of_a_secret_is_in_no_page_and_no_header():
    secret, given = "s3cret&token/long", {"B": "s3cret&token/long"}

    def answer(asked):
        body = f"<title>{secret}</title><a href='/x?t=s3cret%26token%2Flong'>{asked.header('Authorization')}</a>"
        more = [("X-Echo", secret), ("Set-Cookie", "session=a-long-session-id; Path=/; Secure"), ("ETag", '"1"')]
        return reply(body + asked.cookie("session"), "200 OK", *more)

    (_, page), _ = got({HOST: {"bearer": "env:B"}}, answer, URL, URL, variables=given)
    assert isinstance(page, Page) and page.raw
    written = f"{page.raw.headers} {page.raw.body!r} {page.text} {page.title} {page.links}"
    assert "s3cret" not in written and "a-long-session-id" not in written
    assert ("Set-Cookie", "session=****; Path=/; Secure") in page.raw.headers
    assert page.etag == '"1"'


def test_a_single_host_may_have_a_proxy_of_its_own_and_another_none():
    """The proxy is the same server: it is asked with whole URLs."""
    doors = Doors(lambda asked: reply("by proxy" if asked.target.startswith("http") else "directly"))
    doors.wants_robots = True

    async def story():
        async with doors.open():
            proxy = f"http://ann:s3cret@127.0.0.1:{doors.port}"
            options = HttpOptions(access={"http://a.test": {"proxy": "env:P"}}, obey_robots=False, **doors.options)
            http = Http(options, variables={"P": proxy})
            first = [await http.get(f"http://{name}.test/", LIMIT) for name in "ab"]
            await http.close()
            direct = HttpOptions(
                access={"http://a.test": {"proxy": "direct"}}, proxy=proxy, obey_robots=False, **doors.options
            )
            http = Http(direct)
            second = [await http.get(f"http://{name}.test/", LIMIT) for name in "ab"]
            await http.close()
            return [page.text.strip() for page in (*first, *second)]

    assert asyncio.run(story()) == ["by proxy", "directly", "directly", "by proxy"]
    told = [one.header("Proxy-Authorization") for one in doors.asked]
    assert told == [basic("ann", "s3cret"), "", "", basic("ann", "s3cret")]


def test_a_proxy_of_a_single_host_that_is_not_there_is_no_reason_to_end_the_crawl():
    access = {"http://a.test": {"proxy": "http://127.0.0.1:9"}}
    (gone, other), _ = got(access, lambda _: reply("hello"), "http://a.test/", "http://b.test/")
    assert gone.reason == "host's own proxy unreachable"
    assert isinstance(other, Page)
    assert HttpOptions().trouble(gone.reason) is None


def test_the_address_guard_holds_for_hosts_that_are_entered_too():
    access = {"http://10.0.0.1": {"bearer": "env:B"}, "http://a.test": {"proxy": "http://10.0.0.2:3128"}}
    (refused, proxy), doors = got(
        access, lambda _: reply("hello"), "http://10.0.0.1/", "http://10.0.0.2:3128/", variables={"B": "token"},
        resolve={"other.test": "127.0.0.1:9"},
    )  # fmt: skip
    assert refused.reason.startswith("refused address") and proxy.reason.startswith("refused address")
    assert not doors.asked


def test_without_an_access_nothing_of_it_is_loaded():
    import subprocess
    import sys

    code = "import sys, lycosa.web.http as h; h.Http(); print([m for m in sys.modules if 'access.' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    loaded = eval(done.stdout)
    assert {name.rpartition(".")[2] for name in loaded} <= {"declared", "secret_references", "access_scope"}
