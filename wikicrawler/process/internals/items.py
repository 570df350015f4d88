"""Items that a spider has without a response, outside of ``start()`` and callbacks.

Undocumented: ``ExecutionEngine.scraper``, whose ``start_itemproc_async()`` is documented. A method
of the engine like ``crawl()``, for items, would replace this module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrapy.core.engine import ExecutionEngine


async def send_item(engine: ExecutionEngine, item: Any) -> None:
    """Send *item* to the pipelines and the feeds."""
    await engine.scraper.start_itemproc_async(item, response=None)
