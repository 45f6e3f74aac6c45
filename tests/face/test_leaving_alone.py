"""The list of hosts to leave alone: whatever a person types there, no scout stays at home because of it."""

from lycosa.app.companion.safety import host_names
from lycosa.engine.politeness.host_rules import PolitenessRules


def test_hosts_may_be_written_with_commas_and_what_is_no_host_is_left_out():
    names = host_names(["a.test,", "b.test;c.test", "d..test", "no host", "1,"])
    assert names == ("a.test", "b.test", "c.test", "0.0.0.1")
    assert PolitenessRules(without=tuple(f".{name}" for name in names)).without
