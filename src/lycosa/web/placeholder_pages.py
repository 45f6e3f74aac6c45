"""Placeholder pages: «not found» with status 200, parked domains, login walls, challenges, keyword stuffing.

They are recognised by their text, and only if they say little else: a page with text of its own is never taken for one,
whatever it mentions. A page with hardly any text is also recognised by the scripts of those who make such pages.
Precision goes before recall: a missed placeholder is one odd page more, a false alarm is a page lost.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from urllib.parse import unquote

SOFT_404, PARKED, LOGIN, CHALLENGE = "soft 404", "parked domain", "login wall", "challenge"
SCRIPTS, STUFFED = "needs scripts", "keyword stuffing"

_LONGEST = 500
"""Most characters of its own that such a page has; most have fewer than three hundred."""
_LINKED = 1000
"""With more characters than this in links, a page is a list of links and not a wall: menus seldom have as many."""
_OPENING = 300
"""Characters within which a page says what it is."""
_LONGEST_404 = 4000
"""Most characters of its own that a page has whose title and opening say that it was not found."""
_BARE = 200
"""Most characters of its own that a page has which is recognised by its scripts."""
_SCRIPTS = 1 << 16
"""Bytes of a page in which these scripts are looked for."""
_STUFFED, _OFTEN = 8192, 20
"""Characters that are examined for keyword stuffing, and how often each word occurs there on average."""
_PAIR = 0.2
"""Largest share that one pair of words may have of all pairs; in ordinary texts 0.01, in long tables 0.1."""

_NOT_FOUND = (
    *("page not found", "page was not found", "page could not be found", "page cannot be found", "page can't be found"),
    *("page can not be found", "page isn't available", "page is not available", "page is no longer available"),
    *("page doesn't exist", "page does not exist", "page you requested", "page you are looking for", "page you were"),
    *("page you're looking for", "can't find that page", "can't find the page", "couldn't find that page"),
    *("couldn't find the page", "could not find the page", "cannot find the page", "find what you were looking for"),
    *("404 not found", "404 error", "error 404", "http 404", "404 page", "404 file", "file not found", "not found 404"),
    *("url was not found", "content not found", "content isn't available", "content is no longer available"),
    *("article not found", "product not found", "no longer exists", "nothing was found at this location"),
    *("topic does not exist", "thread does not exist", "invalid thread specified", "topic you requested"),
    *("post does not exist", "blog has been removed", "does not exist in this wiki", "currently no text in this page"),
    *("there isn't a github pages site here", "item has been removed", "resource cannot be found"),
    *("seite nicht gefunden", "seite wurde nicht gefunden", "seite konnte nicht gefunden", "seite existiert nicht"),
    *("page introuvable", "page non trouvée", "page demandée n'existe", "página no encontrada", "página no existe"),
    *("pagina non trovata", "pagina niet gevonden", "página não encontrada", "sidan kunde inte hittas"),
    *("strona nie została znaleziona", "nie znaleziono strony", "страница не найдена", "сторінку не знайдено"),
    *(
        "ページが見つかりません",
        "お探しのページ",
        "页面不存在",
        "找不到页面",
        "페이지를 찾을 수 없습니다",
        "sayfa bulunamadı",
    ),
    *(
        "siden blev ikke fundet",
        "siden finnes ikke",
        "sivua ei löytynyt",
        "stránka nenalezena",
        "az oldal nem található",
    ),
)
# A whole part of a title, between the dashes and bars that separate it from the name of the site.
_NOT_FOUND_PART = re.compile(
    r"error 404|404(?: error|(?: error)? (?:page |file )?not found)"
    r"|(?:page|file|site|content|document|article) not found(?: \(?404\)?)?|(?:404 )?seite nicht gefunden"
    r"|page (?:introuvable|non trouvée)|página no encontrada|pagina non trovata|página não encontrada"
    r"|страница не найдена"
)
_NOT_FOUND_TITLES = frozenset({"404", "not found", "nothing found", "object not found", "error", "oops", "oops!"})
_between_parts = re.compile(r"\s+[-|\N{EN DASH}\N{EM DASH}\N{MIDDLE DOT}»:]+\s+|[:!|]\s+|[!.]$")
_FOR_SALE = (
    *("domain is for sale", "domain may be for sale", "domain name is for sale", "domain for sale", "is for sale!"),
    *("website is for sale", "buy this domain", "buy the domain", "purchase this domain", "get this domain"),
    *(
        "inquire about this domain",
        "make an offer on this domain",
        "domain is parked",
        "domain parked",
        "parked domain",
    ),
    *("domain parking", "parked free", "page is parked", "this domain has expired", "this domain name has expired"),
    *(
        "domain has recently been registered",
        "domain was recently registered",
        "has been registered at",
        "future home of",
    ),
    *("domain is available for purchase", "domain steht zum verkauf", "domain kaufen", "domaine est à vendre"),
    *("dieser domain", "domain owner maintain no relationship", "generated by the domain owner using"),
    *("default page of this web server", "welcome to nginx", "apache2 default page", "site is under construction"),
    *("this web page is parked", "website coming soon", "sponsored listings"),
)
_PARKING = (
    *(b"sedoparking.com", b"parkingcrew.net", b"bodis.com", b"parklogic.com", b"above.com/marketplace", b"dan.com/buy"),
    *(b"hugedomains.com/", b"afternic.com/forsale", b"window.park=", b"window.park =", b'location.href="/lander"'),
)
_MEMBERS_ONLY = (
    *("log in to continue", "sign in to continue", "login to continue", "log in to view", "sign in to view"),
    *(
        "login to view",
        "log in to see",
        "sign in to see",
        "sign up to see",
        "log in or sign up",
        "login or register to",
    ),
    *("must be logged in", "must log in", "need to log in", "need to be logged in", "need to sign in", "must sign in"),
    *("not logged in", "please log in", "please login", "please sign in", "log in to your account", "join to view"),
    *("sign in to your account", "log in with your", "sign in with your", "forgot password", "forgot your password"),
    *("forgotten your password", "forgotten your username", "lost your password", "remember me", "password vergessen"),
    *("melden sie sich an", "bitte anmelden", "mot de passe oublié", "¿olvidaste tu contraseña", "inicia sesión para"),
    *("subscribe to continue reading", "subscribe to read", "only available to members", "only visible to registered"),
)
_PASSWORD = re.compile(rb"""<input\b[^>]*\btype\s*=\s*["']?password""", re.I)
_LOGIN_TITLE = re.compile(r"\b(?:log|sign) ?[io]n\b|\blogin\b|\banmeld|\bconnexion\b|\biniciar sesión|\bmembers only\b")
_ROBOT_CHECKS = (
    *(
        "checking your browser",
        "checking if the site connection is secure",
        "verify you are human",
        "verifying you are human",
    ),
    *(
        "verify that you are human",
        "verify that you're not a robot",
        "confirm you are human",
        "confirm that you are human",
    ),
    *("prove you are human", "are you a human", "are you a robot", "are you human", "not a robot", "not a bot"),
    *("enable javascript and cookies", "enable js and disable any ad blocker"),
    *("please enable cookies", "unusual traffic from your", "unusual activity from", "slide right to secure"),
    *("performance and security by cloudflare", "needs to review the security of your connection"),
    *("verifying your browser", "verifying your connection", "automated access to", "checking you are not a bot"),
    *("complete the captcha", "complete the security check", "solve the captcha", "press & hold", "press and hold"),
    *(
        "attention required! | cloudflare",
        "ddos protection by",
        "ddos-guard",
        "incapsula incident",
        "request unsuccessful",
    ),
    *("pardon our interruption", "you have been blocked", "access to this page has been denied", "just a moment..."),
    *("you don't have permission to access", "performing security verification", "one more step"),
)
# What is only in the checks themselves: the scripts beside them are in ordinary pages of their customers too.
_CHALLENGING = (
    *(
        b"_cf_chl_opt",
        b"/orchestrate/chl_page/",
        b"geo.captcha-delivery.com",
        b"ct.captcha-delivery.com",
        b"px-captcha",
    ),
    *(b'id="main-iframe" src="/_Incapsula_Resource', b"/_sec/cp_challenge/", b"sec-if-cpt-container", b"bm-verify="),
    *(b"gokuProps", b"sucuri_cloudproxy_js", b"slowAES.decrypt", b"ddos-guard/js-challenge", b".well-known/sgcaptcha"),
    *(b"anubis_challenge", b"/x/cmd/anubis", b"_fs-ch-"),
)
_FOR_SCRIPTS = (
    *(
        "need to enable javascript to run",
        "please enable javascript",
        "please turn javascript on",
        "javascript is required",
        "requires javascript",
    ),
    *(
        "javascript is disabled in your browser",
        "doesn't work properly without javascript",
        "javascript must be enabled",
    ),
)


