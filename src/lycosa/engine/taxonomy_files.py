"""Taxonomies as users keep them: categories with example pages in a file, marked and corrected by the user.

A file is JSON (a list of objects), JSON Lines (one object per line) or tab-separated: see docs/how-to/taxonomies.md.
A test bed or a made web is a taxonomy as well: its topics' categories with their examples.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from lycosa.core.taxonomy import Category, Taxonomy, is_within, parent_of, taxonomy_of
from lycosa.core.urls import canonical
from lycosa.system.errors import Code, Refused
from lycosa.web.source import BedTopic

_FORM = 'write {"path": "Top/Science", "examples": ["https://..."], "good": false}'
_MARKS = {"": False, "good": True}


class TaxonomyRow(NamedTuple):
    """What one line of a file says about a category."""

    line: int
    path: str
    examples: Sequence[str]
    good: bool
    named: bool
    """Whether the line is that of the category itself, and not of one of its examples."""


class _Object(Struct, forbid_unknown_fields=True):
    path: str
    examples: list[str] = []
    good: bool = False


def open_taxonomy(file: str, good: Sequence[str] = (), refiled: Mapping[str, str] = {}) -> Taxonomy:
    """The taxonomy in a file, with the user's marks and corrections, checked to be usable for a hunt."""
    taxonomy = read_taxonomy(file, good, refiled)
    paths = ", ".join(taxonomy.good)
    if not taxonomy.good:
        fix = "mark those that are hunted as good"
        raise Refused(f"no category of {file} is marked as good", fix, code=Code.MISSING, field="good")
    kinds = {taxonomy.is_good(path) for _, path in taxonomy.filed()}
    if True not in kinds:
        problem, fix = f"no example of what is hunted ({paths})", "add some to it, or to a category below"
    elif False not in kinds:
        problem, fix = f"no example of anything other than {paths}", "add other categories to compare it with"
    else:
        return taxonomy
    raise Refused(f"{file} has {problem}", fix, code=Code.EMPTY, field="taxonomy")


def read_taxonomy(file: str, good: Sequence[str] = (), refiled: Mapping[str, str] = {}) -> Taxonomy:
    """The taxonomy in a file, in a test bed or of a made web; raises Refused, with the line, for what is wrong."""
    from lycosa.web.source_names import is_made

    lines: dict[str, int] = {}
    if is_made(file) or Path(file).is_dir():
        taxonomy = taxonomy_of_topics(_topics(file))
    else:
        rows = list(_rows(file))
        taxonomy, lines = _assembled(file, rows, {_url(url): path for url, path in refiled.items()})
    if not any(category.examples for category in taxonomy.categories):
        raise Refused(f"{file} has no example pages", "name some for its categories", code=Code.EMPTY, field="taxonomy")
    return mark_good(file, _corrected(file, taxonomy, refiled), good, lines)


def mark_good(file: str, taxonomy: Taxonomy, good: Sequence[str], lines: Mapping[str, int] = {}) -> Taxonomy:
    """The same, with these categories marked as well; `lines` are the lines on which the file names them.

    «*sports» marks every category whose name ends with «sports», except below one that is good already.
    """
    known = {category.path for category in taxonomy.categories}
    for path in good:
        if path.startswith("*") and path not in known:
            taxonomy = _marked_by_ending(file, taxonomy, path)
            continue
        if path not in known:
            problem = f"{file} has no category {path!r} to mark as good"
            raise Refused(problem, _similar(path, known), code=Code.UNKNOWN_NAME, field="good")
        taxonomy = taxonomy.marked(path)
    for path in taxonomy.good:
        for above in taxonomy.good:
            if path != above and is_within(path, above):
                problem = f"{path} is marked as good, and so is {above} above it"
                fix = "mark one of the two: what is good includes all below it"
                raise _wrong(file, lines.get(path), problem, fix, Code.CONTRADICTION)
    return taxonomy


