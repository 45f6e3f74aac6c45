"""D2: tags with hundreds of thousands of attributes, and things that never end, are read in seconds, and kept."""

import pytest
from reading import LIMIT, slowest


@pytest.mark.row("D2")
def test_huge_tags_and_unclosed_things_cost_little(figure, size):
    share = size(LIMIT // 4, LIMIT)

    def fill(unit):
        return (unit * (share // len(unit) + 1))[:share]

    pages = {
        "200,000 attributes": "<p " + " ".join(f"a{n}" for n in range(size(40_000, 200_000))) + ">x",
        "one attribute": "<p a='" + fill("x") + "'>x",
        "the same attribute": "<p " + fill("a ") + ">x",
        "<": fill("<"),
        "&": fill("&"),
        "&#": fill("&#x41"),
        "comment": "x<!--" + fill("--!"),
        "script": "x<script>" + fill("</scrip"),
        "nested script": "x<script><!--" + fill("<script"),
        "CDATA": "x<svg><![CDATA[" + fill("]]"),
        "title": "<title>" + fill("</titl"),
        "textarea": "x<textarea>" + fill("</textare"),
        "plaintext": "x<plaintext>" + fill("<b>"),
        "links": fill("<a href=/x>x</a>"),
        "bases": fill("<base href=/x/>"),
        "end tags": fill("</p>"),
        "quotes": '<a href="' + fill("'>"),
        "doctype": "<!DOCTYPE " + fill("html "),
        "processing": fill("<?php "),
        "entities": fill("&notit;"),
    }
    name, seconds = slowest(pages)
    figure(f"{len(pages)} pages of {share:,} bytes: at most {seconds:.2f} CPU-s ({name})")
    assert seconds < 6.0
