"""The queues of Scrapy's scheduler.

Private names: ``Scheduler._mq()``, which creates the memory queue from the settings;
``DownloaderAwarePriorityQueue._downloader_interface``, with which the queue chooses a slot.
Undocumented: ``Scheduler.mqs``, ``Scheduler.dqs``. A documented constructor of priority queues, and
a parameter or setting for the choice of a slot, would replace this module.
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
    """Create and return the memory queue of *scheduler*, which is being opened, according to its
    settings. It gets no disk queue."""
    scheduler.mqs = scheduler._mq()
    scheduler.dqs = None
    return scheduler.mqs


def queues_of(scheduler: object) -> Iterator[object]:
    """Yield the queues of *scheduler*; none if it is not Scrapy's or not open."""
    for name in _QUEUES:
        queue = getattr(scheduler, name, None)
        if queue is not None:
            yield queue


def choose_slots_by(queue: DownloaderAwarePriorityQueue, chooser: DownloaderInterface) -> None:
    """Make *queue* use *chooser* to choose the slot of the next request."""
    require(queue, "_downloader_interface", library="scrapy", purpose="SiteAwarePriorityQueue")
    queue._downloader_interface = chooser
