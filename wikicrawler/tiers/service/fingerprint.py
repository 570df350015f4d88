"""Separate fingerprints for pages fetched by a service and plain pages, for Scrapy's HTTP cache."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.utils.misc import build_from_crawler, load_object

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.utils.request import RequestFingerprinterProtocol

    from wikicrawler.options.kinds import Component


class ServiceFingerprinter:
    """Request fingerprinter for ``REQUEST_FINGERPRINTER_CLASS``.

    It returns the fingerprint of the project's own fingerprinter. A request with a true
    :attr:`meta_key` gets another one, which depends on that key's value and on whether
    :attr:`stealth_key` is true.
    """

    meta_key: ClassVar[str]
    stealth_key: ClassVar[str] = ""
    fallback: ClassVar[Component]
    """The setting that contains the project's own fingerprinter: a class or its import path."""

    def __init__(self, ordinary: RequestFingerprinterProtocol) -> None:
        self._ordinary = ordinary

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        made_by: Any = load_object(cls.fallback.read(crawler.settings))
        return cls(build_from_crawler(made_by, crawler))

    def fingerprint(self, request: Request) -> bytes:
        plain = self._ordinary.fingerprint(request)
        wanted = request.meta.get(self.meta_key)
        if not wanted:
            return plain
        parameters = json.dumps(wanted, sort_keys=True, default=repr).encode()
        stealth = b"stealth" if request.meta.get(self.stealth_key) else b""
        data = plain + self.meta_key.encode() + parameters + stealth
        return hashlib.sha1(data, usedforsecurity=False).digest()
