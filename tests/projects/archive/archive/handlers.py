"""Every answer is kept, and can be had again under ``archive://``."""

from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.http import HtmlResponse

KEPT = {}


class ArchivingHandler(HTTP11DownloadHandler):
    async def download_request(self, request):
        request.headers["X-Archive"] = "1"
        response = await super().download_request(request)
        KEPT[request.url.partition("://")[2]] = response.body
        response.flags.append("archived")
        return response


class ReplayHandler(BaseDownloadHandler):
    async def download_request(self, request):
        body = KEPT.get(request.url.partition("://")[2])
        return HtmlResponse(
            request.url, status=404 if body is None else 200, body=body or b"", encoding="utf-8"
        )
