"""Companies, candidates and reports. All models are frozen, and all but reports are hashable."""

from __future__ import annotations

import re
from datetime import date, datetime  # noqa: TC003 - pydantic reads the annotations
from pathlib import Path  # noqa: TC003
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    HttpUrl,
    field_validator,
    model_validator,
)

from wikicrawler.reports.errors import Outcome  # noqa: TC001

MAX_TEXT = 500
_CIK = re.compile(r"(?:CIK)?0*([0-9]{1,10})", re.IGNORECASE)
_MIME = r"^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$"
PDF, HTML, JSON = "application/pdf", "text/html", "application/json"
"""Content types of reports."""


def _one_line(text: str) -> str:
    return " ".join(text.split())


Text = Annotated[str, AfterValidator(_one_line), Field(max_length=MAX_TEXT)]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class CompanyRef(_Frozen):
    """A company. At least one of name, CIK and ticker is given."""

    name: Text = ""
    cik: str | None = None
    """SEC's number of the company, as ten digits."""
    ticker: str | None = Field(None, max_length=20)
    """As SEC writes it: upper case, with a hyphen before a class of shares (``BRK-B``)."""
    website: HttpUrl | None = None
    """The homepage of the company, or of its investor relations."""

    @field_validator("cik", mode="before")
    @classmethod
    def _ten_digits(cls, value: object) -> object:
        if value is None or isinstance(value, bool):
            return value
        found = _CIK.fullmatch(str(value).strip())
        if found is None:
            raise ValueError("a CIK has up to ten digits, like 0000320193")
        return found[1].zfill(10)

    @field_validator("ticker")
    @classmethod
    def _upper(cls, value: str | None) -> str | None:
        return value.strip().upper().replace(".", "-") or None if value is not None else None

    @model_validator(mode="after")
    def _named(self) -> Self:
        if not (self.name or self.cik or self.ticker):
            raise ValueError("a company needs a name, a CIK or a ticker")
        return self

    @property
    def label(self) -> str:
        """What a person calls the company: its name, else its ticker or CIK."""
        return self.name or self.ticker or f"CIK {self.cik}"


class SourceRef(_Frozen):
    """A document that a provider offers: a candidate."""

    provider: str = Field(min_length=1, max_length=100)
    tier: int = Field(ge=1, le=3)
    """Quality tier of the provider; 1 is the highest."""
    url: HttpUrl | None = None
    access: Literal["api", "scrape", "file"] = "api"
    content_type: str = Field(pattern=_MIME)
    priority_score: int = Field(100, ge=0, le=100)
    """Within a quality tier; 0 is the highest priority."""
    path: Path | None = None
    """With the access ``file``: the file."""
    title: Text = ""
    fiscal_year: int | None = Field(None, ge=1900, le=2200)
    """What the provider says that the document is about; None if it does not know."""
    fiscal_period: str | None = Field(None, max_length=10)
    """``FY``, or ``Q1`` …"""
    period_end: date | None = None
    form: str | None = Field(None, max_length=40)
    """The kind of report: a form of SEC (``10-K``, ``20-F/A``), or ``annual``, ``sustainability``,
    ``integrated``."""
    accession: str | None = Field(None, max_length=40)
    """SEC's number of a filing, like 0000320193-23-000106."""
    filed: date | None = None
    amendment: bool = False
    language: str | None = Field(None, max_length=20)
    note: Text = ""
    """Why the provider offers it, for a person: how its fiscal year is known, or its score."""

    @field_validator("content_type", mode="before")
    @classmethod
    def _without_parameters(cls, value: object) -> object:
        return value.partition(";")[0].strip().lower() if isinstance(value, str) else value


class ProviderNote(_Frozen):
    """What became of the search of a provider."""

    provider: str
    tier: int
    outcome: Outcome
    found: int = 0
    """Number of candidates."""
    detail: Text = ""


class DownloadAttempt(_Frozen):
    """What became of a candidate."""

    rank: int
    """Place among all candidates, from 1."""
    source: SourceRef
    outcome: Outcome
    detail: Text = ""
    size: int | None = None
    """Bytes of the file, if one was downloaded."""


class CompanyReport(_Frozen):
    """The report of a company for a fiscal year: a file that was verified."""

    company: CompanyRef
    year: int
    source: SourceRef
    local_path: Path
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    size: int = Field(ge=0)
    """Bytes."""
    content_type: str = Field(pattern=_MIME)
    text_path: Path | None = None
    """The text of the document as Markdown."""
    fiscal_period: str | None = None
    form: str | None = None
    accession: str | None = None
    fetched_at: datetime
    evidence: tuple[Text, ...] = ()
    """What of the text names the company and the fiscal year."""
    candidates: tuple[SourceRef, ...] = ()
    """All candidates, best first."""
    attempts: tuple[DownloadAttempt, ...] = ()
    """The candidates that were tried, up to this one."""
    searches: tuple[ProviderNote, ...] = ()
