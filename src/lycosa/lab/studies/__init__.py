"""The papers' own experiments, one file each, repeated: what was published beside what is measured here.

Invariant: a claim is fixed in its study before anything is crawled, and judged by the same tests whatever the result;
what cannot be measured is reported as such, never guessed.
Must not know: the faces, the app, and how crawls, metrics or reports are made.

study: what a study is; claim: a published statement and its verdict; topic_tests: how statements are tested; day_tests:
how statements about days are tested; augmented: the better seeds; table: claims as tables; run: the whole study. Every
other file is a study, found by being here.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from lycosa.system.errors import Code, Refused

if TYPE_CHECKING:
    from lycosa.lab.studies.study import Experiment


def studies() -> dict[str, Experiment]:
    """Every study, by its name."""
    modules = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    found: list[Experiment] = [module.STUDY for module in modules if hasattr(module, "STUDY")]
    return {study.name: study for study in found}


def study_named(name: str) -> Experiment:
    """The study with a name."""
    known = studies()
    if name not in known:
        raise Refused(
            f"unknown study {name!r}", f"choose one of: {', '.join(known)}", code=Code.UNKNOWN_NAME, field="name"
        )
    return known[name]
