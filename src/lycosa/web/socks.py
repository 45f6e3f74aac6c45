"""SOCKS proxies: version 5 (RFC 1928, 1929) and 4a. Names are always resolved by the proxy, never here."""

from __future__ import annotations

import asyncio
import socket
from ipaddress import ip_address
from typing import Any
from urllib.parse import unquote

import aiohttp
from aiohttp.client_exceptions import ClientProxyConnectionError
from aiohttp.connector import AddrInfoType
from yarl import URL

from lycosa.web.keepalive import CleanConnector

SOCKS5, SOCKS4A = "socks5", "socks4a"
UNKNOWN = 1
"""The code of a failure without a reason; 4 and 5 are «host unreachable» and «connection refused»."""


class SocksFailure(aiohttp.ClientError):
    """A SOCKS proxy did not connect us; the code is that of SOCKS 5."""

    def __init__(self, code: int) -> None:
        super().__init__(f"SOCKS failure {code}")
        self.code = code


class SocksLoginRefused(aiohttp.ClientError):
    """A SOCKS proxy refuses the login, or demands one."""


class SocksConnector(CleanConnector):
    """Makes all connections through a SOCKS proxy; connections to hosts themselves are never made."""

    def __init__(self, proxy: URL, login: str, **options: Any) -> None:
        super().__init__(**options)
        self._socks, self._socks_login = proxy, login

    async def _resolve_host(self, host: str, port: int, traces: Any = None) -> Any:
        # Whatever is asked for, the connection is to the proxy.
        return await super()._resolve_host(self._socks.raw_host or "", self._socks.port or 1080, traces)

    async def _wrap_create_connection(self, *args: Any, timeout: Any, **options: Any) -> Any:
        req, addr_infos = options["req"], options.pop("addr_infos")
        async with asyncio.timeout(timeout.sock_connect):
            link = await self._reach(addr_infos, req)
            try:
                await self._introduce(link, req.url.raw_host or "", req.port)
            except OSError as error:
                link.close()
                raise SocksFailure(UNKNOWN) from error
            except BaseException:
                link.close()
                raise
        self.limit_handshake(options, timeout)
        return await self._wrap_existing_connection(*args, timeout=timeout, sock=link, **options)

    async def _reach(self, addr_infos: list[AddrInfoType], req: Any) -> socket.socket:
        """A socket that is connected to the proxy."""
        error: OSError | None = None
        for info in addr_infos:
            link = self._socket_factory(info) if self._socket_factory else socket.socket(*info[:3])
            try:
                link.setblocking(False)
                await asyncio.get_running_loop().sock_connect(link, info[4])
                return link
            except OSError as failed:
                link.close()
                error = failed
            except BaseException:
                link.close()
                raise
        raise ClientProxyConnectionError(req.connection_key, error or OSError("no address"))

    async def _introduce(self, link: socket.socket, host: str, port: int) -> None:
        if self._socks.scheme == SOCKS4A:
            await self._introduce4(link, host, port)
            return
        user, _, password = map(unquote, self._socks_login.partition(":"))
        await _say(link, b"\x05\x02\x00\x02" if self._socks_login else b"\x05\x01\x00")
        version, method = await _hear(link, 2)
        if version != 5:
            raise SocksFailure(UNKNOWN)
        if method == 2 and self._socks_login:
            name, word = user.encode()[:255], password.encode()[:255]
            await _say(link, b"\x01" + bytes([len(name)]) + name + bytes([len(word)]) + word)
            if (await _hear(link, 2))[1] != 0:
                raise SocksLoginRefused("the login was refused")
        elif method != 0:
            raise SocksLoginRefused("no method is acceptable")
        await _say(link, b"\x05\x01\x00" + _address(host) + port.to_bytes(2, "big"))
        _, code, _, kind = await _hear(link, 4)
        if code != 0:
            raise SocksFailure(code)
        length = {1: 4, 4: 16}.get(kind) or (await _hear(link, 1))[0]
        await _hear(link, length + 2)

    async def _introduce4(self, link: socket.socket, host: str, port: int) -> None:
        user = unquote(self._socks_login.partition(":")[0]).encode().replace(b"\0", b"")
        try:
            where, name = ip_address(host).packed, b""
            if len(where) != 4:
                raise SocksFailure(UNKNOWN)
        except ValueError:
            # An impossible address says that the name follows.
            where, name = b"\0\0\0\x01", host.encode() + b"\0"
        await _say(link, b"\x04\x01" + port.to_bytes(2, "big") + where + user + b"\0" + name)
        answer = await _hear(link, 8)
        if answer[1] in (92, 93):
            raise SocksLoginRefused("the user was refused")
        if answer[1] != 90:
            raise SocksFailure(UNKNOWN)


def _address(host: str) -> bytes:
    try:
        address = ip_address(host)
    except ValueError:
        name = host.encode()[:255]
        return b"\x03" + bytes([len(name)]) + name
    return (b"\x01" if address.version == 4 else b"\x04") + address.packed


async def _say(link: socket.socket, data: bytes) -> None:
    await asyncio.get_running_loop().sock_sendall(link, data)


async def _hear(link: socket.socket, count: int) -> bytes:
    """Exactly this many bytes: what follows them belongs to the host."""
    heard = b""
    while len(heard) < count:
        more = await asyncio.get_running_loop().sock_recv(link, count - len(heard))
        if not more:
            raise SocksFailure(UNKNOWN)
        heard += more
    return heard
