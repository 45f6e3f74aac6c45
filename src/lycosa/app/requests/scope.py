"""The options of a scope: which URLs are asked for, which pages are kept, and what applies to single sites."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from msgspec.structs import fields, replace

from lycosa.app.requests.option import Option, Request
from lycosa.engine.scope.scope_rules import ScopeRules, SiteRules, site_rules
from lycosa.system.errors import Code, Refused

SCOPE = "Scope"

Within = Annotated[
    Sequence[str], Option("Fetch only from this host, or with .HOST also its subdomains.", SCOPE, max_length=1000)
]
Without = Annotated[
    Sequence[str], Option("Never fetch from this host, or with .HOST also its subdomains.", SCOPE, max_length=1000)
]
Sites = Annotated[
    Mapping[str, Mapping[str, Any] | str],
    Option(
        "What applies to a host and all beneath it, as HOST=KEY=VALUE,KEY=VALUE; better in lycosa.toml.",
        SCOPE,
        local=True,
        each="site",
    ),
]


class ScopeOptions(Request, frozen=True, kw_only=True):
    """The options of a scope that a hunt may also be resumed with."""

    depth: Annotated[
        int | None, Option("Maximum number of links from a seed, by the shortest path.", SCOPE, low=0, unit="links")
    ] = None
    include: Annotated[
        Sequence[str],
        Option(
            "Fetch only URLs that match this pattern, such as `example.org/docs/*` or re:REGEX.", SCOPE, max_length=1000
        ),
    ] = ()
    exclude: Annotated[
        Sequence[str], Option("Never fetch URLs that match this pattern, such as `*/tag/*`.", SCOPE, max_length=1000)
    ] = ()
    types: Annotated[
        Sequence[str], Option("Keep only pages of these types, such as html or pdf,epub.", SCOPE, max_length=100)
    ] = ()
    languages: Annotated[
        Sequence[str], Option("Keep only pages in these languages, such as en or en,de.", SCOPE, max_length=200)
    ] = ()
    after: Annotated[
        str | None, Option("Keep only pages of this day, month or year, or later.", SCOPE, max_length=40)
    ] = None
    before: Annotated[
        str | None, Option("Keep only pages from before this day, month or year.", SCOPE, max_length=40)
    ] = None
    dated: Annotated[bool, Option("Leave out pages without a date.", SCOPE)] = False
    min_size: Annotated[int | None, Option("Minimum bytes of a page's body.", SCOPE, low=0, unit="bytes")] = None
    max_size: Annotated[int | None, Option("Maximum bytes of a page's body.", SCOPE, low=1, unit="bytes")] = None
    min_words: Annotated[int | None, Option("Minimum words of a page.", SCOPE, low=0, unit="words")] = None
    max_words: Annotated[int | None, Option("Maximum words of a page.", SCOPE, low=1, unit="words")] = None


def rules_of(request: ScopeOptions, before: ScopeRules | None = None) -> ScopeRules:
    """The rules that a request asks for; what it does not say stays as it was before."""
    values = ((field.name, getattr(request, field.name)) for field in fields(ScopeRules))
    given = {name: value if isinstance(value, str | int) else tuple(value) for name, value in values if value}
    given |= {"depth": 0} if request.depth == 0 else {}
    return replace(before or ScopeRules(), **given)


def sites_of(typed: Mapping[str, Mapping[str, Any] | str]) -> dict[str, SiteRules]:
    """The rules of single sites, by host."""
    found: dict[str, SiteRules] = {}
    for host, values in typed.items():
        name, rules = site_rules(host, _read(host, values) if isinstance(values, str) else dict(values))
        if name in found:
            raise Refused(f"{name} is named twice", "name each site once", code=Code.CONTRADICTION, field="sites")
        found[name] = rules
    return found


def _read(host: str, text: str) -> dict[str, Any]:
    """The keys and values of a site as lycosa.toml has them, on one line."""
    inner = text.strip()
    inner = inner[1:-1] if inner.startswith("{") and inner.endswith("}") else inner
    try:
        found: dict[str, Any] = tomllib.loads(f"site = {{ {inner} }}")["site"]
    except ValueError:
        fix = 'write it like example.org=delay=2, exclude=["*/tag/*"]'
        raise Refused(f"{host}={text} cannot be read", fix, code=Code.BAD_VALUE, field="sites") from None
    return found


class UrlsToTest(ScopeOptions, frozen=True, kw_only=False):
    """The field that is given by position."""

    urls: Annotated[Sequence[str], Option("URL to test.", each="url", max_length=1000)]


class ScopeTestRequest(UrlsToTest, frozen=True, kw_only=True):
    """URLs, and the scope that they are tested with: that of a collection, with these changes."""

    within: Within = ()
    without: Without = ()
    sites: Sites = {}
    collection: Annotated[
        Path | str | None, Option("Collection whose scope is tested; other options change it.", SCOPE, local=True)
    ] = None
