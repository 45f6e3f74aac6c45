"""For Scrapy users: an existing project sends its requests in the order of any Lycosa strategy.

Invariant: the spider and Scrapy's duplicate filter decide which requests there are; the strategy decides their order;
Scrapy's downloader decides how often a host is asked.
Must not know: the faces, the store, how pages are fetched.
"""

from lycosa.contrib.scrapy.addon import Addon
from lycosa.contrib.scrapy.middleware import LycosaMiddleware, LycosaMisses
from lycosa.contrib.scrapy.scheduler import Scheduler

__all__ = ["Addon", "LycosaMiddleware", "LycosaMisses", "Scheduler"]
