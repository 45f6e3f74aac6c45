"""The built site needs nothing from elsewhere: `make docs` builds it and says where it is."""

import os
import re
from pathlib import Path

import pytest

SITE = os.environ.get("SITE")
LOADED = re.compile(
    r"<(?:script|img|iframe|source|video|audio|embed|object)\b[^>]*?\b(?:src|srcset|data)=[\"']?([^\"'\s>]+)"
)
STYLES = re.compile(r"<link\b[^>]*?\bhref=[\"']?([^\"'\s>]+)")
IN_STYLES = re.compile(r"url\(\s*[\"']?([^\"')]+)|@import\s+[\"']([^\"']+)")


@pytest.fixture(scope="module")
def site():
    if not SITE:
        pytest.skip("the site is built by `make docs`")
    return Path(SITE)


def test_no_page_loads_anything_from_elsewhere(site):
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 30
    for page in pages:
        text = page.read_text()
        for source in [*LOADED.findall(text), *STYLES.findall(text)]:
            assert not re.match(r"(\w+:)?//", source), (page, source)
            assert source.startswith(("data:", "#")) or (page.parent / source.partition("?")[0]).exists(), (
                page,
                source,
            )


def test_no_style_loads_anything_from_elsewhere(site):
    for style in site.rglob("*.css"):
        for found in IN_STYLES.findall(style.read_text()):
            assert not re.match(r"(\w+:)?//", "".join(found)), (style, found)
