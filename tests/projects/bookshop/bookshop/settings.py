BOT_NAME = "bookshop"

SPIDER_MODULES = ["bookshop.spiders"]
NEWSPIDER_MODULE = "bookshop.spiders"

USER_AGENT = "bookshop (+http://books.example)"

ROBOTSTXT_OBEY = True

CONCURRENT_REQUESTS_PER_DOMAIN = 4
DOWNLOAD_DELAY = 0.02

RETRY_TIMES = 3
RETRY_HTTP_CODES = [403, 500, 502, 503, 504]
RETRY_BACKOFF = 0.1

DOWNLOADER_MIDDLEWARES = {
    "scrapy.downloadermiddlewares.retry.RetryMiddleware": None,
    "bookshop.middlewares.BackOffRetryMiddleware": 540,
}

ITEM_PIPELINES = {"bookshop.pipelines.PricePipeline": 300}

FEED_EXPORT_ENCODING = "utf-8"
