"""The databases of both kinds, as the tests of the store have them."""

from tests.store.conftest import database, url

__all__ = ["database", "url"]
