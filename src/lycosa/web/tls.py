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
from lycosa.web import tls_reasons as why

_by_code = {
    2: why.INCOMPLETE,
    9: why.NOT_YET,
    10: why.EXPIRED,
    18: why.SELF_SIGNED,
    19: why.UNKNOWN_ISSUER,
    20: why.INCOMPLETE,
    21: why.INCOMPLETE,
    23: why.REVOKED,
    **dict.fromkeys((62, 63, 64), why.OTHER_HOST),
    **dict.fromkeys((66, 67, 68), why.TOO_OLD),
}
"""OpenSSL's verdicts on a certificate: X509_V_ERR_..."""
_NAMES = {
    why.TOO_OLD: "UNSUPPORTED_PROTOCOL TLSV1_ALERT_PROTOCOL_VERSION WRONG_SSL_VERSION VERSION_TOO_LOW DH_KEY_TOO_SMALL "
    "EE_KEY_TOO_SMALL TLSV1_ALERT_INSUFFICIENT_SECURITY UNSAFE_LEGACY_RENEGOTIATION_DISABLED",
    why.NO_TLS: "WRONG_VERSION_NUMBER HTTP_REQUEST HTTPS_PROXY_REQUEST UNKNOWN_PROTOCOL PACKET_LENGTH_TOO_LONG "
    "RECORD_LAYER_FAILURE RECORD_TOO_SMALL",
    why.CLIENT_CERTIFICATE: "TLSV13_ALERT_CERTIFICATE_REQUIRED SSLV3_ALERT_NO_CERTIFICATE SSLV3_ALERT_BAD_CERTIFICATE "
    "SSLV3_ALERT_CERTIFICATE_UNKNOWN TLSV1_ALERT_UNKNOWN_CA TLSV1_ALERT_ACCESS_DENIED",
    why.HTTP2_ONLY: "TLSV1_ALERT_NO_APPLICATION_PROTOCOL",
    why.OTHER_HOST: "TLSV1_UNRECOGNIZED_NAME",
    why.BROKEN_OFF: "UNEXPECTED_EOF_WHILE_READING",
}
_by_name = {name: reason for reason, names in _NAMES.items() for name in names.split()}
"""The names of OpenSSL's errors and alerts."""
_alert = re.compile(r"\[SSL(?:: (\w+))?\] ([\w ]+)")
_begins = re.compile(b"-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----")
_hashed = re.compile(r"[0-9a-f]{8}\.\d+").fullmatch


def reason_of(error: BaseException) -> str | None:
    """Why a TLS connection failed, from the first error that says so; None for an error that is not about TLS."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return _by_code.get(error.verify_code, why.NOT_VALID)
    if isinstance(error, ConnectionAbortedError) and "SSL handshake" in str(error):
        return why.STALLED
    # An alert that arrives after the handshake, as in TLS 1.3, is visible only in the text of another error.
    if found := _alert.search(str(error)):
        # Python has no names for the newest alerts, but OpenSSL describes them in words.
        name = found[1] or found[2].strip().upper().replace(" ", "_")
        return _by_name.get(name, why.REFUSED if "ALERT" in name else why.FAILED)
    if isinstance(error, ssl.SSLEOFError):
        return why.BROKEN_OFF
    return why.FAILED if isinstance(error, ssl.SSLError) else None


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
        return Refused(
            f"{paths.openssl_cafile_env} names {given}, which contains no certificate of an authority",
            "correct it or remove it from the environment; to add authorities, name a CA file",
            code=Code.TLS,
        )
    if ca or (paths.cafile and _holds_certificates(paths.cafile)) or (paths.capath and _has_hashed(paths.capath)):
        return None
    meaning, fix = why.ADVICE[why.NO_AUTHORITIES]
    return Refused(meaning.rstrip("."), fix, code=Code.TLS, field="ca")


def _add(made: ssl.SSLContext, ca: str) -> None:
    fix = "give a file of certificates in PEM format, which begin with -----BEGIN CERTIFICATE-----"
    try:
        made.load_verify_locations(cafile=ca)
    except ssl.SSLError:
        raise Refused(f"the CA file {ca} contains no certificates", fix, code=Code.BAD_FILE, field="ca") from None
    except (OSError, ValueError) as error:
        raise Refused(
            f"the CA file {ca} cannot be read ({getattr(error, 'strerror', None) or error})",
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
