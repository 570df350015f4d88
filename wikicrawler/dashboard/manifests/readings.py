"""Manifests that were read lately: to read one of 5,000 sources takes seconds."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING

from wikicrawler.sources.manifest.activation import described
from wikicrawler.sources.manifest.reader import read_manifest
from wikicrawler.store.manifests import manifest_text

if TYPE_CHECKING:
    from wikicrawler.sources.manifest.reader import Reading
    from wikicrawler.store.database import Database
    from wikicrawler.store.manifests import Activation

_KEPT = 4


class Readings:
    """The last manifests that were read, by what their texts are. Threads may ask at once."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: OrderedDict[str, Reading] = OrderedDict()

    def read(self, data: bytes, name: str) -> Reading:
        """Return what :func:`read_manifest` returns."""
        key = sha256(data).hexdigest()
        with self._lock:
            known = self._known.get(key)
        reading = replace(known, name=name) if known else read_manifest(data, name)
        self._keep(key, reading)
        return reading

    def of_activation(self, database: Database, activation: Activation) -> Reading:
        """Return the manifest of *activation* as it is read today.

        :raises StoreError: the database is unavailable
        """
        with self._lock:
            known = self._known.get(activation.sha256)
        name = described(activation)
        if known is not None:
            return replace(known, name=name)
        with database.read() as connection:
            text = manifest_text(connection, activation.number) or ""
        return self.read(text.encode(), name)

    def _keep(self, key: str, reading: Reading) -> None:
        with self._lock:
            self._known[key] = reading
            self._known.move_to_end(key)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)


READINGS = Readings()
"""Those of this process."""
