"""The benchmarks in `bench/`, which are scripts and not a package, as modules that rows can use."""

import importlib.util
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "bench"


def bench(name):
    """The module of `bench/<name>.py`."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
