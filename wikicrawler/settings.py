"""The project's Scrapy settings: the add-on, and limits for crawling unknown servers.

docs/settings.md describes wikicrawler's own settings. ``-s NAME=VALUE`` overrides any setting.
"""

from wikicrawler.version import PRODUCT

BOT_NAME = "wikicrawler"
SPIDER_MODULES = ["wikicrawler.spiders"]
NEWSPIDER_MODULE = "wikicrawler.spiders"
SPIDER_LOADER_CLASS = "wikicrawler.spiders.loader.NamedSpiderLoader"
COMMANDS_MODULE = "wikicrawler.commands.overrides"
ADDONS = {"wikicrawler.addon.WikiCrawler": 500}

# In other projects the add-on leaves these as the project, or Scrapy, has them.
USER_AGENT = PRODUCT  # the add-on adds WIKICRAWLER_CONTACT
DOMAIN_THROTTLE_ENABLED = True
WIKICRAWLER_TIERS_STRICT = True

ROBOTSTXT_OBEY = True
CONCURRENT_REQUESTS = 32
CONCURRENT_REQUESTS_PER_DOMAIN = 1

# Breadth first, so that max_pages selects the pages nearest the seeds.
DEPTH_PRIORITY = 1
SCHEDULER_DISK_QUEUE = "scrapy.squeues.PickleFifoDiskQueue"
SCHEDULER_MEMORY_QUEUE = "wikicrawler.frontier.compact_queue.CompactFifoQueue"
SCHEDULER_START_MEMORY_QUEUE = "wikicrawler.frontier.compact_queue.CompactFifoQueue"

URLLENGTH_LIMIT = 8_000  # as for seeds; common servers accept this length
DOWNLOAD_TIMEOUT = 30
DOWNLOAD_MAXSIZE = 20 * 1024 * 1024
DOWNLOAD_WARNSIZE = 0
DOWNLOAD_VERIFY_CERTIFICATES = True
COOKIES_ENABLED = False

# Both listen on a port and execute received commands.
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False

CONCURRENT_ITEMS = 1  # each page yields one record: more concurrency only adds overhead
FEED_EXPORT_ENCODING = "utf-8"
# What the command line accepts for -o and -O, which is read before the add-on is. A folder, whose
# name ends with a slash, needs no format.
FEED_EXPORTERS = {
    "chunks": "wikicrawler.feeds.chunks.feed.ChunkExporter",
    "parquet": "wikicrawler.feeds.parquet.feed.ParquetExporter",
    **dict.fromkeys(("markdown", "md", ""), "wikicrawler.feeds.markdown.feed.MarkdownExporter"),
}
LOG_LEVEL = "INFO"
# A failing server is not an error of the crawl: skipped pages are reported separately.
RETRY_GIVE_UP_LOG_LEVEL = "INFO"
