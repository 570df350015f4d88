"""Reads a catalogue into its reports, in a worker process: it may be large and a stranger's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from wikicrawler.reports.models import HTML, JSON, PDF
from wikicrawler.reports.providers.catalogue.rows import CatalogueError, read_rows
from wikicrawler.reports.providers.company_names import company_key
from wikicrawler.text.safe import quoted
from wikicrawler.urls.addresses import parse_url

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikicrawler.reports.providers.catalogue.rows import Rows

_YEAR = re.compile(r"(?:FY[ -]?)?((?:19|20|21)\d\d)(?:\.0)?(?:[-/](\d{2}|\d{4}))?", re.IGNORECASE)
_CIK = re.compile(r"(?:CIK)?0*([0-9]{1,10})(?:\.0)?", re.IGNORECASE)
_MIME = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]{0,126}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}")
_TYPES = {
    **dict.fromkeys((".pdf", "pdf"), PDF),
    **dict.fromkeys((".htm", ".html", ".xhtml", "htm", "html"), HTML),
    **dict.fromkeys((".json", "json"), JSON),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A report of the catalogue."""

    line: int
    url: str
    """Empty for a file."""
    path: str
    content_type: str
    year: int
    title: str = ""
    form: str = ""
    language: str = ""
    period_end: date | None = None


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The reports by the keys of :func:`~wikicrawler.reports.providers.company_names.keys_of`."""

    by_company: Mapping[str, tuple[Entry, ...]]
    size: int = 0
    """Number of reports."""
    bad: int = 0
    """Number of rows that were left out."""
    problems: tuple[str, ...] = ()
    """The first of them, one line each."""
    is_catalogue: bool = True
    """False: the file is none, for the reason in :attr:`problems`."""


def read_catalogue(body: bytes, columns: Mapping[str, str], folder: str) -> Catalogue:
    """Return the reports that the catalogue *body* lists.

    A worker's exceptions lose their class, so a file that is no catalogue is a result too.

    :param columns: see :func:`~wikicrawler.reports.providers.catalogue.rows.read_rows`
    :param folder: folder of the catalogue, in which its files are; empty: it may not name files
    """
    try:
        rows = read_rows(body, columns)
    except CatalogueError as exc:
        return Catalogue({}, problems=(str(exc),), is_catalogue=False)
    found: dict[str, list[Entry]] = {}
    size = 0
    for line, row in rows.rows:
        try:
            entry, keys = _entry(line, row, folder), _keys(row)
        except ValueError as exc:
            rows.reject(line, str(exc))
            continue
        size += 1
        for key in keys:
            found.setdefault(key, []).append(entry)
    return _catalogue(found, size, rows)


def _catalogue(found: Mapping[str, list[Entry]], size: int, rows: Rows) -> Catalogue:
    by_company = {key: tuple(entries) for key, entries in found.items()}
    return Catalogue(by_company, size, rows.bad, tuple(rows.problems))


def _entry(line: int, row: Mapping[str, str], folder: str) -> Entry:
    """Return the report of *row*.

    :raises ValueError: a value is missing or wrong
    """
    url, path = _place(row, folder)
    return Entry(
        line,
        url,
        path,
        _content_type(row.get("content_type", ""), path or url),
        _year(row.get("year", "")),
        row.get("title", "")[:500],
        row.get("form", "")[:40],
        row.get("language", "")[:20],
        _day(row.get("period_end", "")),
    )


def _place(row: Mapping[str, str], folder: str) -> tuple[str, str]:
    """Return the URL of *row*, or its file as an absolute path."""
    url, path = row.get("url", ""), row.get("path", "")
    if url.lower().startswith("file:"):
        raise ValueError("url: names a file (write its path in the column path)")
    if url:
        try:
            return parse_url(url), ""
        except ValueError as exc:
            raise ValueError(f"url: {quoted(url)} {exc}") from None
    if path:
        return "", _file(path, folder)
    raise ValueError("has neither url nor path")


def _file(path: str, folder: str) -> str:
    """Return the absolute path of the file *path*, which a catalogue in *folder* names."""
    if not folder:
        raise ValueError("path: a catalogue from the web cannot name files (give a url)")
    try:
        resolved = Path(folder, path).resolve()
    except (OSError, ValueError):
        raise ValueError(f"path: {quoted(path)} is not the name of a file") from None
    if not resolved.is_relative_to(folder):
        raise ValueError(f"path: {quoted(path)} is outside the folder of the catalogue")
    return str(resolved)


def _content_type(stated: str, place: str) -> str:
    """Return the content type that is *stated*, or else that of the extension of *place*."""
    if stated:
        known = _TYPES.get(stated.lower(), stated.partition(";")[0].strip().lower())
        if not _MIME.fullmatch(known):
            raise ValueError(f"content_type: {quoted(stated)} is none (like application/pdf)")
        return known
    extension = PurePosixPath(place.partition("?")[0]).suffix.lower()
    if extension in _TYPES:
        return _TYPES[extension]
    raise ValueError("content_type: is missing, and the address does not tell it")


def _year(stated: str) -> int:
    """Return the fiscal year: of ``2022/23`` the second."""
    found = _YEAR.fullmatch(stated)
    if found is None:
        raise ValueError(f"year: {quoted(stated)} is not a fiscal year (like 2023)")
    year = int(found[1])
    if found[2]:
        last = int(found[2]) if len(found[2]) == 4 else year - year % 100 + int(found[2])
        last += 100 if last < year else 0
        if last != year + 1:
            raise ValueError(f"year: {quoted(stated)} is not one fiscal year (like 2022/23)")
        return last
    return year


def _day(stated: str) -> date | None:
    if not stated:
        return None
    try:
        return date.fromisoformat(stated)
    except ValueError:
        raise ValueError(f"period_end: {quoted(stated)} is not a date (like 2023-09-30)") from None


def _keys(row: Mapping[str, str]) -> set[str]:
    """Return the keys of the company of *row*."""
    keys = set()
    if stated := row.get("cik", ""):
        cik = _CIK.fullmatch(stated)
        if cik is None:
            raise ValueError(f"cik: {quoted(stated)} is none (up to ten digits, like 0000320193)")
        keys.add(cik[1].zfill(10))
    if ticker := row.get("ticker", ""):
        keys.add(f"ticker {ticker.upper().replace('.', '-')}")
    if key := company_key(row.get("company", "")):
        keys.add(f"name {key}")
    if not keys:
        raise ValueError("names no company (by company, cik or ticker)")
    return keys
