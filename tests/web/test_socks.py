"""SOCKS proxies, with a small real one on loopback: names go to the proxy, and nothing goes past it."""

import asyncio
import struct
from contextlib import asynccontextmanager
from ipaddress import ip_address

import pytest

from lycosa.core.nouns import Failure, Page
from lycosa.system.errors import Refused
from lycosa.web.http import Http, HttpOptions
from lycosa.web.proxies import Proxy, written

from ..doors import Doors, reply

LIMIT = 1 << 20


class Socks:
    """A SOCKS server, version 4a or 5, that connects everything to one port on loopback."""

    def __init__(self, version, target, login=None, code=0):
        self.version, self.target, self.login, self.code = version, target, login, code
        self.asked = []

    async def __call__(self, reader, writer):
        try:
            await (self._five if self.version == 5 else self._four)(reader, writer)
            if self.code:
                return
            inside, outside = await asyncio.open_connection("127.0.0.1", self.target)
            await asyncio.gather(self._pump(reader, outside), self._pump(inside, writer))
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            writer.close()

    async def _five(self, reader, writer):
        _, count = await reader.readexactly(2)
        methods = await reader.readexactly(count)
        wanted = 2 if self.login else 0
        writer.write(bytes([5, wanted if wanted in methods else 255]))
        if wanted not in methods:
            raise OSError("no method")
        if self.login:
            _, length = await reader.readexactly(2)
            user = await reader.readexactly(length)
            word = await reader.readexactly((await reader.readexactly(1))[0])
            right = f"{user.decode()}:{word.decode()}" == self.login
            writer.write(bytes([1, not right]))
            if not right:
                raise OSError("wrong login")
        _, _, _, kind = await reader.readexactly(4)
        if kind == 3:
            host = (await reader.readexactly((await reader.readexactly(1))[0])).decode()
        else:
            host = str(ip_address(await reader.readexactly(4 if kind == 1 else 16)))
        self.asked.append((host, *struct.unpack(">H", await reader.readexactly(2))))
        # In pieces, and with an address of the other family, as RFC 1928 allows.
        writer.write(bytes([5, self.code, 0]))
        await writer.drain()
        writer.write(b"\x04" + bytes(16) + b"\0\0")

    async def _four(self, reader, writer):
        _, _, port, address = struct.unpack(">BBH4s", await reader.readexactly(8))
        user = (await reader.readuntil(b"\0"))[:-1].decode()
        by_name = address[:3] == b"\0\0\0"
        host = (await reader.readuntil(b"\0"))[:-1].decode() if by_name else str(ip_address(address))
        self.asked.append((host, port))
        refused = self.login and user != self.login.partition(":")[0]
        writer.write(bytes([0, 93 if refused else 91 if self.code else 90]) + bytes(6))
        if refused:
            raise OSError("wrong user")

    @staticmethod
    async def _pump(reader, writer):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        writer.close()


@asynccontextmanager
async def behind(version=5, *, login="", wanted=None, code=0, answer=None, **options):
    """An Http whose requests go through a SOCKS proxy, the proxy, and the server of all hosts."""
    doors = Doors(answer or (lambda asked: reply(f"<title>{asked.url}</title>")))
    async with doors.open():
        socks = Socks(version, doors.port, wanted, code)
        server = await asyncio.start_server(socks, "127.0.0.1", 0)
        scheme = "socks5" if version == 5 else "socks4a"
        options.setdefault(
            "proxy", f"{scheme}://{login}{'@' if login else ''}127.0.0.1:{server.sockets[0].getsockname()[1]}"
        )
        options["access"] = {
            host: {key: text.format(proxy=options["proxy"]) for key, text in one.items()}
            for host, one in options.get("access", {}).items()
        }
        if options["access"]:
            options["proxy"] = None
        looked = []

        async def lookup(host):
            looked.append(host)
            return ["127.0.0.1"]

        http = Http(HttpOptions(ca=doors.options["ca"], **options), lookup=lookup)
        try:
            yield http, socks, doors
        finally:
            await http.close()
            server.close()
            await server.wait_closed()
        assert not looked


@pytest.mark.parametrize("version", [4, 5])
def test_names_are_resolved_by_the_proxy_alone(version):
    async def story():
        async with behind(version) as (http, socks, doors):
            for url in ("http://a.test/", "https://b.test/", "https://b.test:8443/", "https://xn--bcher-kva.test/"):
                page = await http.get(url, LIMIT)
                assert isinstance(page, Page) and page.title == url
            hosts = {("a.test", 80), ("b.test", 443), ("b.test", 8443), ("xn--bcher-kva.test", 443)}
            assert set(socks.asked) == hosts
            # A connection is kept for robots.txt and the page.
            assert len(socks.asked) == 4 and len(doors.asked) == 8

    asyncio.run(story())


def test_connections_to_different_hosts_are_never_mixed_up():
    async def story():
        async with behind() as (http, socks, _):
            urls = [f"http://h{number % 5}.test/{number}" for number in range(40)]
            pages = await asyncio.gather(*[http.get(url, LIMIT) for url in urls])
            assert [page.title for page in pages] == urls
            assert {host for host, _ in socks.asked} == {f"h{number}.test" for number in range(5)}

    asyncio.run(story())


