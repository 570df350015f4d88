"""Whose certificates are verified."""

from __future__ import annotations

import logging
from collections import OrderedDict
from typing import TYPE_CHECKING

from OpenSSL import SSL
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.exceptions import DownloadFailedError
from service_identity import VerificationError

from wikicrawler.config import Config
from wikicrawler.guard.headers import BoundedHeadersHandler
from wikicrawler.process.internals.crawler_copy import with_setting
from wikicrawler.text.safe import one_line
from wikicrawler.urls.sites import host_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

_SETTING = "DOWNLOAD_VERIFY_CERTIFICATES"
_TOLD = 1_000
"""Hosts that are remembered to have been told of."""


class CertificateError(Exception):
    """The certificate of a host does not say that it is the host. Asking again would not help."""


class SiteTLSHandler(BaseDownloadHandler):
    """The handler of ``https``: verifies certificates as ``DOWNLOAD_VERIFY_CERTIFICATES`` says, but
    of the domains that have ``verify_tls`` in ``config/sources.yml`` as that says.

    It is asked for each request, by its own address: where such a site redirects to another, that
    one is verified. The two sorts share no connections.

    Raises :class:`CertificateError`, with one warning a host. Stat: ``tls/refused_count``.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._config = Config.from_settings(crawler.settings)
        self._usual = crawler.settings.getbool(_SETTING)
        self._handlers: dict[bool, BoundedHeadersHandler] = {}
        self._told: OrderedDict[str, None] = OrderedDict()
        exempt = [name for name, entry in self._config.domains.items() if entry.verify_tls is False]
        if exempt and self._usual:
            logger.warning(
                "Certificates are not verified for %s: anybody on the way can read and change what "
                "is sent (verify_tls in sources.yml)",
                ", ".join(exempt),
            )

    async def download_request(self, request: Request) -> Response:
        verify = self._config.domain_for(request.url).verify_tls
        handler = self._handler(self._usual if verify is None else verify)
        try:
            return await handler.download_request(request)
        except DownloadFailedError as error:
            if why := _doubt(error):
                self._tell(host_of(request.url), why)
                raise CertificateError(why) from None
            raise

    def _tell(self, host: str, why: str) -> None:
        self.crawler.stats.inc_value("tls/refused_count")
        if host in self._told:
            return
        self._told[host] = None
        if len(self._told) > _TOLD:
            self._told.popitem(last=False)
        logger.warning(
            "Nothing is fetched from %s: %s. Where you know the reason, allow it by verify_tls: "
            "false for that domain in sources.yml; the environment variable SSL_CERT_FILE names "
            "authorities of your own",
            one_line(host, 200),
            why,
        )

    def _handler(self, verify: bool) -> BoundedHeadersHandler:
        if verify not in self._handlers:
            crawler = with_setting(self.crawler, _SETTING, verify)
            self._handlers[verify] = BoundedHeadersHandler(crawler)
        return self._handlers[verify]

    async def close(self) -> None:
        for handler in self._handlers.values():
            await handler.close()


def _doubt(error: DownloadFailedError) -> str | None:
    """What is wrong with the certificate; None where the failure has nothing to do with it."""
    for reason in getattr(error.__cause__, "reasons", ()):
        if reason.check(VerificationError):
            return "certificate verify failed: it is for another host"
        if reason.check(SSL.Error) and "certificate verify failed" in str(reason.value):
            return "certificate verify failed: expired, or signed by nobody that is trusted here"
    return None
