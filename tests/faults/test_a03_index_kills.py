"""A3: an index that was killed in a commit holds the old state or the new one, and catches up with the store."""

from random import Random

import pytest
from kills import bring_up_to_date, crash, difference, index_kills, stored
from processes import kill, page_count, until

from lycosa.store.folders import SPOOL
from lycosa.web.made import Made
from lycosa.web.serving import spawn


@pytest.mark.row("A3")
@pytest.mark.timeout(1800)
def test_an_index_that_was_killed_in_a_commit_equals_the_store_when_it_is_opened(figure, size, tmp_path):
    rng, told = Random(3), []
    alone = index_kills(tmp_path, size(1, 40), size(60, 300), rng)
    topic = Made(pages=700, topics=6, seed=3, page_bytes=3000).topics[0]
    folder = tmp_path / "c"
    with spawn("made:pages=700,topics=6,seed=3,page_bytes=3000", latency=(0.0, 0.05)) as served:
        begin = ["crawl", topic.keywords, *(f"--seed={url}" for url in topic.examples), "--pages=0", "--delay=0"]
        begin += [f"--proxy={served.proxy}", f"--out={folder}", "--checkpoint=0.3", "--json"]
        for number in range(size(2, 20)):
            process = crash.start(["resume", str(folder), "--json"] if number else begin, tmp_path)
            before = page_count(folder)
            until(lambda before=before: page_count(folder) > before, process)
            (crash.while_indexing, crash.while_saving)[number % 2](process, folder, rng)
            kill(process)
            bring_up_to_date(folder)
            told.append(difference(folder))
        crash.run(["resume", str(folder), f"--pages={len(stored(folder)) + 20}", "--json"])
    told.append(difference(folder))
    wrong = sum(lost + other for lost, other in (*told, alone[1:]))
    figure(f"{wrong} documents differ after {alone.kills + len(told) - 1} kills, {len(stored(folder))} pages")
    assert wrong == 0
    assert not (folder / SPOOL).exists()
