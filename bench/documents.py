"""How well and how quickly documents are read: words found beside reference tools, cost, and damaged documents.

    python bench/documents.py collect FOLDER [NUMBER]    # about 1 GB from Debian and PyPI, then documents made of them
    python bench/documents.py words FOLDER               # words found, CPU-seconds per page
    python bench/documents.py damaged FOLDER [NUMBER]    # truncated, flipped and hostile documents

Needs the Debian packages poppler-utils, pandoc, and libreoffice-writer, -calc and -impress (nogui): they make documents
of Debian's manuals, and are the judges: pdftotext for PDF, pandoc for DOCX, ODT and EPUB, LibreOffice for RTF, slides
and sheets.
"""

from __future__ import annotations

import gzip
import html
import os
import random
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tarfile
import time
import zipfile
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import islice
from pathlib import Path

from lycosa.web.parse import parse
from lycosa.web.readers.extraction import LONGEST

DEBS = (
    "debian-policy", "developers-reference", "maint-guide", "debmake-doc", "debian-handbook", "r-doc-pdf",
    "libcfitsio-doc", "debian-reference-en", "debian-faq", "gnuplot-doc", "python3-docx", "asymptote-doc", "valgrind",
    "libreoffice-writer", "texlive-latex-recommended-doc",
)  # fmt: skip
SDISTS = (
    "python-docx", "python-pptx", "openpyxl", "odfpy", "pypdf", "pdfplumber", "ebooklib", "mammoth", "markitdown",
    "pyexcel-ods3", "pdfminer.six==20221105", "pypandoc", "tablib", "xlrd", "docxcompose", "striprtf",
)  # fmt: skip
TYPES = ("pdf", "docx", "pptx", "xlsx", "odt", "odp", "ods", "epub", "rtf")
MOST = 30 << 20
"""Bytes of a document; the default limit of a crawl is less."""
_SHEETS = "csv:Text - txt - csv (StarCalc):9,34,76,1,,0,false,true,false,false,false,-1"
_BY_OFFICE = {"pptx": "pdf", "odp": "pdf", "xlsx": _SHEETS, "ods": _SHEETS, "rtf": "txt:Text (encoded):UTF8"}
"""What LibreOffice makes of the documents of which it is the judge."""
_word = re.compile(r"\w{2,}")
_ends = re.compile(r"</(?:\w+:)?(?:p|h|v|f|title|text)>|<(?:\w+:)?(?:br|tab|s|line-break)\b[^>]*>")
_tag = re.compile(r"<[^>]*>")


def collect(folder: Path, number: int) -> None:
    """Fetch packages by name, take their documents, and fill up with documents that real programs make of manuals."""
    packages, taken = folder / "packages", folder / "real"
    packages.mkdir(parents=True, exist_ok=True)
    taken.mkdir(exist_ok=True)
    for name in DEBS:
        subprocess.run(["apt-get", "download", "-q", name], cwd=packages, capture_output=True)
    for name in SDISTS:
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", name.partition("==")[0], name]
        subprocess.run(pip, cwd=packages, capture_output=True)
    for package in sorted(packages.iterdir()):
        unpacked = folder / "unpacked" / package.name
        if unpacked.exists():
            continue
        unpacked.mkdir(parents=True)
        if package.suffix == ".deb":
            subprocess.run(["dpkg-deb", "-x", package, unpacked], check=True)
        elif package.name.endswith(".tar.gz"):
            with tarfile.open(package) as archive:
                archive.extractall(unpacked, filter="data")
        else:
            with zipfile.ZipFile(package) as archive:
                archive.extractall(unpacked)
    for file in sorted((folder / "unpacked").rglob("*")):
        name = file.name.removesuffix(".gz")
        suffix = name.rpartition(".")[2].lower()
        if suffix in TYPES and file.is_file() and not file.is_symlink():
            body = gzip.decompress(file.read_bytes()) if name != file.name else file.read_bytes()
            key = f"{file.relative_to(folder / 'unpacked').parts[0].partition('_')[0]}-{name}"
            (taken / f"{len(body):09d}-{key}").write_bytes(body)
    fill(folder, number)


