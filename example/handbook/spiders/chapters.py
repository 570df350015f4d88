"""Crawls a handbook: one item a page, within the bounds of the crawl."""

from scrapy import Spider

from handbook.items import Chapter
from wikicrawler import CrawlBounds, CrawlScope, report_skipped


class ChaptersSpider(Spider):
    name = "chapters"

    def __init__(self, url, max_pages=None, **kwargs):
        super().__init__(**kwargs)
        self.url = url
        self.crawl_bounds = CrawlBounds(
            max_pages=int(max_pages) if max_pages else None,
            exclude=r"/wiki/\w+:",  # Talk:, Special: and the like
        )

    async def start(self):
        scope = CrawlScope.of(self.crawler)
        for request in scope.start([self.url], callback=self.parse_chapter, errback=self.failed):
            yield request

    async def parse_chapter(self, response):
        scope = CrawlScope.of(self.crawler)
        if not scope.accept(response):
            for request in scope.instead(response.request):
                yield request
            return
        content = response.meta["tier_content"]
        yield Chapter(
            url=response.url,
            heading=content.title,
            words=len(content.markdown.split()),
            markdown=content.markdown,
            tier=response.meta["tier"],
        )
        # The links of the text (of a wiki's page: to pages, not to edit forms), then the menus'.
        links = [*(response.meta["tier_page"].links or ()), *content.elsewhere]
        async for request in scope.follow(
            response, links, callback=self.parse_chapter, errback=self.failed
        ):
            yield request

    def failed(self, failure):
        report_skipped(self.crawler, failure)
        yield from CrawlScope.of(self.crawler).instead(failure.request)
