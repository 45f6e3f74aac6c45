"""D1: pages nested a hundred thousand deep are read in seconds, and kept."""

import pytest
from reading import slowest

ELEMENTS = (
    *("div", "b", "font", "table", "svg", "math", "select><option", "blockquote", "ul><li", "span", "a href=x", "i"),
    *("table><tr><td", "dl><dd", "button", "ruby><rt", "template", "nobr", "form", "object", "details", "x-y", "p><b"),
)


@pytest.mark.row("D1")
def test_deep_nesting_costs_little(figure, size):
    deep = size(30_000, 100_000)
    pages = {name: f"<{name}>" * deep + "spider" for name in ELEMENTS[: size(6, None)]}
    pages["closed"] = "<div>" * deep + "spider" + "</div>" * deep
    pages["formatting"] = "".join(f"<b i{n}>" for n in range(4000)) + "".join(f"<i i{n}>" for n in range(4000)) + "x"
    name, seconds = slowest(pages)
    figure(f"{len(pages)} pages nested {deep:,} deep: at most {seconds:.2f} CPU-s (<{name}>)")
    assert seconds < 6.0  # three readings of two seconds each
