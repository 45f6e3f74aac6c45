"""Cases of pages and responses with the verdict on each: the table of docs/reference/page-hints.md is made of them."""

from typing import NamedTuple

URL = "http://www.site.test/a/page?x=1"
PLACES = ["garden", "meadow", "heath", "river bank", "forest", "dunes", "orchard", "field", "moor", "quarry", "hedge"]
PROSE = " ".join(f"Wolf spiders of the {place} hunt at night and carry their young on their backs." for place in PLACES)


class Case(NamedTuple):
    """A response, and what it is taken for; the verdict is empty for an ordinary page."""

    name: str
    verdict: str
    body: str = ""
    title: str = "Wolf spiders"
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    head: str = ""

    @property
    def html(self) -> str:
        """The page."""
        return f"<html><head><title>{self.title}</title>{self.head}</head><body>{self.body}</body></html>"


def robots(value):
    return (("X-Robots-Tag", value),)


LONG_404 = "<h1>Page not found</h1><p>The page you were looking for could not be found.</p><p>Read something else: "
LOGIN_FORM = (
    "<form>User <input name=user> Password <input type=password> <a href=/reset>Forgot your password?</a></form>"
)


def _between(pair: str) -> str:
    """A text of four hundred words in which every second word is of this pair."""
    return " ".join(f"{pair} spider{number} web{number}" for number in range(100))


