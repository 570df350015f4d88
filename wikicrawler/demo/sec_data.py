"""Companies and filings of the scripted SEC, and its answers about them, in the shapes of EDGAR."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from html import escape
from typing import Any

from wikicrawler.demo.pdf import pdf_of


@dataclass(frozen=True)
class SecFiling:
    accession: str
    form: str
    filed: date
    end: date | None
    """The end of the period; None: EDGAR does not have it."""
    document: str
    """File name of the primary document; empty for a submission in one text."""
    fiscal_year: int | None = None
    """``fy`` of its facts; None: it has no facts."""
    pdf: str = ""
    """File name of a copy of the report as a PDF."""
    exhibits: tuple[tuple[str, str, str], ...] = ()
    """Type, description and file name."""
    title_end: date | None = None
    """The end of the period as the document's own text has it, if it is not *end*."""

    @property
    def folder(self) -> str:
        return self.accession.replace("-", "")


@dataclass(frozen=True)
class SecCompany:
    cik: int
    name: str
    tickers: tuple[str, ...] = ()
    sic: str | None = "3570"
    year_end: str | None = "1231"
    filings: tuple[SecFiling, ...] = ()
    """The latest first."""
    former: tuple[tuple[str, date, date], ...] = ()
    """Name, and the days of its first and last filing."""
    older: int | None = None
    """Number of filings before the first page of older ones; None: there is no such page."""

    def name_on(self, day: date) -> str:
        return next((name for name, _, until in self.former if day <= until), self.name)


def tickers_answer(companies: list[SecCompany]) -> dict[str, Any]:
    rows = [(company, ticker) for company in companies for ticker in company.tickers]
    return {
        str(place): {"cik_str": company.cik, "ticker": ticker, "title": company.name}
        for place, (company, ticker) in enumerate(rows)
    }


def submissions_answer(company: SecCompany) -> dict[str, Any]:
    recent = company.filings[: company.older]
    return {
        "cik": f"{company.cik:010}",
        "entityType": "operating",
        "sic": company.sic,
        "sicDescription": "",
        "ownerOrg": "",
        "insiderTransactionForOwnerExists": 0,
        "insiderTransactionForIssuerExists": 1,
        "name": company.name,
        "tickers": list(company.tickers),
        "exchanges": ["Nasdaq"] * len(company.tickers),
        "ein": "000000000",
        "lei": None,
        "description": "",
        "website": "",
        "investorWebsite": "",
        "category": "",
        "fiscalYearEnd": company.year_end,
        "formerNames": [
            {"name": name, "from": f"{first}T00:00:00.000Z", "to": f"{last}T00:00:00.000Z"}
            for name, first, last in company.former
        ],
        "filings": {
            "recent": filing_table(recent),
            "files": [
                {
                    "name": page_name(company),
                    "filingCount": len(page),
                    "filingFrom": f"{min(filing.filed for filing in page)}",
                    "filingTo": f"{max(filing.filed for filing in page)}",
                }
                for page in ([company.filings[company.older :]] if company.older else [])
            ],
        },
    }


def page_name(company: SecCompany) -> str:
    return f"CIK{company.cik:010}-submissions-001.json"


def filing_table(filings: tuple[SecFiling, ...]) -> dict[str, list[Any]]:
    """Return the parallel arrays of filings, with a report of another form after each."""
    rows = [row for filing in filings for row in (_row(filing), _other_row(filing))]
    return {name: [row[name] for row in rows] for name in (rows[0] if rows else _COLUMNS)}


_COLUMNS = ("accessionNumber", "filingDate", "reportDate", "form", "primaryDocument")


def _row(filing: SecFiling) -> dict[str, Any]:
    return {
        "accessionNumber": filing.accession,
        "filingDate": f"{filing.filed}",
        "reportDate": f"{filing.end or ''}",
        "acceptanceDateTime": f"{filing.filed}T18:08:27.000Z",
        "act": "34",
        "form": filing.form,
        "fileNumber": "001-00001",
        "filmNumber": "1",
        "items": "",
        "core_type": "XBRL" if filing.fiscal_year else filing.form,
        "size": 9_569_569,
        "isXBRL": int(filing.fiscal_year is not None),
        "isInlineXBRL": int(filing.fiscal_year is not None),
        "isXBRLNumeric": None,
        "primaryDocument": filing.document,
        "primaryDocDescription": filing.form,
    }


def _other_row(filing: SecFiling) -> dict[str, Any]:
    """Return an insider's report of the same day."""
    other = {"form": "4", "core_type": "4", "primaryDocument": "xslF345X05/form4.xml"}
    accession = f"{filing.accession[:-6]}8{filing.accession[-5:]}"
    return _row(filing) | other | {"accessionNumber": accession, "reportDate": f"{filing.filed}"}


def facts_answer(company: SecCompany) -> dict[str, Any] | None:
    """Return companyfacts; each filing has figures of two years, all labelled with its own."""
    filings = [f for f in company.filings if f.fiscal_year is not None and f.end]
    rows = [
        {
            "end": f"{filing.end - timedelta(days=364 * years_ago)}",
            "val": 1_000_000 + years_ago,
            "accn": filing.accession,
            "fy": filing.fiscal_year,
            "fp": "FY",
            "form": filing.form,
            "filed": f"{filing.filed}",
        }
        for filing in filings
        for years_ago in (0, 1)
        if filing.end
    ]
    if not rows:
        return None
    concept = {"label": "Assets", "description": "Assets", "units": {"USD": rows}}
    return {
        "cik": company.cik,
        "entityName": company.name,
        "facts": {"us-gaap": {"Assets": concept}},
    }


