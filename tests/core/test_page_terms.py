"""The terms of a page as numbers: counted once, however many ask."""

import numpy as np

from lycosa.core import page_terms as module
from lycosa.core.nouns import Link, Page
from lycosa.core.page_terms import PAGE, TERMS, TITLE, Numbers, page_terms, read_terms, term_sequence, terms_in
from lycosa.core.words import analysis


def counts_of(page):
    terms, counts = read_terms(page_terms(page))
    return dict(zip(terms.tolist(), counts.tolist(), strict=True))


def test_a_term_is_the_same_number_in_every_text_and_form():
    assert terms_in("Spiders, the spider") == terms_in("spider SPIDER")
    assert 0 not in terms_in("the wolf of a street")


def test_a_page_is_its_most_frequent_terms_and_the_title_counts_more():
    (wolf,), (spider,) = terms_in("wolf"), terms_in("spider")
    assert counts_of(Page("http://a.test/", "wolf spider wolf", title="Spider")) == {wolf: 2, spider: 1 + TITLE}
    many = Page("http://a.test/", " ".join(f"word{number}" for number in range(2 * PAGE)))
    assert len(counts_of(many)) == PAGE


def test_counts_stop_at_what_a_byte_can_hold():
    assert list(counts_of(Page("http://a.test/", "wolf " * 1000)).values()) == [255]


def test_a_page_without_words_has_no_terms():
    assert page_terms(Page("http://a.test/")) == b""
    assert [len(part) for part in read_terms(b"")] == [0, 0]


def test_the_text_of_a_page_is_read_once_however_often_it_is_asked_for(monkeypatch):
    page = Page("http://a.test/", "the wolf spider hunts", [Link("http://b.test/", (4, 15))])
    first = term_sequence(page)
    monkeypatch.setattr(module, "marked", None)
    assert term_sequence(page) is first
    assert first.anchors == [(0, 2)]
    assert np.array_equal(np.sort(read_terms(page_terms(page))[0]), np.unique(first.terms))


def test_two_pages_with_the_same_url_are_two_pages():
    url = "http://a.test/"
    assert term_sequence(Page(url, "wolf")).terms.tolist() == terms_in("wolf")
    assert term_sequence(Page(url, "spider")).terms.tolist() == terms_in("spider")


def test_terms_of_unspaced_scripts_do_not_depend_on_what_is_remembered(monkeypatch):
    long = "安装了太阳能电池板为许多家庭提供电力" * 3
    text = " ".join(["太阳能", *(f"word{at}" for at in range(20)), "屋顶上", long])
    whole = Numbers(analysis(), TERMS).of(text)
    monkeypatch.setattr(module, "_REMEMBERED", 3)
    numbers = Numbers(analysis(), TERMS)
    assert numbers.of(text) == whole == [term for word in text.split() for term in terms_in(word)]
    assert numbers.of(text) == whole
    assert len(numbers) <= 3
    assert len(set(terms_in("太阳能"))) == 2
