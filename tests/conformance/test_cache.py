"""Tests leave no trace in the user's files."""

import os
import tempfile
from pathlib import Path


def test_a_run_of_the_tests_has_a_cache_of_its_own():
    cache = Path(os.environ["XDG_CACHE_HOME"])
    assert cache.is_dir()
    assert Path(tempfile.gettempdir()) in cache.parents
