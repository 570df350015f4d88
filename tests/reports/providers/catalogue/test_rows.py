"""Catalogues are read strictly: bad rows are problems with their line, and left out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from wikicrawler.reports.providers.catalogue import rows
from wikicrawler.reports.providers.catalogue.entries import Catalogue, read_catalogue

if TYPE_CHECKING:
    from pathlib import Path

HEADER = "company,cik,ticker,year,url,content_type,title,form,language\n"
GOOD = "Example Corp,42,EXM,2023,https://example.com/ar.pdf,,Annual Report,annual,en\n"


def read(text: str, columns: dict[str, str] | None = None, folder: str = "") -> Catalogue:
    return read_catalogue(text.encode(), columns or {}, folder)


def problem(row: str, header: str = HEADER, folder: str = "") -> str:
    found = read(header + GOOD + row, folder=folder)
    assert (found.size, found.bad) == (1, 1)
    return found.problems[0]


def test_a_row_is_found_by_cik_ticker_and_name() -> None:
    found = read(HEADER + GOOD)
    assert set(found.by_company) == {"0000000042", "ticker EXM", "name example"}
    (entry,) = found.by_company["0000000042"]
    assert (entry.line, entry.url, entry.year) == (2, "https://example.com/ar.pdf", 2023)
    assert (entry.content_type, entry.form) == ("application/pdf", "annual")


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_other_delimiters_and_a_bom_are_understood(delimiter: str) -> None:
    text = "\ufeff" + (HEADER + GOOD).replace(",", delimiter)
    assert read(text).size == 1


def test_usual_names_of_columns_are_understood() -> None:
    found = read("Name,Fiscal Year,Link,Type\nExample,2023,https://example.com/x,pdf\n")
    (entry,) = found.by_company["name example"]
    assert entry.content_type == "application/pdf"


def test_columns_can_be_mapped() -> None:
    text = "issuer,fy,href,url\nExample,2023,https://example.com/a.htm,nothing\n"
    found = read(text, {"company": "issuer", "year": "fy", "url": "href"})
    (entry,) = found.by_company["name example"]
    assert (entry.url, entry.content_type) == ("https://example.com/a.htm", "text/html")


def test_json_is_a_list_of_objects() -> None:
    row = {"cik": 42, "year": 2023, "url": "https://example.com/a.json", "title": None}
    found = read(json.dumps([row, 5, {**row, "year": True}]))
    (entry,) = found.by_company["0000000042"]
    assert entry.content_type == "application/json"
    assert found.problems == (
        "line 2: is no object but int",
        "line 3: year: '' is not a fiscal year (like 2023)",
    )


@pytest.mark.parametrize(
    ("stated", "year"),
    [
        ("2023", 2023),
        ("FY2023", 2023),
        ("2022/23", 2023),
        ("2022-2023", 2023),
        ("1999/00", 2000),
        ("2023.0", 2023),
    ],
)
def test_fiscal_years(stated: str, year: int) -> None:
    found = read(HEADER + GOOD.replace("2023", stated))
    assert found.by_company["0000000042"][0].year == year


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (GOOD.replace("2023", "20x3"), "line 3: year: '20x3' is not a fiscal year (like 2023)"),
        (GOOD.replace("2023", "2019/23"), "is not one fiscal year (like 2022/23)"),
        (GOOD.replace("2023", ""), "year: ''"),
        (GOOD.replace(",42,", ",4x,"), "cik: '4x' is none (up to ten digits, like 0000320193)"),
        (GOOD.replace("https://", "ftp://"), "url: 'ftp://example.com/ar.pdf' has the scheme"),
        (GOOD.replace("https://example.com/ar.pdf", ""), "has neither url nor path"),
        (GOOD.replace("https://example.com", "file:///etc"), "write its path in the column path"),
        (GOOD.replace("ar.pdf", "ar"), "content_type: is missing"),
        (GOOD.replace(",,", ",a pdf,"), "content_type: 'a pdf' is none (like application/pdf)"),
        (",,,2023,https://example.com/a.pdf\n", "names no company (by company, cik or ticker)"),
        ("Example\n", "has neither url nor path"),
    ],
)
def test_a_bad_row_is_left_out_with_its_line(row: str, message: str) -> None:
    assert message in problem(row)
    assert problem(row).startswith("line 3: ")


def test_the_end_of_the_period_is_a_date() -> None:
    header = "ticker,year,url,period_end\n"
    good = "EXM,2023,https://example.com/a.pdf,2023-09-30\n"
    assert str(read(header + good).by_company["ticker EXM"][0].period_end) == "2023-09-30"
    found = read(header + good.replace("2023-09-30", "9/30/23"))
    assert "period_end: '9/30/23' is not a date (like 2023-09-30)" in found.problems[0]


def test_blank_lines_are_no_rows() -> None:
    assert read(HEADER + "\n,,,\n" + GOOD).bad == 0


def test_files_are_within_the_folder_of_the_catalogue(tmp_path: Path) -> None:
    header = "ticker,year,path\n"
    good = "EXM,2023,sub/ar.pdf\n"
    found = read(header + good, folder=str(tmp_path))
    assert found.by_company["ticker EXM"][0].path == str(tmp_path / "sub" / "ar.pdf")
    for path in ("../ar.pdf", "/etc/passwd.pdf", "sub/../../ar.pdf"):
        found = read(header + good.replace("sub/ar.pdf", path), folder=str(tmp_path))
        assert "is outside the folder of the catalogue" in found.problems[0]
    (tmp_path / "link.pdf").symlink_to("/etc/hostname")
    found = read(header + good.replace("sub/ar.pdf", "link.pdf"), folder=str(tmp_path))
    assert "is outside the folder" in found.problems[0]
    found = read(header + good.replace("sub/ar.pdf", "a\0b.pdf"), folder=str(tmp_path))
    assert found.bad == 1


def test_a_catalogue_of_the_web_names_no_files() -> None:
    found = read("ticker,year,path\nEXM,2023,ar.pdf\n")
    assert "a catalogue from the web cannot name files (give a url)" in found.problems[0]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "is empty"),
        (b"\xff\xfe\x00", "is not UTF-8 (byte 0)"),
        (b"<html>", "is HTML or XML"),
        (b'{"a": 1}', "is no JSON list"),
        (b'[{"a": \n}]', "line 2: is not JSON"),
        (b"[" * 200_000, "is nested too deeply"),
        (b"company,year\nx,2023\n", "has no column for url or path"),
        (b"year,url\n2023,https://example.com/a.pdf\n", "has no column for company, cik or ticker"),
        (b'company,year,url\n"' + b"x" * 200_000, "field larger than field limit"),
    ],
)
def test_a_file_that_is_no_catalogue_says_why(body: bytes, message: str) -> None:
    found = read_catalogue(body, {}, "")
    assert not found.is_catalogue
    assert message in found.problems[0]


def test_a_mapped_column_that_is_missing_is_named() -> None:
    found = read(HEADER + GOOD, {"company": "issuer"})
    assert "has no column 'issuer' for company (it has 'company', 'cik'" in found.problems[0]


def test_too_many_rows_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "MAX_ROWS", 3)
    found = read(HEADER + GOOD * 5)
    assert found.size == 3
    assert "more than 3 rows: the rest is not read" in found.problems[0]
    entries = [{"ticker": "EXM", "year": 2023, "url": "https://example.com/a.pdf"}] * 5
    found = read(json.dumps(entries))
    assert (found.size, found.bad) == (3, 1)


def test_only_some_problems_are_listed() -> None:
    found = read(HEADER + "Example\n" * 100)
    assert (found.bad, len(found.problems)) == (100, rows.MAX_PROBLEMS)
