import scrapy
from scrapy.spidermiddlewares.httperror import HttpError


class BooksSpider(scrapy.Spider):
    name = "books"
    handle_httpstatus_list = [404]

    async def start(self):
        yield scrapy.Request(f"{self.site}/books/", callback=self.parse)

    def parse(self, response):
        for link in response.css("a.book"):
            yield response.follow(
                link,
                callback=self.parse_book,
                errback=self.failed,
                cb_kwargs={"shelf": response.url},
            )
        yield from response.follow_all(css="a.next", callback=self.parse)

    def parse_book(self, response, shelf):
        if response.status == 404:
            yield {"kind": "gone", "path": response.url[len(self.site) :]}
            return
        yield {
            "kind": "book",
            "path": response.url[len(self.site) :],
            "shelf": shelf[len(self.site) :],
            "title": response.css("h1::text").get(default="untitled"),
            "price": response.css(".price::text").get(),
            "length": len(response.body),
            "retried": response.meta.get("retry_times", 0),
        }

    def failed(self, failure):
        request = failure.request
        status = failure.value.response.status if failure.check(HttpError) else None
        yield {
            "kind": "failed",
            "path": request.url[len(self.site) :],
            "status": status,
            "error": type(failure.value).__name__,
        }
