"""The error that ended the crawl of a command, taken from its task."""

from __future__ import annotations

import asyncio
import logging

logger = logging.getLogger(__name__)


def failure_of(started: object) -> BaseException | None:
    """Return the error that ended a crawl, or None.

    Reading it stops asyncio from logging "Task exception was never retrieved": the caller reports
    the error itself, by :func:`log_failure` where it has no words of its own.

    :param started: what ``crawl()`` of Scrapy's crawler process returned; only an asyncio task
        holds an error here, as Twisted logs those of a Deferred
    """
    if not isinstance(started, asyncio.Future) or not started.done() or started.cancelled():
        return None
    return started.exception()


def log_failure(error: BaseException) -> None:
    """Log *error* with its traceback, as ``scrapy crawl`` does in any project."""
    logger.error("The crawl failed with an unhandled error", exc_info=error)
