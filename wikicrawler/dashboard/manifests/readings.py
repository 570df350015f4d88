"""Manifests that were read and compared lately: of 5,000 sources that takes seconds."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from wikicrawler.dashboard.manifests.differences import differences
from wikicrawler.sources.manifest.activation import described
from wikicrawler.sources.manifest.reader import read_manifest
from wikicrawler.store.manifests import manifest_text

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from wikicrawler.dashboard.manifests.differences import Differences
    from wikicrawler.sources.manifest.reader import Reading
    from wikicrawler.store.database import Database
    from wikicrawler.store.manifests import Activation

_KEPT = 4
_T = TypeVar("_T")


class _Last(Generic[_T]):
    """The last values that were made, by what they are made of. Threads may ask at once."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: OrderedDict[Hashable, _T] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], _T]) -> _T:
        with self._lock:
            known = self._known.get(key)
        value = make() if known is None else known
        with self._lock:
            self._known[key] = value
            self._known.move_to_end(key)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return value


class Readings:
    """The last manifests that were read and compared, by what their texts are."""

    def __init__(self) -> None:
        self._read: _Last[Reading] = _Last()
        self._compared: _Last[Differences] = _Last()

    def read(self, data: bytes, name: str) -> Reading:
        """Return what :func:`read_manifest` returns."""
        found = self._read.get(sha256(data).hexdigest(), lambda: read_manifest(data, name))
        return replace(found, name=name)

    def of_activation(self, database: Database, activation: Activation) -> Reading:
        """Return the manifest of *activation* as it is read today.

        :raises StoreError: the database is unavailable
        """
        name = described(activation)

        def make() -> Reading:
            with database.read() as connection:
                text = manifest_text(connection, activation.number) or ""
            return read_manifest(text.encode(), name)

        return replace(self._read.get(activation.sha256, make), name=name)

    def compare(self, before: Reading | None, after: Reading) -> Differences | None:
        """Return the differences between two manifests, None if one of them has faults."""
        new, old = after.manifest, before.manifest if before else None
        if new is None or (before is not None and old is None):
            return None
        key = (before.sha256 if before else None, after.sha256)
        return self._compared.get(key, lambda: differences(old, new))


READINGS = Readings()
"""Those of this process."""