@pytest.mark.parametrize("version", [4, 5])
def test_a_login_is_sent_to_the_proxy_and_to_nobody_else(version):
    async def story():
        async with behind(version, login="ann:pa%40ss", wanted="ann:pa@ss") as (http, _, doors):
            assert isinstance(await http.get("http://a.test/", LIMIT), Page)
            assert "pa@ss" not in "".join(one.everything() for one in doors.asked)
            assert not any(one.header("Proxy-Authorization") for one in doors.asked)

    asyncio.run(story())


@pytest.mark.parametrize("version", [4, 5])
@pytest.mark.parametrize("login", ["", "bob:wrong"])
def test_a_login_that_is_refused_is_told_as_for_other_proxies(version, login):
    async def story():
        async with behind(version, login=login, wanted="ann:pass", obey_robots=False) as (http, _, _):
            failure = await http.get("http://a.test/", LIMIT)
            assert failure == Failure("proxy login refused")
            assert "wrong" not in str(http.options.trouble(failure.reason))

    asyncio.run(story())


@pytest.mark.parametrize(
    ("version", "code", "reason"),
    [
        (5, 1, "proxy cannot reach host"),
        (5, 2, "proxy cannot reach host"),
        (5, 4, "host unreachable"),
        (5, 5, "connection refused"),
        (5, 6, "timeout"),
        (4, 1, "proxy cannot reach host"),
    ],
)
def test_what_the_proxy_says_of_a_host_is_the_reason_of_a_miss(version, code, reason):
    async def story():
        async with behind(version, code=code, obey_robots=False) as (http, _, doors):
            assert await http.get("http://a.test/", LIMIT) == Failure(reason, again=True)
            assert not doors.asked

    asyncio.run(story())


@pytest.mark.parametrize(
    "said", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x05", b"\x05\x00\x05\x00", b"\x04\x00\x00"]
)
def test_something_else_in_the_place_of_the_proxy_is_a_miss(said):
    async def story():
        async def talk(reader, writer):
            await reader.read(1)
            writer.write(said)
            writer.close()

        server = await asyncio.start_server(talk, "127.0.0.1", 0)
        http = Http(HttpOptions(proxy=f"socks5://127.0.0.1:{server.sockets[0].getsockname()[1]}", obey_robots=False))
        failure = await http.get("http://a.test/", LIMIT)
        await http.close()
        server.close()
        await server.wait_closed()
        return failure

    assert asyncio.run(story()) == Failure("proxy cannot reach host", again=True)


def test_a_proxy_that_says_nothing_ends_in_a_timeout():
    async def story():
        async def talk(reader, writer):
            await reader.read()
            writer.close()

        server = await asyncio.start_server(talk, "127.0.0.1", 0)
        proxy = f"socks5://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        http = Http(HttpOptions(proxy=proxy, obey_robots=False, timeout_connect=0.5))
        failure = await http.get("http://a.test/", LIMIT)
        await http.close()
        server.close()
        await server.wait_closed()
        return failure.reason

    assert asyncio.run(story()) == "timeout"


def test_a_proxy_that_is_not_there_is_told():
    async def story():
        http = Http(HttpOptions(proxy="socks5://127.0.0.1:9", obey_robots=False))
        failure = await http.get("http://a.test/", LIMIT)
        await http.close()
        return failure

    assert asyncio.run(story()) == Failure("proxy unreachable", again=True)


def test_a_single_host_may_have_a_socks_proxy():
    async def story():
        access = {"http://a.test": {"proxy": "{proxy}"}}
        async with behind(access=access, resolve={"b.test": "127.0.0.1:9"}) as (http, socks, _):
            assert isinstance(await http.get("http://a.test/", LIMIT), Page)
            assert isinstance(await http.get("http://b.test/", LIMIT), Failure)
            assert socks.asked == [("a.test", 80)]

    asyncio.run(story())


def test_private_names_and_addresses_are_refused_before_the_proxy_is_asked():
    async def story():
        async with behind() as (http, socks, _):
            for host in ("127.0.0.1", "10.0.0.1", "[::1]", "localhost", "printer.lan", "x.onion"):
                failure = await http.get(f"http://{host}/", LIMIT)
                assert failure.reason.startswith("refused "), host
            assert not socks.asked

    asyncio.run(story())


@pytest.mark.parametrize(
    ("given", "address", "login"),
    [
        ("socks5://127.0.0.1:9050", "socks5://127.0.0.1:9050", ""),
        ("socks5h://Proxy.test", "socks5://proxy.test:1080", ""),
        ("socks4a://ann@proxy.test:80", "socks4a://proxy.test:80", "ann"),
        ("SOCKS5://ann:p@ss@[::1]:1080", "socks5://[::1]:1080", "ann:p@ss"),
    ],
)
def test_the_address_of_a_socks_proxy_is_read(given, address, login):
    assert Proxy.read(given) == (address, login)
    stored = written(given)
    assert stored == (address.replace("//", "//****@") if login else given)
    assert Proxy.read(stored).is_hidden == bool(login)


@pytest.mark.parametrize(
    "given", ["socks4://h:1", "socks://h:1", "socks5://", "socks5://h:0", "socks5://h:99999", "socks5://h/p"]
)
def test_what_is_no_socks_proxy_is_refused(given):
    with pytest.raises(Refused, match="is not the address of a proxy"):
        Proxy.read(given)
