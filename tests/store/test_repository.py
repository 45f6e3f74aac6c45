from __future__ import annotations

import gzip
import io
import re
import resource
import signal
import subprocess
import sys
import warnings
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

from lycosa.core.nouns import Raw, RenderedFrom, Where
from lycosa.store import warc
from lycosa.store.repository import Repository, Writer
from lycosa.system.errors import Damaged
from lycosa.system.os_errors import DiskFull

with warnings.catch_warnings():
    # FastWARC defines deprecated names of its own when it is imported, and Python says so.
    warnings.simplefilter("ignore", DeprecationWarning)
    from fastwarc.warc import ArchiveIterator as FastIterator
    from fastwarc.warc import WarcRecordType

HOME = "https://a.test/"


@pytest.fixture
def writer(tmp_path: Path):
    writer = Writer(tmp_path, "scout")
    yield writer
    writer.close()


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def check(file: Path) -> bool:
    """What `warcio check` says: all records readable, all digests right."""
    command = type("Command", (), {"inputs": [str(file)], "verbose": False})
    checker = Checker(command)
    checker.process_all()
    return checker.exit_value == 0


def test_what_is_written_is_read_back(writer: Writer, repository: Repository, make):
    raws = [
        make.raw(),
        make.raw(b""),
        make.raw(b"a\r\n\r\nb\r\n\r\n", truncated=True),
        make.raw(bytes(range(256)) * 500, status=404, reason="Not Found", headers=()),
        make.raw(
            reason="", headers=(("Content-Length", "77"), ("content-encoding", "br"), ("Transfer-Encoding", "chunked"))
        ),
        make.raw(
            headers=(("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"), ("X", "ä€"), ("Y", "\udcff raw byte"), ("Z", ""))
        ),
    ]
    places = [writer.write(f"https://a.test/{n}", raw, 1.7e9) for n, raw in enumerate(raws)]
    assert [repository.read(where) for where in places] == raws
    assert all(map(repository.holds, places))
    assert {where.file for where in places} == {"scout-00000.warc.gz"}
    assert all(after.offset == before.offset + before.length for before, after in pairwise(places))


def test_a_damaged_body_is_marked_as_cut_for_another_reason_than_its_length(
    writer: Writer, repository: Repository, make
):
    where = writer.write(HOME, make.raw(b"<p>half", damaged=True), 1.7e9)
    read = repository.read(where)
    assert (read.damaged, read.truncated) == (True, False)
    with (repository.folder / where.file).open("rb") as stream:
        *_, record = ArchiveIterator(stream)
        assert record.rec_headers.get_header("WARC-Truncated") == "unspecified"


def test_warcio_finds_the_file_valid_and_reads_it(writer: Writer, repository: Repository, make):
    coded = (
        ("Content-Type", "text/html"),
        ("Content-Encoding", "gzip"),
        ("Transfer-Encoding", "chunked"),
        ("Content-Length", "9"),
    )
    writer.write(HOME, make.raw(b"<p>one", headers=coded), 1.7e9)
    where = writer.write("https://a.test/2", make.raw(b"<p>two" * 9000, truncated=True, reason=""), 1.7e9)
    file = repository.folder / where.file
    assert check(file)
    with file.open("rb") as stream:
        info, *records = [
            (r.rec_type, r.rec_headers, r.http_headers, r.content_stream().read()) for r in ArchiveIterator(stream)
        ]
    assert info[0] == "warcinfo"
    kind, head, http, body = records[0]
    assert (kind, head.protocol, head.get_header("WARC-Date")) == ("response", "WARC/1.1", "2023-11-14T22:13:20Z")
    assert head.get_header("WARC-Target-URI") == HOME
    assert body == b"<p>one" and http.get_header("Content-Length") == "6" and http.get_statuscode() == "200"
    assert http.get_header("Content-Encoding") is None and http.get_header("Transfer-Encoding") is None
    assert http.get_header("X-Crawler-Content-Encoding") == "gzip"
    _, head, _, body = records[1]
    assert body == b"<p>two" * 9000 and head.get_header("WARC-Truncated") == "length"


def test_fastwarc_reads_it_too(writer: Writer, repository: Repository, make):
    bodies = [b"<p>%d" % n * 1000 for n in range(20)]
    places = [writer.write(f"https://a.test/{n}", make.raw(body), 1.7e9) for n, body in enumerate(bodies)]
    with (repository.folder / places[0].file).open("rb") as stream:
        found = {}
        for record in FastIterator(stream, record_types=WarcRecordType.response):
            assert record.verify_payload_digest()
            found[record.headers["WARC-Target-URI"]] = record.reader.read()
    assert found == {f"https://a.test/{n}": body for n, body in enumerate(bodies)}


