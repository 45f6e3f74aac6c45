"""Problems in words that need no command line."""

import ast
from pathlib import Path

import pytest

import lycosa
from lycosa.app.jobs.plain_words import plain

SOURCE = Path(lycosa.__file__).parent


def refusals():
    """Every text with which something is refused, but for those of the command line itself; x is what is filled in."""
    for file in sorted(SOURCE.rglob("*.py")):
        if not file.is_relative_to(SOURCE / "face" / "cli"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Refused", "Conflict", "Unknown"):
                    yield from filter(None, map(text_of, node.args))


def text_of(node):
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values)
    return node.value if isinstance(node, ast.Constant) else ""


def test_no_refusal_names_an_option_or_a_command_once_it_is_said_plainly():
    said = list(refusals())
    assert len(said) > 300 and any("--" in text for text in said)
    assert [text for text in map(plain, said) if "--" in text or "`lycosa" in text] == []


@pytest.mark.parametrize(
    ("said", "plainly"),
    [
        ("ask for something narrower, or --filter", "ask for something narrower, or filter"),
        ("add --within a.test, or leave the seed out", "add a.test to within, or leave the seed out"),
        ("leave out --site or --links", "leave out host or kind"),
        ("its turn had not come; `lycosa resume` goes on", "its turn had not come; resume goes on"),
        ("`lycosa judge a/b --list 10` names some", "choose one of its pages"),
        ("name a source with --inlinks", "name a source with inlinks (on the command line)"),
        ("a -- b, a--b and well-known", "a -- b, a--b and well-known"),
        ("wait for its end", "wait for its end"),
        ("http://a.test/--seed?--within=1 is no page", "http://a.test/--seed?--within=1 is no page"),
        ("'--seed' is not a URL", "'--seed' is not a URL"),
    ],
)
def test_what_names_a_command_is_said_in_other_words(said, plainly):
    assert plain(said) == plainly
