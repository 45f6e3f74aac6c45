"""The web pages: each is a template and a module of plain JavaScript that fills it through the REST interface."""

from __future__ import annotations

import hmac
from pathlib import Path
from typing import Annotated, Any, NamedTuple
from urllib.parse import parse_qs

from fastapi import FastAPI, Request
from fastapi import Path as InPath
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates
from starlette.responses import RedirectResponse, Response

from lycosa.app.requests.hunt import HuntRequest
from lycosa.face.server.dependencies import TheJobs
from lycosa.face.server.request_guard import COOKIE, session_of

_HERE = Path(__file__).parent
_templates = Jinja2Templates(_HERE / "templates")
_templates.env.globals["usual"] = HuntRequest()
_LOGIN_BYTES = 4096


class WebPage(NamedTuple):
    """A page: its path, its template, its title, and what kind of entry the name in its path must be."""

    path: str
    template: str
    title: str
    kind: str | None = None


PAGES = (
    WebPage("/", "hunts.html", "Hunts"),
    WebPage("/hunts/{name}", "hunt.html", "Hunt", "collection"),
    WebPage("/search", "search.html", "Search"),
    WebPage("/why/{name}", "why.html", "Why"),
    WebPage("/cached/{name}", "cached.html", "Archived copy"),
    WebPage("/map", "map.html", "Map"),
    WebPage("/map/{name}", "map.html", "Map"),
    WebPage("/lab", "lab.html", "Laboratory"),
    WebPage("/lab/{name}", "report.html", "Report", "lab"),
    WebPage("/communities", "communities.html", "Communities"),
    WebPage("/communities/{name}", "community.html", "Community", "community"),
    WebPage("/companion", "companion.html", "Companion"),
    WebPage("/api", "api.html", "For programs"),
)
NAVIGATION = (
    ("/", "Hunt"),
    ("/search", "Search"),
    ("/map", "Map"),
    ("/lab", "Lab"),
    ("/communities", "Community"),
    ("/companion", "Companion"),
)


def add_to(app: FastAPI) -> None:
    """Add the pages to an app."""
    app.mount("/static", StaticFiles(directory=_HERE / "static"), name="static")
    for page in PAGES:
        app.add_api_route(page.path, _route(page), methods=["GET"], include_in_schema=False)
    app.add_api_route("/login", _login_page, methods=["GET"], include_in_schema=False)
    app.add_api_route("/login", _login, methods=["POST"], include_in_schema=False)


def _route(page: WebPage) -> Any:
    def named(request: Request, jobs: TheJobs, name: Annotated[str, InPath(max_length=80)]) -> Response:
        jobs.folder(name, page.kind)
        return _shown(request, page, name)

    def plain(request: Request) -> Response:
        return _shown(request, page)

    return named if "{name}" in page.path else plain


def _shown(request: Request, page: WebPage, name: str = "", status: int = 200, **more: Any) -> Response:
    context = {"page": page, "name": name, "navigation": NAVIGATION, "here": request.url.path, **more}
    return _templates.TemplateResponse(request, page.template, context, status)


_PROBLEM = WebPage("", "problem.html", "This did not work")


def show_problem(request: Request, status: int, problem: str, fix: str) -> Response:
    """A problem as a page."""
    if status == 404 and problem == "Not Found":
        problem, fix = (
            "there is no such page",
            "the address may be mistyped; everything there is can be reached from above",
        )
    return _shown(request, _PROBLEM, status=status, problem=problem, fix=fix)


_LOGIN = WebPage("/login", "login.html", "Sign in")


def _login_page(request: Request) -> Response:
    return _shown(request, _LOGIN)


async def _login(request: Request) -> Response:
    """Exchange the token for a cookie that no script and no foreign page can use."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LOGIN_BYTES:
            break
    given = parse_qs(body.decode("utf-8", "replace")).get("token", [""])[0]
    token = request.app.state.settings.token
    if not token or not hmac.compare_digest(given.encode("utf-8", "replace"), token.encode()):
        return _shown(request, _LOGIN, status=401, problem="That is not the token of this server.")
    answer = RedirectResponse("/", 303)
    encrypted = request.url.scheme == "https"
    answer.set_cookie(COOKIE, session_of(token), httponly=True, secure=encrypted, samesite="strict", max_age=30 * 86400)
    return answer
