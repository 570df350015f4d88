"""Tier ``http``: a plain GET of the page's own URL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.http import TextResponse

from wikicrawler.errors import Reason
from wikicrawler.guard.redirects import why_not_followed
from wikicrawler.pages import Failure, Page
from wikicrawler.tiers.response_headers import headers_of
from wikicrawler.tiers.tier import Tier, page_itself
from wikicrawler.tiers.verdict import judge_early

if TYPE_CHECKING:
    from scrapy.http import Response


class HttpTier(Tier):
    """Plain HTTP: the request is the page's own, the response is the page."""

    name = "http"
    is_probe = True

    request = page_itself

    def read(self, response: Response, page_url: str) -> Page | Failure:
        """Return the page in *response*, at its URL after redirects.

        The document itself is judged after the conversion, by its text.
        """
        if why := why_not_followed(response):
            return Failure(Reason.REDIRECT, why)
        failure = judge_early(response.status, headers_of(response), response.body)
        if failure is not None:
            return failure
        encoding = response.encoding if isinstance(response, TextResponse) else "utf-8"
        return Page(
            url=response.url,
            body=response.body,
            encoding=encoding,
            status=response.status,
            redirected_from=page_url if page_url != response.url else None,
        )