def _marked_by_ending(file: str, taxonomy: Taxonomy, pattern: str) -> Taxonomy:
    ending = _plain_name(pattern[1:])
    paths = [kind.path for kind in taxonomy.categories if ending and _plain_name(kind.path).endswith(ending)]
    if not paths:
        problem = f"{file} has no category whose name ends with {pattern[1:]!r}"
        raise Refused(problem, "name another ending, or a category", code=Code.UNKNOWN_NAME, field="good")
    for path in sorted(paths, key=len):
        if not taxonomy.is_good(path):
            taxonomy = taxonomy.marked(path)
    return taxonomy


def _plain_name(path: str) -> str:
    """The last step of a path without capitals, spaces, hyphens and underscores: «Water_Sports» is «watersports»."""
    name = path.rpartition("/")[2].casefold()
    return "".join(letter for letter in name if letter.isalnum())


def write_taxonomy(taxonomy: Taxonomy, file: str | Path) -> None:
    """Write a taxonomy to a file: tab-separated if its suffix is .tsv, else JSON Lines."""
    if Path(file).suffix == ".tsv":
        lines = [line for category in taxonomy.categories for line in _tabbed(category)]
    else:
        lines = [msgspec.json.encode(category).decode() for category in taxonomy.categories]
    Path(file).write_text("".join(f"{line}\n" for line in lines), "utf-8")


def taxonomy_of_topics(topics: Sequence[BedTopic]) -> Taxonomy:
    """The taxonomy of a test bed's topics: their categories with the examples for crawls, each in one category."""
    filed: dict[str, str] = {}
    for topic in topics:
        for url in topic.examples:
            filed.setdefault(url, topic.id)
    return taxonomy_of(
        (path_of(topic.category or topic.id), [url for url in topic.examples if filed[url] == topic.id])
        for topic in topics
    )


def path_of(category: str) -> str:
    """A bed's category as a path: separated by slashes or, if it has neither slash nor space, by dots."""
    return category if "/" in category or " " in category else category.replace(".", "/")


def _topics(name: str) -> list[BedTopic]:
    from lycosa.web.source_names import is_made, open_made
    from lycosa.web.testbed import Bed

    return open_made(name).topics if is_made(name) else Bed(name).topics


def _rows(file: str) -> Iterator[TaxonomyRow]:
    try:
        text = Path(file).read_bytes().decode("utf-8-sig")
    except OSError as problem:
        code = Code.NOT_FOUND if isinstance(problem, FileNotFoundError) else Code.UNREADABLE
        why = problem.strerror or str(problem)
        raise Refused(f"the taxonomy {file} cannot be read", why, code=code, field="taxonomy") from None
    except UnicodeDecodeError as problem:
        line = problem.object.count(b"\n", 0, problem.start) + 1
        raise _wrong(file, line, "this is not UTF-8", "save the file as UTF-8 text") from None
    match text.lstrip()[:1]:
        case "":
            raise Refused(f"the taxonomy {file} is empty", _FORM, code=Code.EMPTY, field="taxonomy")
        case "[":
            yield from _listed(file, text)
        case "{":
            lines = ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())
            yield from (_object(file, number, line) for number, line in lines)
        case _:
            yield from _separated(file, text)


def _listed(file: str, text: str) -> Iterator[TaxonomyRow]:
    data = text.encode()
    try:
        items = msgspec.json.decode(data, type=list[msgspec.Raw])
    except msgspec.DecodeError as problem:
        fix = f"{_FORM} for each category, in [ ]"
        raise _wrong(file, None, f"this is not a JSON list ({problem})", fix) from None
    at = 0
    for item in items:
        found = bytes(item)
        at = data.index(found, at)
        yield _object(file, data.count(b"\n", 0, at) + 1, found.decode())
        at += len(found)


def _object(file: str, line: int, text: str) -> TaxonomyRow:
    try:
        found = msgspec.json.decode(text, type=_Object)
    except msgspec.DecodeError as problem:
        raise _wrong(file, line, str(problem), _FORM) from None
    return TaxonomyRow(line, found.path, found.examples, found.good, True)


