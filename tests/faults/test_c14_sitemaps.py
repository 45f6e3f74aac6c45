"""C14: sitemaps, good and bad, are read within limits, and nothing that they define is fetched."""

import gzip
import time

import pytest
from sites import Sites, held, html, reply

from lycosa.app.hunts import hunt

XML = "application/xml"
LAUGHS = "".join(f'<!ENTITY l{n + 1} "{f"&l{n};" * 10}">' for n in range(9))
OUTSIDE = (
    '<!DOCTYPE urlset [<!ENTITY x SYSTEM "http://evil.test/entity"><!ENTITY % y SYSTEM "http://evil.test/dtd"> %y;]>'
)


def sitemap(*places, tag="url", head=""):
    root = "urlset" if tag == "url" else "sitemapindex"
    return f"{head}<{root}>" + "".join(f"<{tag}><loc>{place}</loc></{tag}>" for place in places) + f"</{root}>"


MANY = sitemap(*(f"http://s.test/many/{n}" for n in range(1_000_000)))
GOOD = {
    "good.xml": sitemap("/page/xml"),
    "damaged.xml": sitemap("/page/damaged").replace("</urlset>", "<url><loc>/cut"),
    "good.txt": "http://s.test/page/text\n",
    "good.xml.gz": gzip.compress(sitemap("/page/gzip").encode()),
    "index.xml": sitemap("/below.xml", tag="sitemap"),
    "below.xml": sitemap("/page/below"),
}
BAD = {
    "laughs.xml": sitemap("/&l9;", head=f"<!DOCTYPE urlset [<!ENTITY l0 'ha'>{LAUGHS}]>"),
    "outside.xml": sitemap("/&x;", "/page/beside", head=OUTSIDE),
    "itself.xml": sitemap("/itself.xml", "/itself.xml?again", tag="sitemap"),
    "others.xml": sitemap("http://evil.test/", "https://evil.test/other"),
    "many.xml": MANY,
    "bomb.xml.gz": gzip.compress(b"<urlset><url><loc>/" + bytes(200_000_000), 1),
    "empty.xml": "",
    "binary.xml": bytes(range(256)) * 100,
}


@pytest.mark.row("C14")
def test_sitemaps_are_read_within_limits(figure, tmp_path):
    wanted = ["xml", "damaged", "text", "gzip", "below", "beside"]
    answers = {f"s.test/page/{name}": html(f"wolf spider {name}") for name in wanted}
    for name, body in (GOOD | BAD).items():
        kind = "text/plain" if name.endswith("txt") else "application/gzip" if name.endswith("gz") else XML
        answers[f"s.test/{name}"] = reply(body, Content_Type=kind)
    # An index of indexes, each of them new.
    level = ["/deep"]
    for _ in range(4):
        below = [f"{place}{n}" for place in level for n in range(1, 4)]
        for place in level:
            answers[f"s.test{place}"] = reply(
                sitemap(*(f"{place}{n}" for n in range(1, 4)), tag="sitemap"), Content_Type=XML
            )
        level = below
    # What is forbidden is not asked for: only the reading of that many is to be measured.
    names = "User-agent: *\nDisallow: /many/\n"
    names += "".join(f"Sitemap: http://s.test/{name}\n" for name in [*GOOD, *BAD, "deep"] if name != "below.xml")
    answers |= {"s.test/robots.txt": reply(names, Content_Type="text/plain"), "s.test/": html("wolf spider")}
    began = time.monotonic()
    with Sites(answers) as sites:
        options = {"pages": 400, "strategy": "breadth-first", "delay": 0.0, "retries": 0, "proxy": sites.proxy}
        with hunt("wolf spider", ["http://s.test/"], out=tmp_path / "c", **options) as crawl:
            visits = {visit.url: visit for visit in crawl}
        asked = [request.place for request in sites.asked]
    seconds = time.monotonic() - began
    found = [name for name in wanted if f"http://s.test/page/{name}" in visits]
    outside = sum(place.startswith("evil.test") for place in asked)
    lists = sum(bool(visit.withheld) for visit in visits.values())
    figure(f"{len(found)} of {len(wanted)} pages; {outside} entities fetched; {lists} lists in {seconds:.1f} s")
    assert found == wanted
    assert outside == 0
    assert lists <= 50 + len(GOOD | BAD)
    assert max(len(visit.links) for visit in visits.values()) <= 5000
    assert set(held(tmp_path / "c").final.values()) == {1}
