"""The paper's example of reference-directed indexing: four pages refer to the Web site of a drawing program."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lycosa.index.references import References
from lycosa.index.search_types import Document

MAYURA = "http://www.mayura.com/"
OTHER = "http://www.inkpot.test/"
THIRD = "http://www.sketch.test/"

# «[words](url)» is a link; the rest is what stands around it.
PAGES = {
    "http://tools.test/latex": f"""Preparing figures
        Figures deserve care. For illustrations in any format, take [Mayura Draw]({MAYURA}), the drawing program for
        Windows. Of PDF and EPS it [thinks]({MAYURA}) what PageDraw did. Ask your colleagues.""",
    "http://people.test/ann": f"""Things I like
        My garden comes first. My favourite drawing program, [Mayura Draw]({MAYURA}), is good at editing
        illustrations. Every PDF, EPS or GIF file format, [all]({MAYURA}) open without fuss under Windows! Then there
        is music.""",
    "http://list.test/shareware": f"""Shareware
        The games are elsewhere. [Mayura Draw]({MAYURA}) (formerly PageDraw): drawing program for editing.
        [Inkpot]({OTHER}), also a drawing program. Any format, even GIF, [comes]({MAYURA}) with it.""",
    "http://thesis.test/howto": f"""How to write a thesis
        Begin early. For illustrations I took the drawing program [Mayura Draw]({MAYURA}), it costs little on Windows.
        The format that printers want, PDF or EPS, [is]({MAYURA}) no problem. Do not forget to sleep.""",
    "http://fan.test/": f"""Only one thing
        The drawing program, drawing program, drawing program [Sketch]({THIRD}) drawing program, drawing program!""",
}


def document(url: str, marked: str) -> Document:
    title, _, body = marked.partition("\n")
    text, links = f"{title}\n", []
    for piece in " ".join(body.split()).split("["):
        anchor, bracket, rest = piece.partition("](")
        if bracket:
            target, _, piece = rest.partition(")")
            links.append((target, (len(text), len(text) + len(anchor))))
            text += anchor
        text += piece
    return Document(url, title, text, links=tuple(links))


@pytest.fixture
def references(tmp_path: Path) -> Iterator[References]:
    references = References(tmp_path, write=True)
    for url, marked in PAGES.items():
        references.add(document(url, marked))
    references.commit()
    yield references
    references.close()


def test_the_vote_table_is_the_papers(references: References) -> None:
    assert references.votes(MAYURA) == [
        ("Mayura Draw", 4),
        ("drawing program", 4),
        ("format", 4),
        ("illustrations", 3),
        ("Windows", 3),
        ("PDF", 3),
        ("EPS", 3),
        ("PageDraw", 2),
        ("editing", 2),
        ("GIF", 2),
    ]


def test_no_other_term_has_more_than_one_vote(references: References) -> None:
    assert all(votes == 1 for _, votes in references.votes(MAYURA, limit=100)[10:])


def test_more_referrers_rank_higher(references: References) -> None:
    found = references.find(["drawing", "program"])
    assert found[0].url == MAYURA
    assert found[0].votes == {"drawing": 4, "program": 4, "drawing program": 4}
    assert found[0].score > found[1].score


def test_a_phrase_is_a_term_of_its_own(references: References) -> None:
    found = references.find([], [("drawing", "program")])
    assert [(each.url, each.votes) for each in found[:1]] == [(MAYURA, {"drawing program": 4})]
    assert {each.url for each in found} == {MAYURA, OTHER, THIRD}
    assert references.find([], [("program", "drawing")])[0].url == THIRD  # nobody else says it in this order


def test_a_term_used_often_in_one_vicinity_is_one_vote(references: References) -> None:
    assert set(references.votes(THIRD)) == {("Sketch", 1), ("drawing", 1), ("program", 1)}
    votes = {each.url: each.votes for each in references.find(["drawing", "program"])}
    assert votes[THIRD] == {"drawing": 1, "program": 1, "drawing program": 1} == votes[OTHER]


def test_a_document_is_found_that_was_never_fetched(references: References) -> None:
    assert MAYURA not in PAGES
    assert [each.url for each in references.find(["pagedraw"])] == [MAYURA]


def test_who_voted_is_shown_and_in_which_words(references: References) -> None:
    voters = references.voters(MAYURA, "PageDraw")
    assert {voter.url for voter in voters} == {"http://tools.test/latex", "http://list.test/shareware"}
    assert all("PageDraw" in voter.context for voter in voters)
    assert (
        "Mayura Draw (formerly PageDraw): drawing program"
        in {voter.url: voter.context for voter in voters}["http://list.test/shareware"]
    )
    assert len(references.voters(MAYURA, "drawing programs")) == 4
    assert len(references.voters(MAYURA)) == 4
    assert references.voters(MAYURA, "spreadsheet") == []


def test_what_stands_near_another_link_is_not_said_of_this_one(references: References) -> None:
    assert "Inkpot" not in dict(references.votes(MAYURA, limit=100))
    assert dict(references.votes(OTHER))["Inkpot"] == 1


@pytest.mark.parametrize("words", [["draw"], ["drawings"], ["Drawing"]])
def test_words_are_matched_by_their_stem(references: References, words: list[str]) -> None:
    assert references.find(words)[0].url == MAYURA
