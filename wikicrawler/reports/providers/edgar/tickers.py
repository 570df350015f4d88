"""Reads ``company_tickers.json``: companies whose shares are traded, by ticker and by name."""

from __future__ import annotations

from dataclasses import dataclass, field

from wikicrawler.reports.providers.edgar import values
from wikicrawler.reports.providers.edgar.names import is_similar, normalised
from wikicrawler.reports.providers.edgar.values import AnswerError


@dataclass(frozen=True, slots=True)
class Tickers:
    """The companies; a company may have several tickers."""

    ciks: dict[str, int] = field(default_factory=dict)
    """By ticker, which has a hyphen before a class of shares."""
    names: dict[int, str] = field(default_factory=dict)
    """By CIK, as EDGAR writes them."""
    by_name: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """CIKs by normalised name."""

    def similar(self, name: str, at_most: int) -> list[int]:
        """Return companies with all the words of the normalised *name* in theirs, the shortest
        names first."""
        found = [known for known in self.by_name if is_similar(name, known)]
        found.sort(key=len)
        return [cik for known in found[:at_most] for cik in self.by_name[known]][:at_most]


def read_tickers(body: bytes) -> Tickers:
    """Return the companies in *body*; entries of another shape are skipped.

    :raises AnswerError: it has another shape, or no company
    """
    found = Tickers()
    by_name: dict[str, list[int]] = {}
    for entry in values.parse(body).values():
        if not isinstance(entry, dict):
            continue
        cik, ticker = values.cik(entry.get("cik_str")), values.text(entry.get("ticker"))
        if cik is None or not ticker:
            continue
        found.ciks.setdefault(ticker.upper().replace(".", "-"), cik)
        name = values.text(entry.get("title"))
        if found.names.setdefault(cik, name) == name and (key := normalised(name)):
            ciks = by_name.setdefault(key, [])
            if cik not in ciks:
                ciks.append(cik)
    if not found.ciks:
        raise AnswerError("names no company")
    found.by_name.update((name, tuple(ciks)) for name, ciks in by_name.items())
    return found
