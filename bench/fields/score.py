"""Which of the values that a program gives are right."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bench.fields.corpus import Field, Page

NOTHING = frozenset(
    {
        *("na", "n/a", "nan", "none", "null", "nil", "unknown", "unspecified", "undefined"),
        *("missing", "not-available", "not-found", "not-stated", "not-specified"),
        *("not-mentioned", "not-provided", "not-given", "not-applicable", "no-information"),
    }
)
"""Words with which a model says that there is no value, beside null and an empty text."""
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:")
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—", "-") | dict.fromkeys("‘’", "'"))


@dataclass
class Score:
    """Counts of fields."""

    right: int = 0
    wrong: int = 0
    """Another value than the page states."""
    missed: int = 0
    """No value where the page states one."""
    invented: int = 0
    """A value where the page states none."""
    rightly_null: int = 0
    shown: int = 0
    """Right values with a place in the page."""

    @property
    def stated(self) -> int:
        """Fields that the pages state."""
        return self.right + self.wrong + self.missed

    @property
    def absent(self) -> int:
        """Fields that the pages do not state."""
        return self.invented + self.rightly_null

    @property
    def untrue(self) -> int:
        """Values that are not what the page states."""
        return self.wrong + self.invented

    def add(self, field: Field, value: Any, *, shown: bool) -> None:
        """Count *value*, which a program gives for *field*."""
        given = not is_nothing(value)
        if not field.right:
            self.invented += given
            self.rightly_null += not given
        elif not given:
            self.missed += 1
        elif is_right(field, value):
            self.right += 1
            self.shown += shown
        else:
            self.wrong += 1


def score(pages: Iterable[Page], answers: dict[str, dict[str, Any]]) -> Score:
    """Return the counts for *pages*.

    :param answers: by the path of a page, ``values`` and ``shown``: the names of the fields whose
        value has a place in the page
    """
    counted = Score()
    for page in pages:
        answer = answers.get(page.path, {})
        for field in page.fields:
            value = (answer.get("values") or {}).get(field.name)
            counted.add(field, value, shown=field.name in (answer.get("shown") or ()))
    return counted


def is_nothing(value: Any) -> bool:
    """Return True if *value* says that there is none."""
    if isinstance(value, str):
        said = "-".join(re.findall(r"[\w/]+", value.lower()))
        return not said or said in NOTHING
    return value is None or value in ([], {})


def is_right(field: Field, value: Any) -> bool:
    """Return True if *value* is one of the right ones: without case, white space, and marks around
    it, and a number in any spelling."""
    if field.type == "string":
        said = str(value)
        # An instant of that day.
        said = said[:10] if _INSTANT.match(said) else said
        return _plain(said) in map(_plain, field.right)
    number = as_number(value)
    return number is not None and number in map(as_number, field.right)


def _plain(value: Any) -> str:
    text = unicodedata.normalize("NFKC", str(value)).translate(_DASHES).casefold()
    return " ".join(text.split()).strip(" .,:;!\"'*_`()[]“”")


def as_number(value: Any) -> float | None:
    """Return the first number in *value*."""
    if isinstance(value, bool):
        return None
    found = _NUMBER.search(str(value))
    return float(found[0].replace(",", "")) if found else None
