BOT_NAME = "archive"

SPIDER_MODULES = ["archive.spiders"]
NEWSPIDER_MODULE = "archive.spiders"

ROBOTSTXT_OBEY = True
USER_AGENT = "archive/1.0"

CONCURRENT_REQUESTS_PER_DOMAIN = 2
DOWNLOAD_DELAY = 0

RETRY_ENABLED = False
REDIRECT_ENABLED = False
METAREFRESH_ENABLED = False
HTTPERROR_ALLOW_ALL = True
DEPTH_LIMIT = 3
DEPTH_PRIORITY = 1
SCHEDULER_DISK_QUEUE = "scrapy.squeues.PickleFifoDiskQueue"
SCHEDULER_MEMORY_QUEUE = "scrapy.squeues.FifoMemoryQueue"

DOWNLOAD_HANDLERS = {
    "http": "archive.handlers.ArchivingHandler",
    "https": "archive.handlers.ArchivingHandler",
    "archive": "archive.handlers.ReplayHandler",
}

SPIDER_MIDDLEWARES = {"archive.middlewares.OriginMiddleware": 543}

FEED_EXPORT_ENCODING = "utf-8"
