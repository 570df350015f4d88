"""An extension of somebody else's that writes to standard output."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from scrapy import signals

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler


class Chatter:
    """Says for each response that it is there, in three ways."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        chatter = cls()
        crawler.signals.connect(chatter.said, signals.response_received)
        return chatter

    def said(self) -> None:
        sys.stdout.write("a response is there\n")
        sys.stdout.flush()
        os.write(1, b"it is there\n")
        subprocess.run(["echo", "so says a child"], check=True)
