"""A crawl that several processes share: scrapy-redis, or a model of scrapy-cluster's queues.

    crawl.py REDIS OUT LOG NAME PAUSE PLACES [--cluster]

Start URLs are in the list ``pages:start_urls`` of REDIS. PAUSE: seconds between two requests to a
site. Each page is written to OUT at once, so that no buffer of a feed is lost with the process.
"""

import argparse
import json
import random
import time

import redis
from scrapy import Request, signals
from scrapy.crawler import CrawlerProcess
from scrapy.exceptions import DontCloseSpider
from scrapy.utils.httpobj import urlparse_cached
from scrapy_redis.spiders import RedisSpider

IDLE = 12  # seconds without a request after which a process ends


class PagesSpider(RedisSpider):
    name = "pages"
    redis_key = "pages:start_urls"
    redis_batch_size = 10_000

    def __init__(self, out, **kwargs):
        super().__init__(**kwargs)
        self.out = open(out, "w", buffering=1)  # noqa: PTH123, SIM115

    def parse(self, response):
        self.out.write(json.dumps({"url": response.url, "text": response.text}) + "\n")
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link)


class ClusterScheduler:
    """The queues of scrapy-cluster, in a model.

    scrapy-cluster itself needs Kafka, ZooKeeper and an old Scrapy. As there, a domain has a queue
    by priority, and a throttle by the clock of the process that pops: so many seconds between two
    pops. A process looks for new queues every ten seconds, and tries its queues in an order of
    chance until one of them gives a request, which then is in no queue any more.
    """

    REFRESH = 10

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    def __init__(self, crawler):
        self.settings = crawler.settings
        self.fingerprint = crawler.request_fingerprinter.fingerprint
        self.redis = redis.Redis.from_url(self.settings["REDIS_URL"])
        self.pause = self.settings.getfloat("CLUSTER_PAUSE")
        self.keys, self.refreshed = [], float("-inf")

    def open(self, spider):
        self.spider = spider

    def close(self, reason):
        pass

    def has_pending_requests(self):
        return False

    def enqueue_request(self, request):
        if not request.dont_filter and not self.redis.sadd("seen", self.fingerprint(request)):
            return False
        key = f"queue:{urlparse_cached(request).hostname}"
        stored = json.dumps({"url": request.url, "dont_filter": request.dont_filter})
        self.redis.zadd(key, {stored: -request.priority})
        return True

    def next_request(self):
        if time.monotonic() - self.refreshed >= self.REFRESH:
            self.keys, self.refreshed = self.redis.keys("queue:*"), time.monotonic()
        random.shuffle(self.keys)
        for key in self.keys:
            if self.is_allowed(b"throttle:" + key) and (found := self.redis.zpopmin(key)):
                return Request(**json.loads(found[0][0]))
        return None

    def is_allowed(self, key):
        with self.redis.pipeline() as pipe:
            try:
                pipe.watch(key)
                now = time.time()
                if now - float(pipe.get(key) or 0) < self.pause:
                    return False
                pipe.multi()
                pipe.set(key, now, ex=int(2 * self.pause) + 1)
                pipe.execute()
            except redis.WatchError:
                return False
        return True


class ClusterSpider(PagesSpider):
    """Ends when it had nothing to do for a while, as the other one does."""

    active = None

    def spider_idle(self):
        self.schedule_next_requests()
        now = time.monotonic()
        if self.active is None:
            self.active = now
            self.crawler.signals.connect(self.busy, signals.request_reached_downloader)
        if now - self.active < IDLE:
            raise DontCloseSpider

    def busy(self):
        self.active = time.monotonic()


def main():
    parser = argparse.ArgumentParser()
    for name in ("redis", "out", "log", "name"):
        parser.add_argument(name)
    parser.add_argument("pause", type=float)
    parser.add_argument("places", type=int)
    parser.add_argument("--cluster", action="store_true")
    arguments = parser.parse_args()
    settings = {
        "CONCURRENT_REQUESTS": arguments.places,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "DEFAULT_REQUEST_HEADERS": {"X-Worker": arguments.name},
        "LOG_FILE": arguments.log,
        "LOG_LEVEL": "INFO",
        "REDIS_URL": arguments.redis,
        "ROBOTSTXT_OBEY": True,
        "TELNETCONSOLE_ENABLED": False,
        "TWISTED_DNS_RESOLVER": "bench.crawls.loopback.LoopbackResolver",
    }
    if arguments.cluster:
        settings |= {"SCHEDULER": ClusterScheduler, "CLUSTER_PAUSE": arguments.pause}
    else:
        settings |= {
            "DOWNLOAD_DELAY": arguments.pause,
            "DUPEFILTER_CLASS": "scrapy_redis.dupefilter.RFPDupeFilter",
            "MAX_IDLE_TIME_BEFORE_CLOSE": IDLE,
            "RANDOMIZE_DOWNLOAD_DELAY": False,
            "SCHEDULER": "scrapy_redis.scheduler.Scheduler",
            "SCHEDULER_PERSIST": True,
        }
    process = CrawlerProcess(settings)
    process.crawl(ClusterSpider if arguments.cluster else PagesSpider, out=arguments.out)
    process.start()


if __name__ == "__main__":
    main()
