"""Embeddings: the cosine of page and topic in a space in which words of similar meaning are close together.

    relevance = max(0, cos(e(p), m))        m = keywords · e(q) + (1 - keywords) · Σ_x e(x) / ‖Σ_x e(x)‖

over the example pages x; without any, m = e(q). e(p) is the sum of the vectors of a text's words (of its first
`tokens`), normalised to length 1. `model` is the folder of the vectors; nothing is downloaded. They are either trained
on the pages of a collection (`lycosa words train`), one vector per stem, or those of a static embedding model, which
has one vector per word piece, distilled from a sentence transformer (model2vec; our choice, because it judges a page in
a millisecond). The latter needs the extra `lycosa[embedding]`. The papers have no such judge; it is the classic
similarity to query and seed pages («Crawling the Web» 4.1) in another space. A cosine below 0 counts as 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import RLock
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from lycosa.core.judge import Judge, register
from lycosa.core.nouns import Page, Topic, Verdict
from lycosa.core.priors import Priors, ReadPages, Want
from lycosa.core.word_vectors import unit
from lycosa.judge.vector_folder import has_vectors, read_vectors
from lycosa.system.errors import Code, Refused

_FILES = "model.safetensors", "tokenizer.json", "config.json"


@register("embedding")
@dataclass
class Embedding(Judge):
    """Judge a page by how close its words are to the topic's in meaning."""

    text: ClassVar[bool] = True
    model: str = ""
    """The folder of a model2vec model, or of vectors trained on a collection."""
    tokens: int = 512
    """How many word pieces or stems of a page count: the first ones."""
    keywords: float = 0.5
    """The weight of the keywords, from 0 to 1; the example pages, if there are any, have the rest."""

    def __post_init__(self) -> None:
        if self.tokens < 1:
            raise self.bad_option("tokens", fix="give at least 1")
        if not 0 <= self.keywords <= 1:
            raise self.bad_option("keywords", fix="give a number from 0 to 1")

    def study(self, topic: Topic, priors: Priors) -> Iterable[Want]:
        """The examples, if the topic has some."""
        _check(self.model)
        if has_vectors(Path(self.model)):
            read_vectors(Path(self.model))
        return map(ReadPages, topic.examples if self.keywords < 1 else ())

    def prepare(self, topic: Topic, priors: Priors) -> None:
        """Compute the weighted mean of keywords and examples."""
        _check(self.model)
        self._vector = _opened(self.model)
        query = self._embedded(topic.keywords)
        examples = [self._embedded(text) for url in topic.examples if (text := priors.text(url))]
        middle = unit(np.sum(examples, axis=0)) if examples else query
        self._topic = unit(self.keywords * query + (1 - self.keywords) * middle)

    def __call__(self, page: Page) -> Verdict:
        return Verdict(min(1.0, max(0.0, float(self._embedded(page.text) @ self._topic))))

    def _embedded(self, text: str) -> NDArray[np.float64]:
        return self._vector(text, self.tokens)


def _check(folder: str) -> None:
    if not folder:
        fix = "set its option model to the folder of a model2vec model, or of vectors trained on a collection"
        raise Refused("judge embedding needs a model", fix, code=Code.MISSING, field="judge")
    if has_vectors(Path(folder)):
        return
    if find_spec("model2vec") is None:
        problem = f"{folder} has no vectors trained on a collection, and for others model2vec is not installed"
        fix = "name another folder, or install the extra lycosa[embedding]"
        raise Refused(problem, fix, code=Code.NEEDS_PACKAGE, field="judge")
    # model2vec would take a folder that does not exist for the name of a model to download.
    if missing := [name for name in _FILES if not (Path(folder) / name).is_file()]:
        problem = f"{folder} has neither trained vectors nor a model2vec model ({missing[0]} is missing)"
        raise Refused(problem, "name another folder", code=Code.NOT_FOUND, field="judge")


def _opened(folder: str) -> Callable[[str, int], NDArray[np.float64]]:
    """A function that embeds a text, of which only so many words count."""
    if has_vectors(Path(folder)):
        return read_vectors(Path(folder)).of_text
    model = _static_model(folder)

    def embedded(text: str, longest: int) -> NDArray[np.float64]:
        found = model.encode([text], max_length=longest, use_multiprocessing=False)[0]
        return unit(np.asarray(found, np.float64))

    return embedded


@lru_cache(1)
def _static_model(folder: str) -> Any:
    from model2vec import StaticModel
    from tqdm import tqdm  # type: ignore[import-untyped]

    # Otherwise the invisible progress bar would make a lock for other processes, and leak it.
    tqdm.set_lock(RLock())
    try:
        return StaticModel.from_pretrained(str(Path(folder).resolve()))
    except Exception as error:
        # Each of the libraries below reports a problem with the files with its own exceptions.
        raise Refused(
            f"the model in {folder} cannot be read ({error})",
            "name the folder of another one",
            code=Code.BAD_FILE,
            field="judge",
        ) from None
