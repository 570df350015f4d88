"""Spreads sources over time by their ids: the same on every machine and Python version."""

from __future__ import annotations

from hashlib import sha256


def spread(source_id: str, what: str, size: int) -> int:
    """Return a number from 0 to *size* - 1 that depends on the source and on nothing else.

    :param what: name of the choice; those of one source are independent of each other
    """
    digest = sha256(f"{what}:{source_id}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") * size >> 64
