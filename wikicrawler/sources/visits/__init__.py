"""A visit to a source: which URLs it fetches, what they bring, and what becomes of it."""
