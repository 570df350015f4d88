"""How well the judge does on the labelled corpus."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wikicrawler.tiers.verdict.whole import explain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.tiers.verdict.labelled import LabelledPage
    from wikicrawler.tiers.verdict import Verdict


@dataclass
class Score:
    """The verdicts on some pages against their labels."""

    verdicts: list[tuple[LabelledPage, Verdict]] = field(default_factory=list)

    @property
    def wrong(self) -> list[tuple[LabelledPage, Verdict]]:
        """Pages that got another word than their label's."""
        return [(page, verdict) for page, verdict in self.verdicts if page.reason != verdict.word]

    @property
    def recall(self) -> float:
        """Share of the pages without content that were told from content, whatever the reason."""
        said = [verdict.word != "ok" for page, verdict in self.verdicts if page.reason != "ok"]
        return sum(said) / len(said)

    @property
    def false_positives(self) -> float:
        """Share of the pages with content that were taken for something else."""
        said = [verdict.word != "ok" for page, verdict in self.verdicts if page.reason == "ok"]
        return sum(said) / len(said)

    def reasons(self) -> dict[str, tuple[int, float, float]]:
        """By word: the number of pages, precision and recall."""
        pages = Counter(page.reason for page, _ in self.verdicts)
        said = Counter(verdict.word for _, verdict in self.verdicts)
        right = Counter(
            page.reason for page, verdict in self.verdicts if page.reason == verdict.word
        )
        return {
            word: (
                pages[word],
                right[word] / said[word] if said[word] else float(not pages[word]),
                right[word] / pages[word] if pages[word] else 1.0,
            )
            for word in sorted(pages | said)
        }


def score(pages: Iterable[LabelledPage]) -> Score:
    """The judge's verdicts on *pages*, each as the HTTP tier would come to it."""
    return Score([(page, explain(page.status, page.headers, page.body)) for page in pages])
