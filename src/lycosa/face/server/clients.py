"""Identifies clients, because connections and streams are counted per client."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import Any


def owner_of(address: Any) -> str:
    """The client that a socket address is counted for: an IPv4 address, or the /64 network of an IPv6 address."""
    host = str(address[0]).partition("%")[0] if address else ""
    if ":" not in host:
        return host
    try:
        ip = ip_address(host)
    except ValueError:
        return host
    mapped = getattr(ip, "ipv4_mapped", None)
    return str(mapped or ip_network((ip, 64), strict=False))
