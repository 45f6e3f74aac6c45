"""Every refusal has a code, and every code is documented."""

import ast
from itertools import pairwise
from pathlib import Path
from typing import Any

import lycosa
from lycosa.system.errors import Code

ROOT = Path(__file__).parents[2]
SOURCES = sorted(Path(lycosa.__file__).parent.rglob("*.py"))


def refusals():
    """Every call of an error class, with the file, and whether it names a code."""
    trees = {file: ast.parse(file.read_text()) for file in SOURCES}
    kinds, coded = {"Refused"}, set()
    for _ in range(3):  # subclasses of subclasses
        for node in (node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
            bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
            if bases & kinds:
                kinds.add(node.name)
                sets = any(
                    isinstance(part, ast.Assign) and ast.unparse(part.targets[0]) == "code" for part in node.body
                )
                if sets or bases & coded:
                    coded.add(node.name)
    for file, tree in trees.items():
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in kinds:
                names = {keyword.arg for keyword in call.keywords}
                yield f"{file.name}:{call.lineno}", call.func.id in coded or bool(names & {"code", None})


def test_every_refusal_has_a_code():
    found = list(refusals())
    assert len(found) > 300
    assert [place for place, has_code in found if not has_code] == []


def test_every_code_is_documented_with_its_meaning():
    tree = ast.parse((Path(lycosa.__file__).parent / "system" / "errors.py").read_text())
    body: list[Any] = next(node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Code")
    meanings = {
        ast.literal_eval(before.value): after.value.value
        for before, after in pairwise(body)
        if isinstance(before, ast.Assign)
    }
    assert set(meanings) == set(Code)
    page = (ROOT / "docs" / "reference/problems.md").read_text()
    for code, meaning in meanings.items():
        assert f"| `{code}` | {meaning} |" in page


def test_an_error_keeps_its_code_and_field_between_processes():
    import pickle

    error = lycosa.Refused("no seeds", "give one", code=Code.MISSING, field="seeds")
    again = pickle.loads(pickle.dumps(error))
    assert (again.problem, again.fix, again.code, again.field) == ("no seeds", "give one", "missing", "seeds")
