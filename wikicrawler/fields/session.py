"""What reads the fields of a crawl's pages: the client, the budget and the cache together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikicrawler import options
from wikicrawler.fields.asking import ChunkReader
from wikicrawler.fields.budget import Budget
from wikicrawler.fields.extraction import PageExtractor
from wikicrawler.fields.keys import KeyRotator
from wikicrawler.fields.llm.client import ChatClient
from wikicrawler.fields.llm.requests import ChatEndpoint
from wikicrawler.fields.llm.transport import HandlerTransport, LitellmTransport
from wikicrawler.fields.project_settings import cache_of, price_in
from wikicrawler.fields.providers import endpoint_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from scrapy.crawler import Crawler

    from wikicrawler.fields.models import FieldDefinition, ScraperConfig, Usage


class FieldsSession:
    """Reads the fields of pages by the model of *config*, from ``spider_opened`` on.

    :param spent: what earlier runs of the same job used, which counts for the limits
    :param run: calls a function that takes long, as
        :meth:`~wikicrawler.content.workers.pool.ConversionPool.run` does
    :raises ConfigError: the model, its server or its price cannot be used
    """

    def __init__(
        self,
        crawler: Crawler,
        config: ScraperConfig,
        *,
        spent: Usage | None = None,
        run: Callable[..., Awaitable[Any]],
    ) -> None:
        # Imported here, because a crawl without a model does not need a database's libraries.
        from wikicrawler.spending.model_ledger import ModelLedger  # noqa: PLC0415

        settings = crawler.settings
        endpoint = endpoint_of(config)
        self._config = config
        self._run = run
        ledger = ModelLedger.from_crawler(crawler)

        def noted(model: str, url: str, usage: Usage) -> None:
            ledger.note(model, url, **usage.model_dump(exclude={"cached_tokens"}))

        self.budget = Budget(config.max_tokens, config.max_cost, before=spent, noted=noted)
        sends = LitellmTransport if endpoint.by_litellm else HandlerTransport
        transport = sends(
            crawler, endpoint.base_url, options.FIELDS_BASE_URL.name, config.max_concurrent
        )
        self._reader = ChunkReader(
            ChatClient(
                transport,
                ChatEndpoint(endpoint.base_url, endpoint.model, by_litellm=endpoint.by_litellm),
                KeyRotator(config.api_keys) if config.api_keys else None,
            ),
            config,
            self.budget,
            cache=cache_of(settings),
            price=price_in(settings, config),
        )

    def extractor(self, fields: Sequence[FieldDefinition]) -> PageExtractor:
        """Return what reads *fields*."""
        return PageExtractor(
            fields,
            self._reader,
            chunk_tokens=self._config.chunk_token_threshold,
            run=self._run,
        )
