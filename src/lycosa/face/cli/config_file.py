"""lycosa.toml: defaults for the options of the command line, for a user and for a folder.

A table is named after a command, such as [crawl] or [community.refresh], and has one key per option, with the names of
the request. A table such as [site."example.org"] says what applies to a site, whatever the command. The file of the
current folder comes before that of the user; options on the command line and environment variables come before both.
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from json import dumps
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_origin

from lycosa.app.near_names import unknown_name
from lycosa.system.errors import Code, Refused

NAME = "lycosa.toml"
SITE = "site"
"""The name of the tables of single sites."""
_FOLLOWS = {"scope test": "crawl"}
"""Commands for which the options of another one apply as well, as far as they have them."""
PERSONAL = ("access", "address", "browser", "ca", "find", "finders", "proxy", "token")
"""Options that a folder which somebody unpacks must not set: who can listen in, who gets keys, which program runs."""
ACCESS, FINDERS = COMMON = ("access", "finders")
"""Options with a table of their own, for all commands that have them."""


class Setting(NamedTuple):
    """A value of a file, and where it stands."""

    value: Any
    place: str


def files() -> list[Path]:
    """The files that are read: that of the user, then that of the folder, which comes before it."""
    try:
        home = Path(os.environ.get("XDG_CONFIG_HOME") or "~/.config").expanduser()
    except RuntimeError:
        return [Path(NAME)]  # a user without a home
    return [home / "lycosa" / NAME, Path(NAME)]


def apply(group: Any, words: list[str], tables: Mapping[str, Collection[str]]) -> None:
    """Give the command that the words name the defaults of the files; `tables` names all commands of all families."""
    command, path = group, list[str]()
    for word in words:
        inner = getattr(command, "commands", {}).get(word)
        if inner is None:
            break
        command, path = inner, [*path, word]
    if not path or not is_command(command) or "--help" in words:
        return
    _check_tables(tables)
    # A hunt has its own scope, whatever the files say now.
    shared = not any(word.startswith("--collection") for word in words)
    for name, setting in settings_of(command, path, shared=shared).items():
        parameter = next(each for each in command.params if each.name == name)
        several = get_origin(parameter.type_descriptor.annotation) is list
        parameter.default = _as_list(setting.value) if several else setting.value


def settings_of(command: Any, path: list[str], *, shared: bool = True) -> dict[str, Setting]:
    """The settings of the files for one command, by the names of its parameters; with `shared`, also those of sites."""
    found: dict[str, Setting] = {}
    parameters = {each.name: each for each in command.params if _may_be_set(each)}
    if shared and "sites" in parameters and (known := sites()):
        values = {host: {key: setting.value for key, setting in each.items()} for host, each in known.items()}
        found["sites"] = Setting(values, SITE)
    for file in files():
        text, table = _read(file)
        other = _FOLLOWS.get(" ".join(path), "") if shared else ""
        others = table.get(other, {}) if other else {}
        for key, value in others.items() if isinstance(others, dict) else ():
            if (name := key.replace("-", "_")) in parameters:
                found[name] = Setting(value, f"{file}:{_line(text, [other], key)}")
        for word in path:
            table = table.get(word, {})
            if not isinstance(table, dict):
                fix = f"write [{'.'.join(path)}] above its keys"
                raise _refused(file, _line(text, [], word), f"{word!r} must be a table", fix)
        for key, value in table.items():
            if key in getattr(command, "commands", {}):
                continue
            name = key.replace("-", "_")
            if name not in parameters:
                problem, fix = unknown_name("key", key, parameters)
                raise _refused(file, _line(text, path, key), problem, fix, Code.UNKNOWN_NAME)
            if name in PERSONAL and file == Path(NAME):
                problem = f"{key} can only be set in the file of a user"
                raise _refused(file, _line(text, path, key), problem, "move it there, or give it each time")
            wanted = parameters[name].type_descriptor.annotation
            if not _fits(value, wanted):
                # The value may be a secret.
                problem, fix = f"{key} has the wrong type", f"give {_called(wanted)}"
                raise _refused(file, _line(text, path, key), problem, fix)
            found[name] = Setting(value, f"{file}:{_line(text, path, key)}")
        found |= {name: setting for name, setting in _common(file).items() if name in parameters}
    return found


def sites() -> dict[str, dict[str, Setting]]:
    """The settings of single sites, by host; the file of the folder comes before that of the user, key by key."""
    found: dict[str, dict[str, Setting]] = {}
    for file in files():
        text, tables = _read(file)
        table = tables.get(SITE, {})
        if not isinstance(table, dict) or not all(isinstance(values, dict) for values in table.values()):
            raise _refused(file, _line(text, [], SITE), "a site must be a table", f'write [{SITE}."example.org"]')
        for host, values in table.items():
            # Imported here, because most files name no sites.
            from lycosa.app.requests.scope import sites_of

            try:
                (name,) = sites_of({host: values})
            except Refused as refused:
                raise _refused(file, _line(text, [SITE], host), refused.problem, refused.fix, refused.code) from None
            own = found.setdefault(name, {})
            own |= {key: Setting(value, f"{file}:{_line(text, [SITE, host], key)}") for key, value in values.items()}
    return found


def _common(file: Path) -> dict[str, Setting]:
    """The settings of the tables that are for all commands, one value at a time: NAME:KEY.KEY = value."""
    text, tables = _read(file)
    found = {}
    for name in (each for each in COMMON if each in tables):
        line = _line(text, [], name)
        if file == Path(NAME):
            problem = f"[{name}] can only be set in the file of a user"
            raise _refused(file, line, problem, "move it there, or give it each time")
        read = _sources if name == FINDERS else _flat
        found[name] = Setting(dict(read(tables[name], f"{file}, line {line}")), f"{file}:{line}")
    return found


def _sources(table: Any, place: str) -> Iterator[tuple[str, str]]:
    for name, source in table.items() if isinstance(table, dict) else [("", table)]:
        if not isinstance(source, str):
            fix = 'write NAME = "SOURCE" below it'
            raise Refused(f"{place}: [{FINDERS}] has the wrong type", fix, code=Code.BAD_VALUE)
        yield name, source


def _flat(table: Any, place: str) -> Iterator[tuple[str, str]]:
    for name, values in table.items() if isinstance(table, dict) else [("", table)]:
        if not isinstance(values, dict):
            fix = 'write [access."HOST"] above its keys'
            raise Refused(f"{place}: [access] has a table for each host", fix, code=Code.BAD_VALUE)
        for key, value in _leaves(values):
            if not isinstance(value, str):
                # The value may be a secret.
                raise Refused(
                    f"{place}: {key} of {name} has the wrong type", "give a text in quotes", code=Code.BAD_VALUE
                )
            yield f"{name}:{key}", value


def _leaves(table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from ((f"{key}.{inner}", each) for inner, each in _leaves(value))
        else:
            yield key, value


def commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[list[str], Any]]:
    """All commands, with the words that name them."""
    for name, command in group.commands.items():
        if is_command(command):
            yield [*path, name], command
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))


def is_command(command: Any) -> bool:
    """Whether it does something by itself; a family of commands may do so, too."""
    return not hasattr(command, "commands") or command.invoke_without_command


def _check_tables(known: Mapping[str, Collection[str]]) -> None:
    """Refuse tables that belong to no command."""
    for file in files():
        text, tables = _read(file)
        for name, table in tables.items():
            if name == SITE:
                continue
            if name in COMMON:
                _common(file)
                continue
            if name not in known:
                problem, fix = unknown_name("table", name, [*known, *COMMON, SITE])
                raise _refused(file, _line(text, [], name), problem, fix, Code.UNKNOWN_NAME)
            # A family that is itself a command has keys of its own.
            below = known.get(name) if isinstance(table, dict) else ()
            for part in table if below and "" not in below else ():
                if part not in known[name]:
                    problem, fix = unknown_name("table", f"{name}.{part}", [f"{name}.{each}" for each in known[name]])
                    raise _refused(file, _line(text, [name], part), problem, fix, Code.UNKNOWN_NAME)


def _may_be_set(parameter: Any) -> bool:
    """Options only: what is given by position, or only asks for another form of the output, is typed each time."""
    is_option = any(each.startswith("--") for each in parameter.opts)
    return is_option and not getattr(parameter, "hidden", False) and parameter.name not in ("json", "help")


def _read(file: Path) -> tuple[str, dict[str, Any]]:
    """The text of a file and its tables; a file of somebody else is refused, for it could do anything."""
    try:
        # Without O_NONBLOCK, opening a pipe would wait for somebody to write.
        with os.fdopen(os.open(file, os.O_RDONLY | os.O_NONBLOCK), encoding="utf-8-sig") as opened:
            about = os.fstat(opened.fileno())
            if not stat.S_ISREG(about.st_mode):
                raise Refused(f"{file} is not a file", "remove it, or rename it", code=Code.UNREADABLE)
            if about.st_uid not in (0, os.getuid()) or about.st_mode & stat.S_IWOTH:
                raise Refused(
                    f"{file} could have been written by another user",
                    "run this in another folder, or make the file your own",
                    code=Code.NOT_ALLOWED,
                )
            text = opened.read()
    except (FileNotFoundError, NotADirectoryError):
        return "", {}
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(f"{file} cannot be read ({error})", "correct it or remove it", code=Code.UNREADABLE) from None
    try:
        return text, tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        problem = f"{file} is not valid TOML ({str(error)[:200]})"
        raise Refused(problem, "correct that line", code=Code.BAD_FILE) from None


def _fits(value: Any, wanted: Any) -> bool:
    if get_origin(wanted) is list:
        (item,) = get_args(wanted)
        several = value if isinstance(value, list) else [value]
        return isinstance(value, Mapping) or all(_fits(each, item) for each in several)
    if wanted is bool or isinstance(value, bool):
        return wanted is bool and isinstance(value, bool)
    if wanted in (int, float):
        return isinstance(value, (int, wanted)) and abs(value) < 2**63
    return isinstance(value, str)


def _called(wanted: Any) -> str:
    if get_origin(wanted) is list:
        return "a list of texts"
    return {bool: "true or false", int: "a whole number", float: "a number"}.get(wanted, "a text in quotes")


def _as_list(value: Any) -> list[Any]:
    """Values as the command line would have them: a table is a list of NAME=VALUE."""
    if isinstance(value, Mapping):
        return [f"{name}={_inline(each)}" for name, each in value.items()]
    return value if isinstance(value, list) else [value]


def _inline(value: Any) -> str:
    """A value as an inline table of TOML, if it is a table."""
    if not isinstance(value, Mapping):
        return str(value)
    # What JSON writes for texts, numbers and lists of them is TOML too.
    return f"{{{', '.join(f'{key} = {dumps(each, ensure_ascii=False)}' for key, each in value.items())}}}"


def _line(text: str, path: Sequence[str], key: str) -> int:
    """The number of the line that sets a key of a table, or opens a table of that name."""
    words = [rf"[\"']?{re.escape(word)}[\"']?" for word in (*path, key)]
    table, whole = (r"\s*\.\s*".join(some) for some in (words[:-1], words))
    header = re.search(rf"^\s*\[\s*{table}\s*\]", text, re.MULTILINE) if path else None
    forms = [
        rf"^\s*\[?\s*{whole}\s*[\].=]",  # table.key = 1, [table.key]
        rf"^\s*{table}\s*=.*?[{{,]\s*{words[-1]}\s*=",  # table = { key = 1 }
    ]
    if header:
        forms.insert(0, rf"^\s*{words[-1]}\s*[.=]")  # key = 1 below [table]
    for form in forms:
        if found := re.compile(form, re.MULTILINE).search(text, header.end() if header else 0):
            return text.count("\n", 0, found.end()) + 1
    return 1


def _refused(file: Path, line: int, problem: str, fix: str, code: Code = Code.BAD_VALUE) -> Refused:
    return Refused(f"{file}, line {line}: {problem}", fix, code=code)
