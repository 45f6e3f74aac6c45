"""C14: sitemaps."""

import pytest


@pytest.mark.row("C14")
def test_sitemaps_are_read_within_limits():
    pytest.skip("Lycosa reads no sitemaps yet")
