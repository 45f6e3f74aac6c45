"""Small worlds in letters: page "a" is page 0 at http://a.test/, a crawl "abd" fetched pages 0, 1 and 3."""

import numpy as np
import pytest

from lycosa.core.nouns import Link, Page
from lycosa.lab.comparison import Track
from lycosa.lab.corpus import of_pages
from lycosa.lab.metrics.evidence import Evidence
from lycosa.web.source import BedTopic


@pytest.fixture
def track():
    """Make the track of a crawl from the letters of its pages."""

    def make(letters, **facts):
        pages = np.array([ord(letter) - ord("a") for letter in letters], np.int32)
        return Track(pages, np.full(len(pages), -1, np.int32), np.zeros(len(pages)), **facts)

    return make


@pytest.fixture
def evidence(track):
    """Make the evidence of a topic: texts of pages by letter, their links, the crawls, and the topic in letters too."""

    def make(texts, crawls, links={}, hosts={}, sizes={}, budget=10, oracle=None, **topic):  # noqa: B006
        urls = {letter: f"http://{hosts.get(letter, letter)}.test/{letter}" for letter in texts}

        def named(letters):
            return tuple(urls.get(letter, f"http://nowhere.test/{letter}") for letter in letters)

        pages = [
            Page(
                urls[letter],
                text,
                [Link(url, (0, 0)) for url in named(links.get(letter, ""))],
                size=sizes.get(letter, 0),
            )
            for letter, text in texts.items()
        ]
        labels = {field: named(topic.pop(field, "")) for field in ("targets", "examples", "neighbors", "described")}
        return Evidence(
            of_pages(pages),
            BedTopic("topic", topic.pop("keywords", "cat"), **labels, **topic),
            [track(crawl) for crawl in crawls],
            budget,
            oracle=None if oracle is None else track(oracle),
        )

    return make


@pytest.fixture
def blank():
    """Texts for pages whose words do not matter."""
    return dict.fromkeys("abcdef", "cat")