def stands_in(title: str, words: str, linked: int = 0, body: bytes = b"") -> str:
    """The kind of placeholder, from a page's title and its own words (`Page.own_words`); empty for an ordinary page.

    `linked` is the number of characters in its links, which are not among its own words.
    """
    if len(words) > 2 * _LONGEST:
        return SOFT_404 if _is_not_found(title, words) else STUFFED if _is_stuffed(words) else ""
    text = _plain(words)
    if len(text) > _LONGEST:
        return SOFT_404 if _is_not_found(title, words) else ""
    name, opening = _plain(title), text[:_OPENING]
    if len(text) <= _BARE and linked <= _LINKED and body and (made := _made_by(body[:_SCRIPTS], name)):
        return made
    if not text:
        return ""
    # A list of links has few words of its own, and often a login box or a notice for browsers without scripts.
    lists = linked > _LINKED
    if not lists and _says(opening, _ROBOT_CHECKS):
        return CHALLENGE
    if not lists and _says(opening, _FOR_SCRIPTS):
        return SCRIPTS
    if _says(opening, _NOT_FOUND) or _says_not_found(name):
        return SOFT_404
    if _says(opening, _FOR_SALE):
        return PARKED
    # Many pages ask their visitors to log in, but few have nothing else to say.
    shut = not lists and _says(text, _MEMBERS_ONLY) and (len(text) <= _OPENING or _LOGIN_TITLE.search(name))
    return LOGIN if shut else ""


