"""A2: a record that was half written when the crawl was killed is dropped, and nothing else."""

import json
import subprocess
import sys

import pytest
import torn
from sites import held, records


@pytest.mark.row("A2")
def test_half_a_record_is_dropped_at_resume_and_every_other_one_is_sound(figure, size, tmp_path):
    kills = size(4, 60)
    for folder, deaths in (("calm", 0), ("killed", kills)):
        command = [sys.executable, torn.__file__, str(tmp_path / folder), str(deaths), "1"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
        assert done.returncode == 0, done.stderr
    dropped = [json.loads(line) for line in done.stdout.splitlines()]
    # Both validators look at every record.
    found = records(tmp_path / "killed")
    expected = held(tmp_path / "calm").pages
    lost, twice = expected - set(found), [url for url, count in found.items() if count > 1]
    figure(f"0 invalid of {len(found)} records, {len(dropped)} kills, {sum(dropped):,} bytes dropped, {len(lost)} lost")
    assert len(dropped) == kills and sum(dropped) > 0
    assert (lost, twice) == (set(), [])
    assert held(tmp_path / "killed").pages == expected
