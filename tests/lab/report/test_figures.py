"""Which plots there are, and that they show the comparison's numbers."""

import numpy as np
import pytest

from lycosa.lab.comparison import ORACLE
from lycosa.lab.metrics import METRICS
from lycosa.lab.report.figures import curve_panel, evenly, figures, multiples, reliability_figure
from lycosa.lab.report.panels import chart


def ways_of(comparison):
    return {label: way for way, label in enumerate(comparison.arms)}


def panels(comparison):
    return {figure.name: figure.panels for figure in figures(comparison, ways_of(comparison))}


def test_every_figure_of_a_full_comparison_is_there(measured):
    found = panels(measured())
    assert {name: len(some) for name, some in found.items()} == {
        "trajectories": 7,
        "importance": 6,
        "static-dynamic": 4,
        "reliability": 2,
        "topics": 4,
    }
    assert [panel.title for panel in found["static-dynamic"]] == [
        METRICS[key].title for key in ("coverage_lexical", "rank_lexical", "coverage_linkage", "rank_linkage")
    ]


def test_a_line_is_the_mean_over_topics_with_its_standard_error(measured):
    comparison = measured(topics=5)
    drawn = {line.label: line for line in curve_panel(comparison, "target_recall", ways_of(comparison)).lines}
    for label, arm in {**comparison.arms, ORACLE: comparison.oracle}.items():
        curves = arm.curves["target_recall"]
        assert drawn[label].y == pytest.approx(curves.mean(axis=0))
        assert drawn[label].error == pytest.approx(curves.std(axis=0, ddof=1) / np.sqrt(5))


def test_the_data_in_a_chart_are_the_comparisons_numbers(measured):
    comparison = measured(topics=3)
    made = chart(curve_panel(comparison, "precision", ways_of(comparison))).to_dict()
    told = {(row["label"], row["x"]): row["y"] for row in made["datasets"][made["data"]["name"]]}
    for label, arm in comparison.arms.items():
        for nth, point in enumerate(comparison.points):
            assert told[label, point] == pytest.approx(arm.curves["precision"][:, nth].mean())
    assert len(told) == 2 * len(comparison.points)


def test_coverage_is_told_over_n_and_ranks_say_that_lower_is_better(measured):
    comparison = measured()
    coverage = curve_panel(comparison, "coverage_lexical", ways_of(comparison))
    ranks = curve_panel(comparison, "rank_lexical", ways_of(comparison))
    assert (coverage.x, coverage.x_title, coverage.note) == (comparison.top, "n best pages", "")
    assert (ranks.x, ranks.x_title, ranks.note) == (comparison.points, "pages fetched", "lower is better")


def test_requests_and_time_have_axes_of_their_own(measured):
    comparison = measured()
    requests = curve_panel(comparison, "target_recall_requests", ways_of(comparison))
    time = curve_panel(comparison, "target_recall_hours", ways_of(comparison))
    assert (requests.x, requests.x_title) == (comparison.points, "requests made")
    assert (time.x[-1], time.x_title) == (3, "hours")
    assert ORACLE in [line.label for line in requests.lines] and ORACLE not in [line.label for line in time.lines]
    comparison.moments = [each // 10 for each in comparison.moments]
    time = curve_panel(comparison, "target_recall_hours", ways_of(comparison))
    assert (time.x[-1], time.x_title) == (18, "minutes")


def test_a_reliability_diagram_shows_the_bins_of_all_topics_together(measured):
    comparison = measured(labels=("sure", "silent"), topics=2)
    bins = np.zeros((2, 10, 3))
    # Ten pages at .25, five of them relevant; thirty at .95, all of them.
    bins[0, 2], bins[1, 9], bins[0, 9] = [10, 2.5, 5], [20, 19, 20], [10, 9.5, 10]
    comparison.arms["sure"].reliability, comparison.arms["silent"].reliability = bins, None
    (panel,) = reliability_figure(comparison, ways_of(comparison)).panels
    assert panel.title == "sure"
    assert panel.x == pytest.approx([0.25, 0.95])
    exact, found = panel.lines
    assert exact.y.tolist() == panel.x
    assert found.y.tolist() == [0.5, 1.0]
    # (10 * .25 + 30 * .05) / 40
    assert panel.note == "calibration error 0.100, 40 pages"


def test_a_metric_without_a_number_has_no_plot_and_a_figure_without_plots_is_not_there(measured):
    without = {"precision", "coverage_lexical", *(key for key in METRICS if key.startswith("relevance_"))}
    found = panels(measured(without=without))
    assert "importance" not in found
    assert [len(found["trajectories"]), len(found["static-dynamic"])] == [6, 3]


def test_the_oracle_is_grey_and_there_only_where_it_was_measured(measured):
    comparison = measured()
    recall = curve_panel(comparison, "target_recall", ways_of(comparison))
    precision = curve_panel(comparison, "precision", ways_of(comparison))
    assert [line.label for line in recall.lines] == [ORACLE, *comparison.arms]
    assert recall.lines[0].colour not in [line.colour for line in recall.lines[1:]]
    assert [line.label for line in precision.lines] == list(comparison.arms)


def test_an_oracle_far_above_all_ways_is_cut_off_and_its_height_said(measured):
    comparison = measured()
    comparison.oracle.curves["harvest_rate"] = np.full_like(comparison.oracle.curves["harvest_rate"], 0.8)
    for arm in comparison.arms.values():
        arm.curves["harvest_rate"] /= 10
    panel = curve_panel(comparison, "harvest_rate", ways_of(comparison))
    assert (panel.cut, panel.note) == (ORACLE, "the oracle reaches 0.800")


def test_single_topics_come_from_the_hardest_to_the_easiest(measured):
    comparison = measured(topics=6)
    lost = {
        topic: sum(arm.values["target_recall_auc"][row] for arm in comparison.arms.values())
        / comparison.oracle.values["target_recall_auc"][row]
        for row, topic in enumerate(comparison.topics)
    }
    figure = multiples(comparison, ways_of(comparison))
    assert [panel.title for panel in figure.panels] == sorted(comparison.topics, key=lambda topic: lost[topic])
    row = comparison.topics.index(figure.panels[0].title)
    assert (
        figure.panels[0].lines[1].y.tolist() == comparison.arms["breadth-first"].curves["target_recall"][row].tolist()
    )


def test_of_many_topics_some_are_shown_and_that_is_said(measured):
    figure = multiples(measured(topics=159), {"breadth-first": 0, "best-first": 1})
    assert len(figure.panels) == 24
    assert figure.caption.startswith("24 of 159 topics, taken evenly from the hardest to the easiest")
    assert evenly(159, 24)[0] == 0 and evenly(159, 24)[-1] == 158


@pytest.mark.parametrize(
    ("topics", "pages", "ways"), [(1, 1, 1), (1, 10_000, 8), (2, 10, 1), (2, 1000, 20), (159, 10, 8), (3, 1, 2)]
)
def test_any_size_of_comparison_gives_valid_charts(measured, topics, pages, ways):
    comparison = measured([f"way-{n}" for n in range(ways)], topics, pages)
    for some in panels(comparison).values():
        assert chart(some[0], titled=True).to_dict(validate=True)["layer"]
