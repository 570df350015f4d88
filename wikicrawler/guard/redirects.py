"""Redirects that cannot, or shall not, be followed."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware, RedirectMiddleware
from scrapy.exceptions import IgnoreRequest

from wikicrawler.guard.resolver import can_be_a_name
from wikicrawler.process.internals.redirect_requests import RedirectRequestMixin
from wikicrawler.text.safe import one_line, quoted
from wikicrawler.urls.addresses import redact
from wikicrawler.urls.sites import without_login

if TYPE_CHECKING:
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

_FLAG = "redirect not followed: "
_SCHEMES = frozenset({"http", "https"})


def why_not_followed(response: Response) -> str | None:
    """Why the redirect that *response* is was not followed; None where it is none."""
    flags = (flag for flag in response.flags if flag.startswith(_FLAG))
    return next((flag.removeprefix(_FLAG) for flag in flags), None)


class _Checked(RedirectRequestMixin):
    """Makes requests for such addresses only as can be asked for."""

    def __init__(self, settings: BaseSettings) -> None:
        super().__init__(settings)
        self._longest_url = settings.getint("URLLENGTH_LIMIT")

    def redirect_request(
        self, source_request: Request, response: Response, *, url: str, **kwargs: Any
    ) -> Request:
        made = super().redirect_request(source_request, response, url=_checked(url), **kwargs)
        if 0 < self._longest_url < len(made.url):
            raise ValueError(
                f"its address has {len(made.url):,} characters "
                f"(URLLENGTH_LIMIT allows {self._longest_url:,})"
            )
        return made


class SafeRedirectMiddleware(_Checked, RedirectMiddleware):
    """Scrapy's RedirectMiddleware that lets nothing be lost with a redirect.

    One to what is no http(s) address, or a longer one than ``URLLENGTH_LIMIT``, and the one beyond
    ``REDIRECT_MAX_TIMES``, are not followed: the answer itself, with its status and an empty or
    small body, goes on to the tiers, which pass the page to the next, or skip it as ``redirect``;
    without them it is an HTTP error like any other. A user and password in the address are left
    out: they are the site's words, and no secret of the operator's.

    Settings: ``REDIRECT_ENABLED``, ``REDIRECT_MAX_TIMES``, ``REDIRECT_PRIORITY_ADJUST``; meta keys
    ``dont_redirect``, ``handle_httpstatus_list``; all as in Scrapy.
    """

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        try:
            return super().process_response(request, response)
        except ValueError as error:
            why = one_line(error, 200)
        except IgnoreRequest:
            why = _too_many(request, self.max_redirect_times)
        logger.info("Redirect of %s not followed: %s", one_line(redact(request.url)), why)
        response.flags.append(_FLAG + why)
        return response


class SafeMetaRefreshMiddleware(_Checked, MetaRefreshMiddleware):
    """Scrapy's MetaRefreshMiddleware that keeps a page whose refresh leads nowhere.

    Where it is as :class:`SafeRedirectMiddleware` says of redirects, or where a page leads to
    itself for the second time, the page that says so is taken for what it is.

    Settings: ``METAREFRESH_ENABLED``, ``METAREFRESH_MAXDELAY``, ``METAREFRESH_IGNORE_TAGS``,
    ``REDIRECT_MAX_TIMES``; meta key ``dont_redirect``; all as in Scrapy.
    """

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        try:
            answer = super().process_response(request, response)
        except ValueError as error:
            why = one_line(error, 200)
        except IgnoreRequest:
            why = _too_many(request, self.max_redirect_times)
        else:
            if not isinstance(answer, Request) or _passed(request).count(answer.url) < 2:
                return answer
            why = "it leads back to itself"
        logger.info("Refresh of %s not followed: %s", one_line(redact(request.url)), why)
        return response


def _passed(request: Request) -> list[str]:
    """The addresses that led to the answer to *request*, its own the last."""
    return [*request.meta.get("redirect_urls", ()), request.url]


def _too_many(request: Request, most: int) -> str:
    first = one_line(redact(_passed(request)[0]), 200)
    return f"more than {most} in a row, from {first} (REDIRECT_MAX_TIMES)"


def _checked(url: str) -> str:
    """*url* without user and password.

    :raises ValueError: it is not the address of anything on the web.
    """
    parts = urlsplit(url)
    if parts.scheme not in _SCHEMES:
        raise ValueError(f"its address has the scheme {quoted(parts.scheme, 20)}")
    name = parts.hostname or ""
    if not name or parts.port == 0 or any(c.isspace() for c in name) or not can_be_a_name(name):
        raise ValueError(f"{quoted(redact(url))} has no host that can be one")
    return without_login(url)
