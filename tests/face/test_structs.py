"""Threads that decode the first struct of a kind at the same moment, in a process that may die of it."""

import subprocess
import sys

KINDS = (
    """
from __future__ import annotations
from msgspec import Struct
"""
    + "".join(f"class Part{n}(Struct):\n    one: list[int] | None = None\n    other: str = ''\n" for n in range(12))
    + """
class Whole(Struct):
"""
    + "".join(f"    part{n}: Part{n} | None = None\n" for n in range(12))
)

SCRIPT = """
import sys, threading, types
import msgspec
from lycosa.app.struct_cache import learn_structs

sys.setswitchinterval(1e-6)
plain = {f"part{n}": {"one": [1], "other": "x"} for n in range(12)}
for turn in range(30):
    sys.modules[f"kinds{turn}"] = kinds = types.ModuleType(f"kinds{turn}")
    exec(sys.argv[1], kinds.__dict__)
    learn_structs()
    together = threading.Barrier(6)

    def decode():
        together.wait()
        for _ in range(3):
            assert msgspec.convert(plain, kinds.Whole).part3.other == "x"

    threads = [threading.Thread(target=decode) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def test_a_process_that_has_learned_its_structs_survives_threads_that_decode_at_once():
    done = subprocess.run([sys.executable, "-c", SCRIPT, KINDS], capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stderr) == (0, "")
