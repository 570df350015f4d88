"""The request that Scrapy makes of a redirect.

Private name: ``BaseRedirectMiddleware._build_redirect_request()``, which all redirects and meta
refreshes go through. Scrapy has no hook that sees the URL before a request is made of it, and
``process_response()`` cannot be called with another URL; such a hook would replace this module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.downloadermiddlewares.redirect import BaseRedirectMiddleware

from wikicrawler.process.internals.presence import require

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

_PURPOSE = "The check of redirects"

require(
    BaseRedirectMiddleware,
    "_build_redirect_request",
    *("source_request", "response", "url"),
    library="scrapy",
    purpose=_PURPOSE,
)


class RedirectRequestMixin(BaseRedirectMiddleware):
    """Mixin of Scrapy's redirect middlewares, with :meth:`redirect_request` to override."""

    def redirect_request(
        self, source_request: Request, response: Response, *, url: str, **kwargs: Any
    ) -> Request:
        """Return the request for *url*, to which *response* redirects *source_request*.

        :param kwargs: what else differs from *source_request*, as in :meth:`Request.replace`
        """
        return super()._build_redirect_request(source_request, response, url=url, **kwargs)

    def _build_redirect_request(
        self, source_request: Request, response: Response, *, url: str, **kwargs: Any
    ) -> Request:
        return self.redirect_request(source_request, response, url=url, **kwargs)
