"""A network namespace with nothing but loopback, in which every name is asked of a name server on 127.0.0.1.

As a program it brings loopback up, hides the machine's resolver settings and runs the command it is given.
"""

import fcntl
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

MARK = "LYCOSA_ALONE"
INSIDE = MARK in os.environ
"""Whether this process is in such a place."""
_OWN = ("--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
_UNSHARE = ("unshare", *(() if os.geteuid() == 0 else ("--map-root-user",)), *_OWN)
COMMAND = (*_UNSHARE, sys.executable, str(Path(__file__)))
"""Put before a command, this runs it in such a place."""
SETTINGS = {
    "/etc/resolv.conf": "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n",
    "/etc/hosts": "127.0.0.1 localhost\n",
    "/etc/nsswitch.conf": "hosts: files dns\n",
}


@cache
def missing():
    """Why no such place can be made here; empty if it can."""
    if not shutil.which("unshare") or not shutil.which("mount"):
        return "a network of its own takes unshare and mount (util-linux)"
    tried = subprocess.run([*COMMAND, "true"], capture_output=True, text=True, check=False)
    return "" if tried.returncode == 0 else f"no network of its own can be made here ({tried.stderr.strip()[:100]})"


def raise_loopback():
    """Bring up the only interface there is."""
    get_flags, set_flags, up = 0x8913, 0x8914, 0x1
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, get_flags, request))[1]
        fcntl.ioctl(any_socket, set_flags, struct.pack("16sh14x", b"lo", flags | up))


def own_every_address():
    """Have every address of IPv4 lead to this machine, where there is no other; call it in such a place only."""
    assert INSIDE
    subprocess.run(["ip", "route", "add", "local", "0.0.0.0/0", "dev", "lo"], check=True)


def hide_resolver():
    """Bind our own settings over the machine's, in this mount namespace only."""
    for path, text in SETTINGS.items():
        if not Path(path).exists():
            continue
        with tempfile.NamedTemporaryFile("w", delete=False) as file:
            file.write(text)
        Path(file.name).chmod(0o644)
        subprocess.run(["mount", "--bind", file.name, str(Path(path).resolve())], check=True)
        Path(file.name).unlink()


def main():
    raise_loopback()
    hide_resolver()
    os.execvp(sys.argv[1], sys.argv[1:])


if __name__ == "__main__":
    main()
