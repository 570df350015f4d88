"""The databases of the store's tests."""

from tests.databases import database, url

__all__ = ["database", "url"]
