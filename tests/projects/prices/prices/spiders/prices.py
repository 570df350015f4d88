import json

import scrapy
from scrapy.http import JsonRequest
from scrapy.spidermiddlewares.httperror import HttpError


class PricesSpider(scrapy.Spider):
    name = "prices"
    handle_httpstatus_list = [422]

    async def start(self):
        yield scrapy.Request(f"{self.site}/api/shops", callback=self.parse_shops)

    def parse_shops(self, response):
        for shop in response.json()["shops"]:
            yield self.search(shop, cursor=0)
        for path in (
            "/api/nothing",
            "/api/list",
            "/api/feed.xml",
            "/api/rates.csv",
            "/api/notice",
            "/api/null",
            "/api/unprocessable",
            "/api/teapot",
            "/api/broken",
            "/api/dropped",
            "/api/slow",
            "/api/busy",
        ):
            yield scrapy.Request(
                self.site + path,
                callback=self.parse_other,
                errback=self.failed,
                meta={"download_timeout": 1} if path == "/api/slow" else {},
            )
        yield scrapy.Request(
            f"{self.site}/api/broken?patient",
            callback=self.parse_other,
            errback=self.failed,
            meta={"max_retry_times": 3},
        )
        yield scrapy.Request(
            f"{self.site}/api/broken?impatient",
            callback=self.parse_other,
            errback=self.failed,
            meta={"dont_retry": True},
        )
        yield scrapy.Request(
            f"{self.site}/api/basket", method="PUT", body="{}", callback=self.parse_other
        )
        yield scrapy.Request(f"{self.site}/api/basket", method="DELETE", callback=self.parse_other)
        yield scrapy.Request(f"{self.site}/api/basket", method="HEAD", callback=self.parse_other)

    def search(self, shop, cursor):
        return JsonRequest(
            f"{self.site}/api/search",
            data={"shop": shop, "cursor": cursor},
            callback=self.parse_found,
            errback=self.failed,
            cb_kwargs={"shop": shop},
        )

    def parse_found(self, response, shop):
        answer = response.json()
        for product in answer["products"]:
            yield {"shop": shop, **product}
        if answer["next"] is not None:
            yield self.search(shop, answer["next"])

    def parse_other(self, response):
        yield {
            "url": response.url[len(self.site) :],
            "method": response.request.method,
            "status": response.status,
            "type": type(response).__name__,
            "body": response.body.decode(),
        }

    def failed(self, failure):
        request = failure.request
        item = {"failed": request.url[len(self.site) :], "error": type(failure.value).__name__}
        if failure.check(HttpError):
            item["status"] = failure.value.response.status
            item["body"] = failure.value.response.text
        if request.method == "POST":
            item["asked"] = json.loads(request.body)
        yield item
