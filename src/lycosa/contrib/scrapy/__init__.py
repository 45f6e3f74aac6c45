"""For Scrapy users: an existing project sends its requests in the order of any Lycosa strategy.

Invariant: which requests there are is up to the spider and to Scrapy's filter; when each is sent is up to the strategy;
how often a host is asked is up to Scrapy's downloader.
Must not know: the faces, the store, how pages are fetched.
"""

from lycosa.contrib.scrapy.addon import Addon
from lycosa.contrib.scrapy.middleware import LycosaMiddleware, LycosaMisses
from lycosa.contrib.scrapy.scheduler import Scheduler

__all__ = ["Addon", "LycosaMiddleware", "LycosaMisses", "Scheduler"]