def _separated(file: str, text: str) -> Iterator[TaxonomyRow]:
    reader = csv.reader(StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE)
    for columns in reader:
        cells = [cell.strip() for cell in columns]
        if not any(cells) or cells[0].startswith("#"):
            continue
        path, url, mark = (*cells, "", "")[:3]
        if len(cells) > 3 or mark not in _MARKS:
            problem = f"{cells[-1]!r} is neither a path, a URL nor the mark «good»"
            raise _wrong(file, reader.line_num, problem, "write PATH, PATH<TAB>URL, or PATH<TAB><TAB>good")
        yield TaxonomyRow(reader.line_num, path, [url] if url else [], _MARKS[mark], not url)


def _tabbed(category: Category) -> list[str]:
    return [f"{category.path}\t\tgood" if category.good else category.path] + [
        f"{category.path}\t{url}" for url in category.examples
    ]


def _assembled(file: str, rows: Sequence[TaxonomyRow], refiled: Mapping[str, str]) -> tuple[Taxonomy, dict[str, int]]:
    """The categories of a file, and the line on which each first appears."""
    first: dict[str, int] = {}
    named: dict[str, int] = {}
    examples: dict[str, list[str]] = {}
    filed: dict[str, TaxonomyRow] = {}
    good = {row.path for row in rows if row.good}
    for row in rows:
        line = row.line
        if not all(step.strip() for step in row.path.split("/")):
            problem = f"{row.path!r} is not the path of a category"
            raise _wrong(file, line, problem, "write it like Top/Science/Biology")
        if row.named and row.path in named:
            problem = f"{row.path} is there twice, first on line {named[row.path]}"
            raise _wrong(file, line, problem, "give each category once")
        if row.named:
            named[row.path] = row.line
        first.setdefault(row.path, row.line)
        pages = examples.setdefault(row.path, [])
        for text in row.examples:
            url = canonical(text)
            if url is None:
                raise _wrong(file, line, f"the example {text!r} is not an http URL", "correct it or leave it out")
            if url in filed and url not in refiled:
                before = filed[url]
                problem = f"{url} is filed twice, first in {before.path} on line {before.line}"
                raise _wrong(file, line, problem, "leave it in one category, or file it again in one of them")
            filed.setdefault(url, row)
            pages.append(url)
    for path, line in first.items():
        if (above := parent_of(path)) and above not in first:
            raise _wrong(file, line, f"{path} has no parent {above}", f"add a line for {above}")
    kinds = (Category(path, tuple(dict.fromkeys(urls)), path in good) for path, urls in examples.items())
    return Taxonomy(tuple(kinds)), first


def _corrected(file: str, taxonomy: Taxonomy, refiled: Mapping[str, str]) -> Taxonomy:
    if not refiled:
        return taxonomy
    moved = {_url(url): path for url, path in refiled.items()}
    filed = dict(taxonomy.filed())
    known = {category.path for category in taxonomy.categories}
    for url, path in moved.items():
        if url not in filed:
            fix = "give a URL as it is written there, or add it there"
            raise Refused(f"{url} is not an example of {file}", fix, code=Code.NOT_FOUND, field="refiled")
        if path not in known:
            problem = f"{file} has no category {path!r} to file {url} in"
            raise Refused(problem, _similar(path, known), code=Code.UNKNOWN_NAME, field="refiled")
    return taxonomy.refiled(moved)


def _url(text: str) -> str:
    return canonical(text) or text


def _wrong(file: str, line: int | None, problem: str, fix: str, code: Code = Code.BAD_FILE) -> Refused:
    place = f"{file}, line {line}" if line else file
    return Refused(f"{place}: {problem}", fix, code=code, field="taxonomy")


def _similar(path: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    paths = sorted(known)
    last = path.rpartition("/")[2]
    close = [found for found in paths if found.rpartition("/")[2] == last] or get_close_matches(path, paths, 5, 0.5)
    return f"choose one of: {', '.join((close or paths)[:5])}"
