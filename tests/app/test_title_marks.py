"""The words of a question are marked in titles of any language."""

import pytest

from lycosa.app.search import marks_in


@pytest.mark.parametrize(
    ("title", "words", "language", "marked"),
    [
        ("Schools of Europe", ["school"], "en", ["Schools"]),
        ("Alte Häuser", ["haus"], "de", ["Häuser"]),
        ("L’École fermée", ["ecole"], "fr", ["École"]),
        ("太阳能发电站", ["太阳", "阳能"], "zh", ["太阳能"]),
        ("हिन्दी भाषा", ["हिन्दी"], "hi", ["हिन्दी"]),
        ("Moon", [], "en", []),
    ],
)
def test_words_are_marked_by_the_rules_of_the_title(title, words, language, marked):
    assert [title[first:end] for first, end in marks_in(title, words, language)] == marked
