"""Whether all fields have a value, so that a crawl may stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikicrawler.fields.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wikicrawler.fields.models import FieldDefinition


def is_complete(merged: Mapping[str, Any], fields: Sequence[FieldDefinition]) -> bool:
    """Return whether each field has a value that is not null.

    With a list among the fields the data is never complete: another page may have more elements.

    :raises ConfigError: there are no fields
    """
    return not missing_fields(merged, fields)


def missing_fields(
    merged: Mapping[str, Any], fields: Sequence[FieldDefinition]
) -> list[FieldDefinition]:
    """Return the fields that a further page may fill: those without a value, and all lists.

    :raises ConfigError: there are no fields
    """
    if not fields:
        raise ConfigError("there are no fields (name at least one, like title: string)")
    return [field for field in fields if field.is_list or merged.get(field.name) is None]
