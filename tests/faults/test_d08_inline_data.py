"""D8: inline data of any size costs no more than its bytes."""

import pytest
from reading import LIMIT, read, slowest


@pytest.mark.row("D8")
def test_inline_data_costs_little(figure, size):
    share = size(LIMIT // 4, LIMIT - 1000)

    def fill(unit):
        return (unit * (share // len(unit) + 1))[:share]

    pages = {
        "JSON-LD": '<script type="application/ld+json">' + fill('{"@graph":[') + "</script>spider",
        "microdata": fill("<div itemscope itemprop=x>"),
        "base64 image": '<img src="data:image/png;base64,' + fill("iVBORw0KGgo") + '">spider',
        "many small images": fill('<img src="data:image/gif;base64,R0lGOD">'),
        "SVG path": "<svg><path d='" + fill("M0 0 L1 1 ") + "'/></svg>spider",
        "SVG elements": "<svg>" + fill("<circle r=1 />") + "</svg>spider",
        "style": "<style>" + fill("a{b:url(data:x)}") + "</style>spider",
        "inline styles": fill("<p style='color:red;background:url(data:x)'>"),
        "MathML": "<math>" + fill("<mrow><mi>x</mi></mrow>") + "</math>spider",
        "a data link": '<a href="data:text/html,' + fill("x") + '">spider</a>',
    }
    name, seconds = slowest(pages)
    words = {word for body in pages.values() for word in read(body).text.split() if len(word) > 2000}
    figure(
        f"{len(pages)} pages of {share:,} bytes: at most {seconds:.2f} CPU-s ({name}), {len(words)} blobs in the text"
    )
    assert seconds < 6.0
    assert not words
