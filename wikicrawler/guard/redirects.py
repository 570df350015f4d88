"""Redirects and meta refreshes that cannot, or must not, be followed."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware, RedirectMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse

from wikicrawler.guard.resolver import is_valid_host
from wikicrawler.process.internals.redirect_requests import RedirectRequestMixin
from wikicrawler.text.safe import one_line, quoted
from wikicrawler.urls.addresses import redact
from wikicrawler.urls.sites import without_login
from wikicrawler.urls.splitting import split_url

if TYPE_CHECKING:
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

_FLAG = "redirect not followed: "
_SCHEMES = frozenset({"http", "https"})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_HEAD = 16 * 1024
"""Bytes of a page in which a meta refresh is searched. Scrapy searches 4,096 characters, but reads
a tag that begins there to its end."""
_LETTER = re.compile(
    rb"&#(?:0*(?:69|7[02]|8[23]|1(?:0[124]|1[45]))(?![0-9])|x0*(?:[46][568]|[57][23])(?![0-9a-f]))",
    re.IGNORECASE,
)
"""A character reference to a letter of the word "refresh"."""
_OTHER_DIGITS = re.compile(rb"&#x?[0-9a-f]*[\x80-\xff]", re.IGNORECASE)
"""A character reference with digits that are not ASCII, which may be such a letter."""


def why_not_followed(response: Response) -> str | None:
    """Return why the redirect *response* was not followed; None for any other response."""
    flags = (flag for flag in response.flags if flag.startswith(_FLAG))
    return next((flag.removeprefix(_FLAG) for flag in flags), None)


class _CheckedRedirectMixin(RedirectRequestMixin):
    """Reject redirects to URLs that cannot be requested."""

    def __init__(self, settings: BaseSettings) -> None:
        super().__init__(settings)
        self._max_url_length = settings.getint("URLLENGTH_LIMIT")

    def redirect_request(
        self, source_request: Request, response: Response, *, url: str, **kwargs: Any
    ) -> Request:
        redirect = super().redirect_request(source_request, response, url=_checked(url), **kwargs)
        if 0 < self._max_url_length < len(redirect.url):
            raise ValueError(
                f"its address has {len(redirect.url):,} characters "
                f"(URLLENGTH_LIMIT allows {self._max_url_length:,})"
            )
        return redirect

    def check_location(self, request: Request, response: Response) -> None:
        """Check the Location of *response* before it is parsed.

        :raises ValueError: it, or its host, is too long
        """
        if response.status not in _REDIRECTS or request.meta.get("dont_redirect"):
            return
        location = response.headers.get("Location") or b""
        if 0 < self._max_url_length < len(location):
            raise ValueError(
                f"its address has {len(location):,} characters "
                f"(URLLENGTH_LIMIT allows {self._max_url_length:,})"
            )
        split_url(location.decode("utf-8", "replace"))


class SafeRedirectMiddleware(_CheckedRedirectMixin, RedirectMiddleware):
    """Scrapy's RedirectMiddleware that passes on a redirect which it does not follow.

    A redirect is not followed if its target is not an http(s) URL, is longer than
    ``URLLENGTH_LIMIT``, or is beyond ``REDIRECT_MAX_TIMES``. The redirect response itself then
    goes to the tiers, which try the next tier or skip the page as ``redirect``; without the tiers
    it is an HTTP error like any other. The user and password of a target URL are removed: the site
    wrote them, not the operator.

    Settings: ``REDIRECT_ENABLED``, ``REDIRECT_MAX_TIMES``, ``REDIRECT_PRIORITY_ADJUST``; meta keys
    ``dont_redirect``, ``handle_httpstatus_list``; all as in Scrapy.
    """

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        try:
            self.check_location(request, response)
            return super().process_response(request, response)
        except ValueError as error:
            why = one_line(error, 200)
        except IgnoreRequest:
            why = _too_many(request, self.max_redirect_times)
        logger.info("Redirect of %s not followed: %s", one_line(redact(request.url)), why)
        response.flags.append(_FLAG + why)
        return response


class SafeMetaRefreshMiddleware(_CheckedRedirectMixin, MetaRefreshMiddleware):
    """Scrapy's MetaRefreshMiddleware that returns the page if its refresh is not followed.

    A refresh is not followed for the reasons of :class:`SafeRedirectMiddleware`, or if the page
    refreshes to itself for the second time.

    Settings: ``METAREFRESH_ENABLED``, ``METAREFRESH_MAXDELAY``, ``METAREFRESH_IGNORE_TAGS``,
    ``REDIRECT_MAX_TIMES``; meta key ``dont_redirect``; all as in Scrapy.
    """

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        head = response.body[:_HEAD]
        if not isinstance(response, HtmlResponse) or not _may_refresh(head):
            return response
        start = response if len(head) == len(response.body) else response.replace(body=head)
        try:
            result = super().process_response(request, start)
        except ValueError as error:
            why = one_line(error, 200)
        except IgnoreRequest:
            why = _too_many(request, self.max_redirect_times)
        else:
            if not isinstance(result, Request):
                return response
            if _chain(request).count(result.url) < 2:
                return result
            why = "it leads back to itself"
        logger.info("Refresh of %s not followed: %s", one_line(redact(request.url)), why)
        return response


def _may_refresh(head: bytes) -> bool:
    """Return False if no encoding and no character reference makes *head* contain the word
    ``refresh``."""
    head = head.replace(b"\0", b"")
    if b"refresh" in head.lower():
        return True
    return b"&#" in head and bool(_LETTER.search(head) or _OTHER_DIGITS.search(head))


def _chain(request: Request) -> list[str]:
    """Return the URLs of the redirects that led to *request*, with its own last."""
    return [*request.meta.get("redirect_urls", ()), request.url]


def _too_many(request: Request, limit: int) -> str:
    first = one_line(redact(_chain(request)[0]), 200)
    return f"more than {limit} in a row, from {first} (REDIRECT_MAX_TIMES)"


def _checked(url: str) -> str:
    """Return *url* without user and password.

    :raises ValueError: it is not an http(s) URL with a valid host.
    """
    parts = split_url(url)
    if parts.scheme not in _SCHEMES:
        raise ValueError(f"its address has the scheme {quoted(parts.scheme, 20)}")
    host = parts.hostname or ""
    if not host or parts.port == 0 or any(c.isspace() for c in host) or not is_valid_host(host):
        raise ValueError(f"{quoted(redact(url))} has no valid host")
    return without_login(url)