def test_no_header_can_forge_another(writer: Writer, repository: Repository, make):
    hostile = (
        ("X-Split", "a\r\nContent-Length: 0\r\n\r\nWARC/1.1"),
        ("X-Nul", "a\0b\x7fc\td"),
        ("X-Lone", "\ud800"),
        ("Bad Name", "x"),
        ("", "x"),
        ("X:\r\nY", "x"),
        ("X-Crawler-Content-Encoding", "br"),
        ("X-Long", "é" * 5000),
    )
    raw = make.raw(b"<p>body", headers=hostile, reason="OK\r\nX-Forged: 1")
    where = writer.write("https://a.test/\r\nWARC-Type: forged", raw, 1.7e9)
    assert check(repository.folder / where.file)
    read = repository.read(where)
    assert read.body == b"<p>body"
    assert read.reason == "OK X-Forged: 1"
    assert read.headers == (
        ("X-Split", "a Content-Length: 0 WARC/1.1"),
        ("X-Nul", "a b c\td"),
        ("X-Lone", "?"),
        ("X-Long", "é" * 5000),
    )
    with (repository.folder / where.file).open("rb") as stream:
        *_, record = ArchiveIterator(stream)
        assert record.rec_type == "response"


headers = st.lists(
    st.tuples(st.text(max_size=9) | st.sampled_from(["Content-Length", "ETag", "te"]), st.text(max_size=30)), max_size=5
)


@given(st.integers(100, 999), headers.map(tuple), st.binary(max_size=300), st.booleans(), st.text(max_size=20))
def test_any_response_gives_a_valid_record(tmp_path_factory, status, headers, body, truncated, reason):
    folder = tmp_path_factory.mktemp("any")
    writer = Writer(folder, "any")
    where = writer.write(HOME, Raw(status, headers, body, truncated, reason), 0.0)
    writer.close()
    read = Repository(folder).read(where)
    assert (read.status, read.body, read.truncated) == (status, body, truncated)
    with (folder / "pages" / where.file).open("rb") as stream:
        *_, (kind, content) = [(record.rec_type, record.content_stream().read()) for record in ArchiveIterator(stream)]
    assert (kind, content) == ("response", body)


def test_a_large_file_is_followed_by_the_next(tmp_path: Path, repository: Repository, make):
    writer = Writer(tmp_path, "scout", limit=2000)
    places = [writer.write(f"https://a.test/{n}", make.raw(), 1.7e9) for n in range(20)]
    writer.close()
    files = repository.files()
    assert len(files) > 3 and all(size <= 2000 for size in files.values())
    assert all(check(repository.folder / file) for file in files)
    assert all(map(repository.holds, places))


def test_a_new_writer_never_touches_the_files_of_another(tmp_path: Path, repository: Repository, make):
    places = []
    for _ in range(3):
        writer = Writer(tmp_path, "scout")
        places.append(writer.write(HOME, make.raw(), 1.7e9))
        writer.close()
    assert [where.file for where in places] == [f"scout-0000{n}.warc.gz" for n in range(3)]
    assert all(map(repository.holds, places))


def test_a_writer_that_wrote_nothing_leaves_no_file(tmp_path: Path, repository: Repository):
    Writer(tmp_path, "scout").close()
    assert repository.files() == {}


