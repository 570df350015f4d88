"""A process that downloads one document: ``python -m tests.reports.saving_process URL TARGET``.

It prints the number of bytes that it found there.
"""

from __future__ import annotations

import sys
from pathlib import Path

from scrapy.utils.reactor import install_reactor

if __name__ == "__main__":
    install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")

    from scrapy.utils.defer import deferred_from_coro
    from twisted.internet import reactor

    from tests.reports.test_saving import do
    from wikicrawler.reports.saving import DocumentSaver

    async def _work(crawler: object) -> None:
        saved = await DocumentSaver(crawler).save(sys.argv[1], Path(sys.argv[2]))  # type: ignore[arg-type]
        sys.stdout.write(f"{saved.resumed_at}\n")

    def _ended(found: object) -> None:
        sys.stderr.write(f"{found}\n")
        reactor.stop()

    deferred_from_coro(do(_work)).addBoth(_ended)
    reactor.run()
