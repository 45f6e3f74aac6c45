"""Porter stems against the published vocabulary."""

from pathlib import Path

import pytest

from lycosa.core.words import stem

VOCABULARY = Path(__file__).resolve().parents[2].parent / "shared" / "conformance" / "porter"


pytestmark = pytest.mark.skipif(
    not VOCABULARY.exists(), reason="shared/conformance/porter is not beside the repository"
)


def vocabulary():
    words, stems = ((VOCABULARY / name).read_text("utf-8").splitlines() for name in ("voc.txt", "output.txt"))
    assert len(words) == len(stems) == 42_603
    return words, stems


def test_every_word_of_the_vocabulary_has_its_published_stem():
    words, stems = vocabulary()
    assert [stem(word) for word in words] == stems


def test_every_word_begins_with_its_stem_or_with_almost_all_of_it():
    # This is what lets a Spotter look for stems without stemming the text.
    for word, expected in zip(*vocabulary(), strict=True):
        root = expected[:-1] if expected[-1:] in ("i", "e", "l") else expected
        assert word.startswith(root), (word, expected)
