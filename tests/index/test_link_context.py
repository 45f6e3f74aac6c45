"""What counts as the immediate vicinity of a link."""

from lycosa.core.nouns import Span
from lycosa.index.link_context import LONGEST, REACH, LinkContext, excerpt, in_order, vicinities


def near(marked: str) -> list[str]:
    """What is near each link of a text in which anchors stand in brackets."""
    text, links, start = "", [], 0
    for letter in marked:
        if letter == "[":
            start = len(text)
        elif letter == "]":
            links.append((f"http://x.test/{len(links)}", (start, len(text))))
        else:
            text += letter
    return [str(each) for each in spoken(text, links)]


def spoken(text: str, links: list[tuple[str, Span]]) -> list[LinkContext]:
    return vicinities(excerpt(text, in_order(links)), range(len(links)))


def test_the_anchor_and_the_words_around_it() -> None:
    assert near("a good [program] for drawing") == ["a good program for drawing"]


def test_it_does_not_go_beyond_the_sentence() -> None:
    assert near("Rain fell. The [sun] shone! Stars? None.") == ["The sun shone"]
    assert near("version 2.5 of [draw.exe] at www.mayura.com costs") == [
        "version 2.5 of draw.exe at www.mayura.com costs"
    ]


def test_the_title_is_no_part_of_it() -> None:
    assert near("My page\n[links] and more") == ["links and more"]


def test_it_does_not_run_into_another_link() -> None:
    assert near("one [two] three [four] five") == ["one two three", "three four five"]
    assert near("[one][two]") == ["one", "two"]


def test_it_reaches_only_so_far_and_holds_whole_words() -> None:
    before, after = near("x" + " abcd" * 100 + " [here]" + " efgh" * 100)[0].split(" here ")
    assert set(before.split()) == {"abcd"}
    assert set(after.split()) == {"efgh"}
    assert REACH - 5 <= len(before) <= REACH
    assert REACH - 5 <= len(after) <= REACH


def test_a_link_without_text_is_described_by_what_is_around_it() -> None:
    assert near("the [] picture") == ["the picture"]


def test_of_a_very_long_anchor_the_beginning_counts() -> None:
    anchor = "word " * 1000
    (found,) = near(f"before [{anchor}] after")
    assert found.startswith("before word")
    assert found.endswith("word after")
    assert len(found) <= LONGEST + len("before  after")


def test_a_word_that_is_too_long_for_the_room_is_left_out() -> None:
    assert near("a" * 500 + " [b] " + "c" * 500) == ["b"]
    assert near("a" * 500 + "[b]" + "c" * 500) == ["b"]
    assert near("[" + "b" * 500 + "]") == [""]


def test_anchors_that_overlap_or_lie_outside_do_no_harm() -> None:
    text = "one two three"
    links = [
        ("http://a.test/", (0, 7)),
        ("http://b.test/", (4, 13)),
        ("http://c.test/", (90, 99)),
        ("http://d.test/", (-5, 3)),
    ]
    assert len(spoken(text, links)) == 4


def test_signs_that_we_use_as_marks_do_no_harm() -> None:
    assert near("a\0b [c\0d] e") == ["a b c d e"]


def test_links_in_any_order_are_taken_as_they_stand() -> None:
    assert [url for url, _ in in_order([("b", (5, 6)), ("a", (1, 2))])] == ["a", "b"]
