"""When a request is done. Scrapy has no public word for it: only this file knows how."""

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


def under_way(engine: ExecutionEngine) -> list[Request]:
    """The requests that are not done."""
    return list(getattr(getattr(engine, "_slot", None), "inprogress", ()))


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
