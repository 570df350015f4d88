"""Reads ``submissions/CIK##########.json`` and its pages of older filings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.reports.providers.edgar import forms, values
from wikicrawler.reports.providers.edgar.filings import ACCESSION, Filing, file_name
from wikicrawler.reports.providers.edgar.values import AnswerError

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_PAGES = 50
"""Pages of older filings; the largest filers have some 20, companies at most three."""
_PAGE = re.compile(r"CIK[0-9]{10}-submissions-[0-9]{3,4}\.json")
_COLUMNS = ("form", "filingDate", "reportDate", "primaryDocument", "primaryDocDescription")
_REQUIRED = frozenset({"form", "filingDate"})
_MONTH_AND_DAY = re.compile(r"(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])")


class FormerName(NamedTuple):
    name: str
    until: date | None


class OlderPage(NamedTuple):
    """A page of older filings, and the days of the first and the last of them."""

    name: str
    first: date | None
    last: date | None


@dataclass(frozen=True, slots=True)
class Submissions:
    """What EDGAR says of a company."""

    cik: int
    name: str
    tickers: tuple[str, ...] = ()
    sic: int | None = None
    """Industry, by the Standard Industrial Classification."""
    year_end: tuple[int, int] | None = None
    """Month and day of the present end of the fiscal year, at most a few days wrong."""
    former: tuple[FormerName, ...] = ()
    filings: tuple[Filing, ...] = ()
    """The latest annual reports."""
    pages: tuple[OlderPage, ...] = ()

    def name_on(self, day: date | None) -> str:
        """Return the name that the company had on *day*."""
        past = [old for old in self.former if day and old.until and day <= old.until]
        return min(past, key=lambda old: old.until or date.max).name if past else self.name

    def pages_between(self, first: date, last: date | None = None) -> list[OlderPage]:
        """Return the pages that may list filings of the days *first* to *last*."""
        return [
            page
            for page in self.pages
            if (page.last is None or page.last >= first)
            and (last is None or page.first is None or page.first <= last)
        ]


def read_submissions(body: bytes, cik: int) -> Submissions:
    """Return what *body* says of the company *cik*.

    :raises AnswerError: it has another shape, or is about another company
    """
    data = values.parse(body)
    if values.cik(data.get("cik")) != cik:
        raise AnswerError(f"is not about CIK {cik}")
    filings = values.mapping(data.get("filings"), "filings")
    return Submissions(
        cik,
        name=values.text(data.get("name")),
        tickers=tuple(filter(None, map(values.text, _list(data.get("tickers"))))),
        sic=values.whole(data.get("sic")),
        year_end=_year_end(data.get("fiscalYearEnd")),
        former=tuple(_former(data.get("formerNames"))),
        filings=_filings(values.mapping(filings.get("recent"), "filings.recent")),
        pages=tuple(_pages(filings.get("files"))),
    )


def read_page(body: bytes) -> tuple[Filing, ...]:
    """Return the annual reports on a page of older filings.

    :raises AnswerError: it has another shape
    """
    return _filings(values.parse(body))


def _filings(table: dict[str, Any]) -> tuple[Filing, ...]:
    accessions = values.rows(table.get("accessionNumber"), "accessionNumber")
    columns = [_column(table, name, len(accessions)) for name in _COLUMNS]
    found: dict[str, Filing] = {}
    for accession, form, filed, period, document, description in zip(
        accessions, *columns, strict=True
    ):
        number, kind = values.text(accession), values.text(form).upper()
        if ACCESSION.fullmatch(number) and forms.base_form(kind):
            found.setdefault(
                number,
                Filing(
                    number,
                    kind,
                    filed=values.day(filed),
                    period=values.day(period),
                    document=file_name(document),
                    description=values.text(description),
                ),
            )
    return tuple(found.values())


def _column(table: dict[str, Any], name: str, length: int) -> Sequence[Any]:
    column = table.get(name)
    if column is None and name not in _REQUIRED:
        return [None] * length
    found = values.rows(column, name)
    if len(found) != length:
        raise AnswerError(f"{name} has {len(found)} entries, and accessionNumber {length}")
    return found


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _year_end(value: object) -> tuple[int, int] | None:
    found = _MONTH_AND_DAY.fullmatch(value) if isinstance(value, str) else None
    return (int(found[1]), int(found[2])) if found else None


def _former(value: object) -> list[FormerName]:
    found = []
    for entry in _list(value):
        if isinstance(entry, dict) and (name := values.text(entry.get("name"))):
            until = values.day(entry.get("to"))
            # The day is that of the last filing under the name, and in Universal Time.
            found.append(FormerName(name, until + timedelta(days=1) if until else None))
    return found


def _pages(value: object) -> list[OlderPage]:
    found = []
    for entry in _list(value)[:MAX_PAGES]:
        name = entry.get("name") if isinstance(entry, dict) else None
        if isinstance(name, str) and _PAGE.fullmatch(name):
            found.append(
                OlderPage(
                    name, values.day(entry.get("filingFrom")), values.day(entry.get("filingTo"))
                )
            )
    return found
