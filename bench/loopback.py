"""A crawler under test must not leave this machine, not even with a DNS query.

Where the system allows it, the benchmark runs in a network namespace that has nothing but loopback: then nothing can
get out, whatever a crawler does. Everywhere else a hook of the Python runtime refuses to resolve a name or to talk to
an address that is not loopback. In both cases everything is asked through the served web's proxy.
"""

from __future__ import annotations

import fcntl
import ipaddress
import os
import shutil
import socket
import struct
import subprocess
import sys

_INSIDE = "LYCOSA_BENCH_NAMESPACE"
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 1
_TALK = {"socket.connect", "socket.sendto", "socket.sendmsg"}
_RESOLVE = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}


def enter(command: list[str]) -> None:
    """Start the command in this process's place, in a network namespace of its own; return if that is not possible."""
    for extra in ([], ["--map-root-user"]):
        unshare = ["unshare", "--net", *extra, "--"]
        if shutil.which("unshare") and subprocess.run([*unshare, "true"], capture_output=True).returncode == 0:
            os.execvpe("unshare", [*unshare, *command], os.environ | {_INSIDE: "1"})


def inside() -> bool:
    """Whether this process is where `enter` leads: in a namespace in which no interface but loopback is up."""
    if os.environ.get(_INSIDE) != "1":
        return False
    return all(name == "lo" or not _flags(name) & _UP for _, name in socket.if_nameindex())


def switch_on() -> None:
    """Loopback is down in a new namespace; switch it on."""
    _flags("lo", _UP)


def _flags(interface: str, more: int = 0) -> int:
    """The flags of an interface, after switching on some more."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        answer = fcntl.ioctl(any_socket, _GET_FLAGS, struct.pack("16sH14x", interface.encode(), 0))
        flags: int = struct.unpack_from("16sH", answer)[1] | more
        if more:
            fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sH14x", interface.encode(), flags))
    return flags


def keep_to_loopback() -> None:
    """Outside a namespace, refuse whatever is not loopback, in this process."""
    if not inside():
        sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if event in _RESOLVE and not _is_loopback(arguments[0]):
        raise PermissionError(f"a benchmarked crawler wanted to resolve {arguments[0]!r}")
    if event in _TALK and isinstance(arguments[1], tuple) and not _is_loopback(arguments[1][0]):
        raise PermissionError(f"a benchmarked crawler wanted to reach {arguments[1][0]!r}")


def _is_loopback(host: object) -> bool:
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    if host in (None, "", "localhost"):
        return True
    try:
        return ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return False
