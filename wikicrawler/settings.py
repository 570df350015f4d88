"""The project's Scrapy settings: the add-on, and the bounds of a crawler that meets strangers.

docs/settings.md explains each of ours; ``-s NAME=VALUE`` overrides any.
"""

from wikicrawler import options

BOT_NAME = "wikicrawler"
SPIDER_MODULES = ["wikicrawler.spiders"]
COMMANDS_MODULE = "wikicrawler.commands"
ADDONS = {"wikicrawler.addon.WikiCrawler": 500}

ROBOTSTXT_OBEY = True
CONCURRENT_REQUESTS = 32
CONCURRENT_REQUESTS_PER_DOMAIN = 1
if _rate := options.DOMAIN_THROTTLE_REQUESTS_PER_MINUTE.variable():
    DOMAIN_THROTTLE_REQUESTS_PER_MINUTE = _rate

# Breadth first: with max_pages, the pages nearest the seeds are the ones that come.
DEPTH_PRIORITY = 1
SCHEDULER_DISK_QUEUE = "scrapy.squeues.PickleFifoDiskQueue"
SCHEDULER_MEMORY_QUEUE = "scrapy.squeues.FifoMemoryQueue"

URLLENGTH_LIMIT = 8_000  # as of seeds; what common servers accept
DOWNLOAD_TIMEOUT = 30
DOWNLOAD_MAXSIZE = 20 * 1024 * 1024
DOWNLOAD_WARNSIZE = 0
DOWNLOAD_VERIFY_CERTIFICATES = True
COOKIES_ENABLED = False

# Both listen on a port and run what they are told.
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False

CONCURRENT_ITEMS = 1  # one record a page: more only costs set-up
FEED_EXPORT_ENCODING = "utf-8"
LOG_LEVEL = "INFO"
# A server that fails is no error of the crawl's: what becomes of the page is told at its end.
RETRY_GIVE_UP_LOG_LEVEL = "INFO"
