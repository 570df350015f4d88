"""Waiting for the sources that other processes visit."""

from __future__ import annotations

import asyncio
import logging
from time import monotonic

logger = logging.getLogger(__name__)

LOOK_SECONDS = 2.0
"""Seconds after which a crawl looks again whether it may visit a source."""


class Waiting:
    """How long a crawl waits that may visit no source, because other processes visit enough.

    Those processes visit what is due when they have time. This one waits in case they are stopped
    or killed.

    :param patience: maximum number of seconds without a visit; None: as long as it takes
    """

    def __init__(self, patience: float | None) -> None:
        self._patience = patience
        self._since: float | None = None

    def over(self) -> None:
        """Note that a visit goes on."""
        self._since = None

    async def wait(self) -> bool:
        """Wait a moment; return False at once if the crawl has waited long enough."""
        now = monotonic()
        if self._since is None:
            self._since = now
            logger.info(
                "Sources are due, but other processes visit as many as are allowed at once%s",
                "" if self._patience is None else f": waiting for up to {self._patience:.4g} s",
            )
        left = LOOK_SECONDS
        if self._patience is not None:
            left = min(left, self._since + self._patience - now)
            if left <= 0:
                logger.info("The sources that are due are left to the other processes")
                return False
        await asyncio.sleep(left)
        return True
