"""The error that ended a command's crawl."""

from __future__ import annotations

import asyncio
import logging

logger = logging.getLogger(__name__)


def failure_of(started: object) -> BaseException | None:
    """Return the error that ended a crawl, or None.

    Reading it prevents asyncio from logging "Task exception was never retrieved". The caller must
    report the error, with :func:`log_failure` if it has no message of its own.

    :param started: the return value of ``crawl()`` of Scrapy's crawler process. Only an asyncio
        task contains an error: Twisted logs those of a Deferred.
    """
    if not isinstance(started, asyncio.Future) or not started.done() or started.cancelled():
        return None
    return started.exception()


def log_failure(error: BaseException) -> None:
    """Log *error* with its traceback, as Scrapy does."""
    logger.error("The crawl failed with an unhandled error", exc_info=error)
