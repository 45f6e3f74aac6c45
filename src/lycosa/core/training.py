"""Training pages: those known to be relevant, and those taken not to be, for judges that learn from both.

Relevant are the topic's examples and the examples in good categories. The others are the examples in all other
categories of the taxonomy, if there is one. If not, they are pages of the background, which nobody has looked at: some
may be relevant, most will not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lycosa.core.bayes import Bag
from lycosa.core.errors import Refused
from lycosa.core.lore import Lore, Read, Usual, Want
from lycosa.core.nouns import Topic
from lycosa.core.taxonomy import Taxonomy
from lycosa.core.words import terms


class Training(NamedTuple):
    """The terms of pages to learn from."""

    relevant: list[Bag]
    others: list[Bag]


def examples(judge: str, topic: Topic, lore: Lore) -> list[str]:
    """The pages known to be relevant, for a judge that cannot do without; refused where there are none to be had."""
    found = [*topic.examples, *(_filed(lore.taxonomy, good=True) if lore.taxonomy else ())]
    if not found:
        raise Refused(
            f"judge {judge} learns from example pages, and the topic has none",
            "name pages that are about it, or choose a judge that needs only keywords, such as cosine or tfidf",
        )
    if all(url in lore.readings and not terms(lore.text(url)) for url in found):
        raise Refused(
            f"none of the {len(found)} example pages that judge {judge} learns from could be read, such as {found[0]}",
            "name others",
        )
    return list(dict.fromkeys(found))


def wanted(judge: str, topic: Topic, lore: Lore) -> Iterable[Want]:
    """What must be read before there are training pages."""
    yield from map(Read, examples(judge, topic, lore))
    if lore.taxonomy:
        others = _others(topic, lore.taxonomy)
        if not others:
            raise Refused(
                f"judge {judge} learns from pages in other categories too, and the taxonomy has none",
                "add categories that are not hunted, with examples",
            )
        yield from map(Read, others)
    else:
        yield Usual()


def training(judge: str, topic: Topic, lore: Lore) -> Training:
    """The training pages, once they were read."""
    relevant = _read(examples(judge, topic, lore), lore)
    others: list[Bag] = []
    if lore.taxonomy:
        others = _read(_others(topic, lore.taxonomy), lore)
    elif lore.background:
        others = [bag for bag in lore.background.sample if bag]
    if not relevant or not others:
        raise Refused(
            f"judge {judge} has nothing to learn from", "name examples, and --background, --past or --taxonomy"
        )
    return Training(relevant, others)


def _others(topic: Topic, taxonomy: Taxonomy) -> list[str]:
    """The examples in other categories, but for those that the topic calls its own."""
    return [url for url in _filed(taxonomy, good=False) if url not in topic.examples]


def _filed(taxonomy: Taxonomy, *, good: bool) -> Iterable[str]:
    for category in taxonomy.categories:
        if good == taxonomy.is_good(category.path):
            yield from category.examples


def _read(urls: Iterable[str], lore: Lore) -> list[Bag]:
    return [bag for url in urls if (bag := terms(lore.text(url)))]
