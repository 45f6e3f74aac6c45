"""What a scout may meet: no host of the list, however many links away, and everything else."""

import pytest

from lycosa.app.companion.safety import host_names
from lycosa.app.companion.scouting import Scouting, ScoutRun
from lycosa.core.urls import host_of
from lycosa.engine.politeness.host_rules import Politeness
from lycosa.system.private_files import PrivateFolder


@pytest.mark.parametrize(
    ("excluded", "shut", "open_"),
    [
        ([], [], ["a.test", "b.test"]),
        (["https://b.test/x"], ["b.test", "www.b.test", "b.test:81"], ["a.test", "far.test"]),
        (["*.b.test", "[::1]"], ["x.b.test", "[::1]", "[::1]:81"], ["a.test", "far.test"]),
    ],
)
def test_a_scout_meets_no_host_of_the_list(tmp_path, excluded, shut, open_):
    run = ScoutRun("0-x", "http://a.test/page", "Spiders", 1.0, "spiders", excluded=host_names(excluded))
    plan = Scouting(PrivateFolder(tmp_path), {}, 1.0)._plan(run)
    outside = Politeness(plan.rules).outside
    assert not outside(host_of(run.url))
    assert all(map(outside, shut))
    assert not any(map(outside, open_))
