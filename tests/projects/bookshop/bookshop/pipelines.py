from scrapy.exceptions import DropItem


class PricePipeline:
    def process_item(self, item):
        if item.get("kind") == "book" and not item.get("price"):
            raise DropItem("no price")
        return item
