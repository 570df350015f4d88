"""Redirects to what is an address, and nothing besides."""

from __future__ import annotations

from scrapy.downloadermiddlewares import redirect
from scrapy.http import Request, Response

from wikicrawler.urls import web_url


class RedirectMiddleware(redirect.RedirectMiddleware):
    """Scrapy's, without the user and password of a target like ``https://user:password@host/``:
    Scrapy takes them for a part of the host's name, so that the page would be lost. Where the
    target is no URL the answer is handed on as it is, as where its scheme is another than http."""

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        try:
            return _checked(super().process_response(request, response))
        except ValueError:
            return response


class MetaRefreshMiddleware(redirect.MetaRefreshMiddleware):
    """Scrapy's, likewise."""

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        try:
            return _checked(super().process_response(request, response))
        except ValueError:
            return response


def _checked(result: Request | Response) -> Request | Response:
    if isinstance(result, Request) and (url := web_url(result.url)) != result.url:
        return result.replace(url=url)
    return result
