"""Choices of a page that lead to other pages: addresses, and years of a form."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import urlencode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

_MAX_OPTIONS = 120
_MAX_FIELDS = 20
_MAX_VALUE = 500
_YEAR = re.compile(r"(?:19|20)\d\d")


def addresses_of(select: HtmlElement) -> Iterator[tuple[str, HtmlElement]]:
    """Yield the address and the element of each option of *select* that leads to a page.

    The value of an option is an address itself, or a year that a form sends with GET.
    """
    prefix = _query_of(select)
    for option in islice(select.iter("option"), _MAX_OPTIONS):
        value = (option.get("value") or "").strip()[:_MAX_VALUE]
        if value.startswith(("/", "?", "http:", "https:")):
            yield value, option
        elif prefix and _YEAR.fullmatch(value):
            yield prefix + value, option


def _query_of(select: HtmlElement) -> str:
    """Return the address to which the form of *select* sends its value, up to that value."""
    form = next(select.iterancestors("form"), None)
    name = select.get("name")
    if form is None or not name or (form.get("method") or "get").strip().lower() != "get":
        return ""
    fields = [
        (field.get("name"), (field.get("value") or "")[:_MAX_VALUE])
        for field in islice(form.iter("input"), _MAX_FIELDS)
        if field.get("type") == "hidden" and field.get("name")
    ]
    action = (form.get("action") or "").partition("#")[0].partition("?")[0]
    return f"{action}?{urlencode([*fields, (name[:_MAX_VALUE], '')])}"
