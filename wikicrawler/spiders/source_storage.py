"""The end of a crawl over sources whose database or staging folder cannot be used."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakSet

from scrapy import Spider

from wikicrawler.errors import StoreError
from wikicrawler.process.exit_codes import OUTPUT_FAILED
from wikicrawler.process.stopping import stop
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

_P = ParamSpec("_P")
_S = TypeVar("_S", bound=Spider)
_OF_NETWORKS = (TimeoutError, ConnectionError)
_stopped: WeakSet[Spider] = WeakSet()


def stops_without_storage(
    callback: Callable[Concatenate[_S, _P], AsyncIterator[Any]],
) -> Callable[Concatenate[_S, _P], AsyncIterator[Any]]:
    """Stop the crawl if *callback* raises StoreError or OSError. The sources that are being visited
    stay due; it is no failure of theirs."""

    @wraps(callback)
    async def guarded(spider: _S, /, *args: _P.args, **kwargs: _P.kwargs) -> AsyncIterator[Any]:
        try:
            async for one in callback(spider, *args, **kwargs):
                yield one
        except _OF_NETWORKS:
            raise
        except (StoreError, OSError) as error:
            stop_without_storage(spider, error)

    return guarded


def stop_without_storage(spider: Spider, error: Exception) -> None:
    """Stop the crawl because of *error*."""
    if spider in _stopped:
        return
    _stopped.add(spider)
    spider.logger.error(
        "The crawl stops, and its sources stay due: %s", one_line(str(error) or type(error), 300)
    )
    stop(spider.crawler, OUTPUT_FAILED)
