"""A4: a scout process that is killed is replaced, and whatever it was doing is done again."""

import os
import signal
from typing import Any

import pytest
from sites import Sites, control, held, html, records

from lycosa.app.hunts import hunt

DEADLY = "http://deadly.test/"
_KILLS_ITS_READER = f"""
import os, signal
import lycosa.web.parse as module
real = module.parse
def parse(url, *rest, **more):
    if url == {DEADLY!r}:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(url, *rest, **more)
module.parse = parse
"""


@pytest.mark.row("A4")
def test_a_scout_that_is_killed_costs_no_page_and_one_that_a_page_kills_costs_that_page(
    figure, size, tmp_path, monkeypatch
):
    kills, pages = size(3, 40), size(60, 1200)
    every = pages // (kills + 1)
    (tmp_path / "sitecustomize.py").write_text(_KILLS_ITS_READER)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    how: dict[str, Any] = {"pages": 0, "delay": 0.0, "workers": 8, "reach": 100, "index": False}
    with Sites(control(pages) | {"deadly.test/": html("wolf spider")}) as sites:
        how["proxy"] = sites.proxy
        with hunt("wolf spider", ["http://control.test/"], out=tmp_path / "c", processes=2, **how) as running:
            for count, _ in enumerate(running, 1):
                if count % every == 0 and count // every <= kills:
                    scout = running.pool.scouts[count // every % 2].process
                    if scout:
                        os.kill(scout.pid, signal.SIGKILL)
            deaths = running.pool.deaths
        with hunt("wolf spider", [DEADLY, "http://control.test/1"], out=tmp_path / "d", processes=1, **how) as running:
            list(running)
    found, deadly = held(tmp_path / "c"), held(tmp_path / "d")
    lost = 2 * pages - len(found.pages) - len(deadly.pages)
    figure(f"{lost} of {pages} pages lost, {deaths} scouts replaced; a page that kills its readers: {deadly.misses}")
    assert (lost, found.misses) == (0, {})
    assert deadly.misses == {DEADLY: "parser crashed"}
    assert sites.pages_asked["deadly.test/"] == 2
    assert set(found.final.values()) == set(deadly.final.values()) == {1}
    assert deaths > 0
    assert set(records(tmp_path / "c").values()) == {1}
