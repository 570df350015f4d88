"""The order that Scrapy's settings of disk queues mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.utils.misc import load_object

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


def order_of(settings: BaseSettings) -> tuple[bool, bool]:
    """Return *newest_first* of :meth:`~wikicrawler.frontier.protocol.Frontier.open`.

    ``SCHEDULER_DISK_QUEUE`` says the first, and ``SCHEDULER_START_DISK_QUEUE`` the second, which is
    that of start requests.
    """
    names = ("SCHEDULER_DISK_QUEUE", "SCHEDULER_START_DISK_QUEUE")
    others, start = (load_object(settings[name]) if settings[name] else object for name in names)
    return _is_lifo(others), _is_lifo(start)


def _is_lifo(queue_class: type) -> bool:
    return any("Lifo" in cls.__name__ for cls in queue_class.__mro__)
