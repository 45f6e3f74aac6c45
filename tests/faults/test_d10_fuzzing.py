"""D10: random bytes crash nothing that reads what strangers send."""

import random
import subprocess
import sys
from pathlib import Path

import pytest
from fuzz import TARGETS, made


@pytest.mark.row("D10")
def test_random_bytes_crash_nothing(figure, size):
    tried, crashes = 0, []
    for name, target in TARGETS.items():
        chance = random.Random(name)
        for _ in range(size(150, 20_000)):
            data = made(chance)
            tried += 1
            try:
                target(data)
            except Exception as error:
                crashes.append((name, repr(error), data))
                break
    guided = guided_by_coverage(size(0, 120))
    figure(f"{len(crashes)} crashes in {tried:,} tries of {len(TARGETS)} targets{guided}")
    assert not crashes


def guided_by_coverage(seconds):
    """The same with atheris, for so many seconds each, where it is installed."""
    try:
        import atheris  # noqa: F401
    except ImportError:
        return ", not guided by coverage: atheris is not installed" if seconds else ""
    if not seconds:
        return ""
    for name in TARGETS:
        done = subprocess.run(
            [sys.executable, Path(__file__).parent / "fuzz.py", name, str(seconds)], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
    return f", and {seconds} s each guided by coverage"
