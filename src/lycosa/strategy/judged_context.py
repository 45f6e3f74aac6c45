"""Judged context, our own: the DOM crawler (dom.py) with the judge of the crawl in place of the cosine.

    link_score = alpha * relevance of the page + (1 - alpha) * judge(context)

A judge that knows more than the keywords then scores links as well as pages: with `--judge embedding` a link counts if
its words mean what the topic means, whether or not they are the same words. The context is at least eight words long,
because such judges say little about one word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lycosa.core.nouns import Topic
from lycosa.core.strategy import register
from lycosa.strategy.dom import Dom


@register("judged-context")
@dataclass
class JudgedContext(Dom):
    """Follow the links whose context on the page the judge finds relevant, such as one that compares meanings."""

    words: int = 8
    """Fewest words of the context: it is the first element around the link, from `ancestor` on, that has as many."""

    def _similarity(self, topic: Topic) -> Callable[[str], float]:
        return self.judge_text
