"""The check of robots.txt before a manifest is activated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy import Spider

from wikicrawler.commands.failure import failure_of, log_failure
from wikicrawler.commands.manifest.output import report
from wikicrawler.errors import ConfigError
from wikicrawler.sources.manifest.activation import ActivationRefused
from wikicrawler.sources.manifest.robots_check import Disallowed, RobotsCheck

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from wikicrawler.commands.manifest.output import Call
    from wikicrawler.sources.manifest.model import Source


class _Answer:
    """What the crawl found."""

    is_enabled = True
    disallowed: list[Disallowed] | None = None


def check_robots(call: Call, sources: Sequence[Source]) -> list[Disallowed] | None:
    """Return those of *sources* that robots.txt disallows; None if it was not checked, with a
    message.

    :raises ActivationRefused: robots.txt could not be checked
    """
    if call.opts.offline or call.process is None:
        report("robots.txt is not checked (--offline)")
        return None
    answer = _Answer()
    started = call.process.crawl(_RobotsSpider, sources=sources, answer=answer)
    call.process.start()
    error = failure_of(started)
    if isinstance(error, ConfigError):
        raise error
    if error is not None:
        log_failure(error)
    if not answer.is_enabled:
        report("robots.txt is not checked: ROBOTSTXT_OBEY is False")
        return None
    if answer.disallowed is None:
        raise ActivationRefused("robots.txt was not checked to the end: nothing was activated")
    return answer.disallowed


class _RobotsSpider(Spider):
    """Runs the check, which needs a running engine. Sends no requests of its own."""

    name = "manifest"

    def __init__(self, sources: Sequence[Source], answer: _Answer, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.sources = sources
        self.answer = answer

    async def start(self) -> AsyncIterator[Any]:
        check = RobotsCheck(self.crawler)
        self.answer.is_enabled = check.is_enabled
        if check.is_enabled:
            self.answer.disallowed = await check.disallowed(self.sources)
        return
        yield  # makes this an async generator
