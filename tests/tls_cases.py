"""Real TLS servers on loopback that do what servers do wrong, with certificates made here; one row each."""

from __future__ import annotations

import asyncio
import ssl
import warnings
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

from lycosa.web import tls_reasons as why
from lycosa.web.http import Http, HttpOptions

HOST = "h.test"
PAGE = b"<!doctype html><title>Hello</title><p>words</p>"
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s" % (len(PAGE), PAGE)
LONG_AGO, LATELY, SOON, LATER = (datetime.now(UTC) + timedelta(days=days) for days in (-900, -9, 9, 900))


class Signed(NamedTuple):
    """A certificate with its key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey

    @property
    def pem(self) -> bytes:
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    @property
    def key_pem(self) -> bytes:
        form = serialization.PrivateFormat.PKCS8
        return self.key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())


def signed(name, by=None, *, authority=False, since=LONG_AGO, until=LATER, bits=0, more=()):
    """A certificate for a name, or for more of them, signed by another or by itself."""
    key = rsa.generate_private_key(65537, bits) if bits else ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(by.certificate.subject if by else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(since)
        .not_valid_after(until)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(each) for each in (name, *more)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
    )
    return Signed(made.sign(by.key if by else key, hashes.SHA256()), key)


@cache
def authority():
    """One that the tests trust where they say so."""
    return signed("Authority of the tests", authority=True)


@cache
def between():
    """An authority beneath the first."""
    return signed("Authority in between", authority(), authority=True)


def good(name=HOST, **more):
    return signed(name, authority(), **more)


def serves(leaf, *chain, first=b"", **settings):
    """A TLS server with this certificate, that answers every request, or says something before any."""

    def make(folder):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        if "ciphers" in settings:
            context.set_ciphers(settings["ciphers"])
        shown = folder / "shown.pem"
        own = leaf()
        shown.write_bytes(own.key_pem + own.pem + b"".join(one.pem for one in chain))
        context.load_cert_chain(shown)
        with warnings.catch_warnings():
            # That these versions are old is the point.
            warnings.simplefilter("ignore", DeprecationWarning)
            for name in ("minimum_version", "maximum_version", "verify_mode"):
                if name in settings:
                    setattr(context, name, settings[name])
        if "alpn" in settings:
            context.set_alpn_protocols(settings["alpn"])
        return context, _answers(first)

    return make


def refuses(leaf, **settings):
    """A TLS server that lets nobody in, and says so: asyncio's own would hang up before its alert is sent."""

    def make(folder):
        context, _ = serves(leaf, **settings)(folder)

        async def talk(reader, writer):
            incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
            tls = context.wrap_bio(incoming, outgoing, server_side=True)
            try:
                while True:
                    try:
                        tls.do_handshake()
                    except ssl.SSLWantReadError:
                        writer.write(outgoing.read())
                        incoming.write(await reader.readexactly(1))
            except ssl.SSLError:
                writer.write(outgoing.read())
                await reader.read()
            except (asyncio.IncompleteReadError, OSError):
                pass
            finally:
                writer.close()

        return None, talk

    return make


def _answers(first):
    async def talk(reader, writer):
        try:
            if first:
                writer.write(first)
            while await reader.readuntil(b"\r\n\r\n"):
                if not first:
                    writer.write(ANSWER)
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            writer.close()

    return talk


def says(*words, closes=True):
    """A server without TLS that says this, whatever it hears."""

    async def talk(reader, writer):
        try:
            await reader.read(1)
            writer.write(b"".join(words))
            if not closes:
                await reader.read()
        except OSError:
            pass
        finally:
            writer.close()

    return lambda folder: (None, talk)


def alert(number):
    """A fatal alert of TLS."""
    return b"\x15\x03\x03\x00\x02\x02" + bytes([number])


OLD = {"minimum_version": ssl.TLSVersion.TLSv1, "maximum_version": ssl.TLSVersion.TLSv1_1}
SETTINGS_OF_HTTP2 = b"\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x64"
CASES = {
    # Name: (server, reason, whether the tests' authority is given with --ca)
    "trusted authority": (serves(good), None, True),
    "whole chain": (serves(lambda: signed(HOST, between()), between()), None, True),
    "expired": (serves(lambda: good(until=LATELY)), why.EXPIRED, True),
    "not yet valid": (serves(lambda: good(since=SOON)), why.NOT_YET, True),
    "wrong host": (serves(lambda: good("other.test")), why.OTHER_HOST, True),
    "name not served": (says(alert(112)), why.OTHER_HOST, True),
    "self-signed": (serves(lambda: signed(HOST)), why.SELF_SIGNED, True),
    "unknown root": (serves(good, authority()), why.UNKNOWN_ISSUER, False),
    "unknown issuer, not sent": (serves(good), why.INCOMPLETE, False),
    "incomplete chain": (serves(lambda: signed(HOST, between())), why.INCOMPLETE, True),
    "weak key": (serves(lambda: good(bits=1024), ciphers="ALL:@SECLEVEL=0"), why.TOO_OLD, True),
    "huge chain": (serves(good, *[between()] * 400), why.FAILED, True),
    "TLS 1.0 and 1.1 only": (refuses(good, ciphers="ALL:@SECLEVEL=0", **OLD), why.TOO_OLD, True),
    "HTTP/2 only": (serves(good, alpn=["h2"], first=SETTINGS_OF_HTTP2), why.HTTP2_ONLY, True),
    "HTTP/2 only, by alert": (says(alert(120)), why.HTTP2_ONLY, True),
    "client certificate": (refuses(good, verify_mode=ssl.CERT_REQUIRED), why.CLIENT_CERTIFICATE, True),
    "client certificate, by alert": (says(alert(42)), why.CLIENT_CERTIFICATE, True),
    "no cipher in common": (says(alert(40)), why.REFUSED, True),
    "handshake stalls": (says(closes=False), why.STALLED, True),
    "handshake broken off": (says(), why.BROKEN_OFF, True),
    "plain HTTP": (says(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"), why.NO_TLS, True),
    "SSH": (says(b"SSH-2.0-OpenSSH_9.6\r\n"), why.NO_TLS, True),
}


@asynccontextmanager
async def served(name, folder):
    """The server of a case; yields its port."""
    context, talk = CASES[name][0](folder)
    listener = await asyncio.start_server(talk, "127.0.0.1", 0, ssl=context)
    try:
        yield listener.sockets[0].getsockname()[1]
    finally:
        listener.close()
        await listener.wait_closed()


async def outcome(name, folder, **options):
    """What Lycosa makes of a case: a page, or a failure with its reason."""
    root = folder / "root.pem"
    root.write_bytes(authority().pem)
    options.setdefault("timeout_connect", 4.0 if name == "handshake stalls" else 30.0)
    if CASES[name][2]:
        options.setdefault("ca", str(root))
    async with served(name, folder) as port:
        http = Http(HttpOptions(resolve={"*": f"127.0.0.1:{port}"}, obey_robots=False, **options))
        try:
            return await http.get(f"https://{HOST}/page", 1 << 20)
        finally:
            await http.close()
