"""In-links from the text files in which Common Crawl publishes its web graphs.

A vertices file has a line `id<TAB>name` for each host, an edges file a line `from<TAB>to` of two such numbers for each
link; both may be gzipped, and split into several files in a folder. Host names are reversed and have lost a leading
«www.» (www.example.org is org.example); if names are whole URLs, it is a graph of pages. Further columns of the
vertices, such as the number of hosts in a domain graph, are not read.

Only what was asked for is kept in memory: one pass over the vertices finds the numbers of the names, one over the edges
finds the vertices that link to them, and another over the vertices finds their names. So ask for many URLs at once.
"""

from __future__ import annotations

import warnings
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Self, cast

import numpy as np
from isal import igzip
from numpy.typing import NDArray

from lycosa.core.inlinks import Inlinks
from lycosa.core.urls import canonical, host_of
from lycosa.system.errors import Code, Refused

CHUNK = 1 << 20
LONGEST = 1 << 16
"""Most bytes of a line; no graph has longer ones, and they would fill the memory."""
KEPT = 1 << 16
"""Most links to one vertex that are kept, the first in the file; a few hosts have millions."""
SCHEME = "https"
"""The scheme of a host's home page, which is the only page that a host graph implies."""

_FIX = "write vertices as lines of id<TAB>name, edges as id<TAB>id, plain or gzipped"
_VERTICES, _EDGES = "vertices", "edges"


class CommonCrawl(Inlinks):
    """A host, domain or page graph. The in-links of a host are the home pages of the hosts that link to it."""

    def __init__(self, vertices: Path, edges: Path, scheme: str = SCHEME) -> None:
        """`vertices` and `edges` are each a file, or a folder of the files into which it was split."""
        self._vertices, self._edges = _files(vertices), _files(edges)
        self._scheme = scheme
        for file, columns in ((self._vertices[0], 1), (self._edges[0], 2)):
            first = next(_blocks([file]), b"").split(b"\n", 1)[0].split(b"\t")
            if len(first) < 2 or not all(_is_number(field) for field in first[:columns]):
                raise _refused(f"{file} is not a file of a web graph")

    @classmethod
    def in_folder(cls, folder: Path) -> Self:
        """The graph whose vertices and edges are in a folder, as files or folders with these words in their names."""
        found = {word: _named(folder, word) for word in (_VERTICES, _EDGES)}
        for word, paths in found.items():
            if len(paths) != 1:
                problem = f"{folder} contains {len(paths)} files or folders called ...{word}..."
                code = Code.CONTRADICTION if paths else Code.NOT_FOUND
                raise _refused(problem, "name the two that you mean as VERTICES,EDGES", code)
        return cls(found[_VERTICES][0], found[_EDGES][0])

    def of_all(self, urls: Iterable[str], limit: int) -> dict[str, Sequence[str]]:
        """Who links to each URL: first those that link to most of the URLs asked for, else in the file's order."""
        names_of = {url: _names(url) for url in urls}
        numbers = self._numbered({name for names in names_of.values() for name in names})
        linking = self._linking(set(numbers.values()))
        found = {
            url: list(dict.fromkeys(tail for name in names if name in numbers for tail in linking[numbers[name]]))
            for url, names in names_of.items()
        }
        shared = Counter(tail for tails in found.values() for tail in tails)
        best = {url: sorted(tails, key=lambda tail: -shared[tail])[: limit + 1] for url, tails in found.items()}
        named = self._named({tail for tails in best.values() for tail in tails})
        return {
            url: list(dict.fromkeys(page for tail in tails if (page := named.get(tail)) and page != url))[:limit]
            for url, tails in best.items()
        }

    def _numbered(self, names: set[bytes]) -> dict[bytes, int]:
        """The numbers of those names that are in the graph."""
        found: dict[bytes, int] = {}
        for lines in _blocks(self._vertices):
            if not names.isdisjoint(lines.split()):
                for number, name in _rows(lines):
                    if name in names:
                        found[name] = int(number)
        return found

    def _linking(self, numbers: set[int]) -> Mapping[int, list[int]]:
        """The vertices that link to each of these vertices, at most KEPT each."""
        found: dict[int, list[int]] = {number: [] for number in numbers}
        wanted = np.array(sorted(numbers), np.int64)
        for lines in _blocks(self._edges) if numbers else ():
            pairs = _pairs(lines)
            for tail, head in pairs[_among(pairs[:, 1], wanted)].tolist():
                tails = found[head]
                if len(tails) < KEPT:
                    tails.append(tail)
        return found

    def _named(self, numbers: set[int]) -> dict[int, str]:
        """The URLs of vertices; vertices without a valid URL are left out."""
        wanted = {b"%d" % number for number in numbers}
        found: dict[int, str] = {}
        for lines in _blocks(self._vertices) if wanted else ():
            if not wanted.isdisjoint(lines.split()):
                for number, name in _rows(lines):
                    if number in wanted and (url := self._url(name.decode("utf-8", "replace"))):
                        found[int(number)] = url
        return found

    def _url(self, name: str) -> str | None:
        return canonical(name) if "://" in name else canonical(f"{self._scheme}://{_reversed(name)}/")


