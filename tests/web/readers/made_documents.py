"""Small documents of every kind, whole and hostile, made without the programs that usually make them."""

# ruff: noqa: E501 (markup in one piece is easier to read)

import io
import zipfile
import zlib
from collections.abc import Callable

WORDS = "The wolf spider hunts at night"
LINK = "http://spiders.example/lycosa"
TITLE = "On wolf spiders"
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_RELS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_CORE = (
    '<cp:coreProperties xmlns:cp="http://x/cp" xmlns:dc="http://purl.org/dc/elements/1.1/">'
    f"<dc:title>{TITLE}</dc:title><dc:language>en-GB</dc:language></cp:coreProperties>"
)


def zipped(members, first=None, compress=zipfile.ZIP_DEFLATED):
    """A zip of names and contents; `first` is stored before them, as OpenDocument wants its type."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compress) as package:
        if first:
            package.writestr(zipfile.ZipInfo("mimetype"), first)
        for name, content in members.items():
            package.writestr(name, content)
    return file.getvalue()


def relations(**targets):
    """A part with relations: id=(kind, target)."""
    outside = ' TargetMode="External"'
    each = "".join(
        f'<Relationship Id="{name}" Type="{_RELS}/{kind}" Target="{target}"{outside if "://" in target else ""}/>'
        for name, (kind, target) in targets.items()
    )
    return f'<Relationships xmlns="http://x/relationships">{each}</Relationships>'


def docx(text=WORDS, body=""):
    """A Word file with a heading, a paragraph with a link, a table, a deleted word and a footnote."""
    document = (
        f"<w:document {_W} {_R}><w:body>"
        '<w:p><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr><w:r><w:t>Where they live</w:t></w:r></w:p>'
        f'<w:p><w:r><w:t xml:space="preserve">{text}, see </w:t></w:r>'
        '<w:hyperlink r:id="rId9"><w:r><w:t>its page</w:t></w:r></w:hyperlink>'
        "<w:del><w:r><w:delText>erased</w:delText></w:r></w:del></w:p>"
        '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>HYPERLINK "http://spiders.example/field"'
        '</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>a field</w:t></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'
        "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>legs</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>eight</w:t></w:r></w:p>"
        f"</w:tc></w:tr></w:tbl>{body}</w:body></w:document>"
    )
    styles = (
        f'<w:styles {_W}><w:docDefaults><w:lang w:val="en-GB"/></w:docDefaults>'
        '<w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style></w:styles>'
    )
    notes = f"<w:footnotes {_W}><w:footnote><w:p><w:r><w:t>a footnote</w:t></w:r></w:p></w:footnote></w:footnotes>"
    return zipped(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": relations(rId1=("officeDocument", "word/document.xml")),
            "docProps/core.xml": _CORE,
            "word/document.xml": document,
            "word/styles.xml": styles,
            "word/footnotes.xml": notes,
            "word/_rels/document.xml.rels": relations(
                rId1=("styles", "styles.xml"), rId2=("footnotes", "footnotes.xml"), rId9=("hyperlink", LINK)
            ),
        }
    )


def pptx(slides=(WORDS, "The second slide")):
    """A presentation: each slide has a title and a text with a link, the first also notes."""
    members = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relations(rId1=("officeDocument", "ppt/presentation.xml")),
        "docProps/core.xml": _CORE,
    }
    order, targets = "", {}
    for number, text in enumerate(slides, 1):
        order += f'<p:sldId id="{255 + number}" r:id="rId{number}"/>'
        targets[f"rId{number}"] = ("slide", f"slides/slide{number}.xml")
        members[f"ppt/slides/slide{number}.xml"] = (
            f'<p:sld xmlns:p="http://x/p" xmlns:a="http://x/a" {_R}><p:sp><p:ph type="title"/>'
            f"<a:p><a:r><a:t>Slide {number}</a:t></a:r></a:p></p:sp><p:sp><a:p><a:r><a:rPr>"
            f'<a:hlinkClick r:id="rId7"/></a:rPr><a:t>{text}</a:t></a:r></a:p></p:sp></p:sld>'
        )
        more = {"rId8": ("notesSlide", "../notesSlides/n.xml")} if number == 1 else {}
        members[f"ppt/slides/_rels/slide{number}.xml.rels"] = relations(rId7=("hyperlink", LINK), **more)
    members["ppt/notesSlides/n.xml"] = (
        '<p:notes xmlns:p="http://x/p" xmlns:a="http://x/a"><a:p><a:r><a:t>a note</a:t></a:r></a:p></p:notes>'
    )
    members["ppt/presentation.xml"] = f'<p:presentation xmlns:p="http://x/p" {_R}>{order}</p:presentation>'
    members["ppt/_rels/presentation.xml.rels"] = relations(**targets)
    return zipped(members)


def xlsx(text=WORDS, rows=""):
    """A workbook with one sheet: a shared text, one of its own, a number and a link."""
    sheet = (
        f'<worksheet xmlns="http://x/s" {_R}><sheetData><row><c t="s"><v>0</v></c><c t="inlineStr"><is><t>own</t></is></c>'
        f'<c><v>42.5</v></c></row>{rows}</sheetData><hyperlinks><hyperlink ref="A1" r:id="rId1"/></hyperlinks></worksheet>'
    )
    return zipped(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": relations(rId1=("officeDocument", "xl/workbook.xml")),
            "docProps/core.xml": _CORE,
            "xl/workbook.xml": f'<workbook xmlns="http://x/s" {_R}><sheets><sheet name="Hunts" r:id="rId1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": relations(
                rId1=("worksheet", "/xl/worksheets/sheet1.xml"), rId2=("sharedStrings", "sharedStrings.xml")
            ),
            "xl/sharedStrings.xml": f'<sst xmlns="http://x/s"><si><r><t>{text}</t></r><rPh><t>no</t></rPh></si></sst>',
            "xl/worksheets/sheet1.xml": sheet,
            "xl/worksheets/_rels/sheet1.xml.rels": relations(rId1=("hyperlink", LINK)),
        }
    )


_ODF = (
    'xmlns:office="urn:o" xmlns:text="urn:t" xmlns:table="urn:tb" xmlns:draw="urn:d" xmlns:xlink="urn:x" '
    'xmlns:meta="urn:m" xmlns:dc="urn:dc" xmlns:manifest="urn:mf"'
)
ODF_TYPE = "application/vnd.oasis.opendocument."


def opendocument(kind, content, manifest=""):
    """An OpenDocument file of a kind (text, presentation, spreadsheet) with this content."""
    return zipped(
        {
            "content.xml": f"<office:document-content {_ODF}><office:body>{content}</office:body></office:document-content>",
            "meta.xml": f"<office:meta {_ODF}><dc:title>{TITLE}</dc:title><dc:language>en-GB</dc:language></office:meta>",
            "META-INF/manifest.xml": f"<manifest:manifest {_ODF}>{manifest}</manifest:manifest>",
        },
        first=ODF_TYPE + kind,
    )


def odt(text=WORDS):
    """A text with a heading, a link, a note of its author and a deleted word."""
    return opendocument(
        "text",
        "<office:text><text:tracked-changes><text:p>erased</text:p></text:tracked-changes>"
        f"<text:h text:outline-level='1'>Where they live</text:h><text:p>{text},<text:s text:c='2'/>see "
        f"<text:a xlink:href='{LINK}'>its page</text:a><office:annotation><text:p>aside</text:p></office:annotation>"
        "</text:p></office:text>",
    )


def odp(slides=(WORDS, "The second slide")):
    """A presentation."""
    pages = "".join(
        f"<draw:page draw:name='page{number}'><draw:frame><draw:text-box><text:p><text:a xlink:href='{LINK}'>{text}</text:a></text:p></draw:text-box>"
        "</draw:frame></draw:page>"
        for number, text in enumerate(slides, 1)
    )
    return opendocument("presentation", f"<office:presentation>{pages}</office:presentation>")


def ods(text=WORDS):
    """A spreadsheet whose last row is repeated a million times."""
    return opendocument(
        "spreadsheet",
        f"<office:spreadsheet><table:table table:name='Hunts'><table:table-row><table:table-cell><text:p><text:a xlink:href='{LINK}'>{text}</text:a></text:p>"
        "</table:table-cell><table:table-cell><text:p>42.5</text:p></table:table-cell></table:table-row>"
        "<table:table-row table:number-rows-repeated='1048576'><table:table-cell/></table:table-row></table:table>"
        "</office:spreadsheet>",
    )


def epub(text=WORDS, encryption=""):
    """A book of two chapters."""
    package = (
        "<package xmlns:dc='urn:dc'><metadata><dc:title>On wolf spiders</dc:title><dc:language>en-GB</dc:language>"
        "<dc:title>Another</dc:title></metadata><manifest><item id='b' href='two.xhtml' "
        "media-type='application/xhtml+xml'/><item id='a' href='one%20.xhtml' media-type='application/xhtml+xml'/>"
        "</manifest><spine><itemref idref='a'/><itemref idref='b'/></spine></package>"
    )
    members = {
        "META-INF/container.xml": "<container><rootfiles><rootfile full-path='OEBPS/book.opf'/></rootfiles></container>",
        "OEBPS/book.opf": package,
        "OEBPS/one .xhtml": f"<?xml version='1.0'?><html><head><title>One</title></head><body><h1>First chapter</h1>"
        f"<p>{text}, see <a href='{LINK}'>its page</a> and <a href='two.xhtml'>the next</a></p></body></html>",
        "OEBPS/two.xhtml": "<html><body><h1>Second chapter</h1><p>The end</p></body></html>",
    }
    if encryption:
        members["META-INF/encryption.xml"] = (
            f"<encryption><EncryptedData><EncryptionMethod Algorithm='{encryption}'/></EncryptedData></encryption>"
        )
    return zipped(members, first="application/epub+zip")


def rtf(text=WORDS):
    """A Rich Text file with a title, a link, and letters in three ways of writing them."""
    return (
        "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0\\fswiss Arial;}{\\f1\\fcharset204 Cyr;}}{\\info{\\title " + TITLE + "}"
        "{\\author Nobody}}{\\*\\generator hidden}\\f0 " + text + ", see {\\field{\\*\\fldinst HYPERLINK \"" + LINK + "\"}"
        "{\\fldrslt its page}}\\par caf\\'e9 \\u1087?\\u1072? {\\f1 \\'ef\\'e0\\'f3\\'ea}\\par {\\v invisible}end}"
    ).encode("ascii")  # fmt: skip


def pdf(pages=(WORDS, "The second page"), *, title=TITLE, encrypted=False, packed=False):
    """A PDF with a text on each page, a link on the first, an outline and a language."""
    objects = [b""] * 6
    kids = []
    for text in pages:
        stream = b"BT /F1 12 Tf 72 700 Td (" + text.encode("latin-1") + b") Tj ET"
        filtered = b"/Filter/FlateDecode" if packed else b""
        stream = zlib.compress(stream) if packed else stream
        objects.append(b"<</Length %d%s>>stream\n%s\nendstream" % (len(stream), filtered, stream))
        annotations = b"/Annots[6 0 R]" if not kids else b""
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents %d 0 R%s>>"
            % (len(objects), annotations)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[0] = b"<</Type/Catalog/Pages 2 0 R/Lang(en-GB)/Outlines 4 0 R>>"
    objects[1] = b"<</Type/Pages/Kids[%s]/Count %d>>" % (b" ".join(kids), len(kids))
    objects[2] = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    objects[3] = b"<</Type/Outlines/First 5 0 R/Last 5 0 R/Count 1>>"
    objects[4] = b"<</Title(Where they live)/Parent 4 0 R/Next 5 0 R>>"
    objects[5] = b"<</Type/Annot/Subtype/Link/Rect[70 695 300 715]/A<</S/URI/URI(%s)>>>>" % LINK.encode()
    trailer = b"/Root 1 0 R"
    if title:
        objects.append(b"<</Title(%s)>>" % title.encode("latin-1"))
        trailer += b"/Info %d 0 R" % len(objects)
    if encrypted:
        objects.append(b"<</Filter/Standard/V 1/R 2/P -4/O<%s>/U<%s>>>" % (b"ab" * 32, b"cd" * 32))
        trailer += b"/Encrypt %d 0 R/ID[<00><00>]" % len(objects)
    body, places = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(body)
    body += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    return body + b"trailer<</Size %d%s>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, trailer, start)


MARKDOWN = (
    f"---\ntitle: {TITLE}\nlang: en-GB\n---\n# Where they live #\n\n{WORDS}, see [its page]({LINK} \"x\")\nand [more][1].\n\n"
    "Setext\n------\n\n[1]: http://spiders.example/more\n<http://spiders.example/bare>\n"
).encode()  # fmt: skip
JSON = (
    f'{{"@context": "http://schema.example/", "headline": "{TITLE}", "inLanguage": "en-GB", "url": "{LINK}",'
    f' "text": "{WORDS}", "legs": [8, true, null]}}'
).encode()
MADE: dict[str, Callable[[], bytes]] = {
    "pdf": pdf, "docx": docx, "pptx": pptx, "xlsx": xlsx, "odt": odt, "odp": odp, "ods": ods, "epub": epub, "rtf": rtf,
    "md": lambda: MARKDOWN, "json": lambda: JSON, "csv": lambda: f"name,page\n{WORDS},{LINK}\n".encode(),
    "tsv": lambda: f"name\tpage\n{WORDS}\t{LINK}\n".encode(), "py": lambda: f"# {WORDS}: {LINK}\nLEGS = 8\n".encode(),
}  # fmt: skip


# -- hostile documents ------------------------------------------------------------------------------------------------


def laughs(levels=20):
    """XML whose entities expand to billions of letters."""
    entities = '<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, levels))
    return f"<!DOCTYPE x [{entities}]><x><text:p xmlns:text='urn:t'>&a{levels - 1};</text:p></x>"


def stolen(place):
    """XML that wants a file of this machine."""
    return f"<!DOCTYPE x [<!ENTITY a SYSTEM 'file://{place}'>]><x><text:p xmlns:text='urn:t'>&a;</text:p></x>"


def replaced(document, name, content):
    """A package with another content of one member."""
    with zipfile.ZipFile(io.BytesIO(document)) as package:
        members = {each: package.read(each) for each in package.namelist() if each != "mimetype"}
        first = package.read("mimetype").decode() if "mimetype" in package.namelist() else None
    return zipped({**members, name: content}, first)


def zip_bomb(size, head="<w:t>"):
    """A Word file whose text, or what begins with `head`, unpacks to so many bytes of spaces."""
    out, chunk = io.BytesIO(), b" " * (1 << 20)
    with zipfile.ZipFile(io.BytesIO(docx())) as whole, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name in whole.namelist():
            if name != "word/document.xml":
                package.writestr(name, whole.read(name))
        with package.open("word/document.xml", "w") as file:
            file.write(f"<w:document {_W}><w:body><w:p>{head}".encode())
            for _ in range(size >> 20):
                file.write(chunk)
    return out.getvalue()


def encrypted_zip(document):
    """A package whose members say that they are encrypted."""
    data = bytearray(document)
    at = 0
    while (at := data.find(b"PK\x01\x02", at)) >= 0:
        data[at + 8] |= 1
        at += 4
    return bytes(data)


ENCRYPTED_OFFICE = (
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage".encode("utf-16-le") + bytes(600)
)
