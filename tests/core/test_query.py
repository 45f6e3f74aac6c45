"""A query is compared with texts, and tells cheaply where it need not be."""

import pytest

from lycosa.core.query import query

TEXTS = ["Wolf spiders hunt.", "soup", "", "a wolfhound", "«spider»", "WOLVES and a wolf-like dog"]


def test_it_is_made_once_for_the_same_keywords():
    assert query("wolf spider") is query("wolf spider")


@pytest.mark.parametrize("text", TEXTS)
def test_where_no_keyword_occurs_there_is_no_similarity(text):
    keywords = query("wolf spider")
    assert keywords.occurs_in(text) == (keywords.of_text(text) > 0)
