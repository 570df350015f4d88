"""The project's one database: SQLite in a file, or PostgreSQL by URL.

``tables`` has its schema, ``database`` opens it, ``attempts`` and ``sites`` say what is in it,
``records`` writes there, and ``writer`` does so beside a crawl, which no state of the database
stops.
"""
