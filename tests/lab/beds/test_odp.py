"""Open Directory dumps are read without loss, whatever is wrong with them, in little memory."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest
from isal import igzip

from lycosa.lab.beds import odp
from lycosa.lab.beds.odp import Alias, Dump, OdpCategory, OdpListing
from lycosa.system.errors import Refused

ODP = Path(__file__).resolve().parents[3].parent / "shared" / "testbeds" / "odp"
CONTENTS = ["content_sample_2013.rdf.u8", "content_cosr_2016.rdf"]
STRUCTURE = "structure_sample_2013.rdf.u8"
HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<RDF xmlns:r="http://www.w3.org/TR/RDF/" '
    'xmlns:d="http://purl.org/dc/elements/1.0/" xmlns="http://dmoz.org/rdf/">\n'
)

excerpts = pytest.mark.skipif(not ODP.is_dir(), reason="the Open Directory excerpts are not here")


def listing(number: int, text: str = "text", title: str = "Title") -> str:
    return (
        f'  <ExternalPage about="http://a.test/{number}">\n    <d:Title>{title}</d:Title>\n'
        f"    <d:Description>{text}</d:Description>\n    <topic>Top/A</topic>\n  </ExternalPage>\n"
    )


def write(path: Path, *entries: str | bytes, end: str = "</RDF>\n") -> Path:
    parts = [HEAD, '  <Topic r:id="Top/A">\n    <catid>1</catid>\n  </Topic>\n', *entries, end]
    path.write_bytes(b"".join(part if isinstance(part, bytes) else part.encode() for part in parts))
    return path


def read(dump: Dump) -> list[OdpListing]:
    return [entry for entry in dump if isinstance(entry, OdpListing)]


@pytest.fixture
def file(tmp_path):
    return tmp_path / "content.rdf.u8"


@excerpts
@pytest.mark.parametrize("name", [*CONTENTS, STRUCTURE])
def test_every_entry_of_the_excerpts_is_read_with_all_its_fields(name):
    text = (ODP / name).read_text()
    dump = Dump(ODP / name)
    entries = list(dump)
    blocks = re.findall(r"<(Topic|ExternalPage|Alias) (?:r:id|about)=\"(.*?)\">(.*?)</\1>", text, re.DOTALL)
    assert len(blocks) == sum(text.count(f"<{kind} ") for kind in ("Topic", "ExternalPage", "Alias")) == len(entries)
    assert not dump.troubles()
    for entry, (kind, name, inside) in zip(entries, blocks, strict=True):
        fields = [
            (field, unescape(attribute or value))
            for field, attribute, value in re.findall(
                r"<(?:\w:)?(\w+)(?: r:resource=\"(.*?)\")?(?:/>|>(.*?)</)", inside, re.DOTALL
            )
        ]
        if isinstance(entry, OdpCategory):
            assert (kind, entry.name, list(entry.fields)) == ("Topic", unescape(name), fields)
        elif isinstance(entry, Alias):
            assert (kind, entry.name, entry.title, entry.target) == ("Alias", unescape(name), *dict(fields).values())
        else:
            told = [("Title", entry.title), ("Description", entry.description), *entry.more, ("topic", entry.category)]
            assert (kind, entry.url, told) == ("ExternalPage", unescape(name), fields)


@excerpts
def test_categories_know_their_links_and_children():
    content = {entry.name: entry for entry in Dump(ODP / CONTENTS[0]) if isinstance(entry, OdpCategory)}
    assert len(content["Top/Arts/Animation"].links) == 7
    assert content["Top/Arts/Animation"].links[0] == "http://www.awn.com/"
    assert "Top/Arts/Animation/Cartoons/Titles/P/PB_&_J_Otter" in content
    assert "Top/World/Armenian/Առողջություն" in content
    structure = {entry.name: entry for entry in Dump(ODP / STRUCTURE) if isinstance(entry, OdpCategory)}
    assert structure["Top/Arts"].children[:2] == ["Top/Arts/Directories", "Top/Arts/News_and_Media"]
    assert len(structure["Top/Arts"].children) == 6
    assert structure["Top/Arts"].values("altlang")[0] == "Ingles:Top/Arts"
    assert structure["Top/Arts"].values("related") == ["Top/Business/Arts_and_Entertainment", "Kids_and_Teens/Arts"]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_packed_files_are_read_as_they_are(file, pack):
    file.write_bytes(pack(write(file, *(listing(n, f"text {n}") for n in range(50))).read_bytes()))
    assert [entry.description for entry in read(Dump(file))] == [f"text {n}" for n in range(50)]


def test_an_old_dump_without_topics_in_its_listings_goes_by_order(file):
    write(file, listing(1).replace("<topic>Top/A</topic>", ""))
    assert read(Dump(file))[0].category == "Top/A"


def test_control_characters_are_read_as_spaces(file):
    dump = Dump(write(file, listing(1, "one\x0btwo\x00\x1fthree")))
    assert read(dump)[0].description == "one two  three"
    assert dump.troubles() == [f"{file}: repaired 3 control characters"]


def test_bytes_that_are_no_utf8_spoil_only_themselves(file):
    latin = listing(1, "caf@ Ünter").encode().replace(b"@", b"\xe9")
    odd = listing(2, "a@b").encode().replace(b"@", b"\xef\xbf\xbf")
    surrogate = listing(3, "a@b").encode().replace(b"@", b"\xed\xa0\x80")
    dump = Dump(write(file, latin, odd, surrogate, listing(4, "fine")))
    told = [entry.description for entry in read(dump)]
    assert told[0] == "caf\ufffd Ünter"
    assert told[1] == "a\ufffdb"
    assert re.fullmatch("a\ufffd+b", told[2])
    assert told[3] == "fine"
    assert dump.repairs.broken >= 3


def test_ampersands_and_entities_that_nobody_declared_are_understood(file):
    dump = Dump(write(file, listing(1, "R&D, A & B, &eacute;t&eacute;, &foo; &#7; &#233; &amp;lt; &LT;")))
    assert read(dump)[0].description == "R&D, A & B, été, &foo;   é &lt; <"
    assert dump.repairs.references == 7


def test_nothing_is_lost_where_a_chunk_ends(file, monkeypatch):
    write(file, *(listing(n, f"ü &amp; é {n} &lt;b&gt;") for n in range(40)))
    monkeypatch.setattr(odp, "CHUNK", 7)
    dump = Dump(file)
    assert [entry.description for entry in read(dump)] == [f"ü & é {n} <b>" for n in range(40)]
    assert not dump.troubles()


@pytest.mark.parametrize("chunk", [11, 1 << 18])
def test_reading_goes_on_after_an_entry_that_is_no_xml(file, monkeypatch, chunk):
    monkeypatch.setattr(odp, "CHUNK", chunk)
    broken = [listing(1, "1 < 2"), listing(2).replace("</d:Title>", ""), listing(3).replace('3">', "3>")]
    dump = Dump(write(file, listing(0), broken[0], listing(10), broken[1], listing(11), broken[2], listing(12)))
    assert [entry.url for entry in read(dump)] == [f"http://a.test/{n}" for n in (0, 10, 11, 12)]
    assert [re.search(r"line (\d+)", line)[1] for line in dump.damage] == ["13", "25", "32"]
    assert dump.damage[0].startswith(f"{file}, line 13: ")
    assert dump.lost == 2  # of the third the parser never saw the beginning


def test_an_entry_that_never_ends_costs_no_other(file):
    dump = Dump(write(file, listing(1).replace("  </ExternalPage>\n", ""), listing(2)))
    assert [entry.url for entry in read(dump)] == ["http://a.test/2"]
    assert dump.lost == 1


@pytest.mark.parametrize("opening", ["<!-- ", "<![CDATA[", "<?x "])
def test_what_is_never_closed_does_not_swallow_the_rest(file, monkeypatch, opening):
    monkeypatch.setattr(odp, "CHUNK", 1 << 12)
    monkeypatch.setattr(odp, "LONGEST", 1 << 14)
    dump = Dump(write(file, *(listing(n) for n in range(100)), opening, *(listing(n) for n in range(1000))))
    assert 900 < len(read(dump)) < 1100
    assert "no entry ends within" in dump.damage[0]


def test_a_truncated_file_gives_what_there_is_and_says_where_it_ends(file):
    whole = write(file, *(listing(n) for n in range(20))).read_bytes()
    file.write_bytes(whole[: whole.index(b"a.test/15") + 40])
    dump = Dump(file)
    assert len(read(dump)) == 15
    assert dump.lost == 1
    lines = whole[: whole.index(b"a.test/15")].count(b"\n") + 1
    assert dump.damage == [f"{file}, line {lines + 1}: the file ends before </RDF>; what came before is used"]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_packed_file_that_was_cut_gives_what_there_is(file, pack):
    # Many different entries, so that even bzip2 has more than one block.
    entries = [listing(n, " ".join(f"{n * k * 7919 % 99991:x}" for k in range(1, 60))) for n in range(3000)]
    packed = pack(write(file, *entries).read_bytes())
    file.write_bytes(packed[: len(packed) * 3 // 4])
    dump = Dump(file)
    assert 500 < len(read(dump)) < 3000
    assert "cannot be unpacked to its end" in dump.troubles()[0]


def test_entities_that_grow_are_refused(file):
    bomb = "".join(f'<!ENTITY l{n + 1} "{f"&l{n};" * 10}">' for n in range(9))
    body = HEAD.partition("<RDF")[2]
    file.write_text(
        f'<?xml version="1.0"?><!DOCTYPE RDF [<!ENTITY l0 "lol">{bomb}]><RDF{body}{listing(1, "&l9;")}</RDF>'
    )
    with pytest.raises(Refused, match="declares an entity"):
        list(Dump(file))


def test_external_entities_are_never_looked_at(file, tmp_path):
    (tmp_path / "secret").write_text("secret")
    doctype = f'<!DOCTYPE RDF SYSTEM "{tmp_path / "secret"}">'
    file.write_text(HEAD.replace("<RDF", f"{doctype}<RDF") + listing(1, "&file;") + "</RDF>")
    assert read(Dump(file))[0].description == "&file;"


@pytest.mark.parametrize(
    "content", [b"", b"<html><p>Hello</p></html>", b"url,topic\nhttp://a.test/,x\n", HEAD.encode()]
)
def test_what_is_no_dump_is_refused(file, content):
    file.write_bytes(content)
    with pytest.raises(Refused, match=f"{re.escape(str(file))} holds no category and no listed page"):
        list(Dump(file))


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(Refused, match="does not exist"):
        Dump(tmp_path / "nothing.rdf")
    with pytest.raises(Refused, match="cannot read"):
        list(Dump(tmp_path))


def test_progress_is_told_in_bytes_of_the_file(file):
    told = []
    list(Dump(write(file, *(listing(n) for n in range(3000))), lambda *step: told.append(step)))
    size = file.stat().st_size
    assert told[-1] == ("reading content.rdf.u8", size, size)


_MEASURE = """
import re, sys
from pathlib import Path
from lycosa.lab.beds.topic_selection import business
found = business(sys.argv[1])
# Not ru_maxrss, which a process inherits from the one that started it.
peak = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]
print(found.categories, len(found.topics), int(peak) // 1024)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of a process is read from Linux's /proc")
@pytest.mark.slow
def test_a_million_entries_are_read_in_little_memory(tmp_path):
    path = tmp_path / "content.rdf.u8.gz"
    text = "Information &amp; services for a community: archives, a magazine, a guide and discussion forums."
    with igzip.open(path, "wt", compresslevel=1) as file:
        file.write(HEAD)
        for number in range(40_000):
            last = ("Companies", "News", "Consultants", "Clubs")[number % 4] if number % 100 < 4 else "Products"
            name = f"Top/{'Regional' if number % 1000 == 0 else 'Business'}/Trade_{number}/{last}"
            urls = [f"http://www.site{number}-{link}.test/" for link in range(25)]
            links = "".join([f'    <link r:resource="{url}"></link>\n' for url in urls])
            file.write(f'  <Topic r:id="{name}">\n    <catid>{number}</catid>\n{links}  </Topic>\n')
            file.write(
                "".join(
                    [
                        f'  <ExternalPage about="{url}">\n    <d:Title>Site {number}</d:Title>\n'
                        f"    <d:Description>{text}</d:Description>\n    <topic>{name}</topic>\n  </ExternalPage>\n"
                        for url in urls
                    ]
                )
            )
        file.write("</RDF>\n")
    ran = subprocess.run([sys.executable, "-c", _MEASURE, path], capture_output=True, text=True, check=True)
    categories, topics, megabytes = map(int, ran.stdout.split())
    assert (categories, topics) == (760, 760)
    assert megabytes < 120
