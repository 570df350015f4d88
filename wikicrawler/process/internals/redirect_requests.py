"""The request that Scrapy creates for a redirect.

Private name: ``BaseRedirectMiddleware._build_redirect_request()``, used for all redirects and meta
refreshes. Scrapy has no hook that receives the URL before the request is created, and
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

        :param kwargs: other attributes to replace, as in :meth:`Request.replace`
        """
        return super()._build_redirect_request(source_request, response, url=url, **kwargs)

    def _build_redirect_request(
        self, source_request: Request, response: Response, *, url: str, **kwargs: Any
    ) -> Request:
        return self.redirect_request(source_request, response, url=url, **kwargs)
