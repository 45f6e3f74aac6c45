"""A small project. The lines about Lycosa are all that it takes; without them it is plain Scrapy."""

BOT_NAME = "hunting"
SPIDER_MODULES = ["hunting.spiders"]
ROBOTSTXT_OBEY = True
CONCURRENT_REQUESTS_PER_DOMAIN = 1
DOWNLOAD_DELAY = 1
TELNETCONSOLE_ENABLED = False
LOG_LEVEL = "INFO"

ADDONS = {"lycosa.contrib.scrapy.Addon": 500}
LYCOSA_KEYWORDS = "wolf spiders"
LYCOSA_STRATEGY = "best-first"
