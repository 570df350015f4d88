"""How a page fails whose wiki does not let the crawl in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.errors import TierError

if TYPE_CHECKING:
    from scrapy.http import Response

    from wikicrawler.errors import Reason

_FLAG = "not logged in: "


class SiteLoginError(TierError):
    """Nobody is logged in to the wiki of a page, so no tier could read it.

    :param retry_after: seconds until another log-in is tried; None if another page may succeed now
    """

    is_final = True

    def __init__(self, reason: Reason, detail: str, retry_after: float | None = None) -> None:
        super().__init__(detail)
        self.reason = reason
        self.retry_after = retry_after


def mark_denied(response: Response, why: str) -> None:
    """Note in *response* that the wiki has answered as to somebody who is not logged in."""
    response.flags.append(_FLAG + why)


def why_denied(response: Response) -> str | None:
    """Return what :func:`mark_denied` noted; None for any other response."""
    flags = (flag for flag in response.flags if flag.startswith(_FLAG))
    return next((flag.removeprefix(_FLAG) for flag in flags), None)
