"""What Scrapy's engine has under way, and when a request is done.

Private names: ``ExecutionEngine._slot``, a ``_Slot`` with ``inprogress``, ``closing``, ``nextcall``
and ``remove_request()``. Undocumented: ``ExecutionEngine.scraper`` with ``slot``. No signal reports
that the callback and the pipelines are done with a request, or that the engine is closing. A method
of the scheduler that the engine calls with each finished request would replace most of this module
(https://github.com/scrapy/scrapy/issues/7978).
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import scrapy
from scrapy.core import engine as engine_module

from wikicrawler.errors import StateError

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Request
    from scrapy.core.engine import ExecutionEngine


def check() -> None:
    """
    :raises StateError: this Scrapy does not tell when a request is done
    """
    if not callable(getattr(getattr(engine_module, "_Slot", None), "remove_request", None)):
        raise StateError(
            f"JOBDIR: Scrapy {scrapy.__version__} does not tell when a request is done as Scrapy "
            "2.19 does (engine._slot.remove_request): install scrapy>=2.19,<2.20, or crawl without "
            "JOBDIR"
        )


def call_when_done(engine: ExecutionEngine, done: Callable[[Request], None]) -> None:
    """Call *done* with each request of the scheduler's when its callback, its errback and the
    pipelines are done with what it brought. A request that takes its place (a redirect, a retry)
    is scheduled before.
    """
    slot = engine._slot
    assert slot is not None  # noqa: S101 - the engine makes it before it opens the scheduler
    remove = slot.remove_request

    def remove_request(request: Request) -> None:
        done(request)
        with suppress(KeyError):  # it was put back when the crawl stopped, and ends only now
            remove(request)

    slot.remove_request = remove_request  # type: ignore[method-assign]


def wake(engine: ExecutionEngine) -> None:
    """Have *engine* ask its scheduler for a request soon; by itself it does so every 5 seconds."""
    slot = getattr(engine, "_slot", None)
    if slot is not None and not slot.closing:
        slot.nextcall.schedule()


def under_way(engine: ExecutionEngine) -> list[Request]:
    """The requests that are not done."""
    return list(getattr(getattr(engine, "_slot", None), "inprogress", ()))


def is_closing(engine: ExecutionEngine) -> bool:
    """Whether the engine ends: it starts no new request, and waits for those under way."""
    slot = getattr(engine, "_slot", None)  # CloseSpider closes it while the engine runs on
    return not engine.running or bool(slot and slot.closing)


def is_scraping(engine: ExecutionEngine) -> bool:
    """Whether a callback or a pipeline has a response or an item under way."""
    scraping = engine.scraper.slot
    return scraping is not None and not scraping.is_idle()


def put_back(engine: ExecutionEngine) -> None:
    """Have the engine wait for nothing that is under way, where it is being closed."""
    slot = getattr(engine, "_slot", None)
    if slot is None:
        return
    for request in under_way(engine):
        with suppress(KeyError):
            slot.remove_request(request)
    scraping = getattr(engine.scraper, "slot", None)
    closing = getattr(scraping, "closing", None)
    if scraping is not None and closing is not None and not closing.called:
        scraping.closing = None  # or the last response to come would fire it again
        closing.callback(engine.spider)
