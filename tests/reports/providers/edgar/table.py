"""The companies and labelled cases of ``cases.yml``."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from wikicrawler.demo.sec_data import SecCompany, SecFiling

FILE = Path(__file__).with_name("cases.yml")
EXHIBITS = {
    "40-F": (
        ("EX-99.1", "ANNUAL INFORMATION FORM", "aif.htm"),
        ("EX-99.2", "AUDITED ANNUAL CONSOLIDATED FINANCIAL STATEMENTS", "statements.htm"),
        ("EX-99.7", "CONSENT OF AUDITOR", "consent.htm"),
    )
}


class Case(NamedTuple):
    group: str
    """``real`` or ``composed``."""
    company: SecCompany
    year: int
    accession: str | None
    """None: no filing is about the year."""

    @property
    def id(self) -> str:
        return f"{self.group}-{self.company.name}-{self.year}"


def cases() -> list[Case]:
    """The labelled cases, each with its company."""
    found = []
    for group, entries in yaml.safe_load(FILE.read_text()).items():
        for entry in entries:
            company = _company(entry)
            for year, accession in entry["cases"]:
                number = _accession(company.cik, accession) if accession else None
                found.append(Case(group, company, year, number))
    return found


def without_facts(company: SecCompany) -> SecCompany:
    """The same company in the time before XBRL."""
    filings = tuple(replace(filing, fiscal_year=None) for filing in company.filings)
    return replace(company, filings=filings)


def _company(entry: dict[str, Any]) -> SecCompany:
    cik = entry["cik"]
    filings = tuple(_filing(cik, entry, row) for row in entry["filings"])
    former = (
        (n, date.fromisoformat(a), date.fromisoformat(b)) for n, a, b in entry.get("former", ())
    )
    return SecCompany(
        cik,
        entry["name"],
        tuple(entry["tickers"]),
        sic=entry["sic"],
        year_end=entry["year_end"],
        filings=filings,
        former=tuple(former),
        older=entry.get("older"),
    )


def _filing(cik: int, entry: dict[str, Any], row: list[Any]) -> SecFiling:
    accession, form, filed, end, fiscal_year, document = row
    number = _accession(cik, accession)
    if document is None:
        prefix = (entry["tickers"] or ["form"])[0].lower()
        document = f"{prefix}-{end:%Y%m%d}{'a' if '/A' in form else ''}.htm" if end else "form.htm"
    return SecFiling(
        number,
        form,
        filed,
        end or None,
        document,
        fiscal_year,
        exhibits=EXHIBITS.get(form, ()),
    )


def _accession(cik: int, short: str) -> str:
    if len(short) == 20:
        return short
    year, _, number = short.partition("-")
    return f"{cik:010}-{year}-{int(number):06}"
