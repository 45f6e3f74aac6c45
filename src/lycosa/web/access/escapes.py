"""Secrets that a server repeats in another form: as entities of HTML, or with the escapes of JSON and JavaScript."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

_escape = re.compile(
    rb"&#(?:x(?P<hex>[\da-f]{1,8})|(?P<decimal>\d{1,9}));?|(?P<units>(?:\\u[\da-f]{4})+)|\\u\{(?P<code>[\da-f]{1,6})\}"
    rb"|\\x(?P<byte>[\da-f]{2})|\\(?P<itself>[\"'\\/])|&(?P<named>amp|lt|gt|quot|apos);",
    re.I,
)
_NAMED = {b"amp": b"&", b"lt": b"<", b"gt": b">", b"quot": b'"', b"apos": b"'"}


def without_escaped(content: bytes, secrets: Iterable[bytes]) -> bytes:
    """A body in which no secret is left that is written with escapes, all of it or some of its characters."""
    if b"&#" not in content and b"\\" not in content:
        return content
    plain = _escape.sub(_character, content)
    if plain == content:
        return content
    for secret in secrets:
        if secret in plain:
            content = _forms(secret).sub(lambda found: b"*" * len(found[0]), content)
    return content


def _character(found: re.Match[bytes]) -> bytes:
    """What an escape stands for; what stands for nothing stays as it is."""
    kind = found.lastgroup
    assert kind
    value = found[kind]
    try:
        if kind == "itself":
            return value
        if kind == "named":
            return _NAMED[value.lower()]
        if kind == "units":
            units = bytes.fromhex(re.sub(rb"\\u", b"", value, flags=re.I).decode())
            return units.decode("utf-16-be").encode()
        return chr(int(value, 10 if kind == "decimal" else 16)).encode()
    except (ValueError, OverflowError):
        return found[0]


def _forms(secret: bytes) -> re.Pattern[bytes]:
    """Matches a secret with each of its characters in any form."""
    return re.compile(b"".join(_form(character) for character in secret.decode("utf-8", "replace")))


def _form(character: str) -> bytes:
    code, units = ord(character), character.encode("utf-16-be").hex()
    unicode_escape = "".join(rf"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
    forms = [
        re.escape(character),
        f"(?i:&#0*{code};?)",
        f"(?i:&#x0*{code:x};?)",
        f"(?i:{unicode_escape})",
        rf"(?i:\\u\{{0*{code:x}\}})",
        rf"(?i:\\x{code:02x})" if code < 256 else "",
        rf"\\{re.escape(character)}" if character in "\"'\\/" else "",
        re.escape(escape(character)),
    ]
    # Longer forms first: an escaped & begins with itself.
    tried = sorted(filter(None, dict.fromkeys(forms)), key=len, reverse=True)
    return f"(?:{'|'.join(tried)})".encode()
