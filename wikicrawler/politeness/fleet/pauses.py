"""Sites that block every tier, as all workers that share a Redis know them."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from wikicrawler.politeness.fleet.exchanges import Exchanges
from wikicrawler.politeness.pauses import PauseNote, SharedPause
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.crawler import Crawler

    from wikicrawler.politeness.fleet.pauses_store import PausesStore
    from wikicrawler.politeness.pauses import SitePauses

logger = logging.getLogger(__name__)


class SharedPauses(Exchanges[PauseNote, SharedPause]):
    """Keeps *pauses*, those of one worker, as those of the others are, from the opening of the
    spider to its end. A Redis that is away delays this, and is no error."""

    def __init__(self, crawler: Crawler, pauses: SitePauses, store: PausesStore) -> None:
        super().__init__(crawler, store, "pauses of sites")
        self._pauses = pauses
        pauses.share = self.note

    def take(self, changed: Sequence[SharedPause], newer: Sequence[PauseNote]) -> None:
        noted = {note.site for note in newer}
        for known in changed:
            is_empty = not (known.pages or known.risk_level)
            if is_empty and not self.is_ready:  # over before this worker began
                continue
            if known.site not in noted and self._pauses.take_over(known):
                logger.warning(
                    "Site %r blocks every tier, as another worker found: paused for %.0f minutes",
                    one_line(known.site, 200),
                    known.remaining / 60,
                )