CASES = [
    # Pages that ask not to be found
    Case("meta tag noindex", "noindex", PROSE, head="<meta name=robots content='noindex'>"),
    Case("meta tag none", "noindex", PROSE, head="<meta name=ROBOTS content='None'>"),
    Case("meta tag for Lycosa alone", "noindex", PROSE, head="<meta name=lycosa content='noindex,follow'>"),
    Case("X-Robots-Tag: noindex", "noindex", PROSE, headers=robots("noindex")),
    Case("X-Robots-Tag among other directives", "noindex", PROSE, headers=robots("max-snippet: 50, noindex")),
    Case("X-Robots-Tag for Lycosa alone", "noindex", PROSE, headers=robots("lycosa: noindex")),
    Case("meta tag for another robot", "", PROSE, head="<meta name=googlebot content=noindex>"),
    Case("X-Robots-Tag for another robot", "", PROSE, headers=robots("googlebot: noindex, nofollow")),
    Case("meta tag index, follow", "", PROSE, head="<meta name=robots content='index, follow'>"),
    Case("an article that explains noindex", "", f"<p>A page with noindex is not shown.</p>{PROSE}", "The noindex tag"),
    # «Not found» with status 200
    Case("error page", "soft 404", "<h1>Page not found</h1>", "Page not found"),
    Case("error page in German", "soft 404", "Die Seite wurde nicht gefunden.", "Fehler"),
    Case("error page in Japanese", "soft 404", "お探しのページが見つかりません。", "エラー"),
    Case("title alone says it", "soft 404", "Try the search, or go to the front page.", "404 Not Found | Spiders"),
    Case("long error page, title and text say it", "soft 404", LONG_404 + PROSE, "Page not found - Spider Society"),
    Case("deleted topic of a forum", "soft 404", "The requested topic does not exist.", "Forum"),
    Case("redirect to an error page", "missed: soft 404", status=302, headers=(("Location", "/404.html"),)),
    Case("an article about 404 errors", "", LONG_404.replace("<h1>Page", "<h1>The page") + PROSE, "HTTP 404 explained"),
    Case(
        "a long article with «page not found» in its title", "", "<h1>Design</h1>" + PROSE * 2, "Page not found: design"
    ),
    Case("a car named 404", "", "The Peugeot 404 is a large family car.", "Peugeot 404"),
    Case("a house number", "", "Our shop is at 404 South Main Street.", "404 South Main Street"),
    Case("a short page about a lost spider", "", "Nobody found the wolf spider in my garden again."),
    Case("redirect to an article about errors", "moved", status=301, headers=(("Location", "/blog/404-errors"),)),
    # Parked domains
    Case("domain for sale", "parked domain", "This domain is for sale! Make an offer on this domain.", "site.test"),
    Case("default page of a server", "parked domain", "Welcome to nginx! It is installed.", "Welcome to nginx!"),
    Case("parking script", "parked domain", "<script src='//img.sedoparking.com/a.js'></script>", "site.test"),
    Case(
        "redirecting parking script",
        "parked domain",
        '<script>window.onload=function(){window.location.href="/lander"}</script>',
        "",
    ),
    Case("an article about selling domains", "", f"Say that the domain is for sale. {PROSE}", "How to sell a domain"),
    Case(
        "a house for sale", "", "A farmhouse with two barns, 200 years old. Call us for a visit.", "Farmhouse for sale"
    ),
    # Login walls
    Case("login form alone", "login wall", LOGIN_FORM, "Log in"),
    Case(
        "password field without words", "login wall", "<input name=u><input type='password' name=p>", "Sign in - Site"
    ),
    Case("members only", "login wall", "You must be logged in to view this page.", "Members"),
    Case(
        "redirect to a login",
        "missed: login wall",
        status=302,
        headers=(("Location", "/login?next=%2Fa%2Fpage%3Fx%3D1"),),
    ),
    Case(
        "redirect to the login of another host",
        "missed: login wall",
        status=302,
        headers=(("Location", "https://id.site.test/sso/login.php?return_url=http%3A%2F%2Fwww.site.test%2Fa%2Fpage"),),
    ),
    Case("redirect to a page named login", "moved", status=302, headers=(("Location", "/help/login"),)),
    Case("an article with a login box", "", f"{LOGIN_FORM}{PROSE}"),
    Case(
        "an article about logins",
        "",
        f"To log in, enter your password. Forgot your password? {PROSE}",
        "Login problems",
    ),
    Case("a short page with «log in to comment»", "", "I saw a wolf spider in the garden today. Log in to comment."),
    # Checks for robots
    Case("Cloudflare, by its header", "missed: challenge", status=403, headers=(("cf-mitigated", "challenge"),)),
    Case("AWS WAF, by its header", "missed: challenge", status=202, headers=(("x-amzn-waf-action", "challenge"),)),
    Case("Cloudflare, by its words", "challenge", "Enable JavaScript and cookies to continue", "Just a moment..."),
    Case("Cloudflare, by its script", "challenge", "<script>window._cf_chl_opt={cvId:'3'}</script>", "site.test"),
    Case("DataDome", "challenge", "<script src='https://ct.captcha-delivery.com/c.js'></script>", "site.test"),
    Case("Incapsula", "challenge", '<iframe id="main-iframe" src="/_Incapsula_Resource?a=1">Incident</iframe>', ""),
    Case("Akamai", "challenge", "<div id=sec-if-cpt-container></div>", "Challenge Validation"),
    Case("Anubis", "challenge", "<script id=anubis_challenge>{}</script>Loading", "Making sure"),
    Case("captcha", "challenge", "Verify you are human by completing the action below.", "site.test"),
    Case("status 403 without a check", "missed: status 403", status=403),
    Case("an article about captchas", "", f"A captcha asks you to verify you are human. {PROSE}", "What is a captcha?"),
    Case("an ordinary page with the script of a guard", "", f"<script src='/_Incapsula_Resource?S=1'></script>{PROSE}"),
    Case(
        "a short page with the script of a guard",
        "",
        "Wolf spiders hunt.<script src='/cdn-cgi/challenge-platform/h/b/scripts/jsd/main.js'></script>",
    ),
    # Others
    Case(
        "nothing without scripts",
        "needs scripts",
        "<noscript>You need to enable JavaScript to run this app.</noscript>",
        "App",
    ),
    Case("the same few words over and over", "keyword stuffing", "cheap wolf spider pills buy now " * 300, "Buy"),
    Case("one pair of words between all others", "keyword stuffing", _between("cheap pills"), "Buy"),
    Case("one pair of numbers between all others", "", _between("17 42"), "Results"),
    Case("a short page", "", "Wolf spiders hunt at night."),
    Case("an empty page", "", ""),
    Case(
        "a list of links with a login box",
        "",
        LOGIN_FORM + "".join(f"<a href=/{n}>Wolf spiders of region {n}</a>" for n in range(80)),
    ),
]
