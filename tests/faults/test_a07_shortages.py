"""A7: where the machine lacks something or its disk fails, the crawl stops with one line, and no page is lost."""

import errno
import os
import subprocess

import pytest
from benches import bench
from processes import kill, page_count, start, until
from sites import Sites, control, held, lycosa, records

_FAILING = f"""
import os
real, place = os.write, os.environ["LYCOSA_FAILS"]
def write(fd, data):
    if bytes(data[:2]) == b"\\x1f\\x8b" and os.path.exists(place):
        raise OSError({errno.EIO}, os.strerror({errno.EIO}))
    return real(fd, data)
os.write = write
"""
"""As a disk that fails does it to whoever archives pages."""


@pytest.mark.row("A7", alone=True)
@pytest.mark.timeout(3000)
def test_a_machine_that_runs_short_costs_no_page(figure, size, tmp_path):
    pages, hosts = size(60, 1000), size(80, 1500)
    few = [bench("descriptors").measure(hosts, limit, False) for limit in size((64,), (256, 128, 64))]
    with Sites(control(pages)) as sites:
        crawl = Crawl(tmp_path, sites, pages)
        told = {"EIO": crawl.eio(), "read-only": crawl.read_only(), "inodes": crawl.inodes()}
    lost = sum(row["lost"] for row in few) + sum(pages - len(held(one.folder).pages) for one in told.values())
    stops = sum(len(row["stops"]) for row in few)
    codes = ", ".join(f"{name} {one.stopped.returncode}" for name, one in told.items())
    figure(
        f"{lost} lost of {hosts:,} hosts at {', '.join(str(row['descriptors']) for row in few)} descriptors "
        f"({stops} stops) and of {pages:,} pages each; exit codes: {codes}"
    )
    assert lost == 0
    assert [row["misses"] for row in few] == [{}] * len(few)
    for one in told.values():
        assert one.stopped.returncode == 2
        assert one.stopped.stderr.count("\n") == 1 and one.says in one.stopped.stderr, one.stopped.stderr
        assert one.resumed.returncode == 0, one.resumed.stderr
        assert held(one.folder).misses == {}
        assert set(records(one.folder).values()) == {1}
