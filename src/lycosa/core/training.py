"""Training pages: those known to be relevant, and those taken not to be, for judges that learn from both.

The relevant ones are the topic's examples and the examples in good categories. The others are the examples in all other
categories of the taxonomy, if there is one. If not, they are pages of the background, which are not labelled: some may
be relevant, most will not be.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lycosa.core.bayes import Bag
from lycosa.core.nouns import Topic
from lycosa.core.priors import Priors, ReadPages, Usual, Want
from lycosa.core.taxonomy import Taxonomy
from lycosa.system.errors import Code, Refused


class Training(NamedTuple):
    """The terms of pages to learn from."""

    relevant: list[Bag]
    others: list[Bag]


def examples(judge: str, topic: Topic, priors: Priors) -> list[str]:
    """The pages known to be relevant, for a judge that needs them; raises Refused if there are none."""
    found = [*topic.examples, *(_filed(priors.taxonomy, good=True) if priors.taxonomy else ())]
    if not found:
        problem = f"judge {judge} learns from example pages, and the topic has none"
        fix = "name pages that are about it, or choose a judge that needs only keywords, such as cosine or tfidf"
    elif all(url in priors.readings and not topic.analysis.terms(priors.text(url)) for url in found):
        problem = (
            f"none of the {len(found)} example pages that judge {judge} learns from could be read ({found[0]} ...)"
        )
        fix = "name other examples"
    else:
        return list(dict.fromkeys(found))
    raise Refused(problem, fix, code=Code.NEEDS_KNOWLEDGE, field="judge")


def wanted(judge: str, topic: Topic, priors: Priors) -> Iterable[Want]:
    """What must be read to have training pages."""
    yield from map(ReadPages, examples(judge, topic, priors))
    if priors.taxonomy:
        others = _others(topic, priors.taxonomy)
        if not others:
            raise Refused(
                f"judge {judge} learns from pages in other categories too, and the taxonomy has none",
                "add categories that are not hunted, with examples",
                code=Code.NEEDS_KNOWLEDGE,
                field="taxonomy",
            )
        yield from map(ReadPages, others)
    else:
        yield Usual()


def training(judge: str, topic: Topic, priors: Priors) -> Training:
    """The training pages, once they have been read."""
    relevant = _read(topic, examples(judge, topic, priors), priors)
    others: list[Bag] = []
    if priors.taxonomy:
        others = _read(topic, _others(topic, priors.taxonomy), priors)
    elif priors.background:
        others = [bag for bag in priors.background.sample if bag]
    if not relevant or not others:
        fix = "name examples, and also pages for the background, an earlier hunt or a taxonomy"
        raise Refused(f"judge {judge} has nothing to learn from", fix, code=Code.NEEDS_KNOWLEDGE)
    return Training(relevant, others)


def _others(topic: Topic, taxonomy: Taxonomy) -> list[str]:
    """The examples in other categories, except those that are also examples of the topic."""
    return [url for url in _filed(taxonomy, good=False) if url not in topic.examples]


def _filed(taxonomy: Taxonomy, *, good: bool) -> Iterable[str]:
    for category in taxonomy.categories:
        if good == taxonomy.is_good(category.path):
            yield from category.examples


def _read(topic: Topic, urls: Iterable[str], priors: Priors) -> list[Bag]:
    terms = topic.analysis.terms
    return [bag for url in urls if (bag := terms(priors.text(url)))]
