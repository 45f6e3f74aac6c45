"""Every process takes as many file descriptors as it may have, and knows when there are none left."""

import json
import subprocess
import sys

from lycosa.system.descriptors import MOST, can_open, free


def limited(soft, hard, code):
    """What a process prints as JSON that may open only so many files."""
    start = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))\n"
    done = subprocess.run([sys.executable, "-c", start + code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


LIMITS = "import json; print(json.dumps(resource.getrlimit(resource.RLIMIT_NOFILE)))"


def test_the_soft_limit_is_raised_to_the_hard_one():
    assert limited(64, 256, f"from lycosa.system.descriptors import *\nraise_limit()\n{LIMITS}") == [256, 256]


def test_a_limit_that_is_high_already_is_left_alone():
    assert limited(200, 200, f"from lycosa.system.descriptors import *\nraise_limit()\n{LIMITS}") == [200, 200]


def test_the_command_line_raises_it_before_it_does_anything():
    code = f"""
import sys
from lycosa.face.start import main

sys.argv, sys.stdout = ["lycosa", "--version"], sys.stderr
try:
    main()
except SystemExit:
    sys.stdout = sys.__stdout__
{LIMITS}
"""
    assert limited(64, 256, code) == [256, 256]


def test_what_is_free_can_be_opened_and_no_more():
    code = """
from lycosa.system.descriptors import *
import json, os
left = free()
taken = [os.dup(0) for _ in range(left - 3)]
print(json.dumps([free(), can_open(3), can_open(4), free()]))
"""
    assert limited(100, 100, code) == [3, True, False, 3]


def test_this_process_has_some():
    assert 0 < free() <= MOST
    assert can_open(8)
