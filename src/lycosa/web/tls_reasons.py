"""Why an https page could not be fetched: the short reasons that misses have, and what a person can do about each.

Separate from `tls`, so that code that only explains misses need not load OpenSSL.
"""

from __future__ import annotations

from typing import NamedTuple

VARIABLE = "LYCOSA_CA"
"""The environment variable that names a file of additional authorities."""

EXPIRED, NOT_YET, OTHER_HOST = "certificate expired", "certificate not yet valid", "certificate for another host"
SELF_SIGNED, UNKNOWN_ISSUER = "certificate self-signed", "certificate issuer unknown"
INCOMPLETE, REVOKED, NOT_VALID = "certificate chain incomplete", "certificate revoked", "certificate not valid"
TOO_OLD, NO_TLS, HTTP2_ONLY = "tls too old", "no tls on this port", "http/2 only"
CLIENT_CERTIFICATE, REFUSED, BROKEN_OFF = "client certificate demanded", "tls refused", "tls broken off"
STALLED, FAILED, NO_AUTHORITIES = "tls stalled", "tls failure", "no certificate authorities"

PASSING = frozenset({STALLED, BROKEN_OFF})
"""Reasons for which a retry may succeed."""

_CLOCK = "check the clock of this machine; otherwise only the owner of the site can change that"
_LATER = "try again later"
_OWNER = "only the owner of the site can change that"


class Advice(NamedTuple):
    """What a reason means, and what a person can do."""

    meaning: str
    fix: str

    def __str__(self) -> str:
        return f"{self.meaning} {self.fix[:1].upper()}{self.fix[1:]}."


ADVICE = {
    EXPIRED: Advice("The certificate of the site has expired.", _CLOCK),
    NOT_YET: Advice("The certificate of the site is not valid yet.", _CLOCK),
    OTHER_HOST: Advice("The certificate is for another host name.", "use the name that is in the certificate"),
    SELF_SIGNED: Advice(
        "The site has signed its certificate itself.", "add that certificate to the CA file if you trust it"
    ),
    UNKNOWN_ISSUER: Advice(
        "The certificate was issued by an authority that is not known here.",
        "add the certificate of the authority to the CA file if you trust it",
    ),
    INCOMPLETE: Advice(
        "No chain leads from the certificate to a known authority: the server leaves out a certificate in between, "
        "or the authority is private.",
        "add the missing certificate, or that of the private authority, to the CA file",
    ),
    REVOKED: Advice("The certificate of the site was revoked.", _OWNER),
    NOT_VALID: Advice("The certificate of the site cannot be verified.", _OWNER),
    TOO_OLD: Advice("The server offers only versions of TLS, or keys, that are no longer safe.", _OWNER),
    NO_TLS: Advice("What answers on this port does not speak TLS.", "try http:// instead of https://"),
    HTTP2_ONLY: Advice("The server speaks only HTTP/2, and Lycosa speaks HTTP/1.1.", _OWNER),
    CLIENT_CERTIFICATE: Advice(
        "The server admits only clients with a certificate.", "say which client certificate enters the host"
    ),
    REFUSED: Advice(
        "The server ended the TLS handshake: it has no cipher in common with Lycosa, or it requires a certificate.",
        _OWNER,
    ),
    BROKEN_OFF: Advice("The server closed the connection during the TLS handshake.", _LATER),
    STALLED: Advice("The server did not finish the TLS handshake in time.", _LATER),
    FAILED: Advice("The TLS connection failed.", _LATER),
    NO_AUTHORITIES: Advice(
        "This machine knows no certificate authorities, so no https page can be verified.",
        "install them (the package is often called ca-certificates), or name a CA file",
    ),
}
"""What each of these reasons means."""
