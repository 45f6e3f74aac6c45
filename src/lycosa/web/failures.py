"""Why there was no response: the errors of the HTTP client as short reasons."""

from __future__ import annotations

from errno import ECONNREFUSED

import aiohttp

from lycosa.core.nouns import Failure
from lycosa.web.address_guard import AddressError
from lycosa.web.keepalive import Http2Only
from lycosa.web.proxies import SHUT, UNREACHABLE
from lycosa.web.resolver import is_final
from lycosa.web.socks import SocksFailure, SocksLoginRefused
from lycosa.web.tls import reason_of
from lycosa.web.tls_reasons import BROKEN_OFF, HTTP2_ONLY, PASSING

_SOCKS = {4: "host unreachable", 5: "connection refused", 6: "timeout"}
"""What a SOCKS proxy says of the host."""


def failure_of(error: Exception) -> Failure:
    """The failure behind an error before the response, in a few words; `again` if a retry may succeed."""
    if reason := _tls_reason(error):
        return Failure(reason, again=reason in PASSING)
    match error:
        case TimeoutError():
            return Failure("timeout", again=True)
        case aiohttp.ClientConnectorError(os_error=AddressError() as refused):
            return Failure(str(refused))
        case aiohttp.ClientConnectorDNSError(os_error=os_error):
            return Failure("no such host") if is_final(os_error) else Failure("name server failure", again=True)
        case SocksLoginRefused():
            return Failure(SHUT)
        case SocksFailure(code=code):
            return Failure(_SOCKS.get(code, "proxy cannot reach host"), again=True)
        case aiohttp.ClientProxyConnectionError():
            return Failure(UNREACHABLE, again=True)
        case Http2Only():
            return Failure(HTTP2_ONLY)
        case aiohttp.ClientHttpProxyError(status=407):
            return Failure(SHUT)
        case aiohttp.ClientHttpProxyError():
            return Failure(f"proxy status {error.status}", again=error.status >= 500 and error.status != 501)
        case aiohttp.ClientConnectorError(os_error=OSError(errno=errno)) if errno == ECONNREFUSED:
            return Failure("connection refused", again=True)
        case aiohttp.ClientConnectorError():
            return Failure("host unreachable", again=True)
        case aiohttp.ClientConnectionError():
            return Failure("connection reset", again=True)
        case aiohttp.InvalidURL():
            return Failure("bad url")
        case _:
            return Failure("bad response")


def _tls_reason(error: BaseException | None) -> str | None:
    """Why TLS failed, if it did: aiohttp's errors contain or follow the one that says so."""
    while error is not None:
        held = getattr(error, "certificate_error", None) or getattr(error, "os_error", None) or error
        if reason := reason_of(held):
            return reason
        if isinstance(held, ConnectionResetError) and type(error) is aiohttp.ClientConnectorError:
            # The connection was already open, or it would have been refused: the handshake is what broke.
            return BROKEN_OFF
        error = error.__cause__
    return None
