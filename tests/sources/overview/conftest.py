"""A database of each kind."""

from __future__ import annotations

from tests.databases import database, reader, url

__all__ = ["database", "reader", "url"]
