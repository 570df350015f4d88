"""The companies, years, forms and types that a user asks for."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from wikicrawler.errors import ConfigError
from wikicrawler.reports.models import HTML, JSON, PDF, CompanyRef
from wikicrawler.text.lines import read_lines
from wikicrawler.text.names import nearest
from wikicrawler.text.safe import one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

COLUMNS = ("name", "cik", "ticker", "website")
FIRST_YEAR, LAST_YEAR = 1990, 2100
MAX_YEARS = 50
TYPES = {"pdf": PDF, "html": HTML, "json": JSON}
"""Content types by the word that asks for them."""
DEFAULT_FORMS = ("10-K", "20-F", "40-F")
_CIK = re.compile(r"(?:CIK)?\d{1,10}", re.IGNORECASE)
_TICKER = re.compile(r"[A-Z][A-Z0-9]{0,4}(?:[.-][A-Z]{1,2})?")
_SITE = re.compile(r"https?://\S+|(?:[a-z0-9-]+\.)+[a-z]{2,}(?:/\S*)?", re.IGNORECASE)
_FORM = re.compile(r"[A-Za-z0-9][A-Za-z0-9 /-]{0,19}")
_FILE = re.compile(r"(?:~|\.{0,2}/).*|.*\.(?:txt|csv|lst|list|tsv)", re.IGNORECASE)


def read_companies(argument: str, base: Path) -> list[CompanyRef]:
    """Return the companies in *argument*, each once.

    It is a list separated by commas, ``AAPL,0000320193,"Apple, Inc.",apple.com``, or the name of a
    file, relative to *base*: one company a line, or CSV whose first line has some of the columns
    name, cik, ticker and website. In a list, digits are a CIK, up to five capitals a ticker, what
    has a dot and no space a website, and everything else a name.

    :raises ConfigError: the file cannot be read, or an entry is wrong; all problems are listed
    """
    text = argument.strip()
    if not text:
        raise ConfigError(
            'companies: empty (give tickers, CIKs or names: companies=AAPL,0000320193,"Apple Inc.")'
        )
    path = base / text
    if _FILE.fullmatch(text) or _is_file(path):
        if not _is_file(path):
            raise ConfigError(f"companies: the file {one_line(path)} does not exist")
        found, problems = _of_file(path)
    else:
        found, problems = _of_entries((0, part) for part in _parts(text))
    if problems:
        raise ConfigError("\n".join(problems[:20]))
    if not found:
        raise ConfigError(f"companies: {quoted(text)} has no company")
    return list(dict.fromkeys(found))


def company_of(text: str) -> CompanyRef:
    """Return the company that one entry of a list names.

    :raises ValueError: it names none
    """
    text = text.strip()
    if _CIK.fullmatch(text):
        return _company(cik=text)
    if _TICKER.fullmatch(text):
        return _company(ticker=text)
    if _SITE.fullmatch(text):
        website = text if "://" in text else f"https://{text}/"
        return _company(name=re.sub(r"^https?://|/.*$", "", text), website=website)
    return _company(name=text)


def read_years(text: str) -> tuple[int, ...]:
    """Return the fiscal years in ``2023``, ``2019-2023`` or ``2019,2021-2023``, in order.

    :raises ValueError: it is something else
    """
    years: dict[int, None] = {}
    for part in text.split(","):
        found = re.fullmatch(r"\s*(\d{4})\s*(?:-\s*(\d{4})\s*)?", part)
        first = int(found[1]) if found else 0
        last = int(found[2] or found[1]) if found else 0
        if not FIRST_YEAR <= first <= last <= LAST_YEAR:
            raise ValueError(f"{quoted(part.strip())} is not a year (like 2023 or 2019-2023)")
        years |= dict.fromkeys(range(first, last + 1))
        if len(years) > MAX_YEARS:
            raise ValueError(f"more than {MAX_YEARS} years")
    return tuple(sorted(years))


def read_forms(text: str) -> tuple[str, ...]:
    """Return the forms of SEC in a list with commas, as SEC writes them.

    :raises ValueError: one is none
    """
    forms = tuple(dict.fromkeys(one.strip().upper() for one in text.split(",") if one.strip()))
    for form in forms:
        if not _FORM.fullmatch(form):
            raise ValueError(f"{quoted(form)} is not a form (like 10-K,20-F,40-F)")
    if not forms:
        raise ValueError("no form in it (like 10-K,20-F,40-F)")
    return forms


def read_types(text: str) -> frozenset[str]:
    """Return the content types that words stand for: ``pdf``, ``html``, ``json``.

    :raises ValueError: a word is none of them
    """
    words = [one.strip().lower() for one in text.split(",") if one.strip()]
    for word in words:
        if word not in TYPES:
            raise ValueError(f"{quoted(word)} is unknown (there are: {', '.join(TYPES)})")
    if not words:
        raise ValueError(f"no type in it (there are: {', '.join(TYPES)})")
    return frozenset(TYPES[word] for word in words)


def _parts(text: str) -> list[str]:
    rows = list(csv.reader([text], skipinitialspace=True))
    return [part for row in rows for part in row if part.strip()]


def _of_file(path: Path) -> tuple[list[CompanyRef], list[str]]:
    name, lines, problems = one_line(path), [], []
    for line in read_lines(path):
        if line.problem:
            problems.append(f"{name}:{line.number}: {line.problem}")
        elif line.text.strip() and not line.text.lstrip().startswith("#"):
            lines.append((line.number, line.text))
    header = [part.strip().lower() for part in _parts(lines[0][1])] if lines else []
    if not set(header) & set(COLUMNS):
        found, wrong = _of_entries(lines, name)
        return found, problems + wrong
    if unknown := [one for one in header if one not in COLUMNS]:
        near = nearest(unknown[0][:40], COLUMNS)
        hint = f"did you mean {near}?" if near else f"there are: {', '.join(COLUMNS)}"
        return [], [f"{name}:{lines[0][0]}: no column {quoted(unknown[0], 40)} ({hint})"]
    found, wrong = _of_rows(header, lines[1:], name)
    return found, problems + wrong


def _of_rows(
    header: list[str], lines: list[tuple[int, str]], name: str
) -> tuple[list[CompanyRef], list[str]]:
    found, problems = [], []
    for number, text in lines:
        cells = next(csv.reader([text], skipinitialspace=True), [])
        if len(cells) > len(header):
            what = f"has {len(cells)} cells, but there are {len(header)} columns"
            problems.append(f"{name}:{number}: {what} (quote a name that contains a comma)")
            continue
        values = {key: cell.strip() for key, cell in zip(header, cells, strict=False)}
        try:
            found.append(_company(**{key: value for key, value in values.items() if value}))
        except ValueError as error:
            problems.append(f"{name}:{number}: {error}")
    return found, problems


def _of_entries(
    entries: Iterable[tuple[int, str]], name: str = ""
) -> tuple[list[CompanyRef], list[str]]:
    found, problems = [], []
    for number, text in entries:
        try:
            found.append(company_of(_unquoted(text)))
        except ValueError as error:
            where = f"{name}:{number}" if name else "companies"
            problems.append(f"{where}: {quoted(text.strip(), 80)}: {error}")
    return found, problems


def _unquoted(text: str) -> str:
    text = text.strip()
    is_quoted = len(text) > 1 and text[0] == text[-1] == '"'
    return text[1:-1].replace('""', '"') if is_quoted else text


def _company(**values: Any) -> CompanyRef:
    try:
        return CompanyRef(**values)
    except ValidationError as error:
        raise ValueError("; ".join(_faults(error))) from None


def _faults(error: ValidationError) -> Iterator[str]:
    for fault in error.errors(include_url=False, include_context=False):
        where = ".".join(map(str, fault["loc"]))
        said = fault["msg"].removeprefix("Value error, ")
        yield f"{where}: {said}" if where else said


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
