"""The page model: it learns a topic from the pages of a crawl, forgets the oldest, and is the same after a reload."""

import msgspec
import numpy as np

from lycosa.core.nouns import Page
from lycosa.core.page_model import PageModel
from lycosa.core.page_terms import page_terms, read_terms, terms_in

SPIDERS = "wolf spider hunts at night on eight legs and carries its eggs in a silken sac under the abdomen"
SOUP = "boil the potatoes with leek and onions and stir the soup until the cream is hot and thick enough"


def model(**options):
    return PageModel(terms_in("wolf spider"), **options)


def add(pages, number, text, known=0):
    url = f"http://a.test/{number}"
    page = pages.add(url, *read_terms(page_terms(Page(url, f"{text} number{number}"))), known)
    pages.study()
    return page


def taught(count=40, **options):
    pages = model(**options)
    for number in range(count):
        add(pages, number, SPIDERS if number % 4 == 0 else SOUP)
    return pages


def test_keywords_alone_tell_the_pages_of_a_topic_from_others():
    found = taught().relevances()
    assert found[::4].min() > np.delete(found, np.s_[::4]).max() + 0.2


def test_pages_without_a_keyword_are_found_by_the_words_of_those_that_have_one():
    pages = taught()
    alike = add(pages, "alike", "eight legs, eggs in a silken sac, it hunts at night")
    other = add(pages, "other", "the match ended with a goal in the last minute of the season")
    assert pages.relevance(alike) > pages.relevance(other)


def test_what_is_known_is_never_contradicted():
    pages = taught()
    wrong, right = pages.number("http://a.test/0"), pages.number("http://a.test/1")
    assert pages.correct(wrong, -1) and pages.correct(right, 1)
    assert (pages.relevance(wrong), pages.relevance(right)) == (0.0, 1.0)
    add(pages, "more", SPIDERS)
    assert (pages.relevance(wrong), pages.relevance(right)) == (0.0, 1.0)
    assert not pages.unsure(wrong)
    pages.correct(wrong, 0)
    assert pages.unsure(wrong) and 0 < pages.relevance(wrong) < 1


def test_lessons_become_rarer_as_the_crawl_grows():
    pages = model()
    at = []
    for number in range(300):
        before = pages.lessons
        add(pages, number, SOUP)
        if pages.lessons > before:
            at.append(number + 1)
    assert at[:4] == [1, 3, 5, 7]
    assert np.diff(at).max() == 7


def test_the_oldest_pages_are_forgotten():
    pages = taught(25, memory=10)
    assert len(pages) == len(pages.relevances()) == 10
    assert pages.number("http://a.test/14") is None
    assert pages.number("http://a.test/15") == 15
    assert not pages.correct(14, 1) and not pages.unsure(14)
    assert pages.correct(15, 1)
    assert pages.frequency[terms_in("boil")[0]] == sum(number % 4 != 0 for number in range(15, 25))


def test_a_model_that_was_saved_goes_on_exactly_as_if_nothing_had_happened():
    pages, again = taught(25, memory=10), model(memory=10)
    again.load(msgspec.msgpack.decode(msgspec.msgpack.encode(pages.save())))
    for number in range(25, 60):
        add(pages, number, SPIDERS if number % 3 else SOUP), add(again, number, SPIDERS if number % 3 else SOUP)
    assert pages.save() == again.save()


def test_a_url_that_was_fetched_twice_is_its_latest_page():
    pages = taught(8)
    assert add(pages, 3, SPIDERS) == 8
    assert pages.number("http://a.test/3") == 8


def test_keywords_without_a_term_make_no_trouble():
    pages = PageModel([])
    for number in range(5):
        add(pages, number, SOUP)
    assert np.isfinite(pages.relevances()).all()
