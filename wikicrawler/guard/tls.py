"""TLS certificate verification by site."""

from __future__ import annotations

import logging
from collections import OrderedDict
from typing import TYPE_CHECKING

from OpenSSL import SSL
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.exceptions import DownloadFailedError
from service_identity import VerificationError

from wikicrawler.config import Config
from wikicrawler.guard.connection_errors import CertificateError
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
_MAX_REPORTED = 1_000
"""Maximum number of reported hosts to remember."""


class SiteTLSHandler(BaseDownloadHandler):
    """Download handler of ``https`` with certificate verification by site.

    ``verify_tls`` of a domain in ``config/sources.yml`` overrides
    ``DOWNLOAD_VERIFY_CERTIFICATES``. The URL of each request decides, so the target of a redirect
    to another site is verified by its own entry. Verified and unverified requests share no
    connections.

    Raises :class:`CertificateError`, with one warning for each host. Stat: ``tls/refused_count``.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._config = Config.from_settings(crawler.settings)
        self._default = crawler.settings.getbool(_SETTING)
        self._handlers: dict[bool, BoundedHeadersHandler] = {}
        self._handler(self._default)  # raises here what is wrong with the settings of TLS
        self._reported: OrderedDict[str, None] = OrderedDict()
        exempt = [name for name, entry in self._config.domains.items() if entry.verify_tls is False]
        if exempt and self._default:
            logger.warning(
                "Certificates are not verified for %s: anyone on the network path can read and "
                "change the traffic (verify_tls in sources.yml)",
                ", ".join(exempt),
            )

    async def download_request(self, request: Request) -> Response:
        verify = self._config.domain_for(request.url).verify_tls
        handler = self._handler(self._default if verify is None else verify)
        try:
            return await handler.download_request(request)
        except DownloadFailedError as error:
            if why := _certificate_problem(error):
                self._report(host_of(request.url), why)
                raise CertificateError(why) from error.__cause__
            raise

    def _report(self, host: str, why: str) -> None:
        self.crawler.stats.inc_value("tls/refused_count")
        if host in self._reported:
            return
        self._reported[host] = None
        if len(self._reported) > _MAX_REPORTED:
            self._reported.popitem(last=False)
        logger.warning(
            "Nothing is fetched from %s: %s. If you trust the host, set verify_tls: false for its "
            "domain in sources.yml; for a certificate authority of your own, set the environment "
            "variable SSL_CERT_FILE",
            one_line(host, 200),
            why,
        )

    def _handler(self, verify: bool) -> BoundedHeadersHandler:
        if verify not in self._handlers:
            crawler = self.crawler
            if verify != self._default:
                crawler = with_setting(crawler, _SETTING, verify)
            self._handlers[verify] = BoundedHeadersHandler(crawler)
        return self._handlers[verify]

    async def close(self) -> None:
        for handler in self._handlers.values():
            await handler.close()


def _certificate_problem(error: DownloadFailedError) -> str | None:
    """Return what is wrong with the certificate; None if the failure has another cause."""
    for reason in getattr(error.__cause__, "reasons", ()):
        if reason.check(VerificationError):
            return "certificate verify failed: it is for another host"
        if reason.check(SSL.Error) and "certificate verify failed" in str(reason.value):
            return "certificate verify failed: expired, or not signed by a trusted authority"
    return None
