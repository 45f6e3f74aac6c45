"""What a person declares about entering a host: names of variables and files, never a secret itself.

Only the hosts are stored with a plan. A log may come from somebody else, so it must not be able to name a variable or
a file of this machine, and a host that is to have what is in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lycosa.system.errors import Code, Refused
from lycosa.web.access.access_scope import AccessScope
from lycosa.web.access.secret_references import FIX, is_reference, variable_of
from lycosa.web.proxies import Proxy

DIRECT = "direct"
"""In the place of a proxy: the host is asked without one."""
_HARMLESS = frozenset({"accept", "accept-language", "cache-control", "dnt", "pragma", "sec-gpc"})
"""Headers that may be written in clear."""
_OURS = frozenset(
    {"connection", "content-length", "content-type", "cookie", "expect", "host", "if-modified-since", "if-none-match"}
    | {"proxy-authorization", "range", "te", "trailer", "transfer-encoding", "upgrade", "accept-encoding"}
)
"""Headers that another part of a request decides."""
_is_token = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+").fullmatch
_signs = ("text:", "cookie:", "url:")


class LoginForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A form to log in with, and how to tell whether that worked."""

    url: str
    """The page with the form."""
    fields: dict[str, str]
    """What is filled in, by the names of the form's fields."""
    success: str = ""
    """The sign of success: `text:WORDS` on the page that follows, `cookie:NAME`, or `url:URL` that it begins with."""
    ended: str = ""
    """The sign that the session has ended: `text:WORDS` on a page, or `url:URL` to which a page redirects."""


