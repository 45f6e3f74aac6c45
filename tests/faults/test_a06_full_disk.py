"""A6: a disk that fills up stops the crawl with one line; once there is room it goes on, and nothing is lost."""

import subprocess

import pytest
from sites import held, lycosa, records

from lycosa.web.made import Made
from lycosa.web.serving import spawn


@pytest.mark.row("A6", alone=True)
@pytest.mark.timeout(1800)
def test_a_full_disk_stops_the_crawl_and_costs_no_page(figure, size, tmp_path):
    room, pages = size("1m", "64m"), size(100, 3000)
    made = {"pages": size(200, 4000), "topics": 3, "seed": 5, "page_bytes": size(10_000, 100_000)}
    web = "made:" + ",".join(f"{name}={value}" for name, value in made.items())
    topic, disk = Made(**made).topics[0], tmp_path / "disk"
    disk.mkdir()
    # In a mount namespace of our own, which takes it away with it.
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={room}", "none", disk], check=True)
    with spawn(web) as served:
        begin = ["crawl", topic.keywords, *(f"--seed={url}" for url in topic.examples), f"--pages={pages}", "--delay=0"]
        full = lycosa(*begin, f"--proxy={served.proxy}", f"--out={disk / 'c'}", "--json", timeout=900)
        before = held(disk / "c")
        still = lycosa("resume", disk / "c", "--json")
        subprocess.run(["mount", "-o", "remount,size=2g", disk], check=True)
        done = lycosa("resume", disk / "c", "--json", timeout=900)
    after = held(disk / "c")
    lost = len(before.pages - after.pages)
    twice = sum(count > 1 for count in records(disk / "c").values())
    figure(
        f"{lost} lost, {twice} twice; exit code {full.returncode} after {len(before.pages)} pages, "
        f"{still.returncode} while it is full, then {done.returncode} with {len(after.pages)} pages"
    )
    assert (full.returncode, still.returncode, done.returncode) == (2, 2, 0), done.stderr
    for said in (full, still):
        assert "disk full" in said.stderr and said.stderr.count("\n") == 1
    assert (lost, twice) == (0, 0)
    assert 0 < len(before.pages) < len(after.pages) == pages
    assert set(after.final.values()) <= {0, 1}
