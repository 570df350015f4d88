import scrapy


class Wallpaper(scrapy.Item):
    name = scrapy.Field()
    page = scrapy.Field()
    image_urls = scrapy.Field()
    images = scrapy.Field()
    failed = scrapy.Field()
