"""Kinds of URLs that bring nothing new are left alone; kinds that sometimes do are not."""

from random import Random

from lycosa.core.nouns import Ticket
from lycosa.core.shingles import shingles
from lycosa.frontier.repetition import ALLOWED, Repetition

dice = Random(1)
VOCABULARY = ["".join(dice.choices("abcdefghijklmnop", k=6)) for _ in range(5000)]


def prose(seed, words=100):
    return " ".join(Random(seed).choices(VOCABULARY, k=words))


def visit(repetition, url, text, links=(), unknown=lambda url: True, **how):
    return repetition.visited(url, shingles(text), links, unknown, **how)


def refuses(repetition, url):
    return repetition(Ticket(url, via="http://a.test/")) is not None


def test_copies_under_other_names_are_left_alone_and_the_originals_are_not():
    repetition = Repetition()
    for n in range(100):
        visit(repetition, f"http://a.test/pages/{n}", prose(n))
        if not refuses(repetition, f"http://a.test/print/{n}"):
            visit(repetition, f"http://a.test/print/{n}", prose(n))
    assert refuses(repetition, "http://a.test/print/1000")
    assert not refuses(repetition, "http://a.test/pages/1000")
    assert not refuses(repetition, "http://b.test/print/1000")


def test_a_chain_of_pages_that_differ_in_a_number_comes_to_an_end():
    repetition, steps = Repetition(), 0
    while steps < 1000 and not refuses(repetition, f"http://a.test/archive?page={steps}"):
        text = f"The archive of all our entries, page {steps}: there is nothing more to be seen."
        visit(repetition, f"http://a.test/archive?page={steps}", text, [f"http://a.test/archive?page={steps + 1}"])
        steps += 1
    assert steps <= ALLOWED + 6


def test_pages_that_differ_in_a_number_are_all_fetched_where_a_list_names_them():
    repetition = Repetition()
    for n in range(500):
        visit(repetition, f"http://a.test/photo/{n}", f"Photograph number {n} of the exhibition", ["http://a.test/"])
    assert not refuses(repetition, "http://a.test/photo/1000")


def test_a_kind_with_as_much_new_as_old_stays_open():
    repetition = Repetition()
    for n in range(400):
        visit(repetition, f"http://a.test/wiki/article-{n}", prose(n // 2))
    assert not refuses(repetition, "http://a.test/wiki/article-1000")


def test_a_few_barren_pages_harm_no_large_site():
    repetition = Repetition()
    for n in range(1000):
        visit(repetition, f"http://a.test/pages/{n}", prose(n))
    for n in range(ALLOWED):
        visit(repetition, f"http://a.test/licence/{n}", prose("licence"))
    assert not refuses(repetition, "http://a.test/licence/1000")


def test_seeds_are_never_refused():
    repetition = Repetition()
    for n in range(100):
        visit(repetition, f"http://a.test/x/{n}", prose(1))
    assert refuses(repetition, "http://a.test/x/1000")
    assert repetition(Ticket("http://a.test/x/1000")) is None


def test_whoever_closes_a_kind_is_told_what_to_drop():
    repetition = Repetition()
    told = [visit(repetition, f"http://a.test/x/{n}", prose(1)) for n in range(100)]
    (gone,) = filter(None, told)
    assert gone(Ticket("http://a.test/x/1000", via="http://a.test/"))
    assert not gone(Ticket("http://a.test/y/1000", via="http://a.test/"))


def test_a_million_kinds_of_one_site_are_told_apart_only_so_far():
    repetition = Repetition()
    for n in range(3000):
        url = f"http://a.test/{'/'.join(prose(n, 5).split())}/?{'&'.join(prose(-n, 3).split())}"
        visit(repetition, url, prose(1))
    assert len(repetition._sites["a.test"].kinds) < 2500
    assert sum(map(len, repetition._sites["a.test"].names.values())) < 256 * 16


def test_it_survives_saving():
    repetition = Repetition()
    for n in range(9):
        visit(repetition, f"http://a.test/x/{n}", prose(1))
    again = Repetition()
    again.load(repetition.save())
    for each in (repetition, again):
        for n in range(9, 30):
            visit(each, f"http://a.test/x/{n}", prose(1))
    assert again.save() == repetition.save()
    assert refuses(again, "http://a.test/x/99")


def test_texts_with_few_words_changed_share_most_of_their_numbers():
    def numbers(text):
        data = shingles(text)
        return {data[at : at + 4] for at in range(4, len(data), 4)}

    text = prose(1, 500).split()
    other = list(text)
    for at in Random(2).sample(range(500), 5):
        other[at] = "changed"
    assert len(numbers(" ".join(text)) & numbers(" ".join(other))) >= 24
    assert not numbers(" ".join(text)) & numbers(prose(2, 500))
    assert len(numbers(prose(3, 2000))) == 32
    assert shingles("") == shingles("a few words") == b""


def test_a_twin_that_is_not_shown_closes_no_kind_of_the_pages_that_are():
    repetition = Repetition()
    for n in range(100):
        visit(repetition, f"http://draft.a.test/pages/{n}", prose(n), shown=False)
        visit(repetition, f"http://a.test/pages/{n}", prose(n))
    assert not refuses(repetition, "http://a.test/pages/1000")


def test_pages_that_are_not_shown_repeat_each_other_and_those_that_are_shown_also_after_a_resume():
    repetition, again = Repetition(), Repetition()
    for n in range(20):
        visit(repetition, f"http://a.test/facet/{n}", prose(0), shown=False)
    again.load(repetition.save())
    assert again.save() == repetition.save()
    assert refuses(repetition, "http://a.test/facet/99") and refuses(again, "http://a.test/facet/99")
