"""Arguments of the ``reports`` spider."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from wikicrawler.reports.companies import (
    DEFAULT_FORMS,
    read_companies,
    read_forms,
    read_types,
    read_years,
)
from wikicrawler.reports.models import HTML, PDF, CompanyRef
from wikicrawler.spiders.arguments import known_arguments


class ReportsArguments(BaseModel):
    """``-a NAME=VALUE`` of ``scrapy crawl reports``."""

    model_config = ConfigDict(extra="forbid")

    companies: str = Field(
        description="Tickers, CIKs, names or websites, separated by commas "
        '(AAPL,0000320193,"Apple Inc."), or the name of a file with one a line or with the columns '
        "name, cik, ticker, website.",
    )
    year: tuple[int, ...] = Field(description="Fiscal year, or years: 2023, 2019-2023.")
    forms: tuple[str, ...] = Field(DEFAULT_FORMS, description="Forms of SEC that count.")
    types: frozenset[str] = Field(
        frozenset({PDF, HTML}), description="Types of documents that count: pdf, html, json."
    )

    @model_validator(mode="before")
    @classmethod
    def _known(cls, values: Any) -> Any:
        return known_arguments(cls, values)

    @field_validator("year", mode="before")
    @classmethod
    def _years(cls, value: Any) -> Any:
        return read_years(value) if isinstance(value, str) else value

    @field_validator("forms", mode="before")
    @classmethod
    def _forms(cls, value: Any) -> Any:
        return read_forms(value) if isinstance(value, str) else value

    @field_validator("types", mode="before")
    @classmethod
    def _types(cls, value: Any) -> Any:
        return read_types(value) if isinstance(value, str) else value

    def all_companies(self) -> list[CompanyRef]:
        """Return the companies.

        :raises ConfigError: the file cannot be read, or an entry is wrong
        """
        return read_companies(self.companies, Path.cwd())
