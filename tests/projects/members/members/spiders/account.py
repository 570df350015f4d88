import scrapy
from scrapy.http import FormRequest

ACCOUNTS = [("ann", "correct horse"), ("ben", "wrong"), ("cat", "battery staple")]


class AccountSpider(scrapy.Spider):
    name = "account"

    async def start(self):
        for number, (user, password) in enumerate(ACCOUNTS):
            yield scrapy.Request(
                f"{self.site}/account",
                callback=self.log_in,
                errback=self.failed,
                meta={"cookiejar": number},
                cb_kwargs={"user": user, "password": password},
                dont_filter=True,
            )

    def log_in(self, response, user, password):
        yield FormRequest.from_response(
            response,
            formdata={"user": user, "password": password},
            callback=self.logged_in,
            errback=self.failed,
            meta={"cookiejar": response.meta["cookiejar"]},
            cb_kwargs={"user": user},
            dont_filter=True,
        )

    def logged_in(self, response, user):
        if b"Wrong password" in response.body:
            yield {"user": user, "error": "wrong password"}
            # as a guest, then
            yield FormRequest.from_response(
                response,
                formxpath="//form[@id='guest']",
                callback=self.parse_guest,
                meta={"cookiejar": response.meta["cookiejar"]},
                cb_kwargs={"user": user},
            )
            return
        yield {"user": user, "hello": response.css("h1::text").get()}
        for href in response.css("nav a::attr(href)").getall():
            yield response.follow(
                href,
                callback=self.parse_section,
                errback=self.failed,
                meta={"cookiejar": response.meta["cookiejar"]},
                cb_kwargs={"user": user},
                dont_filter=True,
            )

    def parse_guest(self, response, user):
        yield {"user": user, "guest": response.css("p::text").get()}

    def parse_section(self, response, user):
        yield {
            "user": user,
            "section": response.url[len(self.site) :],
            "title": response.css("title::text").get(),
            "rows": response.css("td::text").getall(),
            "scripts": response.css("script::attr(src)").getall(),
            "forms": len(response.css("form")),
            "length": len(response.body),
        }

    def failed(self, failure):
        yield {
            "failed": failure.request.url[len(self.site) :],
            "error": type(failure.value).__name__,
        }
