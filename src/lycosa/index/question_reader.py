"""From the tokens of a question to the condition that pages must satisfy.

    either := both (OR both)*          both := run (AND run)*          run := part+          part := [NOT] word | group

A run says which words pages should contain: any of them is enough, unless something in it is more than a word. Phrases,
fields, groups with operators, and words with a sign must be satisfied; then the other words only add to the score.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from msgspec import Struct

from lycosa.core.scripts import UNSPACED
from lycosa.core.stemming import plain
from lycosa.index.filter_words import ALTERNATIVES, FILTER_NAMES, FILTERS, both, read_filter
from lycosa.index.index_words import is_indexed, is_one_word, words_of
from lycosa.index.question_tokens import Token
from lycosa.index.question_tree import (
    Every,
    ExactPhrase,
    InField,
    NearWords,
    Node,
    OneWord,
    Passing,
    Without,
    WordStart,
    either,
    every,
    wanted_leaves,
)
from lycosa.index.search_types import Filters

MOST = 32
"""Most words of a query that count."""
LENGTH = 4096
"""Most characters of a query that are read: enough for more words than count."""

SHORTEST = 2
"""Fewest letters before a star."""

_FIELDS = ("title", "url")
_NAMES = FILTER_NAMES | {"inurl": "url", "intitle": "title"}
_starred = re.compile(r"([^*\s]+)\*+")
_ANYTHING = Every(())
"""What a part demands that holds for the whole question already."""


class MeantQuestion(Struct, frozen=True):
    """What a question means."""

    wanted: tuple[Node, ...]
    """What pages should contain, in the order in which it was typed."""
    condition: Node | None
    """What pages must satisfy, without the words of which any is enough."""
    enough: bool
    """Whether a page that satisfies the condition need not contain any of the words."""
    filters: Filters
    """The filters that hold for the whole question."""
    silent: bool
    """Whether words were left out because they are too common."""


class _Run(Struct):
    """Parts without an operator between them."""

    some: dict[Node, None] = {}
    """Words of which any is enough."""
    must: dict[Node, None] = {}
    must_not: dict[Node, None] = {}
    filters: list[tuple[str, Filters]] = []
    whole: bool = False
    """Whether it has a filter that holds for the whole question."""

    def holds(self) -> bool:
        return bool(self.some or self.must or self.must_not or self.filters or self.whole)

    def demanding(self) -> bool:
        """Whether it demands words, so that the others only add to the score."""
        return any(not isinstance(leaf, Passing) for node in self.must for leaf in wanted_leaves(node))

    def condition(self, *, some: bool) -> Node | None:
        """What it demands; `some` says whether also any of the words of which any is enough."""
        kinds: dict[str, list[Node]] = {}
        for at, (name, filters) in enumerate(self.filters):
            # Several of these are alternatives; of the others, all must hold.
            kinds.setdefault(name if name in ALTERNATIVES else f"{name} {at}", []).append(Passing(filters))
        narrow = [node for same in kinds.values() if (node := either(same))]
        words = [node] if some and not self.demanding() and (node := either(self.some)) else []
        return every([*words, *self.must, *narrow, *map(Without, self.must_not)]) or (
            _ANYTHING if some and self.whole else None
        )


class QuestionReader:
    """Reads the tokens of one question."""

    def __init__(self, found: list[Token], remarks: list[str]) -> None:
        self._tokens = found
        self._remarks = remarks
        self._at = 0
        self._count = self._dropped = 0
        self._silent = False
        self._wanted: list[Node] = []
        self._whole = Filters()

    def question(self) -> MeantQuestion:
        """What all tokens together mean."""
        runs: list[_Run] = []
        tree = self._either("", runs)
        if self._dropped:
            self._remarks.append(f"only the first {MOST} words count, {self._dropped} more were left out")
        if len(runs) == 1:
            (run,) = runs
            for _, filters in run.filters:
                self._whole = both(self._whole, filters)
            run.filters = []
            tree, enough = run.condition(some=False), run.demanding()
        else:
            enough = True
            if any(run.whole for run in runs):
                self._remarks.append("«relevance:» always holds for the whole question")
        return MeantQuestion(tuple(self._wanted), tree, enough, self._whole, self._silent)

    # -- grammar ------------------------------------------------------------------------------------------------------

    def _next(self) -> Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _either(self, name: str, runs: list[_Run]) -> Node | None:
        return self._operation("OR", either, lambda: self._both(name, runs))

    def _both(self, name: str, runs: list[_Run]) -> Node | None:
        def operand() -> Node | None:
            run = self._run(name)
            if run.holds():
                runs.append(run)
            return run.condition(some=True)

        return self._operation("AND", every, operand)

    def _operation(
        self, operator: str, join: Callable[[Iterable[Node]], Node | None], operand: Callable[[], Node | None]
    ) -> Node | None:
        parts = [operand()]
        while (token := self._next()) and token.kind == operator:
            self._at += 1
            parts.append(operand())
        if None in parts and len(parts) > 1:
            self._remarks.append(f"«{operator}» has nothing to search for on one of its sides, so it was left out")
        return join(part for part in parts if part not in (None, _ANYTHING)) or (
            _ANYTHING if _ANYTHING in parts else None
        )

    def _run(self, name: str) -> _Run:
        run = _Run({}, {}, {}, [])
        while (token := self._next()) and token.kind not in ("AND", "OR", ")"):
            self._at += 1
            if token.kind == "NEAR":
                self._near(run, token.number)
                continue
            negated = False
            while token and token.kind == "NOT":
                negated, token = not negated, self._next()
                if token and token.kind in ("word", "(", "NOT"):
                    self._at += 1
                else:
                    self._remarks.append("«NOT» stands before what pages must not contain; here it was left out")
                    token = None
            if token:
                self._part(run, token, name, negated=negated ^ (token.sign == "-"))
        return run

    def _part(self, run: _Run, token: Token, name: str, *, negated: bool) -> None:
        own = _NAMES.get(token.name, token.name)
        known = own in _FIELDS or own in FILTERS
        name = own if known else name
        if token.kind == "(":
            self._group(run, name, negated=negated, must=token.sign == "+")
            return
        value = token.value if known or not token.name else f"{token.name}:{token.value}"
        if name in FILTERS:
            self._filter(run, name, value, negated=negated)
            return
        found = self._nodes(run, name, token, value, negated=negated)
        if negated:
            if node := every(found):
                run.must_not[node] = None
            return
        self._wanted += found
        for node in found:
            optional = isinstance(node, OneWord | WordStart) and token.sign != "+"
            (run.some if optional else run.must)[node] = None

    def _group(self, run: _Run, name: str, *, negated: bool, must: bool) -> None:
        runs: list[_Run] = []
        before = len(self._wanted)
        tree = self._either(name, runs)
        if (token := self._next()) and token.kind == ")":
            self._at += 1
        if negated:
            del self._wanted[before:]
        if tree is None or tree == _ANYTHING:
            self._remarks.append("a group without anything to search for was left out")
        elif negated:
            run.must_not[tree] = None
        elif len(runs) == 1 and not must:  # words in parentheses are words
            (inner,) = runs
            for mine, theirs in ((run.some, inner.some), (run.must, inner.must), (run.must_not, inner.must_not)):
                mine.update(theirs)
            run.filters += inner.filters
        else:
            run.must[tree] = None

    def _near(self, run: _Run, between: int) -> None:
        """Join the last word of a run with the next token."""
        token, before = self._next(), self._wanted[-1] if self._wanted else None
        if isinstance(before, OneWord) and before in run.some and token and token.kind == "word":
            after = [] if token.sign or token.name or token.quoted else words_of(token.value)
            if len(after) == 1 and is_indexed(after[0]) and self._count < MOST:
                self._at += 1
                self._count += 1
                near, word = NearWords(before.word, after[0], between), OneWord(after[0])
                run.must[near] = run.some[word] = None
                self._wanted += [near, word]
                return
        self._remarks.append("«NEAR» stands between two single words; here it was left out")

    # -- parts --------------------------------------------------------------------------------------------------------

    def _filter(self, run: _Run, name: str, value: str, *, negated: bool) -> None:
        filters = read_filter(name, value)
        if isinstance(filters, str):
            self._remarks.append(filters)
        elif name == "relevance" and negated:
            self._remarks.append("«-relevance:» is not understood")
        elif name == "relevance":  # the index does not know it, so it cannot be in an alternative
            self._whole = both(self._whole, filters)
            run.whole = True
        elif negated:
            run.must_not[Passing(filters)] = None
        else:
            run.filters.append((name, filters))
            self._wanted.append(Passing(filters))

    def _nodes(self, run: _Run, name: str, token: Token, value: str, *, negated: bool) -> list[Node]:
        """The conditions that a word, several words in one, or a phrase stands for."""
        if "*" in value:
            start = _starred.fullmatch(value)
            if start and not token.quoted and not UNSPACED.search(value) and len(words_of(value)) == 1:
                return self._start(name, words_of(value)[0])
            if words_of(value) and not UNSPACED.search(value):
                self._remarks.append("«*» is only understood at the end of a single word")
            value = value.replace("*", " ").strip()
        found = words_of(value)
        # What is excluded as one word, such as «post-war», is excluded as a whole.
        quoted = token.quoted or is_one_word(value) or (negated and not name and len(found) > 1)
        telling = [word for word in found if is_indexed(word)]
        if found and not telling and (negated or token.sign or quoted or name):
            self._remarks.append(f"«{value[:40]}» is too common to be searched")
        else:
            self._silent |= len(telling) < len(found)
        if not (negated or token.sign or name or quoted):  # a repeated word counts once
            telling = [word for word in dict.fromkeys(telling) if OneWord(word) not in run.some]
        if self._count >= MOST:
            self._dropped += len(telling)
            return []
        self._dropped += max(0, self._count + len(telling) - MOST)
        telling = telling[: MOST - self._count]
        self._count += len(telling)
        if not telling:
            return []
        if not quoted or name == "url":  # the places of words in URLs are not known
            words = list(map(OneWord, telling))
            return [InField(name, word) for word in words] if name else list(words)
        # A phrase that is too long ends at the last word that counts.
        told = set(telling)
        ends = [at for at, word in enumerate(found) if word in told]
        phrase = ExactPhrase(tuple(found[: ends[min(len(ends), len(telling)) - 1] + 1]), token.number)
        return [InField(name, phrase) if name else phrase]

    def _start(self, name: str, word: str) -> list[Node]:
        """The condition for the beginning of a word."""
        if name == "url" or len(plain(word)) < SHORTEST:
            reason = "in addresses" if name == "url" else f"after fewer than {SHORTEST} letters"
            self._remarks.append(f"«*» is not understood {reason}, so «{word}*» was left out")
            return []
        if self._count >= MOST:
            self._dropped += 1
            return []
        self._count += 1
        node = WordStart(plain(word))
        return [InField(name, node) if name else node]
