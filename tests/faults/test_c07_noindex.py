"""C7: a page that asks robots not to index it is not found, one that asks not to follow its links leads nowhere."""

import json

import pytest
from sites import Sites, html, reply

from lycosa.app.hunts import export, hunt
from lycosa.app.search import search

INDEX, FOLLOW = {"index"}, {"follow"}
BOTH, NEITHER = INDEX | FOLLOW, set()
CASES = [
    # headers, tags in the head, the rel of its link, and what may be done
    ({}, "", "", BOTH),
    ({"X_Robots_Tag": "noindex"}, "", "", FOLLOW),
    ({"X_Robots_Tag": "nofollow"}, "", "", INDEX),
    ({"X_Robots_Tag": "none"}, "", "", NEITHER),
    ({"X_Robots_Tag": "NoIndex, NoFollow"}, "", "", NEITHER),
    ({"X_Robots_Tag": "lycosa: noindex"}, "", "", FOLLOW),
    ({"X_Robots_Tag": "otherbot: noindex, nofollow"}, "", "", BOTH),
    ({"X_Robots_Tag": "otherbot: noindex, lycosa: nofollow"}, "", "", INDEX),
    ({"X_Robots_Tag": "noindex\r\nX-Robots-Tag: nofollow"}, "", "", NEITHER),
    ({"X_Robots_Tag": "otherbot: none\r\nX-Robots-Tag: noindex"}, "", "", FOLLOW),
    ({"X_Robots_Tag": "unavailable_after: 25 Jun 2030 15:00:00 PST"}, "", "", BOTH),
    ({"X_Robots_Tag": "max-snippet: 20, noindex"}, "", "", FOLLOW),
    ({"X_Robots_Tag": "all"}, "", "", BOTH),
    ({}, "<meta name=robots content=noindex>", "", FOLLOW),
    ({}, "<meta name=robots content='nofollow'>", "", INDEX),
    ({}, "<META NAME='ROBOTS' CONTENT='NONE'>", "", NEITHER),
    ({}, "<meta content='noindex ,  nofollow' name=Robots>", "", NEITHER),
    ({}, "<meta name=robots content=noindex><meta name=robots content=nofollow>", "", NEITHER),
    ({}, "<meta name=lycosa content=noindex>", "", FOLLOW),
    ({}, "<meta name=googlebot content='noindex,nofollow'>", "", BOTH),
    ({}, "<meta name=robots content='index, follow'>", "", BOTH),
    ({}, "<meta name=robots content='nofollowing,noindexing'>", "", BOTH),
    ({"X_Robots_Tag": "noindex"}, "<meta name=robots content='index,nofollow'>", "", NEITHER),
    ({}, "", "nofollow", INDEX),
    ({}, "", "external NoFollow ugc", INDEX),
    ({}, "", "ugc sponsored", BOTH),
    ({}, "<meta name=robots content=noindex>", "nofollow", NEITHER),
]
HOST = "http://robots.test"


def page(number, headers, head, rel):
    link = f"<a rel='{rel}' href=/target/{number}>wolf spider target</a>"
    body = f"<html><head><title>wolf spider</title>{head}</head><body>wolf spider word{number}case {link}</body></html>"
    return reply(body, **headers)


def crawled(sites, folder, **more):
    options = {"pages": 500, "strategy": "breadth-first", "delay": 0.0, "proxy": sites.proxy, **more}
    with hunt("wolf spider", [f"{HOST}/"], out=folder, **options) as crawl:
        followed = {visit.url for visit in crawl}
    export(folder, folder / "out.jsonl")
    exported = {json.loads(line)["url"] for line in (folder / "out.jsonl").read_text().splitlines()}
    found = {hit.url for hit in search(folder, "wolf spider", limit=500, duplicates=True).results}
    assert {url for url in found if "/case/" in url} == {url for url in exported if "/case/" in url}
    done = []
    for number in range(len(CASES)):
        kept = INDEX if f"{HOST}/case/{number}" in found else NEITHER
        done.append(kept | (FOLLOW if f"{HOST}/target/{number}" in followed else NEITHER))
    return done


@pytest.mark.row("C7")
def test_noindex_and_nofollow_are_obeyed_wherever_they_are_said(figure, tmp_path):
    answers = {f"robots.test/case/{n}": page(n, *case[:3]) for n, case in enumerate(CASES)}
    answers |= {f"robots.test/target/{n}": html(f"wolf spider {n}") for n in range(len(CASES))}
    answers["robots.test/"] = html("wolf spiders", *(f"/case/{n}" for n in range(len(CASES))))
    with Sites(answers) as sites:
        done = crawled(sites, tmp_path / "obeyed")
        own = crawled(sites, tmp_path / "own", nofollow=False)
    right = sum(done[n] == case[3] for n, case in enumerate(CASES))
    figure(f"{right} of {len(CASES)} as asked; {own.count(BOTH)} indexed and followed with --no-nofollow")
    assert done == [case[3] for case in CASES]
    assert own == [BOTH] * len(CASES)
