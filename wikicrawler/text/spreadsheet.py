"""CSV that spreadsheets show as it is: no text of it is computed."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any

from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

MAX_CELL = 8_000
"""Maximum number of characters of a cell."""
# What Excel, LibreOffice and Google Sheets compute; the wide forms too, where the locale has them.
_FORMULA = re.compile("[=+@\t\r\n-]|[\uff0b\uff0d\uff1d\uff20]")


def is_formula(text: str) -> bool:
    """Return whether a spreadsheet may take *text* for a formula. An apostrophe before it prevents
    that."""
    return _FORMULA.match(text) is not None


def csv_lines(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines of a CSV table, without line ends: the names of *columns*, and their values
    in each of *rows*. Texts are single lines, with an apostrophe before those that are formulas."""
    yield _line(columns)
    for row in rows:
        yield _line([_cell(row.get(name)) for name in columns])


def _line(cells: Sequence[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(cells)
    return text.getvalue()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return str(value)
    text = one_line(value, MAX_CELL)
    return f"'{text}" if is_formula(text) else text
