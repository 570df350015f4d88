"""Tier ``http``: the page's own URL, asked for as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.http import TextResponse

from wikicrawler.errors import Reason
from wikicrawler.guard.redirects import why_not_followed
from wikicrawler.pages import Failure, Page
from wikicrawler.tiers.verdict import judge_early

if TYPE_CHECKING:
    from scrapy.http import Request, Response

    from wikicrawler.tiers.mediawiki.site import WikiSite


class HttpTier:
    """Plain HTTP: the request is the page's own, the answer is the page."""

    name = "http"

    def request(self, page: Request, wiki: WikiSite | None) -> Request | Failure:
        """The request for *page*: itself."""
        return page

    def read(self, response: Response, page_url: str, wiki: WikiSite | None) -> Page | Failure:
        """The page in *response*, whose URL stands after redirects.

        Whether the document itself speaks against it is told by its text, after the conversion.
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


def headers_of(response: Response) -> dict[str, str]:
    """Headers with lower-case names; of repeated ones the last, but every cookie that is set."""
    headers = {
        name.decode("latin-1").lower(): values[-1].decode("latin-1")
        for name, values in response.headers.items()
        if values
    }
    cookies = response.headers.getlist("Set-Cookie")
    if cookies:
        headers["set-cookie"] = b", ".join(cookies).decode("latin-1")
    return headers
