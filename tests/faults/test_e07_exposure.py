"""E7: the server listens on loopback unless told otherwise, and nowhere else without a token."""

import pytest

from lycosa.face.server.server_settings import ServerSettings
from lycosa.system.errors import Refused

ELSEWHERE = ("0.0.0.0", "::", "192.0.2.1", "2001:db8::1", "example.org", "0", "::ffff:127.0.0.1.example", "*")
WEAK = ("short", "x" * 15, "sixteen letters\n", "пароль-пароль-пароль")


@pytest.mark.row("E7")
def test_nobody_else_can_use_a_server_without_a_token(figure, run, tmp_path):
    assert ServerSettings().is_local
    refused = 0
    for address in ELSEWHERE:
        with pytest.raises(Refused):
            ServerSettings(address)
        refused += 1
    for token in WEAK:
        with pytest.raises(Refused):
            ServerSettings("0.0.0.0", token=token)
        refused += 1
    code, _, said = run("serve", "--home", tmp_path / "home", "--address", "0.0.0.0")
    assert code == 2 and "token" in said and not (tmp_path / "home").exists()
    figure(f"{refused + 1} of {len(ELSEWHERE) + len(WEAK) + 1} refused; 127.0.0.1 by default")
