BOT_NAME = "auctions"

SPIDER_MODULES = ["auctions.spiders"]
NEWSPIDER_MODULE = "auctions.spiders"

USER_AGENT = "auctions/1.0"
ROBOTSTXT_OBEY = False

SCHEDULER = "scrapy_redis.scheduler.Scheduler"
DUPEFILTER_CLASS = "scrapy_redis.dupefilter.RFPDupeFilter"
SCHEDULER_PERSIST = True

ITEM_PIPELINES = {"scrapy_redis.pipelines.RedisPipeline": 300}

MAX_IDLE_TIME_BEFORE_CLOSE = 1
CONCURRENT_REQUESTS = 8
RETRY_TIMES = 1
