"""The rows of a catalogue, read strictly: a bad one is a problem with its line, and left out."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from wikicrawler.text.safe import one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MAX_BYTES = 32 * 2**20
"""Size of a catalogue."""
MAX_ROWS = 100_000
MAX_CELL = 4_000
"""Characters of a value that are read."""
MAX_PROBLEMS = 20
"""Problems that are listed; the rest is counted."""
COLUMNS = (
    *("company", "cik", "ticker", "year", "url", "path", "content_type", "title", "form"),
    *("language", "period_end"),
)
"""What a column may be mapped to."""
_ALIASES = {
    "name": "company",
    "company_name": "company",
    "issuer": "company",
    "symbol": "ticker",
    "fiscal_year": "year",
    "link": "url",
    "file": "path",
    "type": "content_type",
    "mime_type": "content_type",
    "lang": "language",
    "document_type": "form",
}
"""Names of columns that are understood without being mapped."""


class CatalogueError(ValueError):
    """The file is no catalogue; the message says why and what would be right."""


@dataclass(slots=True)
class Rows:
    """The rows of a catalogue, each as ``(line, values)``, and the problems of the others."""

    rows: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    bad: int = 0

    def reject(self, line: int, why: str) -> None:
        self.bad += 1
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(f"line {line}: {why}")


def read_rows(body: bytes, columns: Mapping[str, str]) -> Rows:
    """Return the rows of the CSV or JSON in *body*.

    :param columns: names of the file's columns by what they are (:data:`COLUMNS`)
    :raises CatalogueError: it is neither, or has no usable column
    """
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        raise CatalogueError(f"is not UTF-8 (byte {exc.start:,}); save it as UTF-8") from None
    stripped = text.lstrip()
    if not stripped:
        raise CatalogueError("is empty (write a CSV with a header, or a JSON list of objects)")
    if stripped[0] in "[{":
        return _read_json(text, columns)
    if stripped[0] == "<":
        raise CatalogueError("is HTML or XML (give a CSV with a header, or a JSON list of objects)")
    return _read_csv(text, columns)


def _read_csv(text: str, columns: Mapping[str, str]) -> Rows:
    header_line = text.partition("\n")[0]
    delimiter = max(",;\t|", key=header_line.count)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    found = Rows()
    try:
        places = _places(next(reader), columns)
        for cells in reader:
            if not any(map(str.strip, cells)):
                continue
            if len(found.rows) >= MAX_ROWS:
                found.reject(reader.line_num, f"more than {MAX_ROWS:,} rows: the rest is not read")
                break
            row = {
                name: cells[place][:MAX_CELL].strip()
                for name, place in places.items()
                if place < len(cells)
            }
            found.rows.append((reader.line_num, row))
    except csv.Error as exc:
        raise CatalogueError(f"line {reader.line_num}: {exc}") from None
    return found


def _places(header: list[str], columns: Mapping[str, str]) -> dict[str, int]:
    """Return the place of each known column in *header*."""
    names = [name.strip() for name in header]
    return _mapped({name: place for place, name in enumerate(names)}, columns)


def _mapped(places: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of *places* by what they are, from the mapping or their usual names.

    :raises CatalogueError: a mapped column is missing, or no URL or company is among them
    """
    for name, column in columns.items():
        if column not in places:
            listed = ", ".join(map(quoted, list(places)[:20]))
            raise CatalogueError(f"has no column {quoted(column)} for {name} (it has {listed})")
    found = {name: places[column] for name, column in columns.items()}
    for column, value in places.items():
        usual = column.lower().replace(" ", "_")
        name = _ALIASES.get(usual, usual)
        if name in COLUMNS and name not in columns:
            found.setdefault(name, value)
    if not {"url", "path"} & set(found):
        raise CatalogueError("has no column for url or path (map one by columns)")
    if not {"company", "cik", "ticker"} & set(found):
        raise CatalogueError("has no column for company, cik or ticker (map one by columns)")
    return found


def _read_json(text: str, columns: Mapping[str, str]) -> Rows:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as exc:
        raise CatalogueError(f"line {exc.lineno}: is not JSON: {exc.msg}") from None
    except RecursionError:
        raise CatalogueError("is nested too deeply (write a JSON list of objects)") from None
    if not isinstance(data, list):
        raise CatalogueError("is no JSON list (write a list of objects)")
    keys = {key: key for entry in data[:1000] if isinstance(entry, dict) for key in entry}
    names = _mapped(keys, columns)
    found = Rows()
    for number, entry in enumerate(data[:MAX_ROWS], 1):
        if isinstance(entry, dict):
            found.rows.append((number, dict(_values(entry, names))))
        else:
            found.reject(number, f"is no object but {one_line(type(entry).__name__)}")
    if len(data) > MAX_ROWS:
        found.reject(MAX_ROWS + 1, f"more than {MAX_ROWS:,} entries: the rest is not read")
    return found


def _values(entry: Mapping[str, object], names: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """Yield the values of *entry* as texts."""
    for name, key in names.items():
        value = entry.get(key)
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            yield name, str(value)[:MAX_CELL].strip()
