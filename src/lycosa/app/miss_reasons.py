"""Why a page could not be fetched, for people: a table with a plain clause and a fix for each reason.

The keys are the reasons in the log. A reason with details at its end («status 404», «refused address 10.0.0.1»,
«type image/png») is looked up as a whole, then a status by its class («status 4xx»), then by its first words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from lycosa.web.tls_reasons import ADVICE

_LATER = "try again later"
_BROWSER = "open it in a browser to see what it is, and choose another page"


class Explained(NamedTuple):
    """A reason in words, and what to do about it if a seed was missed for it."""

    problem: str
    fix: str


REASONS: dict[str, tuple[str, str]] = {
    # Reaching the host
    "no such host": ("there is no host of this name", "check the spelling, and that this machine can look up names"),
    "name server failure": ("the name server gave no answer", "check the network of this machine, then try again"),
    "connection refused": ("the host refused the connection", "check host and port, and that its server runs"),
    "connection reset": ("the host broke off the connection", _LATER),
    "host unreachable": ("the network has no route to the host", "check the network of this machine, then try again"),
    "timeout": ("there was no answer in time", "try again later, or with a longer timeout"),
    "refused address": ("it is not on the public Internet", "allow its host if it is meant"),
    "refused host": ("it is not on the public Internet", "allow its host if it is meant"),
    "proxy unreachable": ("the proxy cannot be reached", "check its address, and that the proxy runs"),
    "proxy login refused": ("the proxy refuses the login", "give its user name and password"),
    "proxy cannot reach host": ("the proxy cannot reach the host", "check that the proxy may ask this host"),
    "host's own proxy unreachable": ("the proxy of this host cannot be reached", "check its address, and that it runs"),
    "host's own proxy login refused": ("the proxy of this host refuses the login", "give its user name and password"),
    "proxy status": ("the proxy could not fetch it", "check that the proxy may ask this host"),
    # HTTPS: the sentences of web/tls_reasons.py, as clauses
    **{reason: (meaning[0].lower() + meaning[1:].rstrip("."), fix) for reason, (meaning, fix) in ADVICE.items()},
    # What robots.txt says
    "robots": ("robots.txt does not allow it", "choose a page that its robots.txt allows"),
    "robots unreachable": ("robots.txt cannot be read, so nothing may be fetched there", _LATER),
    "incomplete robots.txt": ("robots.txt came incomplete, so nothing may be fetched there", _LATER),
    "crawl-delay too long": (
        "robots.txt asks for too long a pause between requests",
        "choose pages of another host",
    ),
    # What the server says
    "status 401": ("the page needs a login", "say how to enter its host, or check the secret if you did"),
    "status 403": (
        "the server does not let us see it",
        "choose another page, or give a contact for its webmaster",
    ),
    "status 404": ("there is no such page", "check the URL"),
    "status 410": ("the page is gone for good", "choose another page"),
    "status 429": ("the server had too many requests", "try again later, with a longer delay"),
    "status 451": ("the page may not be shown for legal reasons", "choose another page"),
    "status 4xx": ("the server refused the request", _BROWSER),
    "status 5xx": ("the server has a fault or is overloaded", _LATER),
    "status": ("the server sent no page", _BROWSER),
    "redirect to nowhere": ("it redirects to something that is not a URL", _BROWSER),
    "too many redirects": ("its redirects do not end", _BROWSER),
    # Entering the host
    "access not ready": (
        "what is needed to enter the host is missing",
        "set the variable, or correct the file, that its access names",
    ),
    "login refused": (
        "the host does not let us in with this login",
        "check the user name, the password and the sign of success",
    ),
    "login form not found": (
        "the login page has no form with these fields",
        "compare the fields with those of the form",
    ),
    "login form leads elsewhere": (
        "the login form sends what is filled in to another host",
        "widen the access of the host if it is meant",
    ),
    "login needed too often": ("the host asks for the login again and again", "check how the end of a session is told"),
    "login status": ("the host could not log us in", _LATER),
    "repeats a secret": (
        "the file has a secret in it with which the host was entered",
        "open it in a browser; it is not kept, because no secret is",
    ),
    "challenge": ("its host checks that visitors are no robots", "ask its owner, or choose another page"),
    "login wall": ("it redirects to a login", "choose a page that everybody may see"),
    "soft 404": ("it redirects to an error page", "check the URL"),
    # The response
    "type": ("it is not a text that can be read", "choose a page or a document with a text"),
    "damaged": ("the document is damaged", "open it in its own program to see whether it is whole"),
    "encrypted": ("the document is encrypted", "choose another page; nothing can be read without its password"),
    "too large to read": ("the document is too large", "allow more bytes for a document"),
    "needs the extra": ("it can only be read with a package that is not installed", "install this extra of Lycosa"),
    "not readable": ("its name is that of a file without text", "give it as a seed if it is a page"),
    "incomplete body": ("the page came incomplete", _LATER),
    "bad content coding": ("the page is packed in a way that cannot be read", _BROWSER),
    "bad response": ("the answer was not HTTP", "check host and port"),
    "bad url": ("the URL cannot be requested", "check the URL"),
    "parser hung": ("the page takes too long to read", "choose another page"),
    "parser crashed": ("the program that reads it breaks at this page", "choose another page"),
    # The hunt itself
    "resting": ("the host asks for a pause", _LATER),
    "scout lost": ("the process that was to fetch it died", "see scouts.log in the collection, then resume"),
    "scout failed": ("the process that was to fetch it has a fault", "see scouts.log in the collection, and report it"),
    "host given up": ("its host failed too often, or asks for too long a pause", _LATER),
    "host full": ("enough pages of its host were fetched", "allow more pages per host or site"),
    "scope include": ("it matches no pattern to include", "include a pattern that it matches"),
    "scope exclude": ("it matches an excluded pattern", "take the pattern away if it is wanted"),
    "scope depth": ("it is too many links away from the seeds", "allow more links"),
    "scope type": ("its type is not wanted", "add its type if it is wanted"),
    "scope language": ("its language is not wanted", "add its language if it is wanted"),
    "scope date": ("its date is not wanted", "change the dates if it is wanted"),
    "scope size": ("its size is not wanted", "change the sizes if it is wanted"),
    "scope words": ("its number of words is not wanted", "change the numbers if it is wanted"),
    "outside": ("it leads outside the scope of the hunt", "widen the scope"),
    "not asked": ("the hunt ended before its turn came", "resume it, with a larger budget"),
    "calendar": ("it looks like an endless calendar", "give it as a seed if it is wanted"),
    "deep path": ("its path is too deep", "give it as a seed if it is wanted"),
    "repeating path": ("its path repeats itself", "give it as a seed if it is wanted"),
    "nothing new": ("pages of its kind brought nothing new", "give it as a seed if it is wanted"),
    "too many sitemaps": ("its host has too many sitemaps", "give it as a seed if it is wanted"),
    "another spelling": ("it is a known page in another spelling", "nothing needs to be done"),
    "mirror": ("its host is a copy of another one, which has this page too", "nothing needs to be done"),
    "another version": ("it is another version of a page that was fetched", "fetch all versions of pages"),
    "frontier full": ("the queue was full", "give the frontier a larger capacity"),
}


_WITHHELD = {
    "noindex": ("that asks not to be indexed", "that ask not to be indexed"),
    "feed": ("feed", "feeds"),
    "sitemap": ("sitemap", "sitemaps"),
    "sitemap index": ("index of sitemaps", "indexes of sitemaps"),
    "another address": ("that is at another address too", "that are at another address too"),
    "soft 404": ("«not found» page", "«not found» pages"),
    "parked domain": ("parked domain", "parked domains"),
    "login wall": ("login wall", "login walls"),
    "challenge": ("check for robots", "checks for robots"),
    "needs scripts": ("that is empty without scripts", "that are empty without scripts"),
    "keyword stuffing": ("page of repeated keywords", "pages of repeated keywords"),
}


def withheld_words(counts: Mapping[str, int]) -> str:
    """How many pages are kept out of search and exports, and why, in a few words."""
    return ", ".join(
        f"{count:,} {_WITHHELD.get(reason, (reason, reason))[count != 1]}" for reason, count in counts.items()
    )


def explained(reason: str) -> Explained:
    """A reason of the log in words; an unknown reason is shown as it is."""
    words = reason.replace(":", "").split()
    status = [f"status {words[1][0]}xx"] if words[:1] == ["status"] and len(words) == 2 else []
    shorter = (" ".join(words[:end]) for end in range(len(words) - 1, 0, -1))
    for key in (reason, *status, *shorter):
        if key in REASONS:
            problem, fix = REASONS[key]
            # Keep the details that the key leaves out: which address, which status, which type.
            own = reason if key.startswith("status") else reason.removeprefix(key).strip(" :")
            return Explained(f"{problem} ({own})" if own and own != "unknown" else problem, fix)
    return Explained(reason, _BROWSER)
