"""The unfinished requests of Scrapy's engine, and the end of each request.

Private names: ``ExecutionEngine._slot``, a ``_Slot`` with ``inprogress``, ``closing``, ``nextcall``
and ``remove_request()``; ``ExecutionEngine._download()``. Undocumented: ``ExecutionEngine.scraper``
with ``slot`` and ``enqueue_scrape()``. No signal reports that the callback and the pipelines are
done with a request, or that the engine is closing. A method of the scheduler that the engine calls
with each finished request would replace most of this module
(https://github.com/scrapy/scrapy/issues/7978).
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakSet

import scrapy
from scrapy.core import engine as engine_module
from scrapy.exceptions import IgnoreRequest
from twisted.internet.defer import Deferred, fail

from wikicrawler.errors import StateError

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Request
    from scrapy.core.engine import ExecutionEngine
    from scrapy.http import Response
    from twisted.python.failure import Failure

_T = TypeVar("_T")

_dropping: WeakSet[ExecutionEngine] = WeakSet()
"""The engines whose unfinished requests were dropped."""


def check_engine() -> None:
    """Check that this version of Scrapy has the private name that :func:`call_when_done` needs.

    :raises StateError: it has not
    """
    if not callable(getattr(getattr(engine_module, "_Slot", None), "remove_request", None)):
        raise StateError(
            f"JOBDIR: Scrapy {scrapy.__version__} does not report the end of a request as Scrapy "
            "2.19 does (engine._slot.remove_request): install scrapy>=2.19,<2.20, or crawl without "
            "JOBDIR"
        )


def call_when_done(engine: ExecutionEngine, done: Callable[[Request], None]) -> None:
    """Call *done* with each request of the scheduler after its callback or errback and the
    pipelines have finished. A request that replaces it (redirect, retry) is scheduled before.
    """
    slot = engine._slot
    assert slot is not None  # noqa: S101 - the engine makes it before it opens the scheduler
    remove = slot.remove_request

    def remove_request(request: Request) -> None:
        done(request)
        with suppress(KeyError):  # drop_unfinished() has removed it already
            remove(request)

    slot.remove_request = remove_request  # type: ignore[method-assign]


def wake(engine: ExecutionEngine) -> None:
    """Have *engine* ask its scheduler for a request soon; by itself it does so every 5 seconds."""
    slot = getattr(engine, "_slot", None)
    if slot is not None and not slot.closing:
        slot.nextcall.schedule()


def unfinished_requests(engine: ExecutionEngine) -> list[Request]:
    """Return the requests that have been sent or processed, but are not done."""
    return list(getattr(getattr(engine, "_slot", None), "inprogress", ()))


def is_closing(engine: ExecutionEngine) -> bool:
    """Return whether the engine is closing: it only waits for unfinished requests."""
    slot = getattr(engine, "_slot", None)  # CloseSpider closes the slot while the engine runs
    return not engine.running or bool(slot and slot.closing)


def is_scraping(engine: ExecutionEngine) -> bool:
    """Return whether a callback or a pipeline is processing a response or an item."""
    scraper_slot = engine.scraper.slot
    return scraper_slot is not None and not scraper_slot.is_idle()


def watch_requests(engine: ExecutionEngine) -> None:
    """Make :func:`drop_unfinished` also drop what the requests that start from now on bring later.

    Otherwise a late response, page or callback reaches a closed engine, which raises errors.
    """
    download, scrape, crawl = engine._download, engine.scraper.enqueue_scrape, engine.crawl

    def watched_download(request: Request) -> Deferred[Response | Request]:
        if engine in _dropping:
            return fail(IgnoreRequest("the crawl has ended"))
        return _until_dropped(engine, download(request))

    def watched_scrape(result: Response | Failure, request: Request) -> Deferred[None]:
        return _until_dropped(engine, scrape(result, request))

    def watched_crawl(request: Request) -> None:
        if engine not in _dropping:
            crawl(request)

    engine._download = watched_download  # type: ignore[method-assign]
    engine.scraper.enqueue_scrape = watched_scrape  # type: ignore[method-assign]
    engine.crawl = watched_crawl  # type: ignore[method-assign]


def _until_dropped(engine: ExecutionEngine, inner: Deferred[_T]) -> Deferred[_T]:
    """Return *inner*, which fires for nobody else once *engine* has dropped its requests."""

    def deliver(result: Any) -> Any:
        return Deferred() if engine in _dropping else result

    inner.addBoth(deliver)
    return inner


def drop_requests(engine: ExecutionEngine, is_dropped: Callable[[Request], bool]) -> None:
    """Have *engine* forget, as if they were done, the requests of which *is_dropped* is true when
    their downloads have ended: neither their callbacks nor their errbacks are called."""
    download = engine._download

    def dropping_download(request: Request) -> Deferred[Response | Request]:
        def deliver(result: Any) -> Any:
            if not is_dropped(request):
                return result
            slot = engine._slot
            if slot is not None:
                with suppress(KeyError):
                    slot.remove_request(request)
            wake(engine)
            return Deferred()

        return download(request).addBoth(deliver)

    engine._download = dropping_download  # type: ignore[method-assign]


def drop_unfinished(engine: ExecutionEngine) -> None:
    """Remove all unfinished requests, so that an engine that is being closed does not wait.

    What they bring later is dropped, see :func:`watch_requests`.
    """
    _dropping.add(engine)
    slot = getattr(engine, "_slot", None)
    if slot is None:
        return
    for request in unfinished_requests(engine):
        with suppress(KeyError):
            slot.remove_request(request)
    scraper_slot = getattr(engine.scraper, "slot", None)
    closing = getattr(scraper_slot, "closing", None)
    if scraper_slot is not None and closing is not None and not closing.called:
        scraper_slot.closing = None  # a response that arrives later would fire it again
        closing.callback(engine.spider)
