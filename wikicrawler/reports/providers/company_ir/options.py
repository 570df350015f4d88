"""The options of the provider ``company_ir``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wikicrawler.errors import ConfigError
from wikicrawler.reports.providers.company_names import company_key, keys_of
from wikicrawler.text.names import nearest
from wikicrawler.text.safe import quoted
from wikicrawler.urls.addresses import parse_domain, parse_url

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikicrawler.reports.models import CompanyRef

MAX_PAGES = 12
"""Requests for pages of a company and year, unless the options say otherwise."""
_MOST_PAGES = 500
_NAMES = ("websites", "max_pages", "languages")
_CIK = re.compile(r"(?:CIK)?0*([0-9]{1,10})", re.IGNORECASE)
_LANGUAGE = re.compile(r"([a-z]{2})(?:[-_][a-z0-9]{2,8})*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class IrOptions:
    websites: Mapping[str, str]
    """Homepages by the keys of :func:`~wikicrawler.reports.providers.company_names.keys_of`."""
    max_pages: int
    languages: tuple[str, ...]

    def homepage_of(self, company: CompanyRef) -> str | None:
        """Return the homepage of *company*, of its own or of the map."""
        if company.website is not None:
            return str(company.website)
        return next((self.websites[key] for key in keys_of(company) if key in self.websites), None)


def read_options(options: Mapping[str, Any]) -> IrOptions:
    """Return the *options* of the configuration.

    :raises ConfigError: one of them is unknown or wrong
    """
    for name in options:
        if name not in _NAMES:
            hint = nearest(str(name), _NAMES) or f"one of {', '.join(_NAMES)}"
            raise ConfigError(f"company_ir: {quoted(str(name))} is not an option (write {hint})")
    return IrOptions(
        _websites(options.get("websites") or {}),
        _max_pages(options.get("max_pages", MAX_PAGES)),
        _languages(options.get("languages", ["en"])),
    )


def _websites(stated: object) -> dict[str, str]:
    if not isinstance(stated, dict):
        raise ConfigError(
            "company_ir: websites: is not a mapping (like {AAPL: https://investor.apple.com/})"
        )
    found: dict[str, str] = {}
    for company, place in stated.items():
        url = _homepage(str(company), place)
        for key in _keys(str(company).strip()):
            found[key] = url
    return found


def _keys(company: str) -> list[str]:
    """Return the keys of *company*, a CIK, a ticker or a name."""
    if cik := _CIK.fullmatch(company):
        return [cik[1].zfill(10)]
    if not company:
        raise ConfigError("company_ir: websites: an empty key (write a CIK, a ticker or a name)")
    return [f"ticker {company.upper().replace('.', '-')}", f"name {company_key(company)}"]


def _homepage(company: str, place: object) -> str:
    text = place.strip() if isinstance(place, str) else ""
    try:
        return parse_url(text if "://" in text else f"https://{parse_domain(text)}/")
    except ValueError as exc:
        raise ConfigError(
            f"company_ir: websites: {quoted(company)}: {quoted(str(place))} {exc}"
        ) from None


def _max_pages(stated: object) -> int:
    if isinstance(stated, bool) or not isinstance(stated, int) or not 1 <= stated <= _MOST_PAGES:
        raise ConfigError(
            f"company_ir: max_pages: {quoted(str(stated))} is not a number of pages "
            f"(1 to {_MOST_PAGES})"
        )
    return stated


def _languages(stated: object) -> tuple[str, ...]:
    if not isinstance(stated, list) or not stated:
        raise ConfigError("company_ir: languages: is not a list of codes (like [en, de])")
    found = []
    for code in stated:
        tag = _LANGUAGE.fullmatch(str(code))
        if tag is None or not isinstance(code, str):
            raise ConfigError(
                f"company_ir: languages: {quoted(str(code))} is not a language (like en)"
            )
        found.append(tag[1].lower())
    return tuple(found)
