from scrapy import Request
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule

from wallpapers.items import Wallpaper


class GallerySpider(CrawlSpider):
    name = "gallery"
    rules = (
        Rule(LinkExtractor(allow=r"/gallery/\d+$")),
        Rule(LinkExtractor(allow=r"/wallpaper/\d+$"), callback="parse_wallpaper"),
    )

    async def start(self):
        yield Request(f"{self.site}/gallery/1", dont_filter=True)

    def parse_wallpaper(self, response):
        return Wallpaper(
            name=response.css("h2::text").get(),
            page=response.url,
            image_urls=[response.urljoin(src) for src in response.css("img::attr(src)").getall()],
        )