def _refused(problem: str, fix: str = _FIX, code: Code = Code.BAD_FILE) -> Refused:
    return Refused(problem, fix, code=code, field="inlinks")


def is_graph(folder: Path) -> bool:
    """Whether a folder seems to contain a graph."""
    return bool(_named(folder, _VERTICES) and _named(folder, _EDGES))


def _named(folder: Path, word: str) -> list[Path]:
    return sorted(
        path for path in folder.iterdir() if word in path.name and not path.name.removesuffix(".gz").endswith(".paths")
    )


def _files(path: Path) -> list[Path]:
    try:
        found = sorted(file for file in path.iterdir() if file.is_file()) if path.is_dir() else [path]
    except OSError as problem:
        raise _refused(f"{path} cannot be read ({problem.strerror})", code=Code.UNREADABLE) from None
    if not found or not found[0].is_file():
        raise _refused(f"there are no files of a web graph at {path}", code=Code.NOT_FOUND)
    return found


def _names(url: str) -> list[bytes]:
    """The names that a page may have in a graph: its URL, or its host with and without «www.»."""
    host = host_of(url).partition(":")[0]
    hosts = dict.fromkeys((host, host.removeprefix("www.")))
    return [url.encode(), *(_reversed(each).encode() for each in hosts)]


def _reversed(host: str) -> str:
    return ".".join(reversed(host.split(".")))


def _rows(lines: bytes) -> Iterator[tuple[bytes, bytes]]:
    for line in lines.splitlines():
        fields = line.split(b"\t")
        if len(fields) > 1 and _is_number(fields[0]):
            yield fields[0], fields[1]


def _is_number(field: bytes) -> bool:
    return field.strip().isdigit()


def _pairs(lines: bytes) -> NDArray[np.int64]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # older numpy only warns if the text is not all numbers
            return np.fromstring(lines, np.int64, sep=" ").reshape(-1, 2)
    except (ValueError, DeprecationWarning):
        raise _refused("the edges of the web graph are not all pairs of numbers") from None


def _among(values: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.bool_]:
    places = np.searchsorted(wanted, values)
    places[places == len(wanted)] = 0
    return cast(NDArray[np.bool_], wanted[places] == values)


def _blocks(files: Iterable[Path]) -> Iterator[bytes]:
    """Whole lines, a megabyte at a time."""
    for file in files:
        rest = b""
        try:
            with _opened(file) as stream:
                while chunk := stream.read(CHUNK):
                    lines, newline, last = chunk.rpartition(b"\n")
                    if newline:
                        yield rest + lines
                        rest = b""
                    rest += last
                    if len(rest) > LONGEST:
                        raise _refused(f"{file} has a line of more than {LONGEST:,} bytes")
        except (OSError, EOFError, zlib.error) as problem:
            why = getattr(problem, "strerror", None) or str(problem)
            code = Code.UNREADABLE if isinstance(problem, PermissionError) else Code.DAMAGED
            raise _refused(f"{file} cannot be read ({why})", "download it again", code) from None
        if rest:
            yield rest


def _opened(file: Path) -> IO[bytes]:
    with file.open("rb") as start:
        packed = start.read(2) == b"\x1f\x8b"
    return cast("IO[bytes]", igzip.open(file)) if packed else file.open("rb")  # type: ignore[no-untyped-call]