def test_a_torn_or_changed_record_is_noticed(writer: Writer, repository: Repository, make):
    writer.write(HOME, make.raw(), 1.7e9)
    where = writer.write("https://b.test/", make.raw(b"text " * 100), 1.7e9)
    path = repository.folder / where.file
    whole = path.read_bytes()
    flipped = bytearray(whole)
    flipped[where.offset + where.length // 2] ^= 1
    torn = [
        whole[:-1],
        whole[: where.offset + 5],
        whole[: where.offset],
        bytes(flipped),
        whole[: where.offset] + bytes(where.length),
    ]
    for content in torn:
        path.write_bytes(content)
        assert not repository.holds(where)
        with pytest.raises(Damaged, match=r"scout-00000.warc.gz"):
            repository.read(where)
    path.unlink()
    assert not repository.holds(where)


def rendered(loaded=3):
    """A page that a browser made, and what it was made from."""
    files = tuple((f"{HOME}{number}.js", Raw(200, (), b"script " * number)) for number in range(loaded))
    plain = Raw(200, (("Content-Type", "text/html"),), b"<div id=root></div>")
    return Raw(
        200, (("Content-Type", "text/html; charset=utf-8"),), b"<p>text</p>", origin=RenderedFrom(plain, lambda: files)
    )


def test_a_rendered_page_is_stored_with_what_it_was_made_from(writer: Writer, repository: Repository):
    raw = rendered()
    where = writer.write(HOME, raw, 1.7e9)
    assert repository.read(where) == replace(raw, origin=None)
    with (repository.folder / where.file).open("rb") as file:
        records = [(one.rec_type, one.rec_headers, one.content_stream().read()) for one in ArchiveIterator(file)][1:]
    assert [kind for kind, _, _ in records] == ["conversion", "response", "response", "response", "response"]
    assert records[0][1].get_header("WARC-Refers-To") == records[1][1].get_header("WARC-Record-ID")
    files = [raw.origin.plain, *(file for _, file in raw.origin.loaded())]
    assert [body for _, _, body in records[1:]] == [file.body for file in files]
    assert check(repository.folder / where.file)


def test_damage_anywhere_in_a_rendered_page_is_noticed(writer: Writer, repository: Repository):
    where = writer.write(HOME, rendered(), 1.7e9)
    path = repository.folder / where.file
    whole = path.read_bytes()
    members = [found.start() for found in re.finditer(rb"\x1f\x8b\x08\x00", whole) if found.start() >= where.offset]
    assert len(members) == 5
    for place in (start + 100 for start in members):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :])
        assert not repository.holds(where)
    path.write_bytes(whole[:-3])
    assert not repository.holds(where)


def test_a_forged_page_of_countless_records_is_refused(tmp_path: Path, repository: Repository, monkeypatch):
    monkeypatch.setattr("lycosa.store.warc.MEMBERS", 100)
    repository.folder.mkdir()
    forged = warc.response(HOME, Raw(200, (), b""), 0.0) + gzip.compress(b"") * 200
    (repository.folder / "forged.warc.gz").write_bytes(forged)
    with pytest.raises(Damaged, match="too many records"):
        repository.read(Where("forged.warc.gz", 0, len(forged)))


@pytest.mark.parametrize("file", ["../../etc/passwd", "/etc/passwd", "..", ".warc.gz", "a/b.warc.gz", "log.sqlite", ""])
def test_a_place_outside_the_repository_is_not_read(repository: Repository, file: str):
    with pytest.raises(Damaged):
        repository.read(Where(file, 0, 10))
    assert not repository.holds(Where(file, 0, 10))


def test_a_place_without_sense_is_damage(writer: Writer, repository: Repository, make):
    where = writer.write(HOME, make.raw(), 1.7e9)
    for wrong in (
        where._replace(offset=-1),
        where._replace(length=-1),
        where._replace(length=1 << 40),
        where._replace(offset=0),
    ):
        assert not repository.holds(wrong)
        with pytest.raises(Damaged):
            repository.read(wrong)


def test_a_forged_record_unpacks_to_no_more_than_the_limit(tmp_path: Path, repository: Repository, monkeypatch):
    monkeypatch.setattr("lycosa.store.warc.LIMIT", 1 << 20)
    repository.folder.mkdir()
    bomb = gzip.compress(bytes(50 << 20))
    (repository.folder / "bomb.warc.gz").write_bytes(bomb)
    with pytest.raises(Damaged):
        repository.read(Where("bomb.warc.gz", 0, len(bomb)))


def test_a_cut_leaves_exactly_what_the_log_names(tmp_path: Path, repository: Repository, make):
    places = {}
    for name in ("a", "b", "c", "d"):
        writer = Writer(tmp_path, name)
        places[name] = [writer.write(f"https://{name}.test/{n}", make.raw(), 1.7e9) for n in range(4)]
        writer.close()
    last = places["b"][-1]
    with (repository.folder / last.file).open("r+b") as torn:
        torn.truncate(last.offset + 10)
    ends = {where.file: where.offset + where.length for where in (places["a"][-1], places["b"][2], places["c"][1])}
    removed, dropped, short = repository.cut(ends)
    assert repository.files() == ends
    assert (removed, short) == (1, ()) and dropped > 0
    assert all(check(repository.folder / file) for file in ends)
    assert repository.cut(ends) == (0, 0, ())