def fill(folder: Path, number: int) -> None:
    """Make documents of the manuals, until there are `number` of each type."""
    made, source = folder / "made", folder / "sources"
    made.mkdir(exist_ok=True)
    source.mkdir(exist_ok=True)
    pages = [file for file in sorted((folder / "unpacked").rglob("*.html")) if 3_000 < file.stat().st_size < 60_000]
    random.Random(1).shuffle(pages)
    have = Counter(file.suffix[1:] for file in (folder / "real").iterdir())
    for at, page in enumerate(pages[:number]):
        text = re.sub(r"<img[^>]*>", "", page.read_text("utf-8", "replace"))
        (source / f"{at:03d}.html").write_text(text)
        rows = [_word.findall(line)[:8] for line in re.sub(r"<[^>]*>", " ", text).splitlines()]
        (source / f"{at:03d}.csv").write_text("\n".join(",".join(row) for row in rows if row))
    for suffix in TYPES:
        missing = range(max(0, number - have[suffix]))
        if suffix in ("xlsx", "ods"):
            office(suffix, [source / f"{at:03d}.csv" for at in missing], made)
        elif suffix in ("docx", "odt", "rtf", "pdf"):
            by_office = [source / f"{at:03d}.html" for at in islice(missing, 0, None, 2)]
            office(suffix, by_office, made, "writer_web" if suffix == "pdf" else "writer")
            with_pandoc(suffix, [source / f"{at:03d}.html" for at in islice(missing, 1, None, 2)], made)
        elif suffix == "odp":
            slides = sorted([*(folder / "real").glob("*.pptx"), *made.glob("*.pptx")])
            office(suffix, [slides[at] for at in missing if at < len(slides)], made)
        else:
            with_pandoc(suffix, [source / f"{at:03d}.html" for at in missing], made)
    for suffix in TYPES:
        print(f"{suffix:5} {have[suffix]:4} real {len(list(made.glob(f'*.{suffix}'))):4} made")


def office(suffix: str, files: Iterable[Path], into: Path, reader: str = "") -> None:
    """Convert files with LibreOffice, many in one process."""
    waiting = [file for file in files if not (into / f"{file.stem}.{suffix.partition(':')[0]}").exists()]
    by_reader = ["--infilter=HTML (StarWriter)"] if reader.startswith("writer") else []
    for start in range(0, len(waiting), 20):
        command = ["soffice", "--headless", f"-env:UserInstallation=file://{into}/.office", *by_reader]
        some = waiting[start : start + 20]
        try:
            subprocess.run(
                [*command, "--convert-to", suffix, "--outdir", into, *some], capture_output=True, timeout=240
            )
        except subprocess.TimeoutExpired:
            print(f"LibreOffice hangs at one of {some[0].name} to {some[-1].name}", flush=True)


def with_pandoc(suffix: str, files: Iterable[Path], into: Path) -> None:
    """Convert files with pandoc."""

    def convert(file: Path) -> None:
        target = into / f"{file.stem}-p.{suffix}"
        if not target.exists() and suffix != "pdf":
            standalone = ["-s"] if suffix == "rtf" else []
            subprocess.run(["pandoc", "-f", "html", *standalone, "-o", target, file], capture_output=True, timeout=120)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(convert, files))


def judged(file: Path, judges: Path) -> str | None:
    """The text of a document by its reference tool; None if the tool cannot read it."""
    suffix, kept = file.suffix[1:], judges / f"{file.name}.txt"
    if not kept.exists():
        try:
            if suffix == "pdf":
                # Its text in reading order, as ours.
                done = subprocess.run(["pdftotext", "-enc", "UTF-8", file, kept], capture_output=True, timeout=120)
            else:
                tool = ["pandoc", "-t", "plain", "--wrap=none", "-f", suffix, "-o", kept, file]
                done = subprocess.run(tool, capture_output=True, timeout=120)
        except subprocess.TimeoutExpired:
            return None
        if done.returncode:
            return None
    return kept.read_text("utf-8", "replace")


