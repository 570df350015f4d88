"""Precision and recall of the verdict on the labelled corpus."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wikicrawler.tiers.verdict.full_verdict import full_verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.tiers.verdict.labelled import LabelledPage
    from wikicrawler.tiers.verdict import Verdict


@dataclass
class Score:
    """Verdicts on pages, compared with their labels."""

    verdicts: list[tuple[LabelledPage, Verdict]] = field(default_factory=list)

    @property
    def wrong(self) -> list[tuple[LabelledPage, Verdict]]:
        """Pages whose verdict differs from their label."""
        return [(page, verdict) for page, verdict in self.verdicts if page.reason != verdict.word]

    @property
    def recall(self) -> float:
        """Share of the pages without content that were detected, for whatever reason."""
        detected = [verdict.word != "ok" for page, verdict in self.verdicts if page.reason != "ok"]
        return sum(detected) / len(detected)

    @property
    def false_positives(self) -> float:
        """Share of the pages with content that were rejected."""
        rejected = [verdict.word != "ok" for page, verdict in self.verdicts if page.reason == "ok"]
        return sum(rejected) / len(rejected)

    def reasons(self) -> dict[str, tuple[int, float, float]]:
        """Number of pages, precision and recall, by reason."""
        pages = Counter(page.reason for page, _ in self.verdicts)
        found = Counter(verdict.word for _, verdict in self.verdicts)
        right = Counter(
            page.reason for page, verdict in self.verdicts if page.reason == verdict.word
        )
        return {
            word: (
                pages[word],
                right[word] / found[word] if found[word] else float(not pages[word]),
                right[word] / pages[word] if pages[word] else 1.0,
            )
            for word in sorted(pages | found)
        }


def score(pages: Iterable[LabelledPage]) -> Score:
    """Return the verdicts on *pages*, as the HTTP tier would reach them."""
    return Score([(page, full_verdict(page.status, page.headers, page.body)) for page in pages])
