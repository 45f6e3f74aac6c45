"""Jobs: waiting requests and what was learned, kept in Scrapy's JOBDIR from a clean stop to the next start.

Like Scrapy, this pickles requests: a job directory must be as trusted as the project itself.
"""

from __future__ import annotations

import logging
import pickle
from pathlib import Path
from typing import Any

from scrapy import Request, Spider
from scrapy.utils.request import request_from_dict

from lycosa.contrib.scrapy.brain import Brain
from lycosa.system.atomic_file import write_whole
from lycosa.system.errors import Code, Refused

logger = logging.getLogger(__name__)


def keep(path: Path, brain: Brain, spider: Spider) -> int:
    """Write a job; returns how many requests could not be kept because their callback is not a method of the spider."""
    lost = 0

    def plain(request: Request) -> dict[str, Any] | None:
        nonlocal lost
        try:
            made = request.to_dict(spider=spider)
            pickle.dumps(made)
        except Exception:  # A request may hold anything, and pickle may raise anything.
            lost += 1
            return None
        return made

    state = {"brain": brain.save(), "queue": brain.queue.save(plain)}
    write_whole(path, pickle.dumps(state))
    if lost:
        logger.warning("Lycosa: %d requests could not be kept in the job directory", lost, extra={"spider": spider})
    return lost


def resume(path: Path, brain: Brain, spider: Spider) -> None:
    """Read a job, if there is one."""
    if not path.exists():
        return
    try:
        state = pickle.loads(path.read_bytes())
        brain.load(state["brain"])
        brain.queue.load(state["queue"], lambda made: request_from_dict(made, spider=spider))
    except Refused:
        raise
    except Exception as error:  # Whatever a broken pickle, another version or a renamed callback may raise.
        raise Refused(
            f"the job in {path.parent} cannot be resumed ({error})", "choose another JOBDIR", code=Code.DAMAGED
        ) from None
    logger.info("Lycosa: resuming with %d requests", len(brain.queue), extra={"spider": spider})
