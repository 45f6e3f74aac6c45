"""Patterns of URLs: the table of the guide, in no time whatever the pattern, and one line about each that is wrong."""

import re
import time
from pathlib import Path

import pytest

from lycosa.core.urls import canonical
from lycosa.engine.scope import url_patterns
from lycosa.engine.scope.url_patterns import LONGEST, UrlPatterns
from lycosa.system.errors import Refused

GUIDE = Path(__file__).parents[3] / "docs" / "how-to" / "scope.md"
ROW = re.compile(r"^\| `(.+)` \| `(.+)` \| (yes|no) \|$", re.MULTILINE)
CASES = [(pattern.replace("\\|", "|"), url, says == "yes") for pattern, url, says in ROW.findall(GUIDE.read_text())]


def matches(pattern, url):
    return UrlPatterns([pattern], "include").first(url) == pattern


def test_the_guide_has_a_table_of_examples():
    assert len(CASES) > 25 and {says for _, _, says in CASES} == {True, False}


@pytest.mark.parametrize(("pattern", "url", "says"), CASES)
def test_a_pattern_matches_what_the_guide_says(pattern, url, says):
    assert canonical(url) == url
    assert matches(pattern, url) == says


@pytest.mark.parametrize("url", ["http://a.test/.+?", "http://a.test/x+y(z)[1]{2}^|$", "http://a.test/a%2Fb?c=%20"])
def test_a_url_is_a_pattern_that_matches_itself_and_nothing_else(url):
    assert matches(url, url) and not matches(url, url + "1") and not matches(url, "http://a.test/")


def test_of_several_patterns_the_first_that_matches_is_named():
    patterns = UrlPatterns(["*/a/*", "re:/b/", "*.test/*"], "exclude")
    found = [patterns.first(f"http://x.test/{path}") for path in ("b/a/", "b/", "c")]
    assert found == ["*/a/*", "re:/b/", "*.test/*"] and patterns.first("http://x.org/c") is None
    assert UrlPatterns([], "exclude").first("http://x.test/") is None


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("", "it is empty"),
        ("  ", "it is empty"),
        ("https://", "it is empty"),
        ("re:", "it is empty"),
        ("example.org", r"no URL is so short\): write example.org/\* for the whole host"),
        ("a b/c", "'a b' is not a host"),
        ("ftp://example.org/", "ftp:// is never fetched"),
        ("re:(", r"missing \)"),
        ("re:[z-a]", "invalid character class range"),
        ("re:(?=a)", r"invalid perl operator: \(\?=\): correct it; lookarounds and backreferences are not possible"),
        ("re:(?<!a)b", "invalid perl operator"),
        (r"re:(a)\1", "invalid escape sequence"),
        ("re:a{5000}", "invalid repetition size"),
        ("re:((a{99}){99}){99}", "invalid repetition size"),
        ("*" * (LONGEST + 1), f"has {LONGEST + 1:,} characters: give at most {LONGEST:,}"),
    ],
)
def test_a_wrong_pattern_is_refused_in_one_line_with_the_fix(pattern, why, capfd):
    with pytest.raises(Refused, match=why) as refused:
        UrlPatterns(["*/fine/*", pattern], "exclude")
    assert refused.value.field == "exclude" and refused.value.fix and "\n" not in str(refused.value)
    assert capfd.readouterr() == ("", ""), "RE2 writes its own complaints"


@pytest.mark.parametrize(
    "pattern",
    [
        "re:(a+)+$",
        "re:(a|a)*b",
        "re:(a|aa)+$",
        "re:(.*)*x",
        "re:(a*)*b",
        "*a*a*a*a*a*a*a*a*a*a*b",
        "re:^(([a-z])+.)+[A-Z]$",
    ],
)
def test_no_pattern_explodes(pattern):
    """Python's own matcher takes minutes or years for most of these."""
    patterns, url = UrlPatterns([pattern], "exclude"), "http://a.test/" + "a" * 4000 + "!"
    started = time.process_time()
    patterns.first(url)
    assert time.process_time() - started < 0.5


def test_a_thousand_patterns_work_together():
    patterns = UrlPatterns([f"*/tag{n}/*" for n in range(1000)], "exclude")
    assert patterns.first("http://a.test/tag777/1") == "*/tag777/*"
    assert patterns.first("http://a.test/tag1000/1") is None


def test_patterns_that_are_too_large_together_are_refused_and_do_not_match_nothing_in_silence(monkeypatch):
    many = [f"re:{n}[a-z]{{900}}" for n in range(100)]
    assert UrlPatterns(many, "exclude").first(f"http://a.test/99{'a' * 900}") == many[9]
    monkeypatch.setattr(url_patterns, "_MEMORY", 1 << 17)
    with pytest.raises(Refused, match="these patterns are too large together: give fewer"):
        UrlPatterns(many, "exclude")
