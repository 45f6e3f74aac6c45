"""A9: one crawl at a time works on a collection; what a killed one leaves behind keeps nobody out."""

import pytest
from processes import kill, page_count, start, until
from sites import Sites, control, held, lycosa


@pytest.mark.row("A9")
def test_a_second_crawl_is_refused_and_a_lock_of_a_dead_one_is_taken_over(figure, size, tmp_path):
    folder, rounds, refused, taken = tmp_path / "c", size(1, 10), 0, 0
    pages = size(60, 400)
    with Sites(control(pages)) as sites:
        begin = ["crawl", "wolf spider", "--seed=http://control.test/", f"--proxy={sites.proxy}", f"--out={folder}"]
        # Slow, so that the first one is still there when the second comes.
        begin += ["--pages=0", "--delay=0.3", "--no-index"]
        for number in range(rounds):
            first = start(*(["resume", folder] if number else begin))
            try:
                before = page_count(folder)
                assert until(lambda before=before: page_count(folder) > before)
                second = lycosa("resume", folder)
                told = f"lycosa: {folder} is in use by process {first.pid}: stop that crawl, or wait for its end\n"
                refused += second.returncode == 2 and second.stderr == told
                assert first.poll() is None
            finally:
                kill(first)
            taken += (folder / "lock").read_text().strip() == str(first.pid)
        last = lycosa("resume", folder, f"--pages={page_count(folder) + 2}", "--json")
    figure(f"{refused} of {rounds} second crawls refused, {taken} locks of the dead taken over")
    assert (refused, taken, last.returncode) == (rounds, rounds, 0)
    assert set(held(folder).final.values()) <= {0, 1}
