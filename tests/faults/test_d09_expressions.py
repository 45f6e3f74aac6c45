"""D9: no regular expression of ours takes time that explodes, on text made from its own parts."""

import importlib
import inspect
import pkgutil
import re
import re._constants as sre
import re._parser as parser
import time
from itertools import product

import pytest

import lycosa

SMALL = 500


def patterns():
    """Every compiled expression in our modules: where it is, and the methods by which it is used there."""
    found = {}
    for module in pkgutil.walk_packages(lycosa.__path__, "lycosa."):
        if module.name.startswith("lycosa.contrib") or module.name.endswith("__main__"):
            continue
        loaded = importlib.import_module(module.name)
        source = inspect.getsource(loaded)
        for name, value in vars(loaded).items():
            pattern = getattr(value, "__self__", value)
            if isinstance(pattern, re.Pattern):
                used = set(re.findall(rf"\b{name}\.(match|fullmatch|search)\(", source))
                used |= {value.__name__} if pattern is not value else set()
                # Whatever else there is (sub, split, findall) looks for a match from every place, as search does.
                found.setdefault(pattern, (f"{module.name}.{name}", used or {"search"}))
    return found


def letters(tree):
    """Characters that an expression names or admits."""
    for kind, value in tree:
        if kind in (sre.LITERAL, sre.NOT_LITERAL):
            yield chr(value)
        elif kind is sre.IN:
            for inner, detail in value:
                if inner is sre.LITERAL:
                    yield chr(detail)
                elif inner is sre.RANGE:
                    yield chr(detail[0])
                elif inner is sre.CATEGORY:
                    yield {sre.CATEGORY_DIGIT: "1", sre.CATEGORY_SPACE: " "}.get(detail, "a")
        elif kind is sre.ANY:
            yield "a"
        elif isinstance(value, tuple):
            for part in value:
                if isinstance(part, parser.SubPattern):
                    yield from letters(part)
                elif isinstance(part, list):
                    for branch in part:
                        yield from letters(branch)


def runs(tree):
    """The literal runs of an expression: what a match may begin with."""
    text = "".join(chr(value) if kind is sre.LITERAL else "\0" for kind, value in tree)
    return [run for run in text.split("\0") if run]


def attacks(pattern):
    """Strings that repeat what the expression admits and end in what it does not."""
    flags = pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags
    tree = parser.parse(pattern.pattern, flags & ~re.DEBUG)
    chars = list(dict.fromkeys(letters(tree)))[:12]
    units = chars + [a + b for a in chars[:6] for b in chars[:6] if a != b] + runs(tree)[:4]
    for start in ["", *runs(tree)[:2]]:
        for unit in units:
            for end in ("\uffff", "!", "\n", ""):
                yield start, unit, end


@pytest.mark.row("D9")
def test_no_expression_takes_time_that_explodes(figure, size):
    found = patterns()
    assert len(found) > 40
    slow, worst, tried = {}, 0.0, 0
    large, every = size(5_000, 20_000), size(41, 2)
    for pattern, (where, methods) in found.items():
        for method, (start, unit, end) in product(methods, list(attacks(pattern))[::every]):
            for length in (SMALL, large):
                text = start + unit * (length // len(unit)) + end
                subject = text.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else text
                began = time.thread_time()
                getattr(pattern, method)(subject)
                taken = time.thread_time() - began
                tried += 1
                worst = max(worst, taken)
                if taken > length / 25_000:
                    slow[where] = (method, start[:20], unit, end, length, round(taken, 2))
                    break
            if where in slow:
                break
    figure(f"{len(slow)} of {len(found)} expressions explode; {tried} texts, at most {worst:.2f} CPU-s")
    assert not slow
