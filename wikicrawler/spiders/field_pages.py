"""From the response to a spider's request to the fields of its page."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler import options
from wikicrawler.content.workers.pool import ConversionPool
from wikicrawler.errors import ConfigError, ContentError, Reason
from wikicrawler.fields.estimate import Tally, tally_of
from wikicrawler.fields.extraction import PageText
from wikicrawler.fields.inputs import plain_html, plain_text
from wikicrawler.fields.models import ANY, RENDERING, ScrapeResult
from wikicrawler.fields.session import FieldsSession
from wikicrawler.pages import Failure
from wikicrawler.text.safe import one_line
from wikicrawler.tiers import state as st
from wikicrawler.tiers.failures import failure_of
from wikicrawler.tiers.registry import TierRegistry
from wikicrawler.tiers.result import result_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

    from wikicrawler.fields.budget import Budget
    from wikicrawler.fields.extraction import PageReading
    from wikicrawler.fields.models import FieldDefinition, ScraperConfig, Usage
    from wikicrawler.pages import Link

_FORMS = {"text": plain_text, "html": plain_html}


class OpenPage(NamedTuple):
    """A page that can be read."""

    text: PageText
    links: tuple[Link, ...] = ()
    """Links to pages of its host."""


class FieldPages:
    """Reads the fields of pages in a crawl, from ``spider_opened`` on.

    :param spent: what earlier runs of the same job used
    :raises ConfigError: the model cannot be asked
    """

    def __init__(
        self, crawler: Crawler, config: ScraperConfig, *, spent: Usage | None = None
    ) -> None:
        self._crawler = crawler
        self._config = config
        self._keeps_content = options.FIELDS_CONTENT.read(crawler.settings)
        self._pool = ConversionPool.for_crawler(crawler)
        self._session = FieldsSession(crawler, config, spent=spent, run=self._pool.run)

    @property
    def budget(self) -> Budget:
        """What the model's answers cost so far."""
        return self._session.budget

    async def open(self, response: Response) -> OpenPage | Failure:
        """Return the page *response*; a failure if it is none."""
        try:
            page = await result_of(response, self._crawler)
            if isinstance(page, Failure):
                return page
            record, found = page.record, response.meta[st.PAGE]
            html = await asyncio.to_thread(found.body.decode, found.encoding, "replace")
            text = record.content
            if form := _FORMS.get(self._config.input_format):
                text = await self._pool.run(record.url, form, html)
        except ContentError as error:
            return Failure(error.reason, error.detail)
        content_hash = await asyncio.to_thread(_hash_of, text)
        opened = PageText(
            record.url,
            text,
            title=record.title,
            html=html,
            tier=record.tier,
            content_hash=content_hash,
            infoboxes=tuple(record.infobox),
        )
        return OpenPage(opened, page.links)

    async def read(
        self, page: OpenPage, url: str, fields: Sequence[FieldDefinition]
    ) -> PageReading:
        """Return the fields of *page*, which was asked for as *url*, and the error that ended the
        reading."""
        read = await self._session.extractor(fields).read(page.text)
        changes: dict[str, Any] = {"url": url}
        if not self._keeps_content:
            changes["content"] = None
        if isinstance(read.error, ContentError) and not read.result.success:
            why = Failure(read.error.reason, read.error.detail)
            changes |= {"error": failed_result(url, why).error, "partial": None}
        return read._replace(result=read.result.model_copy(update=changes))

    async def tally(self, page: OpenPage, fields: Sequence[FieldDefinition]) -> Tally:
        """Return what the calls for *page* would use.

        :raises ContentError: a worker cannot read the page
        """
        found: Tally = await self._pool.run(
            page.text.url, tally_of, page.text, list(fields), self._config
        )
        return found


def result_of_error(url: str, error: BaseException) -> ScrapeResult:
    """Return the result of the page at *url*, whose request ended with *error*."""
    return failed_result(url, failure_of(error) or Failure(Reason.ERROR, type(error).__name__))


def failed_result(url: str, problem: Failure) -> ScrapeResult:
    """Return the result of the page at *url*, which could not be read."""
    detail = one_line(problem.detail)
    return ScrapeResult(
        url=url,
        success=False,
        error=f"{problem.reason.value}: {detail}" if detail else problem.reason.value,
    )


def _hash_of(text: str) -> str:
    return f"sha256:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def tier_meta(settings: BaseSettings, config: ScraperConfig) -> dict[str, Any]:
    """Return the keys of a request's meta for the tiers that ``backend`` allows.

    :raises ConfigError: there is no such tier
    """
    if config.backend == ANY:
        return {}
    registry = TierRegistry.from_settings(settings)
    wants = config.backend == RENDERING
    names = [name for name in registry.order if registry.classes[name].renders is wants]
    usable = [name for name in names if not registry.missing(name)]
    if usable:
        return {"tiers": usable}
    why = "; ".join(f"{name}: {registry.missing(name)}" for name in names)
    raise ConfigError(
        f"{options.FIELDS_BACKEND.name}: no tier for {config.backend!r}"
        f" ({why or f'{options.TIERS.name} has none'})"
    )
