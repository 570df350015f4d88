"""The queues of Scrapy's scheduler.

Private names: ``Scheduler._mq()``, which makes the memory queue as the settings say;
``DownloaderAwarePriorityQueue._downloader_interface``, by which the queue chooses a slot.
Undocumented: ``Scheduler.mqs``, ``Scheduler.dqs``. A documented constructor of priority queues, and
a parameter or setting for what chooses the slot, would replace this module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.core.scheduler import Scheduler

from wikicrawler.process.internals.presence import require

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.pqueues import (
        DownloaderAwarePriorityQueue,
        DownloaderInterface,
        ScrapyPriorityQueue,
    )

_PURPOSE = "The scheduler of a crawl with JOBDIR"
_QUEUES = ("mqs", "dqs")

require(Scheduler, "_mq", library="scrapy", purpose=_PURPOSE)


def open_memory_queue(scheduler: Scheduler) -> ScrapyPriorityQueue:
    """Give *scheduler*, which is being opened, the queue in memory that its settings say, and none
    on disk; return that queue."""
    scheduler.mqs = scheduler._mq()
    scheduler.dqs = None
    return scheduler.mqs


def queues_of(scheduler: object) -> Iterator[object]:
    """Yield the queues of *scheduler*; none where it is not Scrapy's, or is not open."""
    for name in _QUEUES:
        queue = getattr(scheduler, name, None)
        if queue is not None:
            yield queue


def choose_slots_by(queue: DownloaderAwarePriorityQueue, chooser: DownloaderInterface) -> None:
    """Have *queue* ask *chooser* which slots may have the next request."""
    require(queue, "_downloader_interface", library="scrapy", purpose="SiteAwarePriorityQueue")
    queue._downloader_interface = chooser
