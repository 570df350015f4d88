"""What the address of a page says: its parameters, checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from starlette.exceptions import HTTPException

from wikicrawler.text.safe import quoted

if TYPE_CHECKING:
    from enum import StrEnum

    from starlette.requests import Request

    Choice = TypeVar("Choice", bound=StrEnum)

_MAX_NUMBER = 1_000_000


def text_in(request: Request, name: str, limit: int = 300) -> str:
    """Return the parameter *name* without white space around it; empty where there is none."""
    return request.query_params.get(name, "").strip()[:limit]


def page_in(request: Request) -> int:
    """Return the number of the page that is wanted, from 1.

    :raises HTTPException: it is no number
    """
    text = text_in(request, "page", 20) or "1"
    if not (text.isascii() and text.isdecimal()) or not 0 < int(text) <= _MAX_NUMBER:
        raise HTTPException(400, f"page: {quoted(text, 20)} is not a number of a page (like 2)")
    return int(text)


def choice_in(request: Request, name: str, kind: type[Choice]) -> Choice | None:
    """Return the parameter *name*, a word of *kind*; None where there is none.

    :raises HTTPException: it is another word
    """
    text = text_in(request, name, 60)
    if not text:
        return None
    try:
        return kind(text)
    except ValueError:
        known = ", ".join(kind)
        raise HTTPException(400, f"{name}: {quoted(text, 40)} is not one of {known}") from None
