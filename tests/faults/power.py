"""What a power cut leaves of a collection: what was synced for certain, of everything else any part.

`synced.c` keeps of each file what it held at its last fsync. A moment of a crawl is taken by stopping its processes and
copying the folder; from that, many disks can be made that might be found after a power cut at that moment.
"""

import os
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

BLOCK = 4096
NEVER = ("-shm", "lock", "scouts.log")
"""Ends of names of files that nothing hangs on, or that live in memory."""


def missing(place):
    """Why no syncs can be watched here; empty if they can."""
    if not (shutil.which("cc") or shutil.which("gcc")):
        return "watching what is synced takes a C compiler"
    try:
        (place / "probe").touch()
        os.setxattr(place / "probe", "user.synced", b"1")
    except OSError as error:
        return f"watching what is synced takes extended attributes ({error.strerror})"
    return ""


def watching(place):
    """The environment in which a crawl's syncs are watched, and where they are kept."""
    library, kept = place / "synced.so", place / "synced"
    source = Path(__file__).parent / "synced.c"
    compiler = shutil.which("cc") or shutil.which("gcc")
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    kept.mkdir()
    return os.environ | {"LD_PRELOAD": str(library), "SYNCED": str(kept)}


class Instant:
    """A collection as its processes saw it at one instant, and what of it was safe."""

    def __init__(self, process, folder, place):
        os.killpg(process.pid, signal.SIGSTOP)
        try:
            self.seen, self.safe = {}, {}
            for file in (path for path in sorted(folder.rglob("*")) if path.is_file()):
                name = str(file.relative_to(folder))
                if name.endswith(NEVER):
                    continue
                self.seen[name] = file.read_bytes()
                with suppress(OSError):
                    kept = place / "synced" / os.getxattr(file, "user.synced").decode()
                    self.safe[name] = kept.read_bytes()
        finally:
            os.killpg(process.pid, signal.SIGCONT)

    def write(self, folder, rng=None):
        """Everything as it was seen; with dice, a disk as it may be found after a power cut."""
        for name, seen in self.seen.items():
            content = seen if rng is None else after(self.safe.get(name), seen, rng)
            if content is not None:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(content)


def after(safe, seen, rng):
    """What may be left of a file; None for nothing at all."""
    if safe is None:
        return None if rng.random() < 0.3 else appended(b"", seen, rng)
    if seen.startswith(safe):
        return appended(safe, seen, rng)
    # It was written over: of each block the old or the new content.
    new = rng.choice((0.0, 0.5, 1.0))
    length = rng.choice((len(safe), len(seen)))
    blocks = range(0, max(len(safe), len(seen)), BLOCK)
    mixed = b"".join((seen if rng.random() < new else safe)[at : at + BLOCK].ljust(BLOCK, b"\0") for at in blocks)
    return mixed[:length]


def appended(safe, seen, rng):
    """What is safe, and of the rest a part; its length may be known and its content not."""
    rest = seen[len(safe) :]
    match rng.randrange(4):
        case 0:
            return safe
        case 1:
            return seen
        case 2:
            return safe + rest[: rng.randrange(len(rest) + 1)]
        case _:
            kept = rng.randrange(len(rest) + 1)
            return safe + rest[:kept] + bytes(len(rest) - kept)
