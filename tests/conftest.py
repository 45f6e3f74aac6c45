"""A run of the tests has a cache of its own: the user's is left alone, and all tests share what is parsed once."""

import os
import shutil
import tempfile


def pytest_configure(config):
    if hasattr(config, "workerinput"):
        return  # a worker of pytest-xdist, which has the variable from the process that started it
    folder = tempfile.mkdtemp(prefix="lycosa-tests-")
    os.environ["XDG_CACHE_HOME"] = folder
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
