"""Fixtures of the database tests, for SQLite and PostgreSQL."""

from __future__ import annotations

from tests.databases import database, url

__all__ = ["database", "url"]
