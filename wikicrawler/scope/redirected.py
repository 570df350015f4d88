"""Redirects that lead to a page which was asked for before."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.utils.request import RequestFingerprinterProtocol


def asked_url(request: Request) -> str | None:
    """The URL whose redirect led to *request*; None where none did."""
    urls = request.meta.get("redirect_urls")
    return urls[0] if urls else None


def leads_back(request: Request, fingerprinter: RequestFingerprinterProtocol) -> bool:
    """Whether *request* is a redirect of a URL to itself: with a cookie set, or spelt otherwise."""
    here = fingerprinter.fingerprint(request)
    return any(
        fingerprinter.fingerprint(request.replace(url=url)) == here
        for url in request.meta.get("redirect_urls", ())
    )
