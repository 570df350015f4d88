import scrapy


class QuotesSpider(scrapy.Spider):
    name = "quotes"

    async def start(self):
        for tag in ("love", "life", "humour"):
            yield scrapy.Request(f"{self.site}/quotes/{tag}/1/", meta={"tag": tag})

    def parse(self, response):
        for quote in response.css("div.quote"):
            yield {
                "text": quote.css("span.text::text").get(),
                "author": quote.css("small.author::text").get(),
                "tag": response.meta["tag"],
            }
        yield from response.follow_all(
            css="a.author", callback=self.parse_author, meta={"tag": response.meta["tag"]}
        )
        next_page = response.css("li.next a::attr(href)").get()
        if next_page:
            yield response.follow(next_page, self.parse, meta={"tag": response.meta["tag"]})

    def parse_author(self, response):
        yield {"name": response.css("h3::text").get(), "how": "author"}

    def parse_moved_author(self, response):
        yield {"name": response.css("h3::text").get(), "how": "moved"}

    def parse_gate(self, response):
        yield {"gate": response.css("p::text").get(), "how": "gate"}
        yield response.follow(response.css("a.enter::attr(href)").get(), callback=self.parse_author)
