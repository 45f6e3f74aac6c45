"""What is written on a map is short, says nothing twice and covers nothing else that is written."""

from lycosa.app.maps.labels import bare, clean, labels, name_of, once, short
from lycosa.app.maps.layout import draw


def test_the_name_of_the_site_is_not_repeated_on_every_page():
    assert bare(["A - Site", "B - Site", "C - Site", "Site", ""]) == ["A", "B", "C", "Site", ""]
    assert bare(["Site: A", "Site: B", "Other: C"]) == ["A", "B", "Other: C"]
    assert bare(["A - One", "B - Two", "C - Three"]) == ["A - One", "B - Two", "C - Three"]


def test_a_title_that_says_the_same_twice_says_it_once():
    assert once("Fjord House - Fjord House") == "Fjord House"
    assert once("Fjord - House") == "Fjord - House"


def test_a_page_without_a_title_is_called_by_the_end_of_its_address():
    assert name_of("http://a.test/x/sch%C3%B6n.html", "") == "schön.html"
    assert name_of("http://a.test/", " \n ") == "a.test"


def test_text_is_one_line_and_can_be_seen():
    assert clean(" a\n\tb\x00\u202ec\u200b ") == "a bc"


def test_long_names_are_cut_and_wide_letters_count_twice():
    assert short("abcdefghij", 5) == "abcd…"
    assert short("abc", 5) == "abc"
    assert len(short("狼蛛は夜に狩りをする", 10)) == 5


def test_labels_that_are_not_turned_do_not_overlap(keep):
    pages = {
        f"h{n}.test/": (n / 60, [f"h{m}.test/" for m in range(n % 7, 60, 7)], f"A page about {n}") for n in range(60)
    }
    boxes = [label.box for label in labels(draw(keep(pages), kind="links")) if not label.turn]
    assert len(boxes) > 10
    for at, (left, top, right, bottom) in enumerate(boxes):
        for x0, y0, x1, y1 in boxes[at + 1 :]:
            assert right <= x0 or x1 <= left or bottom <= y0 or y1 <= top
