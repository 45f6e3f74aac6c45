"""One plot."""

import numpy as np
import pytest

from lycosa.lab.report.panels import NAMED, NORMAL, Line, Panel, chart, low_high, place, shorten, spread


def line(label, *y, error=0.0):
    return Line(label, "#123456", [1, 0], np.array(y, np.float64), np.full(len(y), error))


def rows(made, layer=None):
    """The data of a chart, or of one of its layers."""
    told = made.to_dict()
    return told["datasets"][(told if layer is None else told["layer"][layer])["data"]["name"]]


def marks(made):
    return [layer["mark"]["type"] for layer in made.to_dict()["layer"]]


def test_a_chart_holds_exactly_the_numbers_of_its_lines():
    panel = Panel("Recall", [10, 20], [line("a", 0.1, 0.2, error=0.05), line("b", 0.3, np.nan)])
    assert rows(chart(panel)) == [
        {"label": "a", "x": 10, "y": 0.1, "low": pytest.approx(0.05), "high": pytest.approx(0.15)},
        {"label": "a", "x": 20, "y": 0.2, "low": pytest.approx(0.15), "high": pytest.approx(0.25)},
        {"label": "b", "x": 10, "y": 0.3, "low": 0.3, "high": 0.3},
    ]


def test_many_points_have_a_band_and_few_have_bars_and_dots():
    many = Panel("", list(range(1, 60)), [line("a", *np.linspace(0, 1, 59), error=0.1)])
    few = Panel("", [1, 2, 3], [line("a", 0.1, 0.2, 0.3, error=0.1)])
    assert marks(chart(many)) == ["area", "line", "rule", "text"]
    assert marks(chart(few)) == ["rule", "line", "point", "rule", "text"]


def test_lines_without_errors_have_no_band():
    assert "area" not in marks(chart(Panel("", list(range(1, 60)), [line("a", *np.ones(59), error=np.nan)])))


def test_too_many_lines_have_neither_names_nor_bands_but_a_legend_where_they_stand_alone():
    panel = Panel("", list(range(1, 60)), [line(f"w{n}", *np.ones(59), error=0.1) for n in range(NAMED + 1)])
    assert marks(chart(panel)) == ["line"]
    assert chart(panel).to_dict()["layer"][0]["encoding"]["color"]["legend"] is None
    assert chart(panel, titled=True).to_dict()["layer"][0]["encoding"]["color"]["legend"]["symbolType"] == "stroke"


def test_names_at_the_ends_of_lines_do_not_overlap():
    panel = Panel("", [1, 2], [line(f"w{n}", 0.0, 0.5) for n in range(8)])
    ends = rows(chart(panel), -1)
    low, high = low_high(panel)
    heights = sorted(end["label_y"] / (high - low) * NORMAL.height for end in ends)
    assert min(np.diff(heights)) > NORMAL.letter
    assert heights[0] >= -1 and heights[-1] <= NORMAL.height + 1
    assert all(end["y"] == 0.5 for end in ends)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ([10, 50], [10, 50]),
        ([10, 10], [5, 15]),
        ([0, 0], [0, 10]),
        ([100, 98], [100, 90]),
        ([50, 52, 20], [46, 56, 20]),
        ([0, 3, 3, 100], [0, 10, 20, 100]),
    ],
)
def test_labels_move_apart_as_little_as_they_must(wanted, found):
    assert spread(wanted, 10, 0, 100) == pytest.approx(found)


def test_a_long_name_keeps_its_settings():
    assert shorten("best-n-first:n=256") == "best-n-first:n=256"
    assert shorten("best-n-first:n=256,alpha=0.3") == "best-n-f…alpha=0.3"
    assert len(shorten("x" * 100)) == 18


def test_the_axis_begins_at_zero_unless_it_is_of_ranks():
    assert low_high(Panel("", [1, 2], [line("a", 0.61, 0.74)])) == (0.0, pytest.approx(0.8))
    assert low_high(Panel("", [1, 2], [line("a", 1210, 1490)], zero=False)) == (1200, 1500)
    assert low_high(Panel("", [1, 2], [line("a", 0, 0)])) == (0.0, 1.0)
    assert low_high(Panel("", [1, 2], [line("a", 7, 7)], zero=False)) == (6, 8)


def test_a_line_that_is_cut_off_does_not_stretch_the_axis():
    panel = Panel("", [1, 2], [line("oracle", 0.9, 0.8), line("a", 0.03, 0.04)], cut="oracle")
    assert low_high(panel) == (0.0, pytest.approx(0.04))
    assert all(layer["mark"]["clip"] for layer in chart(panel).to_dict()["layer"][:3])
    ends = rows(chart(panel), -1)
    assert [end["y"] for end in ends] == pytest.approx([0.04, 0.04])


def test_no_two_ticks_have_the_same_label():
    for top in (0.03, 0.07, 0.3, 0.9, 3, 7, 40, 1234):
        axis = chart(Panel("", [1, 2], [line("a", 0, top)])).to_dict()["layer"][1]["encoding"]["y"]["axis"]
        digits = 0 if axis["format"] == ",d" else int(axis["format"][1:-1])
        told = [f"{tick:.{digits}f}" for tick in axis["values"]]
        assert len(set(told)) == len(told) >= 3
        assert [float(each) for each in told] == pytest.approx(axis["values"])


def test_a_place_on_the_axis_is_where_the_line_is_drawn():
    linear = Panel("", [10, 100, 1000], [line("a", 1, 2, 3)])
    logarithmic = Panel("", [10, 100, 1000], [line("a", 1, 2, 3)], logarithmic=True)
    assert [place(linear, x) / NORMAL.width for x in linear.x] == pytest.approx([0.01, 0.1, 1])
    assert [place(logarithmic, x) / NORMAL.width for x in linear.x] == pytest.approx([0, 0.5, 1])


def test_one_point_is_a_plot_too():
    panel = Panel("", [10], [line("a", 0.5)])
    assert chart(panel).to_dict()["layer"][0]["encoding"]["x"]["scale"]["domain"] == [0, 10]
    assert place(panel, 10) == NORMAL.width
