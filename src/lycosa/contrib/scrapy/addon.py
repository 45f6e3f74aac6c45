"""The add-on: everything that Lycosa needs in a project, in one line of its settings."""

from __future__ import annotations

from scrapy.settings import BaseSettings

from lycosa.contrib.scrapy.middleware import LycosaMiddleware, LycosaMisses
from lycosa.contrib.scrapy.scheduler import Scheduler


class Addon:
    """ADDONS = {"lycosa.contrib.scrapy.Addon": 500}"""

    def update_settings(self, settings: BaseSettings) -> None:
        """Set the scheduler and the middlewares, unless the project has set them itself."""
        settings.set("SCHEDULER", Scheduler, priority="addon")
        settings.setdefault_in_component_priority_dict("SPIDER_MIDDLEWARES", LycosaMiddleware, 100)
        settings.setdefault_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", LycosaMisses, 10)
