"""A7: where the machine lacks something or its disk fails, the crawl stops with one line, and no page is lost."""

import errno
import os
import subprocess
import sys
from contextlib import suppress
from typing import NamedTuple

import pytest
from benches import bench
from processes import page_count, until
from sites import Dam, Sites, control, held, lycosa, records

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


class Stopped(NamedTuple):
    """A crawl that a fault has stopped, and what became of it when the fault was gone."""

    folder: object
    code: int
    said: str
    expected: str
    resumed: subprocess.CompletedProcess


class Trial:
    """Crawls of one site, each of which meets a fault when it has some pages."""

    def __init__(self, place, pages):
        self.place, self.pages = place, pages
        self.dam = Dam(control(pages), pages // 4)
        self.sites = Sites(self.dam)

    def begin(self, folder, *more):
        return (
            *("crawl", "wolf spider", "--seed=http://control.test/", f"--proxy={self.sites.proxy}", f"--out={folder}"),
            *("--delay=0.01", "--checkpoint=0.2", "--no-index", "--json", *more),
        )

    def in_the_middle(self, folder, fail, heal, expected, **options):
        """Let the disk fail while pages come in, and be mended after the crawl has stopped."""
        self.dam.close()
        command = [sys.executable, "-m", "lycosa", *self.begin(folder, "--pages=0")]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **options) as run:
            assert until(lambda: page_count(folder) >= self.pages // 8, run)
            fail()
            self.dam.opened.set()
            _, said = run.communicate(timeout=300)
        heal()
        return Stopped(folder, run.returncode, said, expected, lycosa("resume", folder, "--json", **options))

    def eio(self):
        """Every write to the archive fails with an input/output error."""
        (self.place / "sitecustomize.py").write_text(_FAILING)
        fails = self.place / "fails"
        environment = os.environ | {"PYTHONPATH": str(self.place), "LYCOSA_FAILS": str(fails)}
        expected = os.strerror(errno.EIO)
        return self.in_the_middle(self.place / "eio", fails.touch, fails.unlink, expected, env=environment)

    def inodes_and_read_only(self):
        """First there is no room for another file, then the disk cannot be written at all."""
        disk, filled = mounted(self.place / "disk", "nr_inodes=100"), []
        found = []

        def fill():
            with suppress(OSError):
                while True:
                    filled.append(disk / f"filler-{len(filled)}")
                    filled[-1].touch()

        def heal():
            for file in filled:
                file.unlink(missing_ok=True)
            subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
            found.append(lycosa("resume", disk / "c", "--json"))
            subprocess.run(["mount", "-o", "remount,rw", disk], check=True)

        inodes = self.in_the_middle(disk / "c", fill, heal, "disk full")
        said = found[0].stderr
        return inodes, Stopped(disk / "c", found[0].returncode, said, os.strerror(errno.EROFS), inodes.resumed)


def mounted(place, option):
    """A small disk in memory, which goes with this mount namespace."""
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", option, "none", place], check=True)
    return place


@pytest.mark.row("A7", alone=True)
@pytest.mark.timeout(3000)
def test_a_machine_that_runs_short_costs_no_page(figure, size, tmp_path):
    pages, hosts = size(40, 1000), size(40, 1500)
    few = [bench("descriptors").measure(hosts, limit, False) for limit in size((64,), (256, 128, 64))]
    trial = Trial(tmp_path, pages)
    with trial.sites:
        inodes, read_only = trial.inodes_and_read_only()
        told = {"EIO": trial.eio(), "inodes": inodes, "read-only": read_only}
    lost = sum(row["lost"] for row in few) + sum(pages - len(held(one.folder).pages) for one in told.values())
    stops = sum(len(row["stops"]) for row in few)
    codes = ", ".join(f"{name} {one.code}" for name, one in told.items())
    figure(
        f"{lost} lost of {hosts:,} hosts at {', '.join(str(row['descriptors']) for row in few)} descriptors "
        f"({stops} stops) and of {pages:,} pages each; exit codes: {codes}"
    )
    assert lost == 0
    assert [row["misses"] for row in few] == [{}] * len(few)
    for one in told.values():
        assert one.code == 2
        assert one.said.count("\n") == 1 and one.expected in one.said, one.said
        assert one.resumed.returncode == 0, one.resumed.stderr
        assert held(one.folder).misses == {}
        assert set(records(one.folder).values()) == {1}
