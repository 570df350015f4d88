"""Judgement of SEC's companyfacts, in a worker process."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wikicrawler.reports.documents.company_names import name_tokens
from wikicrawler.reports.documents.judgement import Judgement, refused
from wikicrawler.reports.errors import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikicrawler.reports.models import CompanyRef, SourceRef

_MAX_ROWS = 2_000_000
_ANNUAL = ("10-K", "20-F", "40-F")


def judge_facts(path: str, source: SourceRef, company: CompanyRef, year: int) -> Judgement:
    """Judge the companyfacts in the file *path*: the CIK is the company's, and there are facts of
    the filing, or, without an accession number, of an annual report for the fiscal year."""
    try:
        found = json.loads(Path(path).read_bytes())
    except (ValueError, RecursionError):
        return refused(Outcome.UNREADABLE, "the file is not valid JSON")
    if not isinstance(found, dict) or not isinstance(found.get("facts"), dict):
        return refused(Outcome.WRONG_KIND, "the JSON has no facts of a company")
    if not _is_of(found, company):
        return refused(
            Outcome.WRONG_COMPANY, f"the facts are of {str(found.get('entityName'))[:80]}"
        )
    rows = islice(_rows(found["facts"]), _MAX_ROWS)
    if source.accession:
        count = sum(row.get("accn") == source.accession for row in rows)
        what = f"the filing {source.accession}"
    else:
        count = sum(_is_annual(row, year) for row in rows)
        what = f"an annual report for fiscal {year}"
    if not count:
        return refused(Outcome.WRONG_YEAR, f"there are no facts of {what}")
    evidence = (
        f"company: {str(found.get('entityName'))[:80]}, CIK {str(found.get('cik'))[:10]}",
        f"fiscal year {year}: {count} facts of {what}",
    )
    return Judgement(Outcome.OK, "", evidence)


def _is_of(found: dict[str, Any], company: CompanyRef) -> bool:
    if company.cik is not None:
        stated = str(found.get("cik", ""))
        return stated.isdecimal() and len(stated) <= 10 and int(stated) == int(company.cik)
    name = str(found.get("entityName", ""))[:200]
    return bool(company.name) and name_tokens(name) == name_tokens(company.name)


def _rows(facts: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for concepts in _mappings(facts):
        for concept in _mappings(concepts):
            units = concept.get("units")
            for rows in units.values() if isinstance(units, dict) else ():
                yield from (row for row in rows if isinstance(row, dict))


def _mappings(found: dict[str, Any]) -> Iterator[dict[str, Any]]:
    return (value for value in found.values() if isinstance(value, dict))


def _is_annual(row: dict[str, Any], year: int) -> bool:
    form = str(row.get("form", ""))
    return row.get("fy") == year and row.get("fp") == "FY" and form.startswith(_ANNUAL)
