"""The desk: several hunts at once, each known by a name, each a process of its own, all of them surviving a restart.

Invariant: whatever is read of a hunt is read from its log, and whatever is meant to run is written down before it runs.
So a desk that is killed loses nothing: its hunts end by themselves, and the next desk of the same home goes on with
those that were meant to run. A name leads to a folder only through the shelf's table, never by being a path.

It must not know of HTTP, pages or agents: they all talk to a `HuntJobs`, which is synchronous and may be used from any
thread.
"""

from lycosa.app.jobs.catalog import CatalogEntry
from lycosa.app.jobs.feed import Batch, Feed
from lycosa.app.jobs.hunt_jobs import HuntJobs
from lycosa.app.jobs.hunt_request import HuntRequest
from lycosa.app.jobs.job_errors import Conflict, Unknown

__all__ = ["Batch", "CatalogEntry", "Conflict", "Feed", "HuntJobs", "HuntRequest", "Unknown"]
