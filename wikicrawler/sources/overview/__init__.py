"""Watched sources as their operator sees them: pure data, for any way to show it.

``listing`` has all sources in a table, ``directory`` keeps the active manifest between questions,
``source`` has one source with its visits and documents, ``versions`` the staged versions of a
document, and ``errors`` what failed. All SQL is in :mod:`wikicrawler.store`; a read-only database
is enough. A database without tables is an empty one.
"""
