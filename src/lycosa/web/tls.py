"""HTTPS: which certificates are trusted, and in a few words why a connection was not.

Certificates are always verified, against the authorities of the system (or of SSL_CERT_FILE and SSL_CERT_DIR, which
OpenSSL reads) and those of an additional file that a person may give.
"""

from __future__ import annotations

import os
import re
import ssl
from pathlib import Path

from lycosa.system.errors import Code, Refused
from lycosa.web.tls_reasons import (
    BROKEN_OFF,
    CLIENT_CERTIFICATE,
    EXPIRED,
    FAILED,
    HTTP2_ONLY,
    INCOMPLETE,
    NO_TLS,
    NOT_VALID,
    NOT_YET,
    OTHER_HOST,
    REFUSED,
    REVOKED,
    SELF_SIGNED,
    STALLED,
    TOO_OLD,
    UNKNOWN_ISSUER,
    VARIABLE,
)

_by_code = {
    9: NOT_YET,
    10: EXPIRED,
    18: SELF_SIGNED,
    19: UNKNOWN_ISSUER,
    20: INCOMPLETE,
    21: INCOMPLETE,
    23: REVOKED,
    2: INCOMPLETE,
    62: OTHER_HOST,
    63: OTHER_HOST,
    64: OTHER_HOST,
    66: TOO_OLD,
    67: TOO_OLD,
    68: TOO_OLD,
}
"""OpenSSL's verdicts on a certificate: X509_V_ERR_..."""
_by_name = {
    **dict.fromkeys(
        (
            "UNSUPPORTED_PROTOCOL",
            "TLSV1_ALERT_PROTOCOL_VERSION",
            "WRONG_SSL_VERSION",
            "VERSION_TOO_LOW",
            "DH_KEY_TOO_SMALL",
            "EE_KEY_TOO_SMALL",
            "TLSV1_ALERT_INSUFFICIENT_SECURITY",
            "UNSAFE_LEGACY_RENEGOTIATION_DISABLED",
        ),
        TOO_OLD,
    ),
    **dict.fromkeys(
        (
            "WRONG_VERSION_NUMBER",
            "HTTP_REQUEST",
            "HTTPS_PROXY_REQUEST",
            "UNKNOWN_PROTOCOL",
            "PACKET_LENGTH_TOO_LONG",
            "RECORD_LAYER_FAILURE",
            "RECORD_TOO_SMALL",
        ),
        NO_TLS,
    ),
    **dict.fromkeys(
        (
            "TLSV13_ALERT_CERTIFICATE_REQUIRED",
            "SSLV3_ALERT_NO_CERTIFICATE",
            "SSLV3_ALERT_BAD_CERTIFICATE",
            "SSLV3_ALERT_CERTIFICATE_UNKNOWN",
            "TLSV1_ALERT_UNKNOWN_CA",
            "TLSV1_ALERT_ACCESS_DENIED",
        ),
        CLIENT_CERTIFICATE,
    ),
    "TLSV1_ALERT_NO_APPLICATION_PROTOCOL": HTTP2_ONLY,
    "TLSV1_UNRECOGNIZED_NAME": OTHER_HOST,
    "UNEXPECTED_EOF_WHILE_READING": BROKEN_OFF,
}
_alert = re.compile(r"\[SSL(?:: (\w+))?\] ([\w ]+)")
_begins = re.compile(b"-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----")
_hashed = re.compile(r"[0-9a-f]{8}\.\d+").fullmatch


def reason_of(error: BaseException) -> str | None:
    """Why a TLS connection failed, from the first error that says so; None for an error that is not about TLS."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return _by_code.get(error.verify_code, NOT_VALID)
    if isinstance(error, ConnectionAbortedError) and "SSL handshake" in str(error):
        return STALLED
    # An alert that arrives after the handshake, as in TLS 1.3, is visible only in the text of another error.
    if found := _alert.search(str(error)):
        # Python has no names for the newest alerts, but OpenSSL describes them in words.
        name = found[1] or found[2].strip().upper().replace(" ", "_")
        return _by_name.get(name, REFUSED if "ALERT" in name else FAILED)
    if isinstance(error, ssl.SSLEOFError):
        return BROKEN_OFF
    return FAILED if isinstance(error, ssl.SSLError) else None


def context(ca: str | None = None) -> ssl.SSLContext:
    """The TLS context of all connections: with the authorities of the system, and those of a file."""
    made = ssl.create_default_context()
    made.set_alpn_protocols(["http/1.1"])
    if ca is not None:
        _add(made, ca)
    return made


def check_ca(ca: str) -> None:
    """Refuse a file that contains no certificate of an authority."""
    _add(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), ca)


def no_authorities(ca: str | None = None) -> Refused | None:
    """What is wrong if no certificate would be trusted, so that every https page would be a miss."""
    paths = ssl.get_default_verify_paths()
    given = os.environ.get(paths.openssl_cafile_env)
    if given and not _holds_certificates(given):
        problem = f"{paths.openssl_cafile_env} names {given}, which holds no certificate of an authority"
        return Refused(
            problem, f"correct it or take it out of the environment; --ca or {VARIABLE} adds authorities", code=Code.TLS
        )
    if ca or (paths.cafile and _holds_certificates(paths.cafile)) or (paths.capath and _has_hashed(paths.capath)):
        return None
    fix = f"install them (the package is often called ca-certificates), or give a file with --ca or {VARIABLE}"
    return Refused("this system knows no certificate authorities, so no https page can be verified", fix, code=Code.TLS)


def _add(made: ssl.SSLContext, ca: str) -> None:
    fix = "give a file of certificates in PEM format, which begin with -----BEGIN CERTIFICATE-----"
    try:
        made.load_verify_locations(cafile=ca)
    except ssl.SSLError:
        raise Refused(f"the CA file {ca} holds no certificates", fix, code=Code.BAD_FILE, field="ca") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Refused(
            f"the CA file {ca} cannot be read ({why})",
            fix,
            code=Code.NOT_FOUND if isinstance(error, FileNotFoundError) else Code.UNREADABLE,
            field="ca",
        ) from None


def _holds_certificates(file: str) -> bool:
    try:
        return bool(_begins.search(Path(file).read_bytes()))
    except OSError:
        return False


def _has_hashed(folder: str) -> bool:
    try:
        return any(_hashed(entry.name) for entry in Path(folder).iterdir())
    except OSError:
        return False
