"""A filing, as the submissions of a company list it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikicrawler.reports.providers.edgar import forms

if TYPE_CHECKING:
    from datetime import date

ACCESSION = re.compile(r"[0-9]{10}-[0-9]{2}-[0-9]{6}")
FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}")
"""Nothing else that an answer names becomes a part of a URL."""


@dataclass(frozen=True, slots=True)
class Filing:
    """An annual report, or the annual report to shareholders."""

    accession: str
    form: str
    filed: date | None = None
    period: date | None = None
    """``reportDate``: the end of the period, as the filer wrote it."""
    document: str = ""
    """File name of the primary document; empty if it has no name of its own."""
    description: str = ""

    @property
    def is_amendment(self) -> bool:
        return forms.is_amendment(self.form)

    @property
    def is_original(self) -> bool:
        """True for a report of its own, which others may amend or repeat."""
        return not self.is_amendment and not self.is_shareholders

    @property
    def is_transition(self) -> bool:
        return forms.is_transition(self.form)

    @property
    def is_shareholders(self) -> bool:
        return self.form.removesuffix(forms.AMENDED) == forms.SHAREHOLDERS


def file_name(value: object) -> str:
    """Return *value* if it is the name of a file, else an empty string."""
    is_name = isinstance(value, str) and FILE_NAME.fullmatch(value) and ".." not in value
    return str(value) if is_name else ""