def _made_by(body: bytes, name: str) -> str:
    """The kind of a page that says next to nothing, by the scripts in it."""
    if any(mark in body for mark in _CHALLENGING):
        return CHALLENGE
    if any(mark in body for mark in _PARKING):
        return PARKED
    return LOGIN if _LOGIN_TITLE.search(name) and _PASSWORD.search(body) else ""


def _is_not_found(title: str, words: str) -> bool:
    """Whether a longer page was not found: a part of its title says nothing else, and so does its opening."""
    if len(words) > _LONGEST_404 or not _says_not_found(name := _plain(title)):
        return False
    return _says(_plain(words).removeprefix(name)[:_OPENING], _NOT_FOUND)


def _says_not_found(name: str) -> bool:
    """Whether a title, or a part of it, says only that the page was not found."""
    parts = _between_parts.split(name)
    return name in _NOT_FOUND_TITLES or any(_NOT_FOUND_PART.fullmatch(part.strip()) for part in parts)


_ERROR_PATH = re.compile(r"/(?:error[-_/]?)?404(?:[-_]?(?:error|page))?/?$|/(?:page|error)?[-_]?not[-_]?found/?$")
_LOGIN_PATH = re.compile(r"/(?:log[-_]?in|sign[-_]?in|log[-_]?on|sso|authorize|account/login|user/login|wp-login)/?$")
_SUFFIX = re.compile(r"\.\w{2,5}$")
_WAY_BACK = re.compile(
    r"(?:^|&)(?:next|return|return_?to|return_?url|redirect|redirect_?(?:to|ur[il])|continue|goto|dest(?:ination)?|back"
    r"|back_?url|ref|referer|service|target|from|url|r)=",
)


def leads_to(url: str, to: str) -> str:
    """The kind of placeholder that a redirect leads to, by its URL: a login that names the way back, an error page."""
    path, _, query = to.lower().partition("?")
    path = _SUFFIX.sub("", path)
    if _ERROR_PATH.search(path):
        return SOFT_404
    if _LOGIN_PATH.search(path) and _WAY_BACK.search(query):
        back = url.lower().split("/", 3)[3].partition("?")[0]
        return LOGIN if back and back in unquote(unquote(query)) else ""
    return ""


def challenged(header: Callable[[str], str]) -> bool:
    """Whether a response is a check for robots, by its headers, whatever its status."""
    return header("cf-mitigated").lower() == "challenge" or header("x-amzn-waf-action").lower() in (
        "challenge",
        "captcha",
    )


def _is_stuffed(words: str) -> bool:
    """Whether a page repeats the same few words; in an ordinary text this long a third of the words are distinct."""
    all_words = words[:_STUFFED].split()
    if len(all_words) < 100:
        return False
    counts = Counter(all_words)
    if _OFTEN * len(counts) < len(all_words):
        return True
    # No pair is more frequent than its words, and hardly any text has a word that is so frequent.
    often = len(all_words) * _PAIR
    if max(counts.values()) <= often:
        return False
    # Columns of numbers and formulas repeat too, but not in words.
    pairs = Counter(pair for pair in pairwise(all_words) if all(len(word) > 2 and word.isalpha() for word in pair))
    return max(pairs.values(), default=0) > often


def _plain(text: str) -> str:
    return " ".join(text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").lower().split())


def _says(text: str, phrases: tuple[str, ...]) -> bool:
    return any(phrase in text for phrase in phrases)
