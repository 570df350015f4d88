"""The databases of the store's tests."""

from tests.store.conftest import database, url

__all__ = ["database", "url"]
