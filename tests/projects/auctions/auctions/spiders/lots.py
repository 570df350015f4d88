from copy import deepcopy

import scrapy
from scrapy_redis.spiders import RedisSpider


class LotsSpider(RedisSpider):
    name = "lots"
    redis_key = "lots:start_urls"
    redis_batch_size = 2
    max_idle_time = 1

    def parse(self, response):
        yield {"sale": response.meta.get("sale"), "url": self.place(response.url)}
        for href in response.css("a.lot::attr(href)").getall():
            yield response.follow(
                href, self.parse_lot, meta=response.meta, errback=self.failed, priority=10
            )
        for href in response.css("a.next::attr(href)").getall():
            yield response.follow(href, self.parse, meta=deepcopy(response.meta))

    def parse_lot(self, response):
        lot = {
            "sale": response.meta.get("sale"),
            "lot": response.css("h1::text").get(),
            "depth": response.meta["depth"],
        }
        yield scrapy.FormRequest.from_response(
            response,
            formdata={"amount": "7"},
            callback=self.parse_bid,
            meta=response.meta,
            cb_kwargs={"lot": lot},
            errback=self.failed,
        )

    def parse_bid(self, response, lot):
        yield {**lot, "bid": response.css("b::text").get(), "status": response.status}

    def failed(self, failure):
        response = getattr(failure.value, "response", None)
        yield {
            "failed": self.place(failure.request.url),
            "error": type(failure.value).__name__,
            "status": response.status if response else None,
        }

    def place(self, url):
        return url.partition("://")[2].partition("/")[2]