def search_answer(companies: list[SecCompany], phrase: str, forms: list[str]) -> dict[str, Any]:
    """Return the filings whose text has *phrase*; here only the name of the company is searched."""
    asked = _words(phrase)
    hits = []
    for company in companies:
        shown = f"{company.name}  "
        if company.tickers:
            shown += f"({', '.join(company.tickers)})  "
        for filing in company.filings:
            root = filing.form.removesuffix("/A")
            if asked in _words(company.name_on(filing.filed)) and (not forms or root in forms):
                source = {
                    "adsh": filing.accession,
                    "ciks": [f"{company.cik:010}"],
                    "display_names": [f"{shown}(CIK {company.cik:010})"],
                    "form": filing.form,
                    "root_forms": [root],
                    "file_type": filing.form,
                    "file_date": f"{filing.filed}",
                    "period_ending": f"{filing.end}",
                }
                hits.append({"_id": f"{filing.accession}:{filing.document}", "_source": source})
    return {"hits": {"total": {"value": len(hits), "relation": "eq"}, "hits": hits[:100]}}


def _words(text: str) -> str:
    return f" {' '.join(re.findall(r'[a-z0-9]+', text.casefold()))} "


def index_page(company: SecCompany, filing: SecFiling) -> str:
    files = [(filing.form, filing.form, filing.document)] if filing.document else []
    files += [(filing.form, "PDF COPY", filing.pdf)] if filing.pdf else []
    files += filing.exhibits
    base = f"/Archives/edgar/data/{company.cik}/{filing.folder}"
    rows = ""
    for number, (kind, description, name) in enumerate(files, 1):
        viewer = "/ix?doc=" if filing.fiscal_year and name == filing.document else ""
        rows += _index_row(str(number), description, f"{viewer}{base}/{name}", name, kind)
    if not filing.document:
        rows += _index_row("1", "", f"{base}/", "", filing.form)
    text = f"{filing.accession}.txt"
    rows += _index_row("&nbsp;", "Complete submission text file", f"{base}/{text}", text, "&nbsp;")
    head = "".join(f'<th scope="col">{t}</th>' for t in _INDEX_HEAD)
    return (
        f"<!DOCTYPE html><html><head><title>EDGAR Filing Documents for {filing.accession}</title>"
        f'</head><body><div id="formHeader"><strong>Form {escape(filing.form)}</strong></div>'
        '<div class="formDiv"><p>Document Format Files</p>'
        '<table class="tableFile" summary="Document Format Files">'
        f"<tr>{head}</tr>{rows}</table></div>"
        f'<span class="companyName">{escape(company.name)} (Filer)</span></body></html>'
    )


_INDEX_HEAD = ("Seq", "Description", "Document", "Type", "Size")


def _index_row(number: str, description: str, link: str, name: str, kind: str) -> str:
    cells = (number, description, f'<a href="{link}">{name}</a>', kind, "100000")
    return "<tr>" + "".join(f'<td scope="row">{cell}</td>' for cell in cells) + "</tr>"


def document_bytes(company: SecCompany, filing: SecFiling, name: str) -> bytes:
    """Return a document of *filing*: HTML, text or PDF."""
    lines = _lines(company, filing)
    if name.endswith(".pdf"):
        return pdf_of([lines[at : at + 40] for at in range(0, len(lines), 40)])
    if name.endswith(".txt"):
        head = f"<SEC-DOCUMENT>{filing.accession}.txt\n<TYPE>{filing.form}\n<TEXT>\n"
        return (head + "\n".join(lines) + "\n</TEXT>\n").encode()
    body = "".join(f"<p>{escape(line)}</p>\n" for line in lines)
    head = f"<head><title>{escape(f'{company.name} {filing.form}')}</title></head>"
    return f"<!DOCTYPE html><html>{head}<body>{body}</body></html>".encode()


def _lines(company: SecCompany, filing: SecFiling) -> list[str]:
    name = company.name_on(filing.filed)
    end = filing.title_end or filing.end or filing.filed
    day = f"{end:%B} {end.day}, {end.year}"
    what = "transition period" if "T" in filing.form else "fiscal year"
    lines = [
        "UNITED STATES SECURITIES AND EXCHANGE COMMISSION",
        "Washington, D.C. 20549",
        f"FORM {filing.form}",
        f"For the {what} ended {day}",
        f"{name} (Exact name of registrant as specified in its charter)",
    ]
    lines += _parts(filing.form, name)
    for number in range(1, 31):
        lines += [
            f"Note {number}. {name} and its subsidiaries report figures in millions of dollars.",
            f"The amounts as of {day} are compared with those of the {what} before.",
            f"Net sales of segment {number} were {100 + number} and its costs {60 + number}.",
        ]
    return [*lines, f"Signed on {filing.filed:%B} {filing.filed.day}, {filing.filed.year}."]


def _parts(form: str, name: str) -> list[str]:
    """Return the headings of an annual report, with a sentence each."""
    if form.startswith("10-K"):
        heads = (
            "Item 1. Business",
            "Item 1A. Risk Factors",
            "Item 2. Properties",
            "Item 3. Legal Proceedings",
            "Item 7. Management's Discussion and Analysis of Financial Condition and Results of"
            " Operations",
            "Item 8. Financial Statements and Supplementary Data",
            "Consolidated Balance Sheets",
            "Report of Independent Registered Public Accounting Firm",
        )
    else:
        heads = (
            "Item 3. Key Information",
            "Item 4. Information on the Company",
            "Item 5. Operating and Financial Review and Prospects",
            "Item 18. Financial Statements",
            "Consolidated Balance Sheets",
            "Report of Independent Registered Public Accounting Firm",
        )
    return [
        line
        for number, head in enumerate(heads, 1)
        for line in (head, f"This part {number} of the annual report describes {name}.")
    ]
