"""Who a client is: connections and streams are counted for each."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import Any


def owner_of(address: Any) -> str:
    """On whose account something from a socket's address goes: somebody with IPv6 has a whole network of them."""
    host = str(address[0]).partition("%")[0] if address else ""
    if ":" not in host:
        return host
    try:
        ip = ip_address(host)
    except ValueError:
        return host
    mapped = getattr(ip, "ipv4_mapped", None)
    return str(mapped or ip_network((ip, 64), strict=False))