def office_texts(files: Sequence[Path], judges: Path) -> None:
    """Let LibreOffice read slides, sheets and RTF, into the files in which `judged` looks."""
    for suffix, target in _BY_OFFICE.items():
        place, made = judges / suffix, target.partition(":")[0]
        place.mkdir(exist_ok=True)
        wanted = [file for file in files if file.suffix[1:] == suffix and not (judges / f"{file.name}.txt").exists()]
        office(target, wanted, place)
        for file in wanted:
            texts = []
            for each in sorted([*place.glob(f"{file.stem}.{made}"), *place.glob(f"{file.stem}-*.{made}")]):
                tool = ["pdftotext", "-enc", "UTF-8", each, "-"] if made == "pdf" else ["cat", each]
                texts.append(subprocess.run(tool, capture_output=True).stdout)
            if texts:
                (judges / f"{file.name}.txt").write_bytes(b"\n".join(texts))


def words(folder: Path) -> None:
    """Print the share of the reference tool's words that are found, by type, and what reading costs."""
    judges = folder / "judges"
    judges.mkdir(exist_ok=True)
    files = sorted([*(folder / "real").iterdir(), *(file for file in (folder / "made").iterdir() if file.is_file())])
    files = [file for file in files if file.suffix[1:] in TYPES and file.stat().st_size < MOST]
    office_texts(files, judges)
    worst, cut, drawn = [], Counter[str](), 0
    print("type   documents   read  words found  median  documents under 95 %   CPU ms per document   per MB")
    for suffix in TYPES:
        shares, found_words, all_words, cpu, size, read, documents = [], 0, 0, 0.0, 0, 0, 0
        for file in files:
            if file.suffix[1:] != suffix:
                continue
            documents += 1
            body = file.read_bytes()
            start, began = time.process_time(), time.monotonic()
            page = parse(f"http://h.test/{file.name}", body, "")
            lasted = time.monotonic() - began
            cpu += time.process_time() - start
            size += len(body)
            read += not page.unread
            text = None if page.unread else judged(file, judges)
            if text is None:
                continue
            if suffix == "pdf":
                # Of the longest only the first pages are read.
                pages = page.text.count("\f") + 1
                if pages < text.count("\f"):
                    cut["time" if lasted >= LONGEST else "pages or characters"] += 1
                text = "\f".join(text.split("\f")[:pages])
            wanted, got = Counter(_word.findall(text.lower())), Counter(_word.findall(page.text.lower()))
            if suffix in ("pptx", "odp"):
                drawn += (wanted - written(file)).total()
                wanted &= written(file)
            if wanted.total():
                shares.append((wanted & got).total() / wanted.total())
                found_words += (wanted & got).total()
                all_words += wanted.total()
                worst.append((shares[-1], file.name, wanted.total()))
        if shares:
            low, found = sum(share < 0.95 for share in shares), found_words / all_words
            row = f"{suffix:6} {documents:8} {read:7} {found:11.1%} {statistics.median(shares):8.1%} {low:10} of"
            print(f"{row} {len(shares):4} {cpu / documents * 1e3:17.1f} {cpu / size * 1e9:14.1f}", flush=True)
    for limit, number in cut.items():
        print(f"{number} PDFs are cut by the limit of {limit}")
    print(f"left out: {drawn} words of slides that LibreOffice draws and the file does not have, or not as often")
    for share, name, total in sorted(worst)[:25]:
        print(f"    {share:6.1%} of {total:6} words  {name}")
    pdf_speed([file for file in files if file.suffix == ".pdf" and file.stat().st_size > 100_000])


@lru_cache(1)
def written(file: Path) -> Counter[str]:
    """The words in all XML of a presentation. What LibreOffice draws besides is its own: numbers at the axes of charts,
    pieces of rotated words, a series' name once more as a title.
    """
    found: Counter[str] = Counter()
    with zipfile.ZipFile(file) as package:
        for name in package.namelist():
            if name.endswith(".xml"):
                xml = _ends.sub(" ", package.read(name).decode("utf-8", "replace"))
                found.update(_word.findall(html.unescape(_tag.sub("", xml)).lower()))
    return found


