"""A1: kill -9 at any moment of a crawl, a resume, a checkpoint, an index, an export or a refresh loses nothing."""

from random import Random

import pytest
from kills import crash, export_kills, index_kills, refresh_kills


@pytest.mark.row("A1")
@pytest.mark.timeout(3600)
def test_kill_minus_nine_at_any_moment_loses_nothing_and_doubles_nothing(figure, size, tmp_path):
    kills, pages, rng = size(3, 140), size(300, 6000), Random(1)
    reports = []
    # A crawl may come to its end before the last kill: then there is another one.
    while (left := kills - sum(report["kills"] for report in reports)) > 0:
        place = tmp_path / f"crawl-{len(reports)}"
        place.mkdir()
        reports.append(crash.trial(place, left, pages, seed=2 + len(reports), moments=crash.MOMENTS))
    others = []
    if size(False, True):
        others = [
            index_kills(tmp_path, 20, 300, rng),
            export_kills(tmp_path, 20, 300, rng),
            refresh_kills(tmp_path, 20, rng),
        ]
    done = sum(report["kills"] for report in reports) + sum(told.kills for told in others)
    lost = sum(len(report["lost"]) for report in reports) + sum(told.lost for told in others)
    twice = sum(len(report["twice"]) for report in reports) + sum(told.twice for told in others)
    wrong = [line for report in reports for line in report["invalid"]]
    again = sum(report["refetched"] for report in reports)
    beyond = sum(report["refetched beyond what was under way"] for report in reports)
    figure(
        f"{done} kills: {lost} lost, {twice} twice, {len(wrong)} invalid, {again} refetched ({beyond} not under way)"
    )
    assert done >= size(3, 200)
    assert (lost, twice, wrong, beyond) == (0, 0, [], 0)
