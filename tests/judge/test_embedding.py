"""Nearness in meaning, with a tiny model in model2vec's own format."""

import sys
from importlib.util import find_spec
from math import sqrt

import numpy as np
import pytest

from lycosa.core.judge import make
from lycosa.core.nouns import Topic
from lycosa.core.priors import Priors
from lycosa.system.errors import Refused

needed = pytest.mark.skipif(find_spec("model2vec") is None, reason="the extra lycosa[embedding] is not installed")

WORDS = {"[UNK]": (0, 0), "wolf": (1, 0), "hound": (0.8, 0.6), "moth": (0, 1), "anti": (-1, 0)}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    model2vec = pytest.importorskip("model2vec", reason="the extra lycosa[embedding] is not installed")
    tokenizers = pytest.importorskip("tokenizers")
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    folder = tmp_path_factory.mktemp("model")
    model2vec.StaticModel(np.array(list(WORDS.values()), np.float32), tokenizer).save_pretrained(folder)
    return str(folder)


def test_words_of_like_meaning_are_relevant(judge, page, model):
    found = judge("embedding", "wolf", model=model)
    assert found(page("wolf")).relevance == pytest.approx(1)
    assert found(page("hound")).relevance == pytest.approx(0.8)
    # The mean of (1, 0) and (0, 1).
    assert found(page("wolf moth")).relevance == pytest.approx(1 / sqrt(2))
    assert found(page("anti")).relevance == 0, "a cosine below 0 counts as 0"
    assert found(page("")).relevance == found(page("unheard")).relevance == 0


def test_examples_count_as_much_as_the_keywords(judge, page, model):
    found = judge("embedding", "wolf", examples=("moth", "gone", "moth"), model=model)
    assert found(page("wolf moth")).relevance == pytest.approx(1)
    assert found(page("moth")).relevance == pytest.approx(1 / sqrt(2))


@pytest.mark.parametrize(("share", "relevance"), [(1, 0), (0.6, 0.4 / sqrt(0.6**2 + 0.4**2)), (0, 1)])
def test_their_share_can_be_set(judge, page, model, share, relevance):
    found = judge("embedding", "wolf", examples=("moth",), model=model, keywords=share)
    assert found(page("moth")).relevance == pytest.approx(relevance)


def test_only_the_first_words_count(judge, page, model):
    found = judge("embedding", "wolf", model=model, tokens=1)
    assert found(page("wolf moth moth moth")).relevance == pytest.approx(1)


@needed
@pytest.mark.parametrize(
    ("folder", "problem"),
    [
        ("", "needs a model"),
        ("nowhere/at-all", "has neither trained vectors nor a model2vec model"),
        (".", "is missing"),
    ],
)
def test_what_is_no_model_is_refused_and_nothing_is_downloaded(folder, problem):
    with pytest.raises(Refused, match=problem):
        list(make("embedding", {"model": folder}).study(Topic("wolf"), Priors()))


@needed
def test_a_damaged_model_is_refused(tmp_path):
    for name in ("model.safetensors", "tokenizer.json", "config.json"):
        (tmp_path / name).write_text("{}")
    with pytest.raises(Refused, match="cannot be read"):
        make("embedding", {"model": str(tmp_path)}).prepare(Topic("wolf"), Priors())


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "model2vec", None)
    with pytest.raises(Refused, match=r"lycosa\[embedding\]"):
        list(make("embedding", {"model": "."}).study(Topic("wolf"), Priors()))


@pytest.mark.parametrize("options", [{"tokens": 0}, {"keywords": 2}])
def test_impossible_options_are_refused(options):
    with pytest.raises(Refused, match="embedding cannot work with"):
        make("embedding", options)
