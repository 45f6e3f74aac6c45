"""Porter stems against the published vocabulary."""

from pathlib import Path

import pytest

from lycosa.core.words import stem

VOCABULARY = Path(__file__).resolve().parents[2].parent / "shared" / "conformance" / "porter"


@pytest.mark.skipif(not VOCABULARY.exists(), reason="shared/conformance/porter is not beside the repository")
def test_every_word_of_the_vocabulary_has_its_published_stem():
    words = (VOCABULARY / "voc.txt").read_text("utf-8").splitlines()
    stems = (VOCABULARY / "output.txt").read_text("utf-8").splitlines()
    assert len(words) == len(stems) == 42_603
    assert [stem(word) for word in words] == stems
