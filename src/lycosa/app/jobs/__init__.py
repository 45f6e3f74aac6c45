"""Hunt jobs: several hunts at once, each with a name and a process of its own, all of them surviving a restart.

Invariant: everything shown of a hunt is read from its log, and what is meant to run is written down before it runs. So
a server that is killed loses nothing: its hunts end by themselves, and the next server of the same home continues those
that were meant to run. A name leads to a folder only through the table of the catalog, never by being a path.
Must not know: HTTP, web pages or agents. They all use a `HuntJobs`, which is synchronous and safe in any thread.
"""

from lycosa.app.jobs.catalog import CatalogEntry
from lycosa.app.jobs.feed import Batch, Feed
from lycosa.app.jobs.hunt_jobs import HuntJobs
from lycosa.app.jobs.job_errors import Conflict, Unknown

__all__ = ["Batch", "CatalogEntry", "Conflict", "Feed", "HuntJobs", "Unknown"]
