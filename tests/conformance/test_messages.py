"""Messages of the lower rooms fit every face: they name fields, never options of the command line or commands."""

import ast
import re
from pathlib import Path

import pytest

import lycosa
from lycosa.system.errors import Code

SOURCE = Path(lycosa.__file__).parent
LOWER = [room for room in sorted(SOURCE.iterdir()) if room.is_dir() and room.name not in ("face", "__pycache__")]
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
COMMAND = re.compile(r"`lycosa |\blycosa (crawl|resume|search|status|check|community|judge|lab)\b")
REFUSALS = ("Refused", "Conflict", "Unknown", "Damaged", "Shortage")


def texts(room):
    """The texts in the code of a room, but for docstrings, with file and line."""
    for file in sorted(room.rglob("*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        scopes = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        bodies = [node.body for node in ast.walk(tree) if isinstance(node, scopes)]
        docstrings = {id(each.value) for body in bodies for each in body if isinstance(each, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
                yield file, node.lineno, node.value


@pytest.mark.parametrize("room", LOWER, ids=lambda room: room.name)
def test_no_text_of_a_lower_room_names_a_command(room):
    found = [f"{file.name}:{line} {text}" for file, line, text in texts(room) if COMMAND.search(text)]
    # A report of the laboratory may say which commands it compares.
    assert [text for text in found if not text.startswith("days_report.py")] == []


@pytest.mark.parametrize("room", LOWER, ids=lambda room: room.name)
def test_no_refusal_of_a_lower_room_names_an_option(room):
    named = []
    for file in sorted(room.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in REFUSALS:
                parts = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant)]
                named += [f"{file.name}:{node.lineno} {text}" for text in map(str, parts) if OPTION.search(text)]
    assert named == []


def test_every_code_is_one_that_programs_can_rely_on():
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", code) for code in Code)
