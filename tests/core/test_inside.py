"""Nothing is reached through a link that leads out of a folder."""

import os

import pytest

from lycosa.system.errors import Refused
from lycosa.system.safe_paths import files_inside, inside, must_be_inside, open_inside


@pytest.fixture
def root(tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").write_text("secret")
    root = tmp_path / "root"
    (root / "figures").mkdir(parents=True)
    (root / "figures" / "a.svg").write_text("<svg/>")
    return root


def test_a_link_that_leads_out_is_outside_and_one_that_does_not_is_inside(root):
    (root / "out").symlink_to("../outside")
    (root / "within").symlink_to("figures")
    (root / "loop").symlink_to("loop")
    (root / "nowhere").symlink_to("/nowhere/at/all")
    assert inside(root, root / "within" / "a.svg") and inside(root, root / "not-there-yet")
    for name in ("out", "out/secret", "loop", "nowhere", "../outside/secret", "figures/../../outside"):
        assert not inside(root, root / name)
    with pytest.raises(Refused, match="leads out of"):
        must_be_inside(root, root / "out")


def test_a_folder_that_is_named_through_a_link_is_meant(root, tmp_path):
    (tmp_path / "alias").symlink_to(root)
    assert inside(tmp_path / "alias", root / "figures")
    with open_inside(tmp_path / "alias", "figures/a.svg") as file:
        assert file.read() == b"<svg/>"


def test_only_regular_files_are_opened_and_none_through_a_link(root):
    (root / "out").symlink_to("../outside")
    (root / "figures" / "b.svg").symlink_to("../../outside/secret")
    (root / "figures" / "c.svg").symlink_to("a.svg")
    os.mkfifo(root / "figures" / "pipe")
    for name in ("out/secret", "figures/b.svg", "figures/c.svg", "figures/pipe", "figures", "", "/etc/passwd",
                 "../outside/secret", "figures/../../outside/secret", "figures/a.svg/x", "a\0b"):  # fmt: skip
        with pytest.raises(OSError):
            open_inside(root, name)
    assert files_inside(root / "figures") == [root / "figures" / "a.svg"]
    assert files_inside(root / "out") == []
