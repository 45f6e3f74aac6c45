"""The parts of a score as sentences."""

from lycosa.app.score_words import reasons

NOTHING = dict.fromkeys(("usual", "page", "payoff", "beside", "anchor", "context", "url", "host", "way"), 0.0)


def test_the_largest_parts_are_said_first_for_and_against():
    parts = {**NOTHING, "usual": -2.5, "page": 0.36, "anchor": 0.35, "beside": -0.34, "host": 0.25, "url": 0.02}
    assert reasons(parts) == [
        "the page that links to it seems to be on topic",
        "the words of the link are like those of pages on topic",
        "the links next to it seldom led to pages on topic",
    ]


def test_what_any_link_is_worth_is_no_reason_for_this_one():
    assert reasons({**NOTHING, "usual": -2.5}) == [
        "nothing was known about this link yet but how often links lead to pages on topic here"
    ]


def test_counts_are_said_where_they_are_known():
    parts = {**NOTHING, "payoff": 1.5, "host": 1.0}
    assert reasons(parts, {"payoff": (5, 6), "host": (0, 0)}) == [
        "other links of the page it was found on led to pages on topic 5 of 6 times",
        "pages of the same host were on topic",
    ]


def test_a_link_that_was_tried_to_learn_says_so_and_the_rest_too():
    parts = {**NOTHING, "usual": -2.8, "anchor": 1.2, "way": -0.34, "explored": 51.9}
    assert reasons(parts)[0] == "little was known about links like this one, so it was tried to learn more"
    assert reasons(parts)[1] == "the words of the link are like those of pages on topic"


def test_a_link_that_was_tried_for_its_keywords_says_so():
    assert reasons({**NOTHING, "usual": -2.8, "keywords": 61.9}) == [
        "little was on topic so far, so it was tried for the keywords in and around it"
    ]


def test_every_strategy_of_the_papers_gives_a_reason():
    assert reasons({"relevance of the linking page": 0.4}) == ["the page that links to it is on topic"]
    assert reasons({"found in its turn": 1.0}) == ["links are taken in the order in which they were found"]
    assert reasons({"page": 0.2, "context": 0.0}) == ["the page that links to it is on topic"]


def test_a_part_of_another_package_is_named_as_it_is_and_a_seed_has_no_reasons():
    assert reasons({**NOTHING, "moonlight": -2.0}) == ["moonlight speaks against it"]
    assert reasons({}) == reasons({"own": 3.0}) == []