def pdf_speed(files: Iterable[Path]) -> None:
    """Print the CPU time per page of larger PDFs beside that of pdftotext, which starts anew for each of them."""
    pages, ours, theirs = 0, 0.0, 0.0
    for file in files:
        body = file.read_bytes()
        start = time.process_time()
        page = parse("http://h.test/x.pdf", body, "", indexed=True)
        spent = time.process_time() - start
        count = page.text.count("\f") + 1
        if page.unread or count < 10:
            continue
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(["pdftotext", "-l", str(count), "-enc", "UTF-8", file, "-"], capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        theirs += after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        ours += spent
        pages += count
    if pages:
        per_page = ours / pages * 1000
        print(f"PDF: {pages:,} pages, {per_page:.2f} ms of CPU per page; pdftotext {theirs / pages * 1000:.2f} ms")


def damaged(folder: Path, number: int) -> None:
    """Read damaged copies in processes of their own, as a scout does, and print how they end."""
    files = sorted([*(folder / "real").iterdir(), *(file for file in (folder / "made").iterdir() if file.is_file())])
    print("type   documents    read  damaged  encrypted  too large  other type  hung  crashed   slowest")
    for suffix in TYPES:
        some = [file for file in files if file.suffix[1:] == suffix and file.stat().st_size < 2 << 20]
        random.Random(2).shuffle(some)
        states, slowest = _damaged([str(file) for file in some], suffix, number)
        named = [states[state] for state in ("", "damaged", "encrypted", "too", "type", "hung", "crashed")]
        print(f"{suffix:6} {number:9} {named[0]:7} {named[1]:8} {named[2]:10} {named[3]:10} {named[4]:11} {named[5]:5}"
              f" {named[6]:8} {slowest:8.2f} s", flush=True)  # fmt: skip


def _damaged(files: Sequence[str], suffix: str, number: int) -> tuple[Counter[str], float]:
    states: Counter[str] = Counter()
    slowest, done = 0.0, 0
    while done < number:
        reader, writer = os.pipe()
        if not (child := os.fork()):
            os.close(reader)
            _work(files, suffix, range(done, number), writer)
        os.close(writer)
        with os.fdopen(reader) as lines:
            for line in lines:
                state, spent = line.split(",")
                states[state] += 1
                slowest = max(slowest, float(spent))
                done += 1
        status = os.waitpid(child, 0)[1]
        if os.WIFSIGNALED(status):
            states["hung" if os.WTERMSIG(status) == signal.SIGALRM else "crashed"] += 1
            done += 1
    return states, slowest


def _work(files: Sequence[str], suffix: str, numbers: Iterable[int], writer: int) -> None:
    from lycosa.web.readers.reading import allow_memory

    allow_memory(1 << 30)
    for number in numbers:
        signal.alarm(15)  # the patience of a crawl with a scout
        rng = random.Random(f"{suffix} {number}")
        body = bytearray(Path(files[number % len(files)]).read_bytes())
        if number % 3 == 0:
            body = body[: rng.randrange(1, len(body) + 1)]
        else:
            for _ in range(rng.choice((1, 10, 100, 1000))):
                body[rng.randrange(len(body))] = rng.randrange(256)
        start = time.perf_counter()
        page = parse(f"http://h.test/document.{suffix}", bytes(body), "", indexed=True)
        os.write(writer, f"{page.unread.partition(' ')[0]},{time.perf_counter() - start:.3f}\n".encode())
    os._exit(0)


def main() -> None:
    """Run one of the three parts."""
    match sys.argv[1:]:
        case ["collect", folder, *number]:
            if not shutil.which("soffice") or not shutil.which("pandoc"):
                sys.exit("LibreOffice and pandoc make most of the documents: install them first")
            collect(Path(folder).resolve(), int(number[0]) if number else 200)
        case ["words", folder]:
            words(Path(folder).resolve())
        case ["damaged", folder, *number]:
            damaged(Path(folder).resolve(), int(number[0]) if number else 200)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
