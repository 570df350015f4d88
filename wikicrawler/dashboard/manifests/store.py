"""What the screen of manifests asks the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException

from wikicrawler.dashboard.manifests.readings import READINGS
from wikicrawler.sources.manifest.activation import find_active
from wikicrawler.store.manifests import list_activations, manifest_text

if TYPE_CHECKING:
    from wikicrawler.sources.manifest.reader import Reading
    from wikicrawler.store.database import Database
    from wikicrawler.store.manifests import Activation


def activations(database: Database) -> list[Activation]:
    """Return all activations, the last one first.

    :raises StoreError: the database is unavailable
    """
    if not database.has_tables():
        return []
    with database.read() as connection:
        return list_activations(connection)


def activation_of(database: Database, number: int) -> Activation:
    """Return the activation *number*.

    :raises HTTPException: 404, there is none
    :raises StoreError: the database is unavailable
    """
    for one in activations(database):
        if one.number == number:
            return one
    raise HTTPException(404, f"No manifest was activated as number {number}.")


def text_of_activation(database: Database, activation: Activation) -> bytes:
    """Return the text of *activation*, byte for byte.

    :raises StoreError: the database is unavailable
    """
    with database.read() as connection:
        return (manifest_text(connection, activation.number) or "").encode()


def active_reading(database: Database) -> tuple[Activation | None, Reading | None]:
    """Return the active manifest.

    :raises StoreError: the database is unavailable
    """
    active = find_active(database)
    return (active, READINGS.of_activation(database, active)) if active else (None, None)
