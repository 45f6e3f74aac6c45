"""A crawl that dies in the middle of writing a record: `python torn.py FOLDER KILLS SEED` prints what was dropped.

Each round is a child of its own, so that kill -9 is real and nothing is imported twice. It replays a made web; at some
record only part of its bytes reach the file before the kill.
"""

import json
import os
import signal
import sys
import traceback
from pathlib import Path
from random import Random

from lycosa.app.hunts import hunt, resume
from lycosa.store.collection import Collection
from lycosa.web.made import Made

WEB = {"pages": 300, "topics": 3, "seed": 5}
PAGES = 120
_write = os.write


def die_at(record, share):
    """Let so many records be written whole, and of the next one a share."""
    seen = 0

    def write(fd, data):
        nonlocal seen
        if bytes(data[:2]) == b"\x1f\x8b":
            seen += 1
            if seen > record:
                _write(fd, data[: int(len(data) * share)])
                os.kill(os.getpid(), signal.SIGKILL)
        return _write(fd, data)

    os.write = write


def crawl(folder):
    """Begin or go on, to the end."""
    if (folder / "log.sqlite").exists():
        running = resume(folder)
    else:
        topic = Made(**WEB).topics[0]
        recording = "made:" + ",".join(f"{name}={value}" for name, value in WEB.items())
        running = hunt(topic.keywords, topic.examples, out=folder, pages=PAGES, replay=recording, index=False)
    with running:
        for _ in running:
            pass


def in_a_child(work, *arguments):
    """Do something in another process; the signal that ended it, or 0."""
    child = os.fork()
    if child == 0:
        try:
            work(*arguments)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status):
        assert os.WEXITSTATUS(status) == 0, f"{work.__name__} failed"
        return 0
    return os.WTERMSIG(status)


def die(folder, record, share):
    die_at(record, share)
    crawl(folder)


def recover(folder):
    with Collection.open(folder, write=True) as collection:
        print(json.dumps(collection.recover().dropped), flush=True)


def main(folder, kills, seed):
    rng = Random(seed)
    for number in range(kills):
        # The first one dies before a single record is whole. Then come few at a time, so that the crawl is not over
        # before the last kill.
        record = rng.randrange(1, 2 + PAGES // kills) if number else 0
        if in_a_child(die, folder, record, rng.random()) == signal.SIGKILL:
            in_a_child(recover, folder)
    assert in_a_child(crawl, folder) == 0


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
