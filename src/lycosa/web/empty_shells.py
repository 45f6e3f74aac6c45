"""Empty shells: pages whose text only appears when a browser runs their scripts.

They are recognised by their plain answer: hardly a word of their own, and scripts. Beside that it takes a sign: an
element that a framework will fill, a request to turn JavaScript on, or nothing else at all on the page.
"""

from __future__ import annotations

import re

from lycosa.core.nouns import Page
from lycosa.web.readers.media_types import HTML

_LONGEST = 300
"""Most characters of its own that a shell has: a loading message, a request to turn JavaScript on, a footer."""
_LOOSE = 1000
"""The same for a page of a host that is known to send shells: some have a summary for search engines."""
_ALL = 6000
"""With more text than this, menus included, a page is none, and nothing more need be read."""
_BARE, _FEW = 80, 2
"""Most characters and links of a page that only has scripts and no other sign."""

# Attributes are bounded, and end where another tag begins, so that no hostile page is read again and again.
_script = re.compile(rb"<script\b([^<>]{0,500})>", re.I)
_DATA = re.compile(rb"""\btype\s*=\s*["']?(?:application/(?:ld\+)?json|text/(?:template|x-))""", re.I)
"""Scripts that run nothing."""
_root = re.compile(
    rb"""<(?:div|main|section|body)\b[^<>]{0,300}?\bid\s{0,9}=\s{0,9}["']?"""
    rb"""(?:root|app|__next|__nuxt|___gatsby|svelte|q-app|main-app|app-root|react-root|application|mount|ember\d{0,9})"""
    rb"""(?:["'\s][^<>]{0,300})?>\s{0,99}(?:<!--.{0,200}?-->\s{0,99})?</(?:div|main|section|body)>|"""
    rb"""<(?:app|[a-z]{1,40}-(?:app|root))\b[^<>]{0,300}>\s{0,99}</(?:app|[a-z]{1,40}-(?:app|root))>""",
    re.I | re.DOTALL,
)
"""The empty element that a framework will fill."""
_ASKS = (
    *("enable javascript", "turn on javascript", "activate javascript", "javascript enabled", "requires javascript"),
    *("javascript is required", "javascript is disabled", "without javascript", "javascript to run this app"),
    *("needs javascript", "javascript must be enabled", "javascript aktivieren", "activer javascript"),
    *("javascript activé", "habilitar javascript", "active javascript", "abilitare javascript"),
    *("javascript inschakelen", "javascript を有効", "javascriptを有効", "启用javascript", "включите javascript"),
)


def is_shell(page: Page, words: str, *, loosely: bool = False) -> bool:
    """Whether a page, as its server sent it, is empty without its scripts; `loosely` where its host sends shells.

    `words` are its own words (`Page.own_words`).
    """
    own = len(words) - len(page.title)
    if own > (_LOOSE if loosely else _LONGEST) or page.mime != HTML or len(page.text) > _ALL or page.raw is None:
        return False
    body = page.raw.body
    if not any(not _DATA.search(found[1]) for found in _script.finditer(body)):
        return False
    if _root.search(body):
        return True
    said = page.text.lower()
    return any(words in said for words in _ASKS) or (own <= _BARE and len({link.url for link in page.links}) <= _FEW)
