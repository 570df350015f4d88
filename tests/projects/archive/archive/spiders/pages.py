import scrapy


class PagesSpider(scrapy.Spider):
    name = "pages"

    async def start(self):
        yield scrapy.Request(f"{self.site}/archive/", errback=self.failed)

    def parse(self, response):
        yield {
            "scheme": response.url.partition(":")[0],
            "path": response.url.partition("://")[2].partition("/")[2],
            "status": response.status,
            "location": response.headers.get("Location", b"").decode(),
            "length": len(response.body),
        }
        if not isinstance(response, scrapy.http.TextResponse):
            return
        for href in response.css("a::attr(href)").getall():
            yield response.follow(href, errback=self.failed)
        if response.url.startswith("http"):
            yield scrapy.Request(
                response.url.replace("http://", "archive://"),
                callback=self.parse_again,
                errback=self.failed,
            )

    def parse_again(self, response):
        yield {
            "scheme": response.url.partition(":")[0],
            "path": response.url.partition("://")[2].partition("/")[2],
            "status": response.status,
            "length": len(response.body),
        }

    def failed(self, failure):
        yield {
            "failed": failure.request.url.partition("://")[2].partition("/")[2],
            "error": type(failure.value).__name__,
        }
