"""Search servers on loopback over the pages of a bed, which search without Lycosa: SearXNG's JSON, and a MediaWiki.

The first answers as SearXNG does, from a full-text table of SQLite (FTS5, BM25, Porter's stems). The second is the
MediaWiki of Debian (packages mediawiki, php-cli, php-sqlite3) with the search it has without an extension. Its articles
have the names of the bed's files; `urls_by_title` says which page of the bed each of them is.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple
from urllib.error import URLError
from urllib.parse import parse_qs, unquote, urlsplit
from urllib.request import ProxyHandler, build_opener
from xml.sax.saxutils import escape

from fastwarc.warc import ArchiveIterator, WarcRecordType

from lycosa.web.parse import parse

MEDIAWIKI = Path("/usr/share/mediawiki")
_RESULTS = 10
"""Results of one answer, as of most search engines."""
_FOUND = """
SELECT url, title, snippet(page, 2, '', '', '...', 20) FROM page WHERE page MATCH ?2
ORDER BY rowid IN (SELECT rowid FROM page WHERE page MATCH ?1) DESC, bm25(page, 0, 5, 1) LIMIT ?3 OFFSET ?4
"""
"""Pages with all words first, as search engines have them."""
_word = re.compile(r"\w+")
_forbidden = re.compile(r"[#<>\[\]|{}%:]").search
"""What no title of an article has; a colon would make it one of another namespace."""


class Document(NamedTuple):
    """A page as a search server knows it."""

    url: str
    title: str
    text: str


def documents(bed: Path) -> Iterator[Document]:
    """The pages of a bed."""
    with (bed / "pages.warc.gz").open("rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response):
            if record.http_headers and record.http_headers.status_code == 200:
                url = record.headers["WARC-Target-URI"]
                page = parse(url, record.reader.read(), "text/html")
                yield Document(url, page.title, page.text)


@contextmanager
def searxng(bed: Path, folder: Path) -> Iterator[str]:
    """The address of a server that answers as SearXNG does."""
    table = sqlite3.connect(folder / "searxng.sqlite", check_same_thread=False)
    table.execute("CREATE VIRTUAL TABLE page USING fts5(url UNINDEXED, title, text, tokenize='porter unicode61')")
    table.executemany("INSERT INTO page VALUES (?, ?, ?)", documents(bed))
    table.commit()
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            given = {name: values[-1] for name, values in parse_qs(parts.query).items()}
            if parts.path != "/search" or given.get("format") != "json":
                self.send_error(403)
                return
            words = [f'"{word}"' for word in _word.findall(given.get("q", ""))]
            start = (int(given.get("pageno", "1")) - 1) * _RESULTS
            with lock:
                asked = " ".join(words), " OR ".join(words), _RESULTS, start
                rows = list(table.execute(_FOUND, asked)) if words else []
            results = [{"url": url, "title": title, "content": text, "engine": "bed"} for url, title, text in rows]
            answer = {"query": given.get("q", ""), "number_of_results": 0, "results": results, "suggestions": []}
            body = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        table.close()


@contextmanager
def mediawiki(bed: Path, folder: Path) -> Iterator[str]:
    """The address of the api.php of a wiki that holds the pages of a bed."""
    if not MEDIAWIKI.exists() or not shutil.which("php"):
        sys.exit("there is no MediaWiki here: apt-get install mediawiki php-cli php-sqlite3")
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as free:
        address = f"127.0.0.1:{free.server_port}"
    settings = _install(folder / "wiki", f"http://{address}")
    _fill(settings, list(documents(bed)), folder / "wiki")
    command = ["php", "-S", address, "-t", str(MEDIAWIKI)]
    with (
        (folder / "wiki" / "log").open("w") as log,
        subprocess.Popen(command, env=_with(settings), stdout=log, stderr=log) as server,
    ):
        try:
            for _ in range(100):
                with suppress(URLError):
                    build_opener(ProxyHandler({})).open(f"http://{address}/api.php", timeout=60).close()
                    break
                time.sleep(0.1)
            yield f"http://{address}/api.php"
        finally:
            server.terminate()


def _install(folder: Path, address: str) -> Path:
    folder.mkdir()
    _php(
        dict(os.environ),
        *("install.php", "--dbtype", "sqlite", "--dbpath", str(folder), "--dbname", "wiki", "--confpath", str(folder)),
        *("--server", address, "--scriptpath", "", "--pass", "for-loopback-only", "Bench wiki", "admin"),
    )
    settings = folder / "LocalSettings.php"
    with settings.open("a") as file:
        file.write("\n$wgJobRunRate = 0;\n")
    return settings


def urls_by_title(pages: Iterable[Document]) -> dict[str, str]:
    """The pages of a bed by the titles of their articles; of several with one title, the first."""
    found: dict[str, str] = {}
    for page in pages:
        title = unquote(page.url.rpartition("/")[2]).removesuffix(".htm").replace("_", " ").strip()
        if title and not _forbidden(title):
            found.setdefault(title[0].upper() + title[1:], page.url)
    return found


def _fill(settings: Path, pages: Sequence[Document], folder: Path) -> None:
    dump, texts = folder / "dump.xml", {page.url: page.text for page in pages}
    with dump.open("w") as file:
        file.write('<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">\n')
        for number, (title, url) in enumerate(urls_by_title(pages).items(), 1):
            text = escape("".join(each for each in texts[url] if each >= " " or each == "\n"))
            revision = f"<id>{number}</id><timestamp>2007-01-01T00:00:00Z</timestamp><model>wikitext</model>"
            file.write(f"<page><title>{escape(title)}</title><ns>0</ns><id>{number}</id><revision>{revision}")
            file.write(f"<format>text/x-wiki</format><text>{text}</text></revision></page>\n")
        file.write("</mediawiki>\n")
    _php(_with(settings), "importDump.php", "--no-updates", "--quiet", str(dump))
    _php(_with(settings), "rebuildtextindex.php", "--quiet")
    with closing(sqlite3.connect(folder / "wiki.sqlite")) as database:
        # Without it SQLite asks the text index anew for each article, and counting results takes seconds.
        database.execute("ANALYZE page")
        database.commit()


def _with(settings: Path) -> dict[str, str]:
    return {**os.environ, "MW_CONFIG_FILE": str(settings)}


def _php(environment: dict[str, str], script: str, *given: str) -> None:
    command = ["php", str(MEDIAWIKI / "maintenance" / script), *given]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{script} of MediaWiki failed: {(done.stderr or done.stdout).strip()[-300:]}")
