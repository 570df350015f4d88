"""The values in what a model answered, with the quotes it gives for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wikicrawler.fields.models import FieldDefinition

_QUOTED = frozenset({"value", "quote"})


class RawValue(NamedTuple):
    """A value as the model gave it: a scalar, an object, or one element of a list."""

    field: str
    value: Any
    """Any JSON but null, not coerced to the type of the field."""
    quote: str | None
    """What the model says to have read on the page; None if it gave nothing."""


def values_of(
    data: Mapping[str, Any], fields: Sequence[FieldDefinition], *, quotes: bool
) -> list[RawValue]:
    """Return the values of *fields* in *data*, an object of an answer. Never raises.

    A value may be given as it is or as ``{"value": …, "quote": …}``, of a list each element or the
    whole, of an object itself or each member. Null is no value. Of a list each element is one
    value, and a value that is no list is its only element; a list of one for a scalar is its
    element, a longer one is returned as it is, for the caller to reject.

    :param quotes: the model was asked for quotes. It may leave them out, or give some unasked, but
        ``{"value": 3, "quote": "…"}`` for an object is an object of these two if it was not asked
    """
    found: list[RawValue] = []
    for field in fields:
        if field.name in data:
            found += _values(field, data[field.name], quotes=quotes)
    return found


def _values(field: FieldDefinition, given: Any, *, quotes: bool) -> Iterator[RawValue]:
    value, quote = _unquoted(field, given, None, quotes=quotes)
    if isinstance(value, list) and (field.is_list or len(value) == 1):
        own = quote if isinstance(quote, list) and len(quote) == len(value) else None
        for index, item in enumerate(value):
            outer = own[index] if own else quote
            inner, its_quote = _unquoted(field, item, outer, quotes=quotes)
            yield from _value(field, inner, its_quote)
    else:
        yield from _value(field, value, quote)


def _value(field: FieldDefinition, value: Any, quote: Any) -> Iterator[RawValue]:
    if field.element_type == "object" and isinstance(value, dict):
        members = list(value.values())
        if members and all(_is_quoted(member) for member in members if member is not None):
            value = {
                name: member["value"] if member is not None else None
                for name, member in value.items()
            }
            if all(member is None for member in value.values()):
                return
    if value is not None:
        yield RawValue(field.name, value, _text(quote))


def _unquoted(field: FieldDefinition, item: Any, outer: Any, *, quotes: bool) -> tuple[Any, Any]:
    """Return the value and its quote, which is *outer* if it has none of its own."""
    if not _is_quoted(item):
        return item, outer
    if field.element_type == "object":
        inner = item["value"]
        if not isinstance(inner, dict | list) and not (quotes and inner is None):
            return item, outer  # an object with these two properties
    own = item.get("quote")
    return item["value"], outer if own is None else own


def _is_quoted(item: Any) -> bool:
    return isinstance(item, dict) and "value" in item and item.keys() <= _QUOTED


def _text(quote: Any) -> str | None:
    if isinstance(quote, list) and len(quote) == 1:
        quote = quote[0]
    return quote if isinstance(quote, str) and quote.strip() else None
