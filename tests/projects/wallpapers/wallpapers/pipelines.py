import scrapy
from scrapy.pipelines.images import ImagesPipeline


class WallpaperPipeline(ImagesPipeline):
    def get_media_requests(self, item, info):
        for url in item["image_urls"]:
            yield scrapy.Request(url, headers={"Referer": item["page"]})

    def item_completed(self, results, item, info):
        keys = ("path", "checksum", "status")
        item["images"] = [{key: image[key] for key in keys} for ok, image in results if ok]
        item["failed"] = sum(not ok for ok, _ in results)
        item["image_urls"] = [url[len(info.spider.site) :] for url in item["image_urls"]]
        item["page"] = item["page"][len(info.spider.site) :]
        return item

    def file_path(self, request, response=None, info=None, *, item=None):
        return request.url.partition("://")[2].partition("/")[2].replace("/", "_") + ".jpg"

    def thumb_path(self, request, thumb_id, response=None, info=None, *, item=None):
        return f"{thumb_id}/{self.file_path(request)}"
