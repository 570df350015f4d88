"""The token of the API: fetched when it is first needed, and again when it has run out."""

import json

from scrapy import Request


class TokenMiddleware:
    def __init__(self, crawler):
        self.crawler = crawler
        self.token = "expired"  # noqa: S105

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    def process_request(self, request):
        if request.meta.get("is_token_request"):
            return
        request.headers["Authorization"] = f"Bearer {self.token}"

    async def process_response(self, request, response):
        if response.status != 401 or request.meta.get("is_token_request"):
            return response
        answer = await self.crawler.engine.download_async(
            Request(
                f"{self.crawler.spider.site}/api/token",
                method="POST",
                body=json.dumps({"key": "k"}),
                headers={"Content-Type": "application/json"},
                meta={"is_token_request": True},
            )
        )
        self.token = answer.json()["token"]
        return request.replace(dont_filter=True)
