"""The databases of both kinds, as the tests of the store have them."""

from tests.databases import database, url

__all__ = ["database", "url"]
