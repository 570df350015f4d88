"""A program that records attempts, for tests that kill it or run it twice.

``python -m tests.store.writing URL COUNT [wait]`` writes COUNT attempts. With ``wait`` it prints
``written N`` when all but the last batch are in the database, and keeps running.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from tests.store.samples import attempt
from wikicrawler.store.database import Database
from wikicrawler.store.writer import BATCH, AttemptWriter


def main(url: str, count: str, then: str = "") -> None:
    writer = AttemptWriter(Database(url, Path("folder")), "sample")
    writer.start()
    last = int(count) - int(count) % BATCH if then else int(count)
    for n in range(last):
        writer.put(attempt(url=f"{n}"))
    if then:
        while writer.written < last:
            time.sleep(0.01)
        for n in range(last, int(count)):
            writer.put(attempt(url=f"{n}"))
        print("written", writer.written, flush=True)  # noqa: T201
        time.sleep(600)
    writer.close(60)
    if writer.lost:
        sys.exit(f"lost {writer.lost}")


if __name__ == "__main__":
    main(*sys.argv[1:])