class Access(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How one host is entered. Secrets are references: `env:NAME` or `file:PATH`."""

    headers: dict[str, str] = {}
    cookies: str = ""
    """A file of cookies, as cookies.txt or JSON; only those for this host are used."""
    user: str = ""
    password: str = ""
    bearer: str = ""
    login: LoginForm | None = None
    certificate: str = ""
    """A client certificate with its chain, in PEM format."""
    key: str = ""
    """The private key of the certificate, if it is not in the same file."""
    key_password: str = ""
    proxy: str = ""
    """The proxy for this host; `direct` for none."""
    hidden: bool = False
    """Whether something was declared that is not stored."""


_KEYS = [name for name in Access.__struct_fields__ if name != "hidden"]
_flat = re.compile(rf"(?P<host>.+?):(?P<key>{'|'.join(sorted(_KEYS, reverse=True))})(?:\.(?P<rest>.+))?").fullmatch
_FORM = "write HOST:KEY=VALUE with one of the keys " + ", ".join(sorted(_KEYS))


def read_access(given: Mapping[str, Any]) -> dict[str, Access]:
    """Declarations, by host; `given` has a table for each host, or single values by «HOST:KEY»."""
    tables: dict[str, dict[str, Any]] = {}
    for name, value in given.items():
        if isinstance(value, Access):
            tables.setdefault(name, {}).update(msgspec.to_builtins(value))
        elif isinstance(value, Mapping):
            tables.setdefault(name, {}).update(value)
        else:
            found = _flat(name)
            if not found:
                raise _bad(f"{name!r} does not say how to enter a host", _FORM)
            _put(tables.setdefault(found["host"], {}), found["key"], found["rest"], value)
    read = [(AccessScope.read(host), _one(host, table)) for host, table in tables.items()]
    return {str(scope): access for scope, access in read}


def _put(table: dict[str, Any], key: str, rest: str | None, value: Any) -> None:
    if rest is None:
        table[key] = value
    elif key == "headers":
        table.setdefault(key, {})[rest] = value
    elif key == "login" and (rest in ("url", "success", "ended") or rest.startswith("fields.")):
        part, _, name = rest.partition(".")
        inner = table.setdefault(key, {})
        if name:
            inner.setdefault(part, {})[name] = value
        else:
            inner[part] = value
    else:
        raise _bad(f"{key}.{rest} says nothing about entering a host", _FORM)


def _one(host: str, table: Mapping[str, Any]) -> Access:
    try:
        access = msgspec.convert(dict(table), Access)
    except msgspec.ValidationError as error:
        # The message has the place and the kind of a wrong value, never the value.
        raise _bad(f"the access of {host} cannot be read ({error})", _FORM) from None
    if not access.hidden and access == Access():
        raise _bad(f"the access of {host} says nothing", f"give one of {', '.join(sorted(_KEYS))}")
    _check_headers(host, access)
    _check_secrets(host, access)
    _check_login(host, access)
    if access.proxy and access.proxy != DIRECT and not is_reference(access.proxy) and Proxy.read(access.proxy).login:
        raise _bad(f"the proxy of {host} is written with its login", FIX)
    # A hunt may be resumed from another working directory.
    return replace(
        access,
        **{name: _absolute(getattr(access, name)) for name in ("cookies", "certificate", "key")},
        **{name: _settled(getattr(access, name)) for name in ("user", "password", "bearer", "key_password", "proxy")},
        headers={name: _settled(value) for name, value in access.headers.items()},
        login=access.login
        and replace(access.login, fields={name: _settled(value) for name, value in access.login.fields.items()}),
    )


def _check_headers(host: str, access: Access) -> None:
    for name, value in access.headers.items():
        if not _is_token(name) or name.lower() in _OURS:
            raise _bad(f"the header {name[:80]!r} cannot be set for {host}", "leave it out, or choose another name")
        if not is_reference(value) and (name.lower() not in _HARMLESS or not (value.isascii() and value.isprintable())):
            raise _bad(f"the header {name} of {host} is written in clear", FIX)
    if sum(map(bool, (access.user or access.password, access.bearer, _has(access, "authorization")))) > 1:
        raise _bad(f"{host} has more than one authorization", "give either user and password, or bearer, or a header")


def _check_secrets(host: str, access: Access) -> None:
    if bool(access.user) != bool(access.password):
        raise _bad(f"{host} has a user without a password, or a password without a user", "give both")
    for name in ("password", "bearer", "key_password"):
        if (value := getattr(access, name)) and not is_reference(value):
            raise _bad(f"the {name.replace('_', ' ')} of {host} is written in clear", FIX)
    if (access.key or access.key_password) and not access.certificate:
        raise _bad(f"{host} has a key without a certificate", "name the file of the certificate too")
    if access.certificate and AccessScope.read(host).scheme == "http":
        raise _bad(f"{host} has a client certificate, but http:// has none", "leave out http://")


def _check_login(host: str, access: Access) -> None:
    login = access.login
    if login is None:
        return
    if not AccessScope.read(host).covers(login.url):
        raise _bad(f"the login form of {host} is somewhere else", f"give a URL that begins with {_begin(host)}/")
    if not login.fields:
        raise _bad(f"the login form of {host} has no fields", "name the fields, and what to fill in")
    for name, value in login.fields.items():
        if not is_reference(value) and re.search("pass|pwd|secret|token|pin|code|key", name, re.IGNORECASE):
            raise _bad(f"the field {name} of the login form of {host} is written in clear", FIX)
    for sign, kinds in ((login.success, _signs), (login.ended, ("text:", "url:"))):
        if sign and (not sign.startswith(kinds) or not sign.partition(":")[2].strip()):
            raise _bad(f"{sign[:80]!r} is no sign of a login", f"begin it with {' or '.join(kinds)}")


def _has(access: Access, header: str) -> bool:
    return any(name.lower() == header for name in access.headers)


def _begin(host: str) -> str:
    return AccessScope.read(host).origin


def _absolute(path: str) -> str:
    return str(Path(path).expanduser().absolute()) if path else path


def _settled(value: str) -> str:
    """A reference with the whole path of its file."""
    return f"file:{_absolute(value[5:])}" if value.startswith("file:") else value


def hidden(access: Mapping[str, Access], urls: Iterable[str] | None = None) -> dict[str, Access]:
    """The declarations as they may be stored: only which hosts have one, of those that cover one of the URLs."""
    asked = None if urls is None else list(urls)
    shown = [host for host in access if asked is None or any(map(AccessScope.read(host).covers, asked))]
    return dict.fromkeys(shown, Access(hidden=True))


def combined(stored: Mapping[str, Access], given: Mapping[str, Access]) -> dict[str, Access]:
    """Declarations together with newer ones; what was not stored is replaced by what is for the same host now."""
    scopes = [AccessScope.read(host) for host in given]
    kept = {
        host: access
        for host, access in stored.items()
        if not access.hidden or not any(scope.covers(f"{AccessScope.read(host).origin}/") for scope in scopes)
    }
    return {**kept, **given}


def variables_of(access: Mapping[str, Access]) -> set[str]:
    """The environment variables that hold secrets."""
    found: set[str] = set()
    for one in access.values():
        fields = one.login.fields.values() if one.login else ()
        texts = (one.user, one.password, one.bearer, one.key_password, one.proxy, *one.headers.values(), *fields)
        found.update(filter(None, map(variable_of, texts)))
    return found


def _bad(problem: str, fix: str) -> Refused:
    return Refused(problem, fix, code=Code.BAD_VALUE, field="access")