def test_a_cut_never_makes_a_file_longer_and_says_what_is_missing(repository: Repository, writer: Writer, make):
    where = writer.write(HOME, make.raw(), 1.7e9)
    size = where.offset + where.length
    _, _, short = repository.cut({where.file: size + 100, "gone-00000.warc.gz": 50})
    assert short == (where.file, "gone-00000.warc.gz")
    assert repository.files() == {where.file: size}


def test_a_cut_does_not_follow_links_out_of_the_repository(tmp_path: Path, repository: Repository):
    (tmp_path / "mine").write_text("years of work")
    repository.folder.mkdir()
    (repository.folder / "a-00000.warc.gz").symlink_to(tmp_path / "mine")
    assert repository.cut({"a-00000.warc.gz": 3}) == (0, 0, ("a-00000.warc.gz",))
    assert (tmp_path / "mine").read_text() == "years of work"


def test_a_link_is_read_only_if_it_leads_to_the_records_of_a_collection_beside(tmp_path: Path, make):
    for folder in ("work/crawl", "work/tonight/pages", "elsewhere", "work/loose"):
        (tmp_path / folder).mkdir(parents=True)
    fetches = Repository(tmp_path / "work" / "tonight")
    writer = Writer(tmp_path / "work" / "crawl", "scout")
    where = writer.write(HOME, make.raw(), 1.7e9)
    writer.close()
    records = tmp_path / "work" / "crawl" / "pages" / where.file
    beyond = Writer(tmp_path / "elsewhere", "scout")
    beyond.write(HOME, make.raw(), 1.7e9)
    beyond.close()
    (tmp_path / "work" / "loose" / "a.warc.gz").write_bytes(records.read_bytes())
    (tmp_path / "work" / "hidden").symlink_to(tmp_path / "elsewhere")

    def holds(target):
        (fetches.folder / "link.warc.gz").unlink(missing_ok=True)
        (fetches.folder / "link.warc.gz").symlink_to(target)
        return fetches.holds(where._replace(file="link.warc.gz"))

    assert holds(f"../../crawl/pages/{where.file}")
    for outside in (
        f"../../../elsewhere/pages/{where.file}",
        str(tmp_path / "elsewhere" / "pages" / where.file),
        f"../../hidden/pages/{where.file}",
        "../../loose/a.warc.gz",
        "link.warc.gz",
        "missing",
    ):
        assert not holds(outside), outside


def test_a_full_disk_leaves_whole_records_only(tmp_path: Path, repository: Repository, make):
    writer = Writer(tmp_path, "scout")
    body = b"".join(b"%x" % (n * n) for n in range(5000))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    places = []
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
        with pytest.raises(DiskFull, match=r"free space"):
            while len(places) < 1000:
                places += [writer.write(f"https://a.test/{len(places)}", make.raw(body), 1.7e9)]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert places and check(repository.folder / places[0].file)
    assert repository.files() == {places[-1].file: places[-1].offset + places[-1].length}
    after = writer.write(HOME, make.raw(), 1.7e9)
    writer.close()
    assert repository.holds(after) and all(map(repository.holds, places))


WRITER = """
import sys
import warnings
from itertools import pairwise
from pathlib import Path
from lycosa.core.nouns import Raw
from lycosa.store.repository import Writer

writer = Writer(Path(sys.argv[1]), "scout")
for n in range(1_000_000):
    print(*writer.write(f"https://a.test/{n}", Raw(200, (), b"%d" % n * 20_000), 1.7e9), flush=True)
"""


def test_kill_9_loses_no_record_that_was_reported(tmp_path: Path, repository: Repository):
    child = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout
    lines = [child.stdout.readline() for _ in range(50)]
    child.send_signal(signal.SIGKILL)
    lines += [line for line in child.communicate()[0].splitlines(keepends=True) if line.endswith("\n")]
    places = [Where(file, int(offset), int(length)) for file, offset, length in map(str.split, lines)]
    assert all(map(repository.holds, places))
    repository.cut({places[-1].file: places[-1].offset + places[-1].length})
    assert check(repository.folder / places[-1].file)
    with gzip.open(repository.folder / places[-1].file) as stream:
        assert sum(1 for _ in ArchiveIterator(io.BytesIO(stream.read()))) == len(places) + 1


def test_syncing_can_be_repeated(writer: Writer, repository: Repository, make):
    repository.folder.mkdir()
    repository.sync()
    writer.write(HOME, make.raw(), 1.7e9)
    repository.sync()
    repository.sync()
