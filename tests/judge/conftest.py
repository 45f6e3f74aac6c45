"""Judges made ready as the engine does it, with texts instead of pages that are fetched."""

import pytest

from lycosa.core.judge import make
from lycosa.core.nouns import Page, Topic
from lycosa.core.priors import Background, PageReading, Priors, ReadPages, Usual
from lycosa.core.words import terms


def background_of(*texts):
    bags = [terms(text) for text in texts]
    holding = {}
    for bag in bags:
        for term in bag:
            holding[term] = holding.get(term, 0) + 1
    return Background(len(bags), holding, tuple(map(dict, bags)))


def made(name, words="wolf", /, examples=(), others=(), taxonomy=None, **settings):
    """A judge that has read its examples (texts, which stand for pages), and knows the words of others."""
    urls = {f"http://example.test/{number}": text for number, text in enumerate(examples)}
    topic = Topic(words, examples=tuple(urls))
    filed = {url: url for category in taxonomy.categories for url in category.examples} if taxonomy else {}
    priors, judge = Priors(taxonomy=taxonomy), make(name, settings)
    for _ in range(3):
        for want in [want for want in judge.study(topic, priors) if priors.lacks(want)]:
            match want:
                case ReadPages(url):
                    text = urls.get(url) or filed[url].removeprefix("http://")
                    priors.readings[url] = PageReading(text) if text != "gone" else None
                case Usual():
                    priors.background = background_of(*others)
    judge.prepare(topic, priors)
    return judge


@pytest.fixture
def judge():
    return made


@pytest.fixture
def page():
    return lambda text: Page("http://a.test/", text=text)
