"""Keep a page that a service fetched and the plain one apart in Scrapy's HTTP cache."""

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
    """Request fingerprinter: the project's own, and another fingerprint for the same request with a
    true :attr:`meta_key`, by that key's value and whether :attr:`stealth_key` is true.

    For ``REQUEST_FINGERPRINTER_CLASS``.
    """

    meta_key: ClassVar[str]
    stealth_key: ClassVar[str] = ""
    fallback: ClassVar[Component]
    """The setting with the project's own fingerprinter: a class, or its import path."""

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
